import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Env } from '../../../../src/core/env.ts';
import { Database } from '../../../../src/core/lib/database.ts';
import { databasesOf } from '../../../../src/core/lib/databases.ts';
import { NO_ORGANIZATION } from '../../../../src/core/lib/id.ts';
import { outage } from '../../../../src/core/lib/store.ts';
import { TakenOver } from '../../../../src/core/lib/taken-over.ts';
import { ON_REQUEST } from '../../../../src/core/writer/jobs.ts';
import { type JobKind, longJobs } from '../../../../src/storage/long-job/job.ts';
import { PhasedJob } from '../../../../src/storage/long-job/phased-job.ts';
import {
  insertJob,
  type LongJob,
  nextDueDate,
  openJobs,
  readJob,
} from '../../../../src/storage/long-job/store.ts';
import { bindings } from '../../access/database/places.ts';

const { DB } = bindings;
const databases = databasesOf(bindings);
const database = new Database(NO_ORGANIZATION, databases);

type Counted = LongJob<
  'ORGANIZATION_IMPORT',
  'IMPORTING' | 'ARRIVING' | 'CLEARING' | 'DONE',
  { slug: string },
  { count?: number; failuresCount?: number; dueDate?: number }
>;

/** A job that counts to three, and fails on request. Clearing has no limit of attempts. */
class Counting extends PhasedJob<Counted> {
  fails: Error | undefined;
  takes = 0;
  protected readonly failurePolicy = { attempts: { IMPORTING: 3, ARRIVING: 3 }, pauseMaximumMs: 5_000 };
  protected readonly steps = {
    IMPORTING: async () => {
      if (this.fails) throw this.fails;
      const count = (this.job.progress.count ?? 0) + 1;
      await this.note(count < 3 ? 'IMPORTING' : 'ARRIVING', { count });
    },
    ARRIVING: () => this.note('DONE', {}),
    CLEARING: async () => {
      if (this.fails) throw this.fails;
      await this.note('DONE', {});
    },
    DONE: async () => undefined,
  };
  protected async take(): Promise<void> {
    this.takes += 1;
  }
  protected giveUp(): Promise<void> {
    return this.note('CLEARING', {}, { error: { code: 'importFailed', message: 'No.' } });
  }
}

const counting = (job: Counted): Counting => new Counting(databases, job);

async function newJob(phase = 'IMPORTING'): Promise<Counted> {
  const [uuid, organization] = [crypto.randomUUID(), crypto.randomUUID()];
  const operationType = 'ORGANIZATION_IMPORT';
  const input = { slug: 'slug' };
  await database.send([
    insertJob(database, { uuid, organization, operationType, phase, input, now: Date.now() }),
  ]);
  return (await jobOf(uuid))!;
}

async function jobOf(job: string): Promise<Counted | undefined> {
  const jobs = await openJobs<Counted>(database, ['ORGANIZATION_IMPORT'], 100);
  return jobs.find(({ uuid }) => uuid === job);
}

async function rowOf({ uuid }: Counted) {
  const row = await DB.prepare('SELECT phase, progress, phase_date FROM long_job WHERE uuid = ?')
    .bind(uuid)
    .first<{ phase: Counted['phase']; progress: string; phase_date: number }>();
  return { phase: row!.phase, progress: JSON.parse(row!.progress), phaseDate: row!.phase_date };
}

const DEFECT = new Error('defect');
const COLLISION = outage('D1_ERROR: UNIQUE constraint failed: track.uuid: SQLITE_CONSTRAINT');
const OUTAGE = outage('D1_ERROR: Network connection lost.');

beforeEach(async () => {
  await DB.prepare('DELETE FROM long_job').run();
  for (const level of ['warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation(() => undefined);
});

describe('The claim on a long job', () => {
  it('A long job is claimed once, and ends as an operation', async () => {
    const job = await newJob();
    const runner = counting(job);
    expect((await readJob(database, job.uuid))!.status).toBe('RUNNING');
    const steps = [await runner.step(), await runner.step(), await runner.step(), await runner.step()];
    expect(steps).toEqual([false, false, false, true]);
    expect(runner.takes).toBe(1);
    expect(await readJob(database, job.uuid)).toMatchObject({
      operationType: 'ORGANIZATION_IMPORT',
      status: 'SUCCEEDED',
    });
  });

  it('A long job that another process has claimed takes no progress from the first process', async () => {
    const job = await newJob();
    const [first, second] = [counting(job), counting(job)];
    await first.step();
    // The second process has the same phase and progress, but a later claim.
    await DB.prepare("UPDATE long_job SET progress = '{}' WHERE uuid = ?").bind(job.uuid).run();
    await second.step();
    await expect(first.step()).rejects.toThrow(TakenOver);
    expect((await rowOf(job)).progress).toEqual({ count: 1 });
    expect(await second.step()).toBe(false);
  });

  it('A long job whose row was restored to an earlier phase takes no progress of a later phase', async () => {
    const job = await newJob();
    const runner = counting(job);
    for (let step = 0; step < 3; step += 1) await runner.step();
    expect((await rowOf(job)).phase).toBe('ARRIVING');
    await DB.prepare("UPDATE long_job SET phase = 'IMPORTING' WHERE uuid = ?").bind(job.uuid).run();
    await expect(runner.step()).rejects.toThrow(TakenOver);
    expect((await rowOf(job)).phase).toBe('IMPORTING');
  });

  it('A long job that has ended cannot be claimed, and nothing else is claimed for it', async () => {
    const job = await newJob();
    const runner = counting(job);
    while (!(await runner.step()));
    const late = counting(job);
    await expect(late.step()).rejects.toThrow(TakenOver);
    expect(late.takes).toBe(0);
  });

  it('A long job keeps the date at which its phase began', async () => {
    const job = await newJob();
    await DB.prepare('UPDATE long_job SET phase_date = 1 WHERE uuid = ?').bind(job.uuid).run();
    const runner = counting(job);
    await runner.step();
    expect((await rowOf(job)).phaseDate).toBe(1);
    await runner.step();
    await runner.step();
    expect((await rowOf(job)).phaseDate).toBeGreaterThan(1);
  });

  it('An organization has one unfinished long job at most', async () => {
    const { organization } = await newJob();
    const again = insertJob(database, {
      ...{ uuid: crypto.randomUUID(), organization, now: 1 },
      ...{ operationType: 'ORGANIZATION_MOVE', phase: 'EMPTYING', input: { fromName: 'DB', toName: 'DB_1' } },
    });
    await expect(database.send([again])).rejects.toThrow(
      'UNIQUE constraint failed: long_job.organization_uuid',
    );
  });
});

describe('A long job that fails', () => {
  /** Take a step that fails; the pause in seconds. */
  async function failedStep(job: Counted, error: Error): Promise<number> {
    const runner = counting({ ...job, ...(await rowOf(job)) });
    runner.fails = error;
    await runner.step().catch(() => undefined);
    return Math.round(((await rowOf(job)).progress.dueDate - Date.now()) / 1_000);
  }

  it('A long job pauses for longer after each failure, up to a maximum, and nobody takes a step before', async () => {
    const job = await newJob('CLEARING');
    expect(await failedStep(job, DEFECT)).toBe(2);
    expect(await jobOf(job.uuid)).toBeUndefined();
    expect([await failedStep(job, DEFECT), await failedStep(job, COLLISION)]).toEqual([4, 5]);
    expect(await rowOf(job)).toMatchObject({ phase: 'CLEARING', progress: { failuresCount: 3 } });
  });

  it('A long job gives up after as many failures in a row as its phase allows', async () => {
    const job = await newJob();
    await failedStep(job, DEFECT);
    await failedStep(job, DEFECT);
    // A step that succeeds ends the row of failures.
    await counting({ ...job, ...(await rowOf(job)) }).step();
    expect((await rowOf(job)).progress).toEqual({ count: 1 });
    for (let failure = 0; failure < 3; failure += 1) await failedStep(job, DEFECT);
    expect(await rowOf(job)).toMatchObject({ phase: 'CLEARING', progress: {} });
    while (!(await counting({ ...job, ...(await rowOf(job)) }).step()));
    expect((await readJob(database, job.uuid))!.results[0]!.error).toEqual({
      code: 'importFailed',
      message: 'No.',
    });
  });

  it('A long job gives up at once if its rows collide with others', async () => {
    const job = await newJob();
    await failedStep(job, COLLISION);
    expect((await rowOf(job)).phase).toBe('CLEARING');
  });

  it('A long job neither pauses nor gives up because of outages', async () => {
    const job = await newJob();
    for (let failure = 0; failure < 5; failure += 1) await failedStep(job, OUTAGE);
    expect(await rowOf(job)).toMatchObject({ phase: 'IMPORTING', progress: {} });
  });
});

describe('The background job that carries out long jobs', () => {
  const context = (one: Database) => ({
    env: bindings as Env,
    database: one,
    now: Date.now(),
    lastRun: null,
  });
  const kind = (atOnce: number, begun: string[]): JobKind => ({
    types: ['ORGANIZATION_IMPORT'],
    atOnce,
    begin(_, job) {
      begun.push(job.uuid);
      return counting(job as Counted);
    },
  });

  it('The background job carries out as many long jobs at once as their kind allows', async () => {
    const jobs = [await newJob(), await newJob(), await newJob()];
    const begun: string[] = [];
    const run = longJobs([kind(2, begun)]);
    expect(await run(context(database))).toBeLessThanOrEqual(Date.now());
    expect(begun).toHaveLength(2);
    await run(context(database));
    expect(begun.toSorted()).toEqual(jobs.map(({ uuid }) => uuid).sort());
    expect(await run(context(database))).toBe(ON_REQUEST);
  });

  it('The background job runs again when the first paused long job is due', async () => {
    const job = await newJob('CLEARING');
    const dueDate = Date.now() + 60_000;
    await DB.prepare("UPDATE long_job SET progress = json_object('dueDate', ?2) WHERE uuid = ?1")
      .bind(job.uuid, dueDate)
      .run();
    const begun: string[] = [];
    expect(await longJobs([kind(2, begun)])(context(database))).toBe(dueDate);
    expect([await nextDueDate(database), begun]).toEqual([dueDate, []]);
  });

  it('The background job of other organizations has nothing to do', async () => {
    await newJob();
    const begun: string[] = [];
    const other = new Database(crypto.randomUUID(), databases);
    expect(await longJobs([kind(2, begun)])(context(other))).toBe(ON_REQUEST);
    expect(begun).toEqual([]);
  });
});
