import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import type { Env } from '../../../../src/core/env.ts';
import { databasesOf } from '../../../../src/core/lib/databases.ts';
import { type Job, JobScheduler } from '../../../../src/core/writer/jobs.ts';

const bindings = env as unknown as Env;

/** The storage of an object with its alarm only, because jobs use nothing else. */
function alarmOnly(): DurableObjectStorage {
  let alarm: number | null = null;
  return {
    getAlarm: async () => alarm,
    setAlarm: async (date: number) => {
      alarm = date;
    },
    deleteAlarm: async () => {
      alarm = null;
    },
  } as unknown as DurableObjectStorage;
}

/** A scheduler of an organization's object that runs these jobs. */
const schedulerOf = (jobs: readonly Job<Env>[], storage: DurableObjectStorage) =>
  new JobScheduler(jobs, bindings, databasesOf(bindings), crypto.randomUUID(), storage);

/** A job that does not want to run again, and promises that hold each of its two runs. */
function twoHeldRuns() {
  const runs = [0, 1].map(() => ({
    begun: Promise.withResolvers<void>(),
    held: Promise.withResolvers<void>(),
  }));
  const coming = runs.values();
  const held: Job<Env> = async () => {
    const run = coming.next().value!;
    run.begun.resolve();
    await run.held.promise;
    return null;
  };
  return { runs, held };
}

it('a failed run does not count as the first run of an instance', async () => {
  const lastRuns: (number | null)[] = [];
  const failsOnce: Job<Env> = async ({ lastRun }) => {
    lastRuns.push(lastRun);
    if (lastRuns.length === 1) throw new Error('D1 did not answer');
    return null;
  };
  const storage = alarmOnly();
  const jobs = schedulerOf([failsOnce], storage);
  await jobs.runSoon();
  expect(await storage.getAlarm()).toBeLessThanOrEqual(Date.now() + 5_000);
  await storage.deleteAlarm();
  await jobs.onAlarm();
  await jobs.runSoon();
  expect(lastRuns).toEqual([null, null, expect.any(Number)]);
  expect(await storage.getAlarm()).toBeNull();
});

it('a request to run that comes while jobs run is remembered', async () => {
  const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const storage = alarmOnly();
  const jobs = schedulerOf(
    [
      async () => {
        begun.resolve();
        await held.promise;
        return null;
      },
    ],
    storage,
  );
  const running = jobs.runSoon();
  await begun.promise;
  const wished = Date.now() + 60_000;
  await jobs.scheduleAt(wished);
  held.resolve();
  await running;
  expect(await storage.getAlarm()).toBe(wished);
});

it('an overdue alarm is replaced, because it may be lost', async () => {
  const storage = alarmOnly();
  const jobs = schedulerOf([async () => null], storage);
  await jobs.scheduleAt(Date.now() + 1_000);
  await storage.deleteAlarm();
  vi.useFakeTimers({ now: Date.now() + 10_000, toFake: ['Date'] });
  try {
    await jobs.scheduleAt(Date.now());
    expect(await storage.getAlarm()).toBe(Date.now());
  } finally {
    vi.useRealTimers();
  }
});

it('an alarm is cleared when the run that it waits for has ended', async () => {
  const { runs, held } = twoHeldRuns();
  const jobs = schedulerOf([held], alarmOnly());
  void jobs.runSoon();
  await runs[0]!.begun.promise;
  // A commit requests another run. Then the alarm for this run rings.
  const asked = jobs.runSoon();
  let isDone = false;
  const rung = jobs.onAlarm().then(() => {
    isDone = true;
  });
  runs[0]!.held.resolve();
  await runs[1]!.begun.promise;
  expect(isDone).toBe(false);
  runs[1]!.held.resolve();
  await Promise.all([asked, rung]);
});

it('a commit that ended while jobs ran keeps its alarm until the run after it ends', async () => {
  const { runs, held } = twoHeldRuns();
  const storage = alarmOnly();
  const jobs = schedulerOf([held], storage);
  const running = jobs.runSoon();
  await runs[0]!.begun.promise;
  // The run has read already when the commit takes effect.
  const after: Promise<unknown>[] = [];
  await jobs.aroundCommit(
    async () => undefined,
    true,
    (promise) => after.push(promise),
  );
  runs[0]!.held.resolve();
  await running;
  await runs[1]!.begun.promise;
  expect(await storage.getAlarm()).toBeLessThanOrEqual(Date.now() + 5_000);
  runs[1]!.held.resolve();
  await Promise.all(after);
  expect(await storage.getAlarm()).toBeNull();
});

it('a commit in progress keeps its alarm, even if a run finds no work', async () => {
  const commit = Promise.withResolvers<void>();
  const storage = alarmOnly();
  const jobs = schedulerOf([async () => null], storage);
  const after: Promise<unknown>[] = [];
  const committing = jobs.aroundCommit(
    () => commit.promise,
    true,
    (promise) => after.push(promise),
  );
  await jobs.runSoon();
  expect(await storage.getAlarm()).toBeLessThanOrEqual(Date.now() + 5_000);
  commit.resolve();
  await committing;
  await Promise.all(after);
  expect(await storage.getAlarm()).toBeNull();
});
