import { describe, expect, it } from 'vitest';
import { databasesOf } from '../../../../src/core/lib/databases.ts';
import type { Phase, Relocation } from '../../../../src/storage/move/store.ts';
import { RestoreRunner } from '../../../../src/storage/restore/restore-runner.ts';
import type { NightlyExport } from '../../../../src/storage/restore/store.ts';
import { bindings, newTenantIn, setOpen } from '../../access/database/places.ts';
import type { Tenant } from '../../client.ts';
import { bytesOf, upload } from '../../dispatch/calibration/files.ts';
import { dump, residences } from '../move/moves.ts';
import { night, nightKeys, requestRestore, restore, suspend } from './nights.ts';

const { DB, DB_1, CALIBRATION } = bindings;
await setOpen('DB_1', true);

/** A suspended organization with an export in some parts, and a pallet that is not in it. */
async function withNight(): Promise<{ tenant: Tenant; keys: string[]; exportDate: string }> {
  const tenant = await newTenantIn('DB');
  for (const wmsId of ['A', 'B']) await tenant.call('POST', '/track/get-and-couple', { wmsId });
  const [exportDate] = await night(DB, tenant.uuid, { partLength: 1_500 });
  await tenant.call('POST', '/track/get-and-couple', { wmsId: 'LOST' });
  await suspend(tenant.uuid);
  return { tenant, keys: await nightKeys(tenant.uuid), exportDate: exportDate! };
}

/** The pallets of an organization in a database. */
const pallets = async (db: D1Database, { uuid }: Tenant): Promise<string[]> => {
  const found = db
    .prepare('SELECT wms_id AS wms FROM track WHERE organization_uuid = ? ORDER BY 1')
    .bind(uuid);
  return (await found.all<{ wms: string }>()).results.map(({ wms }) => wms);
};

const replaced = async (key: string, from: string | RegExp, to: string): Promise<void> => {
  const text = await (await CALIBRATION.get(key))!.text();
  const altered = text.replace(from, to);
  expect(altered).not.toBe(text);
  await CALIBRATION.put(key, altered);
};

describe('a restore', () => {
  it.each<[string, (keys: string[]) => Promise<unknown>]>([
    ['with an altered row', ([, second]) => replaced(second!, /"table":"(\w+)"/, '"table":"$1" ')],
    ['without its last line', ([first]) => replaced(first!, /\n[^\n]*\n$/, '\n')],
    ['that breaks off in a line', ([first]) => replaced(first!, /\n$/, '')],
    ['without one of its parts', ([, second]) => CALIBRATION.delete(second!)],
    [
      'with a part instead of another',
      async ([, second, third]) => CALIBRATION.put(second!, await (await CALIBRATION.get(third!))!.text()),
    ],
  ])('of an export %s fails and changes nothing, also as a dry run', async (_, damage) => {
    const { tenant, keys } = await withNight();
    await damage(keys);
    for (const dryRun of [true, false]) {
      const { operation } = await restore(tenant.uuid, { dryRun });
      expect(operation).toMatchObject({ status: 'FAILED', results: [{ error: { code: 'restoreFailed' } }] });
    }
    expect(await residences(tenant.uuid)).toEqual(['HERE in DB', null]);
    expect(await pallets(DB, tenant)).toEqual(['A', 'B', 'LOST']);
  });

  it('whose rows do not arrive completely leaves the organization where it was', async () => {
    const { tenant } = await withNight();
    await DB_1.exec(
      "CREATE TRIGGER lose_rows BEFORE INSERT ON track WHEN NEW.wms_id = 'B' BEGIN SELECT RAISE(IGNORE); END",
    );
    const { operation } = await restore(tenant.uuid);
    await DB_1.exec('DROP TRIGGER lose_rows');
    expect(operation).toMatchObject({ status: 'FAILED', results: [{ error: { code: 'restoreFailed' } }] });
    expect(await residences(tenant.uuid)).toEqual(['HERE in DB', null]);
    expect(await pallets(DB, tenant)).toEqual(['A', 'B', 'LOST']);
    expect(await dump(DB_1, tenant.uuid)).toEqual({});
    // The next attempt succeeds.
    expect((await restore(tenant.uuid)).operation.status).toBe('SUCCEEDED');
    expect(await pallets(DB_1, tenant)).toEqual(['A', 'B']);
  }, 30_000);

  it('names the exports that there are if none has the date', async () => {
    const { tenant, exportDate } = await withNight();
    const wrong = await requestRestore(tenant.uuid, { exportDate: '2020-01-01T00:00:00.000Z' });
    expect(wrong).toMatchObject({ status: 400, body: { errors: [{ field: 'exportDate' }] } });
    expect(wrong.body.errors[0].message).toContain(exportDate);
    const none = await newTenantIn('DB');
    expect((await requestRestore(none.uuid)).body.errors[0].message).toContain('no nightly export');
  });

  it('into the database of the organization is refused, and so is one without another open database', async () => {
    const { tenant } = await withNight();
    const here = await requestRestore(tenant.uuid, { databaseName: 'DB' });
    expect(here).toMatchObject({ status: 400, body: { errors: [{ field: 'databaseName' }] } });
    await setOpen('DB_1', false);
    expect(await requestRestore(tenant.uuid, { dryRun: true })).toMatchObject({
      status: 409,
      body: { code: 'databaseClosed' },
    });
    // A database that is kept closed for this may be named.
    expect((await requestRestore(tenant.uuid, { dryRun: true, databaseName: 'DB_1' })).status).toBe(202);
    await setOpen('DB_1', true);
    expect(await residences(tenant.uuid)).toEqual(['HERE in DB', null]);
  });
});

it('a restore whose process dies after each step ends in the same state', async () => {
  const { tenant, exportDate, keys } = await withNight();
  const expected = await pallets(DB, tenant);
  expect(expected).toContain('LOST');
  const { sequenceNumber, digests } = await (await CALIBRATION.get(keys.at(-1)!))!.json<NightlyExport>();
  const input = {
    ...{ fromName: 'DB', toName: 'DB_1', exportDate, dryRun: false, sequenceNumber },
    digests,
  };
  const planned: Relocation = {
    ...{ uuid: crypto.randomUUID(), organization: tenant.uuid, operationType: 'ORGANIZATION_RESTORE' },
    ...{ phase: 'CHECKING', input, progress: {}, phaseDate: Date.now() },
  };
  // Paused until a distant date, so that only this test works on it.
  const DISTANT = 4_000_000_000_000;
  await DB.prepare(
    `INSERT INTO long_job (uuid, organization_uuid, operation_type, phase, input, progress, phase_date, create_date,
      update_date) VALUES (?1, ?2, 'ORGANIZATION_RESTORE', 'CHECKING', ?3, ?4, ?5, ?5, ?5)`,
  )
    .bind(planned.uuid, tenant.uuid, JSON.stringify(input), JSON.stringify({ dueDate: DISTANT }), Date.now())
    .run();
  const phases: Phase[] = [];
  for (let job = planned; job.phase !== 'DONE' && phases.length < 200; ) {
    phases.push(job.phase);
    // The first process makes the step and dies before it notes that. The second one repeats it.
    const runnerOf = () => new RestoreRunner(databasesOf(bindings), CALIBRATION, job, async () => undefined);
    const dying = runnerOf();
    Object.defineProperty(dying, 'note', { value: () => Promise.reject(new Error('killed')) });
    await dying.step().catch(() => undefined);
    await runnerOf().step();
    const row = await DB.prepare('SELECT phase, progress, phase_date AS date FROM long_job WHERE uuid = ?')
      .bind(planned.uuid)
      .first<{ phase: Phase; progress: string; date: number }>();
    job = { ...job, phase: row!.phase, progress: JSON.parse(row!.progress), phaseDate: row!.date };
  }
  expect([...new Set(phases)]).toEqual([
    ...['CHECKING', 'EMPTYING', 'COPYING', 'CATCHING_UP', 'FROZEN', 'LEFT', 'CLEARING'],
  ]);
  expect(await residences(tenant.uuid)).toEqual(['ELSEWHERE in DB_1', 'HERE in DB_1']);
  expect(await pallets(DB_1, tenant)).toEqual(['A', 'B']);
  expect(await pallets(DB, tenant)).toEqual([]);
}, 30_000);

it('files of the lost time become orphans, and files that restored rows name do not', async () => {
  const tenant = await newTenantIn('DB');
  await upload(tenant, bytesOf('["night"]'));
  await night(DB, tenant.uuid);
  const keysIn = async (db: D1Database, table: string): Promise<string[]> => {
    const rows = await db
      .prepare(`SELECT object_key AS key FROM ${table} WHERE organization_uuid = ? ORDER BY 1`)
      .bind(tenant.uuid)
      .all<{ key: string }>();
    return rows.results.map(({ key }) => key);
  };
  const before = await keysIn(DB, 'calibration');
  await upload(tenant, bytesOf('["lost"]'));
  const lost = await keysIn(DB, 'calibration');
  expect(lost).not.toEqual(before);
  await suspend(tenant.uuid);
  expect((await restore(tenant.uuid)).operation.status).toBe('SUCCEEDED');
  expect(await keysIn(DB_1, 'calibration')).toEqual(before);
  expect(await keysIn(DB_1, 'calibration_orphan')).toEqual(lost);
});
