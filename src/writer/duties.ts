import { Mutex } from 'async-mutex';
import type { Env } from '../env.ts';
import { Database } from '../lib/database.ts';
import { SECOND_MS } from '../lib/time.ts';

/** What a duty works with. */
export interface DutyContext {
  env: Env;
  database: Database;
  /** Epoch milliseconds. */
  now: number;
}

/**
 * What an organization's object sees to beside commands: that what was committed is also sent, and what was accepted is
 * finished. Looks into D1 what is due, does a bounded piece of it, and must bear being run at any time, also twice.
 * @returns when it wants to run again (epoch milliseconds), or null once nothing is left.
 */
export type Duty = (context: DutyContext) => Promise<number | null>;

/** How soon duties are run again where they failed, or where a commit may have been lost on the way. */
const RECHECK_MS = 5 * SECOND_MS;

/**
 * Runs duties after commits that ask for it, and by the object's alarm. The alarm is set BEFORE such a commit, so that
 * what a crash leaves behind is taken up at the next start; afterwards it is set to what the duties want.
 */
export class Duties {
  readonly #duties: readonly Duty[];
  readonly #env: Env;
  readonly #organization: string;
  readonly #storage: DurableObjectStorage;
  readonly #mutex = new Mutex();
  /** When the alarm is set to; undefined where that is not known. */
  #alarmDate: number | null | undefined;
  /** Commits that are under way. */
  #expected = 0;
  #queued = false;

  constructor(duties: readonly Duty[], env: Env, organization: string, storage: DurableObjectStorage) {
    this.#duties = duties;
    this.#env = env;
    this.#organization = organization;
    this.#storage = storage;
  }

  /** Make a commit that leaves work for duties: see to an alarm, commit, and then run them. */
  async around<T>(commit: () => Promise<T>, waitUntil: (promise: Promise<unknown>) => void): Promise<T> {
    if (this.#duties.length === 0) return commit();
    this.#expected += 1;
    try {
      await this.#wakeBy(Date.now() + RECHECK_MS);
      return await commit();
    } finally {
      this.#expected -= 1;
      waitUntil(this.run());
    }
  }

  /** The alarm rang. */
  async alarm(): Promise<void> {
    this.#alarmDate = null;
    await this.run();
  }

  /** Run all duties, one run at a time; calls that wait for the same run share it. */
  async run(): Promise<void> {
    if (this.#queued) return;
    this.#queued = true;
    await this.#mutex.runExclusive(async () => {
      this.#queued = false;
      const wanted: number[] = [];
      for (const duty of this.#duties) {
        const now = Date.now();
        const database = new Database(this.#organization, this.#env.DB.withSession('first-primary'));
        try {
          const next = await duty({ env: this.#env, database, now });
          if (next !== null) wanted.push(next);
        } catch (error) {
          console.error(
            JSON.stringify({ organization: this.#organization, duty: duty.name, error: String(error) }),
          );
          wanted.push(now + RECHECK_MS);
        }
      }
      // A commit may come too late for what was read: it relies on an alarm being set.
      if (this.#expected > 0) wanted.push(Date.now() + RECHECK_MS);
      await this.#set(wanted.length === 0 ? null : Math.min(...wanted));
    });
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
