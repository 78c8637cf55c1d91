import { Mutex } from 'async-mutex';
import { Database } from '../lib/database.ts';
import { refusal } from '../lib/problem.ts';
import { failureOf, isRepeat } from '../lib/store.ts';
import { type OrganizationSettings, settingsQuery, toSettings } from '../organization/store.ts';
import {
  type Change,
  type CommandRequest,
  type Context,
  isRefusal,
  type Outcome,
  type Registry,
} from './command.ts';
import { commit, EMPTY_HEAD, type Head, headQuery } from './commit.ts';
import { isAnswer, type Recalled, recall, recordRefusal } from './idempotency.ts';

/** How often a command is decided again before the caller is told to come back later. */
const ATTEMPTS_MAXIMUM = 10;
/** Commands that may wait; one more is told at once that the service is overloaded. */
const WAITING_MAXIMUM = 1_000;

/** Who has to know of commits that leave something to be done. */
export interface Leaving {
  /** Is given commits that tell of events or ask for duties; `asks` are the latter. */
  around<T>(commit: () => Promise<T>, asks: boolean): Promise<T>;
  /** What was committed, and the number in the log it came to. */
  committed(audit: Change['audit'], sequenceNumber: number): void;
  /** Another writer has committed, or it is not known what was. */
  surprised(): void;
}

const NOTHING_LEFT: Leaving = {
  around: (commit) => commit(),
  committed: () => undefined,
  surprised: () => undefined,
};

/** What the writer takes to be the state of the log. */
interface Known {
  head: Head;
  organization: OrganizationSettings | null;
}

/**
 * The one writer of an organization: takes commands one at a time, decides each on the state of the log as
 * it knows it, and commits it in one batch. What it remembers between commands is only a shortcut: if it is
 * out of date, the fence of the log refuses the commit and the command is decided again.
 */
export class Writer {
  readonly #database: () => Database;
  readonly #registry: Registry;
  readonly #leaving: Leaving;
  readonly #mutex = new Mutex();
  #waiting = 0;
  /** Whether the store failed the last command to its end: those that wait behind it ask once, or all would wait long. */
  #failing = false;
  #known: Known | undefined;
  readonly #memo = new Map<string, unknown>();

  constructor(db: D1Database, organization: string, registry: Registry, leaving: Leaving = NOTHING_LEFT) {
    this.#leaving = leaving;
    this.#database = () => new Database(organization, db.withSession('first-primary'));
    this.#registry = registry;
  }

  /** Run a command to its outcome. Only infrastructure failures throw, and then nothing was promised. */
  async execute(request: CommandRequest): Promise<Outcome> {
    const database = this.#database();
    const cost = () => ({
      bookmark: database.bookmark,
      roundTrips: database.roundTrips,
      rowsRead: database.rowsRead,
    });
    if (this.#waiting >= WAITING_MAXIMUM) return { ...unavailable('The queue is full.'), ...cost() };
    this.#waiting += 1;
    try {
      // An await on D1 lets other calls into the object: the mutex, not the input gate, keeps commands apart.
      const recalled = await this.#mutex.runExclusive(() => this.#run(database, request));
      return { ...recalled, ...cost() };
    } catch (error) {
      log(request, error);
      return { kind: 'defect', ...cost() };
    } finally {
      this.#waiting -= 1;
    }
  }

  async #run(database: Database, request: CommandRequest): Promise<Recalled> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const recalled = await this.#attempt(database, request, attempt > 1);
        this.#failing = false;
        return recalled;
      } catch (error) {
        if (!isRepeat(error)) this.#forget();
        const failure = failureOf(error);
        if (failure === 'defect') throw error;
        const attempts = failure === 'lasting' || this.#failing ? 1 : ATTEMPTS_MAXIMUM;
        // After an ambiguous failure the batch may have been committed: the record says so.
        const earlier = await this.#recallPatiently(database, request, attempts);
        if (earlier) return earlier;
        if (attempt >= (failure === 'collision' ? ATTEMPTS_MAXIMUM : attempts)) {
          log(request, error);
          this.#failing = failure === 'passing';
          return unavailable('The store did not answer, or others kept writing.');
        }
        // A first collision is decided again at once; after that somebody else is writing just as eagerly.
        if (attempt > 1 || failure === 'passing') await pause(attempt);
      }
    }
  }

  async #attempt(database: Database, request: CommandRequest, careful: boolean): Promise<Recalled> {
    const now = Date.now();
    const known = this.#known ?? (await this.#load(database));
    this.#known = known;
    const decision = await this.#decide(database, request, known.organization, now, careful);
    if (isRefusal(decision)) {
      // It may be refused because of its own effect: the first attempt's answer was lost on the way.
      const earlier = await recall(database, request);
      if (earlier) return earlier;
      if (request.idempotencyKey !== null && isAnswer(decision)) {
        await database.batch([recordRefusal(database, request, decision, now)]);
      }
      return { kind: 'refused', refusal: decision, replayed: false };
    }
    const asks = decision.duties === true;
    const commits = () => commit(database, request, known.head, decision, now);
    const leaves = asks || (decision.events ?? []).length > 0;
    const { body, head } = await (leaves ? this.#leaving.around(commits, asks) : commits());
    this.#known = { ...known, head };
    this.#leaving.committed(decision.audit, head.sequenceNumber);
    for (const [key, value] of Object.entries(decision.memo ?? {})) this.#remember(key, value);
    return { kind: 'done', body, replayed: false };
  }

  #decide(
    database: Database,
    request: CommandRequest,
    organization: OrganizationSettings | null,
    now: number,
    careful: boolean,
  ): Promise<Change | ReturnType<typeof refusal>> {
    const command = this.#registry[request.name];
    if (!command) throw new Error(`no such command: ${request.name}`);
    const memo: Context['memo'] = async (key, load) => {
      if (!this.#memo.has(key)) this.#memo.set(key, await load());
      return this.#memo.get(key) as Awaited<ReturnType<typeof load>>;
    };
    return command({ database, organization, actor: request.actor, now, careful, memo }, request.input);
  }

  async #load(database: Database): Promise<Known> {
    const [heads, organizations] = await database.batch([
      headQuery(database),
      settingsQuery(database.organization),
    ]);
    const row = organizations![0];
    return {
      head: (heads![0] as Head | undefined) ?? EMPTY_HEAD,
      organization: row ? toSettings(row) : null,
    };
  }

  /** New settings may change what a room derived from the old ones, so they end its memo. */
  #remember(key: string, value: unknown): void {
    if (key === 'organization') {
      this.#known = { ...this.#known!, organization: value as OrganizationSettings };
      this.#memo.clear();
    } else this.#memo.set(key, value);
  }

  #forget(): void {
    this.#leaving.surprised();
    this.#known = undefined;
    this.#memo.clear();
  }

  async #recallPatiently(
    database: Database,
    request: CommandRequest,
    attempts: number,
  ): Promise<Recalled | undefined> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await recall(database, request);
      } catch (error) {
        const failure = failureOf(error);
        if (failure !== 'passing' && failure !== 'lasting') throw error;
        if (failure === 'lasting' || attempt >= attempts) {
          log(request, error);
          this.#failing = failure === 'passing';
          return unavailable('The store did not answer.');
        }
        await pause(attempt);
      }
    }
  }
}

const unavailable = (detail: string): Recalled => ({
  kind: 'refused',
  refusal: refusal('temporarilyUnavailable', detail),
  replayed: false,
});

function log({ requestId, name }: CommandRequest, error: unknown): void {
  console.error(JSON.stringify({ requestId, command: name, error: String(error) }));
}

/** Full jitter below 10 ms, 20 ms, 40 ms … 640 ms. */
const pause = (attempt: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * 5 * 2 ** Math.min(attempt, 7)));
