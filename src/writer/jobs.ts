import { Mutex } from 'async-mutex';
import { Database } from '../lib/database.ts';
import { databasesOf } from '../lib/databases.ts';
import { MINUTE_MS, SECOND_MS } from '../lib/time.ts';

/** What a job works with. */
export interface JobContext<E> {
  env: E;
  database: Database;
  /** Epoch milliseconds. */
  now: number;
  /**
   * When the job last ran to its end in this instance of the object (epoch milliseconds); null where it did not. Then
   * what was on its way may be lost: messages do not outlive the local queue.
   */
  lastRun: number | null;
}

/** A clock that went back by more left dates behind that are too late to wait for. */
const CLOCK_TOLERANCE_MS = MINUTE_MS;

/** Whether the clock went back since the last run. */
export const wentBack = ({ now, lastRun }: Pick<JobContext<unknown>, 'now' | 'lastRun'>): boolean =>
  lastRun !== null && now + CLOCK_TOLERANCE_MS < lastRun;

/** Later than any date by which something is due. */
export const FAR = Number.MAX_SAFE_INTEGER;

/** What a job answers that no event concerns: it sleeps until a commit asks for jobs. */
export const UNTIL_ASKED = 'until asked';

/**
 * What an organization's object does besides commands: sends what was committed, and finishes what was accepted. Looks into D1 what is due, does a bounded piece of it, and must bear being run at any time, also twice.
 * @returns when it wants to run again (epoch milliseconds), or null once nothing is left, or that it sleeps: while all
 * jobs do, events cost no alarm and no run.
 */
export type Job<E> = (context: JobContext<E>) => Promise<number | null | typeof UNTIL_ASKED>;

/** How soon jobs are run again where they failed, or where a commit may have been lost on the way. */
const RECHECK_MS = 5 * SECOND_MS;

/**
 * Runs jobs after commits that ask for it, and by the object's alarm. The alarm is set BEFORE such a commit, so that
 * what a crash leaves behind is taken up at the next start; afterwards it is set to what the jobs want.
 */
export class Jobs<E extends object> {
  readonly #jobs: readonly Job<E>[];
  readonly #env: E;
  readonly #organization: string;
  readonly #storage: DurableObjectStorage;
  readonly #mutex = new Mutex();
  /** When the alarm is set to; undefined where that is not known. */
  #alarmDate: number | null | undefined;
  /** Commits that are under way. */
  #expected = 0;
  /** The run that has not begun. */
  #next: Promise<void> | undefined;
  /** Whether all jobs sleep. */
  #asleep = false;
  /** Counts what ends their sleep: a run that began before it has not seen it. */
  #asked = 0;
  /** The date that `wake` was called with since the last run began. */
  #wished: number | null = null;
  readonly #lastRuns = new Map<Job<E>, number>();

  constructor(jobs: readonly Job<E>[], env: E, organization: string, storage: DurableObjectStorage) {
    this.#jobs = jobs;
    this.#env = env;
    this.#organization = organization;
    this.#storage = storage;
  }

  /**
   * Make a commit that leaves work for jobs: set an alarm, commit, and then run them. One that does not wake jobs
   * only emits events, which may concern none of them.
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

  /** End the sleep of all jobs: what one waits for may have happened, such as a commit of another writer. */
  awake(): void {
    this.#asked += 1;
    this.#asleep = false;
  }

  /** Have the jobs run by an instant (epoch milliseconds). */
  async wake(date: number): Promise<void> {
    this.#wished = Math.min(this.#wished ?? date, date);
    // An alarm that should have rung is no alarm: it may be lost with the storage of the object.
    if (this.#alarmDate && this.#alarmDate < Date.now() - RECHECK_MS) this.#alarmDate = undefined;
    await this.#wakeBy(date);
  }

  /** Run the jobs, as the alarm went off. */
  async alarm(): Promise<void> {
    this.#alarmDate = null;
    await this.run();
  }

  /**
   * Run all jobs, one run at a time. Calls share the run that has not begun, and wait for it: an alarm that was done with
   * before would not ring again where the object ends.
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
      // A commit may come too late for what was read: until the run behind it ends, it relies on an alarm being set.
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
