import type { D1Migration } from 'cloudflare:test';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { NO_ORGANIZATION } from '../../../../src/core/lib/id.ts';
import { writerOf } from '../../../../src/core/writer/client.ts';
import { transferringOf } from '../../../../src/storage/transfer/job.ts';
import { TransferRunner } from '../../../../src/storage/transfer/transfer-runner.ts';
import { newWorld } from '../../../contract/world.ts';
import { bindings, forgetPlace, newTenantIn, setOpen } from '../../access/database/places.ts';
import { dump, ended, moving, residences } from '../move/moves.ts';
import { exportOf, wipe } from '../transfer/exports.ts';
import { planErasure, planImport, transferOf } from '../transfer/planned.ts';

const { DB, DB_1 } = bindings;
const { MIGRATIONS } = bindings as unknown as { MIGRATIONS: D1Migration[] };
const { queries } = MIGRATIONS.find(({ name }) => name === '0082_long_jobs.sql')!;

beforeEach(async () => {
  await setOpen('DB_1', true);
  for (const level of ['warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation(() => undefined);
});

/** Have `DB` be as the version before left it, with its row of a job, and then apply the migration. */
async function update(job: string): Promise<void> {
  const row = (await DB.prepare('SELECT * FROM long_job WHERE uuid = ?').bind(job).first<Row>())!;
  const { results } = await DB.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'long_job_%'",
  ).all<{ name: string }>();
  expect(results).toHaveLength(9);
  await DB.batch([
    ...results.map(({ name }) => DB.prepare(`DROP TRIGGER ${name}`)),
    ...['long_job', 'relocation', 'organization_job'].map((table) => DB.prepare(`DELETE FROM ${table}`)),
    DB.prepare('DROP TABLE long_job'),
    formerRow(row),
    ...queries.map((query) => DB.prepare(query)),
  ]);
}

interface Row {
  uuid: string;
  organization_uuid: string;
  operation_type: string;
  phase: string;
  input: string;
  progress: string;
  claim: string | null;
}

/** The row of a job as the version before wrote it. */
function formerRow({ uuid, organization_uuid, operation_type, phase, input, progress, claim }: Row) {
  const { slug, fromName, toName, ...request } = JSON.parse(input);
  const now = Date.now();
  return operation_type === 'ORGANIZATION_MOVE'
    ? DB.prepare(
        `INSERT INTO relocation (uuid, organization_uuid, from_name, to_name, phase, progress, claim, phase_date,
          create_date, update_date) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ).bind(uuid, organization_uuid, fromName, toName, phase, progress, claim, now, now, now)
    : DB.prepare(
        `INSERT INTO organization_job (uuid, organization_uuid, slug, operation_type, phase, input, progress, claim,
          create_date, update_date) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ).bind(
        ...[uuid, organization_uuid, slug, operation_type, phase],
        ...[JSON.stringify(request.objectKey ? request : null), progress, claim, now, now],
      );
}

/** Have the operator's object look for jobs, as the schedule does, and wait for the end of one. */
async function finished(job: string) {
  await writerOf(bindings, NO_ORGANIZATION).scheduleJobs(Date.now());
  return ended(job);
}

describe('A job of the version before', () => {
  it.each(['EMPTYING', 'COPYING', 'CATCHING_UP', 'FROZEN', 'LEFT', 'CLEARING'] as const)(
    'A move of the version before continues from %s after the update',
    async (phase) => {
      const { tenant, uuid, planned } = await moving('DB', phase);
      await update(planned.uuid);
      expect(await finished(planned.uuid)).toMatchObject({
        operationType: 'ORGANIZATION_MOVE',
        status: 'SUCCEEDED',
      });
      expect(await residences(uuid)).toEqual(['ELSEWHERE in DB_1', 'HERE in DB_1']);
      expect(await dump(DB, uuid)).toEqual({});
      expect((await tenant.call('GET', '/track')).body.totalElements).toBe(2);
    },
  );

  it('An import of the version before continues after the update at the byte that it has reached', async () => {
    const { tenant } = await newWorld();
    const before = await dump(DB, tenant.uuid);
    const text = await exportOf(tenant.uuid);
    await wipe(tenant.uuid);
    const job = await planImport(text, 'DB_1');
    // Each look at the clock ends a step.
    let now = Date.now();
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => {
      now += 10_000;
      return now;
    });
    const runner = new TransferRunner(transferringOf(bindings), job);
    for (let step = 0; step < 2; step += 1) await runner.step();
    clock.mockRestore();
    const { progress } = (await transferOf(job.uuid))!;
    expect(progress.offset).toBeGreaterThan(0);
    await update(job.uuid);
    expect((await transferOf(job.uuid))!.progress).toEqual(progress);
    expect((await finished(job.uuid)).status).toBe('SUCCEEDED');
    expect(await dump(DB_1, tenant.uuid)).toEqual(before);
    forgetPlace(tenant.uuid);
    expect((await tenant.call('GET', '/track')).status).toBe(200);
  });

  it('An erasure of the version before continues after the update', async () => {
    const tenant = await newTenantIn('DB_1');
    await tenant.call('POST', '/track/get-and-couple', { wmsId: 'P' });
    await DB_1.prepare('UPDATE organization SET suspended_date = 1 WHERE uuid = ?').bind(tenant.uuid).run();
    const job = await planErasure(tenant);
    await update(job.uuid);
    expect(await finished(job.uuid)).toMatchObject({
      operationType: 'ORGANIZATION_ERASURE',
      status: 'SUCCEEDED',
    });
    expect(await dump(DB_1, tenant.uuid)).toEqual({});
    expect(await residences(tenant.uuid)).toEqual([null, null]);
  });
});
