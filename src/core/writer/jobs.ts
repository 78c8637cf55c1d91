import { Mutex } from 'async-mutex';
import { Database } from '../lib/database.ts';
import { databasesOf } from '../lib/databases.ts';
import { MINUTE_MS, SECOND_MS } from '../lib/time.ts';

/** The context of a job. */
export interface JobContext<E> {
  env: E;
  database: Database;
  /** Epoch milliseconds. */
  now: number;
  /**
   * When the job last completed in this instance of the object (epoch milliseconds); null if it has not. In that case
   * messages it had sent may be lost, as they do not outlive the local queue.
   */
  lastRun: number | null;
}

/**
 * Clock skew that is tolerated. If the clock went back by more, dates stored before are too far in the future to wait
 * for.
 */
const CLOCK_TOLERANCE_MS = MINUTE_MS;

/** Whether the clock went back since the last run. */
export const wentBack = ({ now, lastRun }: Pick<JobContext<unknown>, 'now' | 'lastRun'>): boolean =>
  lastRun !== null && now + CLOCK_TOLERANCE_MS < lastRun;

/** A date later than any that something is due by. */
export const FAR = Number.MAX_SAFE_INTEGER;

/** The answer of a job that need not run for events: it sleeps until a commit asks for jobs. */
export const UNTIL_ASKED = 'until asked';

/**
 * Background work of an organization's object: sending what was committed, finishing what was accepted. A job reads
 * from D1 what is due and does a bounded piece of it. It may be run at any time, and twice for the same work. @returns
 * when it wants to run again (epoch milliseconds), null when nothing is left, or `UNTIL_ASKED`. While all jobs answer
 * `UNTIL_ASKED`, a commit that only emits events costs neither an alarm nor a run.
 */
export type Job<E> = (context: JobContext<E>) => Promise<number | null | typeof UNTIL_ASKED>;

/** How soon jobs run again after one failed, or after a commit whose outcome is unknown. */
const RECHECK_MS = 5 * SECOND_MS;

/**
 * Runs jobs after commits that ask for it, and by the object's alarm. The alarm is set BEFORE such a commit, so that
 * work is resumed even if the object ends right after it. After a run it is set to when the jobs want to run again.
 */
export class Jobs<E extends object> {
  readonly #jobs: readonly Job<E>[];
  readonly #env: E;
  readonly #organization: string;
  readonly #storage: DurableObjectStorage;
  readonly #mutex = new Mutex();
  /** When the alarm is due; null where none is set, undefined where that has to be read first. */
  #alarmDate: number | null | undefined;
  /** The number of commits under way. */
  #expected = 0;
  /** A run that is scheduled and has not begun. */
  #next: Promise<void> | undefined;
  /** Whether all jobs answered `UNTIL_ASKED`. */
  #asleep = false;
  /** Counts calls of `awake`: a run that began before the last one must not put the jobs to sleep. */
  #asked = 0;
  /** The earliest date that `wake` was called with since the last run began. */
  #wished: number | null = null;
  readonly #lastRuns = new Map<Job<E>, number>();

  constructor(jobs: readonly Job<E>[], env: E, organization: string, storage: DurableObjectStorage) {
    this.#jobs = jobs;
    this.#env = env;
    this.#organization = organization;
    this.#storage = storage;
  }

  /**
   * Make a commit that leaves work for jobs: set an alarm, commit, then run the jobs. `asks` is false where the commit
   * only emits events, which may concern no job.
   */
  async aroundCommit<T>(
    commit: () => Promise<T>,
    asks: boolean,
    waitUntil: (promise: Promise<unknown>) => void,
  ): Promise<T> {
    if (this.#jobs.length === 0 || (this.#asleep && !asks)) return commit();
    this.#expected += 1;
    try {
      await this.#wakeBy(Date.now() + RECHECK_MS);
      return await commit();
    } finally {
      this.#expected -= 1;
      if (asks) this.awake();
      waitUntil(this.run());
    }
  }

  /**
   * Have the jobs run after the next commit: something they wait for may have happened, such as a commit of another
   * writer.
   */
  awake(): void {
    this.#asked += 1;
    this.#asleep = false;
  }

  /** Have the jobs run at a date (epoch milliseconds) or earlier. */
  async wake(date: number): Promise<void> {
    this.#wished = Math.min(this.#wished ?? date, date);
    // An alarm that is overdue may have been lost with the object's storage, so it does not count as set.
    if (this.#alarmDate && this.#alarmDate < Date.now() - RECHECK_MS) this.#alarmDate = undefined;
    await this.#wakeBy(date);
  }

  /** Run the jobs because the alarm went off. */
  async alarm(): Promise<void> {
    this.#alarmDate = null;
    await this.run();
  }

  /**
   * Run all jobs; runs never overlap. Calls share a run that has not begun. They resolve when it ends, since an alarm
   * whose handler returned early would not ring again if the object ended.
   */
  run(): Promise<void> {
    this.#next ??= this.#mutex.runExclusive(async () => {
      this.#next = undefined;
      const asked = this.#asked;
      let sleeping = 0;
      this.#wished = null;
      const wanted: number[] = [];
      for (const job of this.#jobs) {
        const now = Date.now();
        const database = new Database(this.#organization, databasesOf(this.#env));
        try {
          const lastRun = this.#lastRuns.get(job) ?? null;
          const next = await job({ env: this.#env, database, now, lastRun });
          this.#lastRuns.set(job, now);
          if (next === UNTIL_ASKED) sleeping += 1;
          else if (next !== null) wanted.push(next);
        } catch (error) {
          console.error(
            JSON.stringify({ organization: this.#organization, job: job.name, error: String(error) }),
          );
          wanted.push(now + RECHECK_MS);
        }
      }
      this.#asleep = sleeping === this.#jobs.length && asked === this.#asked;
      if (this.#wished !== null) wanted.push(this.#wished);
      // A commit may have come too late for what this run has read. It relies on an alarm until the run behind it has
      // ended.
      if (this.#expected > 0 || this.#next) wanted.push(Date.now() + RECHECK_MS);
      await this.#set(wanted.length === 0 ? null : Math.min(...wanted));
    });
    return this.#next;
  }

  async #wakeBy(date: number): Promise<void> {
    if (this.#alarmDate === undefined) this.#alarmDate = await this.#storage.getAlarm();
    if (this.#alarmDate === null || this.#alarmDate > date) await this.#set(date);
  }

  async #set(date: number | null): Promise<void> {
    if (date === this.#alarmDate) return;
    this.#alarmDate = date;
    if (date === null) await this.#storage.deleteAlarm();
    else await this.#storage.setAlarm(date);
  }
}
