import type { SQL } from 'drizzle-orm';
import { Database, type Result, rowsOf, Scope, statementsOf } from '../lib/database.ts';
import type { Databases } from '../lib/databases.ts';
import { NO_ORGANIZATION, randomToken } from '../lib/id.ts';
import { ProblemError, type Refusal } from '../lib/problem.ts';
import { failureOf, isRepeat } from '../lib/store.ts';
import { SECOND_MS } from '../lib/time.ts';
import { salts } from './chain.ts';
import { type AnyCommand, type Change, type CommandRequest, isRefusal, type Outcome } from './command.ts';
import { commitOf, type Decided, type Head, lastEventQuery } from './commit.ts';
import { pause, unavailable } from './failure.ts';
import {
  type EarlierAnswer,
  earlierAnswer,
  earlierAnswerQuery,
  isAnswer,
  recordRefusal,
} from './idempotency.ts';
import { type Known, knownAsks, markOf, type Rewind, takeKnown } from './known.ts';
import type { Marks } from './mark.ts';
import { type Deciding, following, share } from './share.ts';
import { type Answer, Waiting } from './waiting.ts';

/** How often a command is decided again before the caller is told to come back later. */
const ATTEMPTS_MAXIMUM = 10;
/** Commands that may wait; one more is told at once that the service is overloaded. */
const WAITING_MAXIMUM = 1_000;
/** How long after it kept a mark an object is taken to be the one that the organization has. */
const OWNED_MS = 5 * SECOND_MS;
/** What else is done around commits. */
export interface CommitHooks {
  /** Runs a commit that emits events or wakes jobs (`wakesJobs`). */
  aroundCommit<T>(commit: () => Promise<T>, wakesJobs: boolean): Promise<T>;
  /** What was committed, and the number in the log it came to. */
  afterCommit(audit: Change['audit'], sequenceNumber: number): void;
  /** Another writer has committed, or it is not known what was. */
  afterUnknown(): void;
}

const NO_HOOKS: CommitHooks = {
  aroundCommit: (commit) => commit(),
  afterCommit: () => undefined,
  afterUnknown: () => undefined,
};

/** What a writer works with: its organization, the databases, the commands it knows. */
export interface WriterOptions {
  databases: Databases;
  organization: string;
  commands: ReadonlyMap<string, AnyCommand>;
  hooks?: CommitHooks;
  /** What outlives a restore of D1; without, none is noticed. */
  marks?: Marks;
  /** What is committed first after a rewind. */
  declareRewind?: (scope: Scope, rewind: Rewind, now: number) => Decided;
  /** What salts of the log are made from; without, something random. */
  saltSecret?: string;
}

/**
 * The one writer of an organization: takes commands in their order, decides each on the state that the one before it
 * left, and commits it in one batch. What it remembers between commands is only a shortcut: if it is out of date, the
 * fence of the log refuses the commit, and the command is decided again.
 *
 * A batch carries more than that: commands behind it that decide on what the writer knows by itself share the commit, and
 * the first reads of the next one ride at its end. So where many wait, each costs one call to D1 at most.
 */
export class Writer {
  readonly #options: WriterOptions;
  readonly #hooks: CommitHooks;
  readonly #scope: Scope;
  readonly #saltOf: (purpose: string) => string;
  readonly #queue: Waiting[] = [];
  #running = false;
  /** Whether the store failed the last command to its end: those that wait behind it ask once, or all would wait long. */
  #failing = false;
  #known: Known | undefined;
  /** When the last mark was sent that is kept; epoch milliseconds. */
  #ownedDate = 0;
  /** Commits so far: rows that were read are current until there is another. */
  #commits = 0;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#hooks = options.hooks ?? NO_HOOKS;
    this.#scope = new Scope(options.organization);
    this.#saltOf = salts(options.saltSecret ?? randomToken());
  }

  /** Run a command to its outcome. */
  async execute(request: CommandRequest): Promise<Outcome> {
    const none = { bookmark: null, roundTrips: 0, rowsRead: 0, rowsWritten: 0 };
    if (this.#queue.length >= WAITING_MAXIMUM) return { ...unavailable('The queue is full.'), ...none };
    try {
      const command = this.#options.commands.get(request.name);
      if (!command) throw new Error('no such command');
      const { promise, resolve } = Promise.withResolvers<Answer>();
      const waiting = new Waiting(this.#scope, request, command, resolve);
      this.#queue.push(waiting);
      if (!this.#running) void this.#run();
      return { ...(await promise), ...waiting.cost };
    } catch (error) {
      log(request, error);
      return { kind: 'defect', ...none };
    }
  }

  async #run(): Promise<void> {
    this.#running = true;
    for (let first = this.#queue[0]; first; first = this.#queue[0]) {
      try {
        await this.#turn(first);
      } catch (error) {
        // Whatever it is, those behind it must not wait for ever.
        log(first.request, error);
        this.#settle(first, { kind: 'defect' });
      }
    }
    this.#running = false;
  }

  /** Bring the first that waits, and those that share its commit, to their outcome; or note what to begin again. */
  async #turn(first: Waiting): Promise<void> {
    first.attempts += 1;
    let shared: Deciding[] = [];
    try {
      const known = await this.#prepare(first);
      this.#failing = false;
      if (first.read?.earlier) return await this.#answerAgain(first, first.read.earlier);
      const now = Date.now();
      const decision = await this.#decide(first, known, now);
      if (isRefusal(decision)) return await this.#refuse(first, decision, now);
      shared = share({ waiting: first, request: first.request, change: decision, now, known }, this.#queue);
      if (await this.#isOwner(first, known)) await this.#commit(shared);
    } catch (error) {
      await this.#fail(first, shared, error);
    }
  }

  /** See that what the writer knows, and what the command begins with, is current. */
  async #prepare(waiting: Waiting): Promise<Known> {
    const known = this.#known ?? (await this.#know(waiting));
    const statements = waiting.statements(known);
    if (statements.length > 0 && waiting.read?.commits !== this.#commits) {
      waiting.take(known, await this.#send(waiting, statements), this.#commits);
    }
    return known;
  }

  /** Find out where the log ends, and whether the store was put back; charged to a command. */
  async #know(waiting: Waiting): Promise<Known> {
    for (;;) {
      const mark = await this.#options.marks?.read();
      const asks = knownAsks(this.#scope, mark);
      const rows = rowsOf(asks, await this.#send(waiting, statementsOf(asks)));
      const { known, rewind } = takeKnown(rows, mark);
      if (!rewind) {
        this.#known = known;
        return known;
      }
      await this.#declare(known, rewind);
    }
  }

  /** Decide a command on the rows it began with, and those that it asks for then. */
  async #decide(waiting: Waiting, known: Known, now: number): Promise<Change | Refusal> {
    const more = waiting.more(known, now);
    const statements = statementsOf(more);
    const results = statements.length === 0 ? [] : await this.#send(waiting, statements);
    return waiting.decide(known, now, more, results);
  }

  /** Commit in one batch; the first reads of the one behind ride at its end. */
  async #commit(shared: readonly Deciding[]): Promise<void> {
    const before = shared[0]!.known;
    const { log, parts, head, names } = commitOf(
      this.#scope,
      shared,
      before,
      before.head.sequenceNumber,
      this.#saltOf,
    );
    const statements = [...log, ...parts.flat()];
    const emits = shared.some(({ change }) => (change.events ?? []).length > 0);
    if (emits) statements.push(lastEventQuery(this.#scope));
    const known = following(shared.at(-1)!);
    const next = this.#queue[shared.length];
    const riding = next ? ridingOf(next, known) : [];
    const database = this.#database();
    const wakesJobs = shared.some(({ change }) => change.jobs);
    const commits = () => database.send([...statements, ...riding]);
    const results = await (emits || wakesJobs ? this.#hooks.aroundCommit(commits, wakesJobs) : commits());

    this.#commits += 1;
    if (riding.length > 0) {
      const read = results.slice(statements.length);
      next!.take(known, read, this.#commits);
      for (const { rowsRead } of read) next!.cost.rowsRead += rowsRead;
    }
    const events = emits
      ? (results[statements.length - 1]!.rows[0] as Pick<Head, 'eventSequenceNumber'>)
      : {};
    this.#known = { ...known, head: { ...head, ...events }, names };
    const marked = this.#writeMark(this.#known);
    this.#hooks.afterCommit(
      shared.flatMap(({ change }) => change.audit),
      head.sequenceNumber,
    );
    let start = 0;
    shared.forEach(({ waiting }, index) => {
      // The log is charged to the first.
      const end = start + parts[index]!.length + (index === 0 ? log.length : 0);
      const own = results.slice(start, end);
      start = end;
      const { body } = own.at(-1)!.rows[0] as { body: string };
      charge(waiting, database, own);
      this.#settle(waiting, { kind: 'done', body, replayed: false }, marked);
    });
  }

  /** Answer a refusal, and keep it where its repeats are answered the same. */
  async #refuse(waiting: Waiting, refused: Refusal, now: number): Promise<void> {
    const { request } = waiting;
    if (!waiting.read) {
      // It may be refused because of its own effect: the first attempt's answer was lost on the way.
      const [record] = await this.#send(waiting, [earlierAnswerQuery(this.#scope, request)]);
      const earlier = earlierAnswer(record!.rows, request);
      if (earlier) return await this.#answerAgain(waiting, earlier);
    }
    // Of an organization that is not there nothing is kept.
    const isThere = this.#known?.organization || this.#scope.organization === NO_ORGANIZATION;
    if (request.idempotencyKey !== null && isAnswer(refused) && isThere) {
      await this.#send(waiting, [recordRefusal(this.#scope, request, refused, now)]);
    }
    this.#settle(waiting, { kind: 'refused', refusal: refused, replayed: false });
  }

  /**
   * What failed had no effect, or its record says so: whoever is decided again looks for that first. Those that shared a
   * commit are decided by themselves then, so that one that is at fault fails alone.
   */
  async #fail(first: Waiting, shared: readonly Deciding[], error: unknown): Promise<void> {
    const alone = shared.length <= 1;
    if (!alone || !isRepeat(error)) this.#forget();
    for (const { waiting } of shared) waiting.retry();
    if (!alone) {
      first.attempts -= 1;
      return;
    }
    first.retry();
    if (error instanceof ProblemError) {
      return this.#settle(first, { kind: 'refused', refusal: error.refusal, replayed: false });
    }
    const failure = failureOf(error);
    if (failure === 'defect') {
      log(first.request, error);
      return this.#settle(first, { kind: 'defect' });
    }
    const once = failure === 'lasting' || (failure === 'passing' && this.#failing);
    if (!once && first.attempts < ATTEMPTS_MAXIMUM) {
      // A first collision is decided again at once; after that somebody else is writing just as eagerly.
      if (first.attempts > 1 || failure === 'passing') await pause(first.attempts);
      return;
    }
    log(first.request, error);
    this.#failing = failure === 'passing';
    const detail = 'The store did not answer, or others kept writing.';
    if (!(await this.#answeredBefore(first))) this.#settle(first, unavailable(detail));
  }

  /** The last look at whether a command that failed took effect; answers it if so. */
  async #answeredBefore(waiting: Waiting): Promise<boolean> {
    try {
      const [record] = await this.#send(waiting, [earlierAnswerQuery(this.#scope, waiting.request)]);
      const earlier = earlierAnswer(record!.rows, waiting.request);
      if (earlier) await this.#answerAgain(waiting, earlier);
      return earlier !== undefined;
    } catch {
      return false;
    }
  }

  /**
   * Answer what was answered, or was to be answered, before. The commit may be one of an object that ended before its
   * mark was safe, so the mark is brought up to where the log is now.
   */
  async #answerAgain(waiting: Waiting, earlier: EarlierAnswer): Promise<void> {
    const known = this.#options.marks && (await this.#know(waiting));
    this.#settle(waiting, earlier, known && this.#writeMark(known));
  }

  /** Go on behind what was lost, and say so, before anything else is decided. */
  async #declare(known: Known, rewind: Rewind): Promise<void> {
    const { declareRewind } = this.#options;
    if (!declareRewind) throw new Error('the store was put back, and nobody can say so');
    const decided = declareRewind(this.#scope, rewind, Date.now());
    const { log, parts, head } = commitOf(
      this.#scope,
      [decided],
      known,
      rewind.lostSequenceNumber,
      this.#saltOf,
    );
    await this.#options.marks?.write(rewind.mark);
    await this.#hooks.aroundCommit(() => this.#database().send([...log, ...parts.flat()]), true);
    this.#commits += 1;
    await this.#writeMark({
      ...known,
      head: { ...head, eventSequenceNumber: rewind.lostEventSequenceNumber + 1 },
    });
    this.#hooks.afterCommit(decided.change.audit, head.sequenceNumber);
  }

  /**
   * Whether this is not an object that was replaced and has not heard of it: such a one cannot keep a mark. The fence lets
   * it write where D1 is put back to the record that it knows. Refuses the command where storage does not answer.
   */
  async #isOwner(first: Waiting, known: Known): Promise<boolean> {
    if (Math.abs(Date.now() - this.#ownedDate) < OWNED_MS) return true;
    try {
      await this.#writeMark(known);
      return true;
    } catch (error) {
      log(first.request, error);
      this.#settle(first, NO_STORAGE);
      return false;
    }
  }

  async #writeMark(known: Known): Promise<void> {
    const now = Date.now();
    await this.#options.marks?.write(markOf(known));
    this.#ownedDate = now;
  }

  /** Give the first that waits its answer, once the mark of its commit is safe; the next need not wait for that. */
  #settle(waiting: Waiting, answer: Answer, marked?: Promise<void>): void {
    this.#queue.splice(this.#queue.indexOf(waiting), 1);
    Promise.resolve(marked).then(
      () => waiting.settle(answer),
      (error) => {
        log(waiting.request, error);
        waiting.settle(NO_STORAGE);
      },
    );
  }

  /** One call to D1 by itself, for a command. */
  async #send<Row>(waiting: Waiting, statements: readonly SQL<Row>[]): Promise<Result<Row>[]> {
    const database = this.#database();
    const results = await database.send(statements);
    charge(waiting, database, results);
    return results;
  }

  /** Nothing that was read is current any more. */
  #forget(): void {
    this.#hooks.afterUnknown();
    this.#known = undefined;
    this.#commits += 1;
  }

  #database(): Database {
    return new Database(this.#options.organization, this.#options.databases);
  }
}

const NO_STORAGE = unavailable('The storage of the organization did not answer.');

/** The first reads of a command, to be sent along with the commit before it. */
function ridingOf(next: Waiting, known: Known): SQL[] {
  try {
    return next.command.goesAlone ? [] : next.statements(known);
  } catch {
    // It fails when it is the first.
    return [];
  }
}

function charge({ cost }: Waiting, database: Database, results: readonly Result[]): void {
  cost.bookmark = database.bookmark;
  cost.roundTrips += 1;
  for (const { rowsRead, rowsWritten } of results) {
    cost.rowsRead += rowsRead;
    cost.rowsWritten += rowsWritten;
  }
}

function log({ requestId, name }: CommandRequest, error: unknown): void {
  console.error(JSON.stringify({ requestId, command: name, error: String(error) }));
}
