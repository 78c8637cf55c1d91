import { Database } from '../lib/database.ts';
import type { Databases } from '../lib/databases.ts';
import { smallest } from '../lib/extremes.ts';
import { reaching } from '../lib/store.ts';
import { MINUTE_MS, SECOND_MS } from '../lib/time.ts';

/** The context of a job. */
export interface JobContext<E> {
  env: E;
  database: Database;
  /** Epoch milliseconds. */
  now: number;
  /**
   * When the job last completed in this instance of the object (epoch milliseconds); null if it has not. If null,
   * messages that it had sent may be lost, because the local queue loses them at a restart.
   */
  lastRun: number | null;
}

/**
 * Background work of an organization's object: sending committed events, finishing accepted operations. A job reads due
 * work from D1 and does a bounded part of it. It may run at any time, and twice for the same work. @returns when it
 * wants to run again. After `ON_REQUEST`, or before the date of `onRequestOr`, it does not run for commits that only emit
 * events. If all jobs answer so, such a commit needs neither an alarm nor a run.
 */
export type Job<E> = (context: JobContext<E>) => Promise<NextRun>;

/**
 * Runs jobs after commits that request it, and when the object's alarm rings. The alarm is set BEFORE such a commit, so
 * that the work continues even if the object ends right after it. `jobs.ts` decides when the alarm rings next.
 */
export class JobScheduler<E extends object> {
  readonly #jobs: readonly Job<E>[];
  readonly #env: E;
  readonly #databases: Databases;
  readonly #organization: string;
  readonly #storage: DurableObjectStorage;
  /** When the alarm rings; null if none is set, undefined if the alarm must be read first. */
  #alarmDate: number | null | undefined;
  #commitsUnderWay = 0;
  /** Resolves when the current run and the next run have ended. */
  #lastRunEnded: Promise<unknown> = Promise.resolve();
  /** A requested run that has not started. */
  #waitingRun: Promise<void> | undefined;
  /** Whether a commit that only emits events needs no run. */
  #idle = false;
  /**
   * Whether `markDirty` was called since the last run started. If so, that run must not make the jobs idle, and the next
   * run runs all jobs.
   */
  #dirty = false;
  /** The earliest date passed to `scheduleAt` since the last run started. */
  #scheduledDate: number | null = null;
  /** The date when each job last completed (null: never), and when it wants to run again. */
  readonly #lastRuns = new Map<Job<E>, { lastRun: number | null; answer: NextRun }>();

  constructor(
    jobs: readonly Job<E>[],
    env: E,
    databases: Databases,
    organization: string,
    storage: DurableObjectStorage,
  ) {
    this.#jobs = jobs;
    this.#env = env;
    this.#databases = databases;
    this.#organization = organization;
    this.#storage = storage;
  }

  /**
   * Make a commit that leaves work for jobs: set an alarm, commit, then run the jobs. `requestsJobs` is false if the
   * commit only emits events, which may not need a job.
   */
  async aroundCommit<T>(
    commit: () => Promise<T>,
    requestsJobs: boolean,
    waitUntil: (promise: Promise<unknown>) => void,
  ): Promise<T> {
    if (this.#jobs.length === 0 || (this.#idle && !requestsJobs)) return commit();
    this.#commitsUnderWay += 1;
    try {
      await this.#setAlarmBy(Date.now() + RECHECK_MS);
      return await commit();
    } finally {
      this.#commitsUnderWay -= 1;
      if (requestsJobs) this.markDirty();
      waitUntil(this.runSoon());
    }
  }

  /** Make the next commit run all jobs, because another writer may have committed work for them. */
  markDirty(): void {
    this.#dirty = true;
    this.#idle = false;
  }

  /** Run the jobs at this date (epoch milliseconds) or earlier, by the alarm. */
  async scheduleAt(date: number): Promise<void> {
    this.#scheduledDate = Math.min(this.#scheduledDate ?? date, date);
    if (alarmMayBeLost(this.#alarmDate ?? null, Date.now())) this.#alarmDate = undefined;
    await this.#setAlarmBy(date);
  }

  /** Run all jobs because the alarm rings. */
  async onAlarm(): Promise<void> {
    this.#alarmDate = null;
    this.markDirty();
    await this.runSoon();
  }

  /**
   * Run jobs after the current run: all jobs after `markDirty`, otherwise only the jobs that run for events.
   * Calls share a run that has not started, and resolve when it ends. If an alarm's handler returned earlier and the
   * object ended, the alarm would not ring again.
   */
  runSoon(): Promise<void> {
    if (!this.#waitingRun) {
      this.#waitingRun = this.#lastRunEnded.then(() => this.#run());
      this.#lastRunEnded = this.#waitingRun.catch(() => undefined);
    }
    return this.#waitingRun;
  }

  async #run(): Promise<void> {
    this.#waitingRun = undefined;
    const all = this.#dirty;
    this.#dirty = false;
    this.#scheduledDate = null;
    const answers: NextRun[] = [];
    for (const job of this.#jobs) answers.push(await this.#answerOf(job, all));
    const { alarmDate, idle } = afterRun(
      {
        answers,
        markedDirty: this.#dirty,
        scheduledDate: this.#scheduledDate,
        commitsUnderWay: this.#commitsUnderWay,
        runWaiting: this.#waitingRun !== undefined,
      },
      Date.now(),
    );
    this.#idle = idle;
    await this.#setAlarm(alarmDate);
  }

  /**
   * Run a job, and return its answer. If the run is not for all jobs and the job does not need to run for events, return
   * its last answer instead.
   */
  async #answerOf(job: Job<E>, all: boolean): Promise<NextRun> {
    const now = Date.now();
    const last = this.#lastRuns.get(job);
    const lastRun = last?.lastRun ?? null;
    if (!all && last && isStillValid(last.answer, { now, lastRun })) return last.answer;
    const database = new Database(this.#organization, this.#databases);
    try {
      const answer = await job({ env: this.#env, database, now, lastRun });
      this.#lastRuns.set(job, { lastRun: now, answer });
      return answer;
    } catch (error) {
      console.error(
        JSON.stringify({ organization: this.#organization, job: job.name, error: String(error) }),
      );
      const answer = now + RECHECK_MS;
      this.#lastRuns.set(job, { lastRun, answer });
      return answer;
    }
  }

  async #setAlarmBy(date: number): Promise<void> {
    if (this.#alarmDate === undefined) this.#alarmDate = await reaching(() => this.#storage.getAlarm());
    if (needsAlarm(this.#alarmDate, date)) await this.#setAlarm(date);
  }

  async #setAlarm(date: number | null): Promise<void> {
    if (date === this.#alarmDate) return;
    this.#alarmDate = date;
    await reaching(() => (date === null ? this.#storage.deleteAlarm() : this.#storage.setAlarm(date)));
  }
}

/** The answer of a job that does not need to run for events. It runs again when a commit requests jobs. */
export const ON_REQUEST = 'on request';

/** The answer of a job that runs at a date, and otherwise like `ON_REQUEST`. */
export const onRequestOr = (date: number) => ({ onRequestOr: date });

/**
 * The answer of a job: the date when it wants to run again (epoch milliseconds), or null if no work is left. With
 * `ON_REQUEST` or `onRequestOr`, it needs no run for events.
 */
export type NextRun = number | null | typeof ON_REQUEST | ReturnType<typeof onRequestOr>;

/** A date later than any due date. */
export const ANY_DUE_DATE = Number.MAX_SAFE_INTEGER;

/** How soon jobs run again after one failed, or after a commit whose outcome is unknown. */
export const RECHECK_MS = 5 * SECOND_MS;

/** Tolerated clock skew. If the clock went back by more, dates stored before are too far in the future to wait for. */
const CLOCK_TOLERANCE_MS = MINUTE_MS;

/** Whether the clock went back since a job last ran. */
export const clockWentBack = ({ now, lastRun }: { now: number; lastRun: number | null }): boolean =>
  lastRun !== null && now + CLOCK_TOLERANCE_MS < lastRun;

const isTimed = (answer: NextRun): answer is ReturnType<typeof onRequestOr> =>
  typeof answer === 'object' && answer !== null;

/**
 * Whether the last answer of a job still holds after commits that only emit events, so that the job does not run for
 * them. A date must be in the future, and it counts only if the clock did not go back.
 */
export const isStillValid = (answer: NextRun, dates: { now: number; lastRun: number | null }): boolean =>
  !clockWentBack(dates) && (answer === ON_REQUEST || (isTimed(answer) && answer.onRequestOr > dates.now));

/** The result of a run of all jobs, and the changes until it ended. */
export interface EndedRun {
  /** The answer of each job. */
  answers: readonly NextRun[];
  /** Whether a commit requested jobs, or another writer was noticed. */
  markedDirty: boolean;
  /** The earliest date that was scheduled; null for none. */
  scheduledDate: number | null;
  /** The number of commits that have started and not ended. */
  commitsUnderWay: number;
  /** Whether another run is waiting to begin. */
  runWaiting: boolean;
}

/**
 * Decide when the alarm rings after a run (null: never), and whether jobs are idle. If they are idle, a commit that
 * only emits events needs no run.
 */
export function afterRun(
  { answers, markedDirty, scheduledDate, commitsUnderWay, runWaiting }: EndedRun,
  now: number,
): { alarmDate: number | null; idle: boolean } {
  const dates = answers.flatMap((answer) =>
    typeof answer === 'number' ? [answer] : isTimed(answer) ? [answer.onRequestOr] : [],
  );
  if (scheduledDate !== null) dates.push(scheduledDate);
  // A commit may come too late for the reads of this run. It needs an alarm until the next run has ended.
  if (commitsUnderWay > 0 || runWaiting) dates.push(now + RECHECK_MS);
  return {
    alarmDate: dates.length === 0 ? null : smallest(dates),
    idle: !markedDirty && answers.every((answer) => answer === ON_REQUEST || isTimed(answer)),
  };
}

/** Whether to set an alarm for a run by `date`. `alarmDate` is the date of the known alarm; null for none. */
export const needsAlarm = (alarmDate: number | null, date: number): boolean =>
  alarmDate === null || alarmDate > date;

/** Whether an alarm is overdue. It may be lost together with the storage of the object. */
export const alarmMayBeLost = (alarmDate: number | null, now: number): boolean =>
  alarmDate !== null && alarmDate < now - RECHECK_MS;
