import { beforeEach, describe, expect, it, vi } from 'vitest';
import { bring } from '../../../../src/access/database/arrival.ts';
import { Databases } from '../../../../src/core/lib/databases.ts';
import { transferringOf } from '../../../../src/storage/transfer/job.ts';
import type { ImportInput, Transfer } from '../../../../src/storage/transfer/store.ts';
import { TransferRunner } from '../../../../src/storage/transfer/transfer-runner.ts';
import { newWorld } from '../../../contract/world.ts';
import { bindings, forgetPlace, rowsIn } from '../../access/database/places.ts';
import { operator } from '../../client.ts';
import { FAILURES, failingD1 } from '../../failing.ts';
import { dump } from '../move/moves.ts';
import { exportOf, wipe } from './exports.ts';
import { planImport, transferOf } from './planned.ts';

const { DB, DB_1, CALIBRATION } = bindings;
/** The table with the row of a job. */
const JOB = ['long_job'];

beforeEach(() => {
  for (const level of ['warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation(() => undefined);
});

async function carryOn(env: object, job: Transfer): Promise<void> {
  const carrier = new TransferRunner({ ...transferringOf(bindings), databases: new Databases(env) }, job);
  while (!(await carrier.step()));
}

const residenceOf = (organization: string) =>
  DB.prepare('SELECT residence FROM organization WHERE uuid = ?').bind(organization).first('residence');

/** The keys of all objects except nightly exports, which an erasure deletes and an import does not bring back. */
const keysOfFiles = async (): Promise<string[]> =>
  (await CALIBRATION.list()).objects.map(({ key }) => key).filter((key) => !key.startsWith('nightly/'));

it('an import ends the same, whichever database call its runner died at', async () => {
  const { tenant } = await newWorld();
  const before = await dump(DB, tenant.uuid);
  const text = await exportOf(tenant.uuid);
  const objects = await keysOfFiles();
  const died = { before: 0, after: 0 };
  for (let at = 1, dies = true; dies; at += 1) {
    await wipe(tenant.uuid);
    const late = at % 2 === 0;
    const name = at % 4 < 2 ? 'DB' : 'DB_1';
    const job = await planImport(text, name);
    const main = failingD1({ message: FAILURES.lost, from: at, late });
    const other = failingD1({ message: FAILURES.lost, from: at, late }, DB_1);
    dies = false;
    await carryOn({ DB: main.db, DB_1: other.db }, job).catch(() => {
      dies = true;
      died[late ? 'after' : 'before'] += 1;
    });
    const open = await transferOf(job.uuid);
    // An organization that is shown can be erased or moved at once.
    expect([at, await residenceOf(tenant.uuid)]).toEqual([
      at,
      open ? 'ARRIVING' : name === 'DB' ? 'HERE' : 'ELSEWHERE',
    ]);
    if (open) await carryOn(bindings, open);
    expect([at, await dump(name === 'DB' ? DB : DB_1, tenant.uuid)]).toEqual([at, before]);
    if (name === 'DB_1') expect(Object.keys(await rowsIn(DB, tenant.uuid))).toEqual(JOB);
    expect(await keysOfFiles()).toEqual(objects);
    forgetPlace(tenant.uuid);
    expect((await tenant.call('GET', '/track')).status).toBe(200);
  }
  expect(died.before).toBeGreaterThan(15);
  expect(died.after).toBeGreaterThan(15);
}, 200_000);

it('an import has ended when its organization is seen and woken', async () => {
  const { tenant } = await newWorld();
  const text = await exportOf(tenant.uuid);
  for (const [name, residence] of [
    ['DB', 'HERE'],
    ['DB_1', 'ELSEWHERE'],
  ] as const) {
    await wipe(tenant.uuid);
    const job = await planImport(text, name);
    const woken: unknown[] = [];
    const wake = async () => {
      woken.push([await residenceOf(tenant.uuid), await transferOf(job.uuid)]);
    };
    const runner = new TransferRunner({ ...transferringOf(bindings), wake }, job);
    while (!(await runner.step()));
    expect(woken).toEqual([[residence, undefined]]);
  }
});

it('an import whose file is lost is cleaned up', async () => {
  const { tenant } = await newWorld();
  const text = await exportOf(tenant.uuid);
  await wipe(tenant.uuid);
  const job = await planImport(text, 'DB_1');
  const carrier = new TransferRunner(transferringOf(bindings), job);
  await CALIBRATION.delete((job.input as ImportInput).objectKey);
  while (!(await carrier.step()));
  expect(Object.keys(await rowsIn(DB, tenant.uuid))).toEqual(JOB);
  expect(await rowsIn(DB_1, tenant.uuid)).toEqual({});
  expect((await tenant.call('GET', '/track')).status).toBe(401);
});

it('a replaced transfer runner writes and deletes nothing', async () => {
  const { tenant } = await newWorld();
  const before = await dump(DB, tenant.uuid);
  const text = await exportOf(tenant.uuid);
  await wipe(tenant.uuid);
  const job = await planImport(text, 'DB');
  const rows = [DB.prepare('SELECT 1')];
  await expect(bring(DB, tenant.uuid, 'the claim of another', rows)).rejects.toThrow('taken over');
  const both = await Promise.allSettled([carryOn(bindings, job), carryOn(bindings, job)]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await dump(DB, tenant.uuid)).toEqual(before);
});

it('an import in tiny steps ends the same, its last line included', async () => {
  const { tenant } = await newWorld();
  const before = await dump(DB, tenant.uuid);
  const text = await exportOf(tenant.uuid);
  await wipe(tenant.uuid);
  const job = await planImport(text, 'DB_1');
  const carrier = new TransferRunner(transferringOf(bindings), job);
  let now = Date.now();
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => {
    now += 10_000;
    return now;
  });
  let steps = 1;
  try {
    for (; !(await carrier.step()); steps += 1);
  } finally {
    clock.mockRestore();
  }
  expect(await dump(DB_1, tenant.uuid)).toEqual(before);
  expect(steps).toBeGreaterThan(4);
});

describe('a job whose steps fail for a reason of their own', () => {
  /** Run a step on a database that fails with this message. @returns the job as stored after it. */
  const stepAt = async (job: Transfer, message: string) => {
    const failing = failingD1({ message, from: 1 }, DB_1);
    const databases = new Databases({ DB, DB_1: failing.db });
    await new TransferRunner({ ...transferringOf(bindings), databases }, job).step().catch(() => undefined);
    const row = await DB.prepare('SELECT phase, progress FROM long_job WHERE uuid = ?')
      .bind(job.uuid)
      .first<{ phase: Transfer['phase']; progress: string }>();
    return { ...job, phase: row!.phase, progress: JSON.parse(row!.progress) };
  };
  const DEFECT = 'D1_ERROR: no such table: any: SQLITE_ERROR';

  it('a failing import pauses longer each time and gives up after five attempts', async () => {
    const { tenant } = await newWorld();
    const text = await exportOf(tenant.uuid);
    await wipe(tenant.uuid);
    let job = await planImport(text, 'DB_1');
    const pauses: number[] = [];
    for (let attempt = 1; attempt < 5; attempt += 1) {
      job = await stepAt(job, DEFECT);
      expect([job.phase, job.progress.failuresCount]).toEqual(['IMPORTING', attempt]);
      pauses.push(Math.round((job.progress.dueDate! - Date.now()) / 1_000));
      // The job is not due before that date.
      expect(await transferOf(job.uuid)).toBeUndefined();
    }
    expect(pauses).toEqual([2, 4, 8, 16]);
    job = await stepAt(job, DEFECT);
    expect(job.phase).toBe('CLEARING');
    // Clearing is retried without end, at most an hour apart.
    job = { ...job, progress: { failuresCount: 30, piece: 1 } };
    job = await stepAt(job, DEFECT);
    expect([job.phase, Math.round((job.progress.dueDate! - Date.now()) / 60_000)]).toEqual(['CLEARING', 60]);
    await carryOn(bindings, job);
    const { body } = await operator('GET', `/operation/${job.uuid}`);
    expect([body.status, body.results[0].error.code]).toEqual(['FAILED', 'importFailed']);
  });

  it('a job does not count outages as failed attempts', async () => {
    const { tenant } = await newWorld();
    const text = await exportOf(tenant.uuid);
    await wipe(tenant.uuid);
    let job = await planImport(text, 'DB_1');
    for (let attempt = 1; attempt <= 8; attempt += 1) job = await stepAt(job, FAILURES.lost);
    expect([job.phase, job.progress]).toEqual(['IMPORTING', {}]);
    await carryOn(bindings, job);
  });

  it('a job ends if its organization has no row', async () => {
    const { tenant } = await newWorld();
    const text = await exportOf(tenant.uuid);
    await wipe(tenant.uuid);
    const job = await planImport(text, 'DB');
    await DB.prepare('DELETE FROM organization WHERE uuid = ?').bind(tenant.uuid).run();
    await expect(carryOn(bindings, job)).rejects.toThrow('the organization has no row');
    expect(await transferOf(job.uuid)).toBeUndefined();
    expect((await operator('GET', `/operation/${job.uuid}`)).body.status).toBe('FAILED');
  });
});
