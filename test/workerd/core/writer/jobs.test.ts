import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Env } from '../../../../src/core/env.ts';
import { databasesOf } from '../../../../src/core/lib/databases.ts';
import {
  type Job,
  JobScheduler,
  type NextRun,
  ON_REQUEST,
  onRequestOr,
} from '../../../../src/core/writer/jobs.ts';

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

describe('a run after a commit that only emits events', () => {
  const NOW = Date.now();
  const MINUTE = 60_000;

  /** Commits, and waits for the run of the jobs after it. */
  async function commits(jobs: JobScheduler<Env>, requestsJobs = false): Promise<void> {
    const runs: Promise<unknown>[] = [];
    await jobs.aroundCommit(
      async () => undefined,
      requestsJobs,
      (run) => runs.push(run),
    );
    await Promise.all(runs);
  }

  /** A scheduler of two jobs that ran once: one runs for events, the other gives these answers. */
  async function busy(...answers: (NextRun | Error)[]) {
    const ran: string[] = [];
    const sends: Job<Env> = async () => {
      ran.push('sends');
      return null;
    };
    const waits: Job<Env> = async () => {
      const answer = answers[ran.filter((name) => name === 'waits').length] ?? null;
      ran.push('waits');
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const storage = alarmOnly();
    const jobs = schedulerOf([waits, sends], storage);
    await commits(jobs);
    expect(ran.splice(0)).toEqual(['waits', 'sends']);
    ran.push('waits');
    return { jobs, storage, ranAgain: () => ran.slice(1) };
  }

  beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  it.each<[string, NextRun, number | null]>([
    ['waits for a request', ON_REQUEST, null],
    ['waits for a later date, and keeps its alarm', onRequestOr(NOW + MINUTE), NOW + MINUTE],
  ])('the run leaves out a job that %s', async (_, answer, alarm) => {
    const { jobs, storage, ranAgain } = await busy(answer);
    await commits(jobs);
    await commits(jobs);
    expect(ranAgain()).toEqual(['sends', 'sends']);
    expect(await storage.getAlarm()).toBe(alarm);
  });

  it.each<[string, NextRun | Error, (jobs: JobScheduler<Env>) => unknown]>([
    ['its date has come', onRequestOr(NOW + MINUTE), () => vi.setSystemTime(NOW + MINUTE)],
    ['the clock went back', onRequestOr(NOW + MINUTE), () => vi.setSystemTime(NOW - MINUTE - 1)],
    ['another writer may have left work', ON_REQUEST, (jobs) => jobs.markDirty()],
    ['it failed', new Error('D1 did not answer'), () => undefined],
    ['it has a date for all runs', NOW + MINUTE, () => undefined],
  ])('the run includes a job if %s', async (_, answer, happens) => {
    const { jobs, ranAgain } = await busy(answer);
    happens(jobs);
    await commits(jobs);
    expect(ranAgain()).toEqual(['waits', 'sends']);
  });

  it.each<[string, (jobs: JobScheduler<Env>) => Promise<void>]>([
    ['a commit that requests jobs', (jobs) => commits(jobs, true)],
    ['the alarm', (jobs) => jobs.onAlarm()],
  ])('a run because of %s runs all jobs', async (_, cause) => {
    const { jobs, ranAgain } = await busy(ON_REQUEST);
    await cause(jobs);
    expect(ranAgain()).toEqual(['waits', 'sends']);
  });

  it('a run that a request joins before it starts runs all jobs', async () => {
    const { jobs, ranAgain } = await busy(ON_REQUEST, ON_REQUEST);
    const both = commits(jobs);
    await Promise.all([both, commits(jobs, true)]);
    expect(ranAgain()).toContain('waits');
  });
});
