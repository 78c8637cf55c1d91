import { statementsOf } from '../lib/asks.ts';
import { Database } from '../lib/database.ts';
import { NO_ORGANIZATION, randomToken } from '../lib/id.ts';
import { ProblemError, type Refusal } from '../lib/problem.ts';
import { Scope } from '../lib/scope.ts';
import { failureOf, isRepeat } from '../lib/store.ts';
import { Batch } from './batch.ts';
import { salts } from './chain.ts';
import { type Change, type CommandRequest, isRefusal, type Outcome } from './command.ts';
import { log, NO_STORAGE, pause, unavailable } from './failure.ts';
import { earlierAnswer, earlierAnswerQuery, isAnswer, recordRefusal } from './idempotency.ts';
import type { Known } from './known.ts';
import { endsWith } from './log.ts';
import { Memory } from './memory.ts';
import { type CommitHooks, NO_HOOKS, type WriterOptions } from './options.ts';
import { Reads } from './reads.ts';
import { type Deciding, share, together } from './share.ts';
import { type Answer, Waiting } from './waiting.ts';

/** How often a command is decided again before the caller is told to come back later. */
const ATTEMPTS_MAXIMUM = 10;
/** Commands that may wait; one more is told at once that the service is overloaded. */
const WAITING_MAXIMUM = 1_000;

/**
 * The one writer of an organization: takes commands in their order, decides each on the state that the one before it
 * left, and commits it in one batch. What it remembers between commands is only a shortcut: if it is out of date, the
 * fence of the log refuses the commit, and the command is decided again.
 *
 * A batch carries more than that: commands behind it that decide on what the writer knows by itself, or that have nothing
 * in common with it, share the commit, and the first reads of the next ones ride at its end. So where many wait, each
 * costs one call to D1 at most.
 */
export class Writer {
  readonly #options: WriterOptions;
  readonly #hooks: CommitHooks;
  readonly #scope: Scope;
  readonly #saltOf: (purpose: string) => string;
  readonly #memory: Memory;
  readonly #queue: Waiting[] = [];
  #running = false;
  /** Whether the store failed the last command to its end: those that wait behind it ask once, or all would wait long. */
  #failing = false;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#hooks = options.hooks ?? NO_HOOKS;
    this.#scope = new Scope(options.organization);
    this.#saltOf = salts(options.saltSecret ?? randomToken());
    this.#memory = new Memory(this.#scope, options, this.#saltOf);
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
      if (first.read?.earlier) return await this.#answerAgain(first);
      const now = Date.now();
      const decision = await this.#decide(first, known, now);
      if (isRefusal(decision)) return await this.#refuse(first, decision, known, now);
      const deciding = { waiting: first, request: first.request, change: decision, now, known };
      shared = share(deciding, this.#queue, this.#memory.commits);
      if (await this.#isOwner(first, known)) await this.#commit(shared);
    } catch (error) {
      await this.#fail(first, shared, error);
    }
  }

  /** See that what the writer knows, and what the command and those together with it begin with, is current. */
  async #prepare(first: Waiting): Promise<Known> {
    const known = this.#memory.known ?? (await this.#memory.learn(first));
    if (first.read?.commits === this.#memory.commits) return known;
    const reads = new Reads(together(this.#queue), known);
    if (reads.statements.length > 0) {
      const database = this.#database();
      const results = await database.send(reads.statements);
      reads.take(results, this.#memory.commits, (waiting, own) => waiting.charge(database, own));
    }
    return known;
  }

  /** Decide a command on the rows it began with, and those that it asks for then. */
  async #decide(waiting: Waiting, known: Known, now: number): Promise<Change | Refusal> {
    const more = waiting.more(known, now);
    const statements = statementsOf(more);
    const results = statements.length === 0 ? [] : await waiting.send(this.#database(), statements);
    return waiting.decide(known, now, more, results);
  }

  /** Commit in one batch; the first reads of those behind ride at its end. */
  async #commit(shared: readonly Deciding[]): Promise<void> {
    const next = together(this.#queue.slice(shared.length));
    const batch = new Batch(this.#scope, shared, next, this.#saltOf);
    const database = this.#database();
    const wakesJobs = shared.some(({ change }) => change.jobs);
    const commits = () => database.send(batch.all);
    const results = await (batch.emits || wakesJobs
      ? this.#hooks.aroundCommit(commits, wakesJobs)
      : commits());

    const known = batch.known(results);
    const marked = this.#memory.committed(known);
    batch.passOn(results, this.#memory.commits);
    this.#hooks.afterCommit(
      shared.flatMap(({ change }) => change.audit),
      known.head.sequenceNumber,
    );
    for (const { waiting, body, own } of batch.results(results)) {
      waiting.charge(database, own);
      this.#settle(waiting, { kind: 'done', body, replayed: false }, marked);
    }
  }

  /** Answer a refusal, and keep it where its repeats are answered the same. */
  async #refuse(waiting: Waiting, refused: Refusal, known: Known, now: number): Promise<void> {
    const { request } = waiting;
    if (!waiting.read) {
      // It may be refused because of its own effect: the first attempt's answer was lost on the way.
      const [record] = await waiting.send(this.#database(), [earlierAnswerQuery(this.#scope, request)]);
      if (record!.rows.length > 0) return await this.#answerAgain(waiting);
    }
    // Of an organization that is not there nothing is kept.
    const isThere = known.organization || this.#scope.organization === NO_ORGANIZATION;
    if (request.idempotencyKey !== null && isAnswer(refused) && isThere) {
      const recording = { now, fence: endsWith(this.#scope, known.head.hash) };
      await waiting.send(this.#database(), [recordRefusal(this.#scope, request, refused, recording)]);
    }
    this.#settle(waiting, { kind: 'refused', refusal: refused, replayed: false });
  }

  /**
   * What failed had no effect, or its record says so: whoever is decided again looks for that first. Those that shared a
   * commit are decided by themselves then, so that one that is at fault fails alone.
   */
  async #fail(first: Waiting, shared: readonly Deciding[], error: unknown): Promise<void> {
    const alone = shared.length <= 1;
    if (!alone || !isRepeat(error)) this.#memory.forget();
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
      const [record] = await waiting.send(this.#database(), [
        earlierAnswerQuery(this.#scope, waiting.request),
      ]);
      if (record!.rows.length === 0) return false;
      await this.#answerAgain(waiting);
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Answer what was answered, or was to be answered, before. The commit may be one of an object that ended before its
   * mark was safe, so the mark is brought up to where the log is now; if that has the record: the store may have been
   * put back since it was found.
   */
  async #answerAgain(waiting: Waiting): Promise<void> {
    const record = earlierAnswerQuery(this.#scope, waiting.request);
    const { known, rows } = await this.#memory.learnWith(waiting, record);
    const earlier = earlierAnswer(rows, waiting.request);
    if (!earlier) throw new Error('D1 DB: the store was put back');
    this.#settle(waiting, earlier, this.#memory.mark(known));
  }

  /** Whether this object is not one that was replaced. Refuses the command where storage does not answer. */
  async #isOwner(first: Waiting, known: Known): Promise<boolean> {
    try {
      await this.#memory.own(known);
      return true;
    } catch (error) {
      log(first.request, error);
      this.#settle(first, NO_STORAGE);
      return false;
    }
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

  #database(): Database {
    return new Database(this.#options.organization, this.#options.databases);
  }
}
