import { statementsOf } from '../lib/asks.ts';
import { Database } from '../lib/database.ts';
import { NO_ORGANIZATION, randomToken } from '../lib/id.ts';
import { ProblemError, type Refusal, refusal } from '../lib/problem.ts';
import { Scope } from '../lib/scope.ts';
import { failureOf, isAnswerTaken, isRepeat, isUnavailable, outage } from '../lib/store.ts';
import { SECOND_MS } from '../lib/time.ts';
import { Batch, Reads } from './batch.ts';
import { salts } from './chain.ts';
import { type Change, type CommandRequest, isRefusal, type Outcome } from './command.ts';
import {
  type EarlierAnswer,
  earlierAnswer,
  earlierAnswerQuery,
  isAnswer,
  recordRefusal,
} from './idempotency.ts';
import { endsWith } from './log.ts';
import { type CommitHooks, Memory, NO_HOOKS, type WriterOptions } from './memory.ts';
import { type CommandOutcome, type Deciding, share, together, Waiting } from './waiting.ts';
import type { WriterState } from './writer-state.ts';

/** The maximum number of attempts of a command before its caller is asked to retry later. */
const ATTEMPTS_MAXIMUM = 10;
/** The maximum length of the queue. A further command is refused at once as overload. */
const WAITING_MAXIMUM = 1_000;
/** The most memory of the commands in the queue, in bytes. A further one is refused. A queue with one command may have more. */
export const WAITING_BYTES_MAXIMUM = 24 * 1024 * 1024;
/** The longest time in the queue before the first attempt. Then the command is refused without any effect. */
const WAITING_MAXIMUM_MS = 10 * SECOND_MS;

/**
 * The only writer of an organization. It runs commands in the order in which they arrive. Each is decided on the state
 * after the one before it, and committed in one D1 batch. The memory between commands is a cache. If another writer has
 * committed, the fence of the log fails the batch, and the command is decided again on fresh state.
 *
 * Under load, commands share a batch. A command joins the commit of the first one if it needs nothing from the store,
 * or has no conflict key in common with it. The first reads of the next commands follow at the end of the same batch.
 * So when many wait, each command costs at most one call to D1.
 */
export class Writer {
  readonly #options: WriterOptions;
  readonly #hooks: CommitHooks;
  readonly #scope: Scope;
  readonly #saltOf: (purpose: string) => string;
  readonly #memory: Memory;
  readonly #queue: Waiting[] = [];
  #running = false;
  /**
   * Whether the last command gave up on the store. The queued commands then try only once. Otherwise each of
   * them would wait as long.
   */
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
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      const command = this.#options.commands.get(request.name);
      if (!command) throw new Error('no such command');
      const { promise, resolve } = Promise.withResolvers<CommandOutcome>();
      const waiting = new Waiting(this.#scope, request, command, resolve);
      if (this.#isFull(waiting.bytes)) {
        const detail = 'Too many changes of this organization are waiting. Send the same request again.';
        return { ...unavailable(detail), ...none };
      }
      this.#queue.push(waiting);
      if (this.#running) timer = setTimeout(() => this.#refuseLate(waiting), WAITING_MAXIMUM_MS);
      if (!this.#running) void this.#run();
      return { ...(await promise), ...waiting.cost };
    } catch (error) {
      logFailure(request, error);
      return { kind: 'defect', ...none };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Whether the queue has no room for a command of so many bytes. */
  #isFull(bytes: number): boolean {
    const queued = this.#queue.reduce((total, waiting) => total + waiting.bytes, 0);
    const isTooLarge = queued > 0 && queued + bytes > WAITING_BYTES_MAXIMUM;
    return isTooLarge || this.#queue.length >= WAITING_MAXIMUM;
  }

  async #run(): Promise<void> {
    this.#running = true;
    for (let first = this.#queue[0]; first; first = this.#queue[0]) {
      try {
        await this.#turn(first);
      } catch (error) {
        // After any error, the next commands must not wait forever.
        logFailure(first.request, error);
        this.#finish(first, { kind: 'defect' });
      }
    }
    this.#running = false;
  }

  /**
   * Bring the first command of the queue, and the commands that share its commit, to their outcome. After a failure
   * they stay queued and are tried again.
   */
  async #turn(first: Waiting): Promise<void> {
    first.attempts += 1;
    first.started = true;
    let shared: Deciding[] = [];
    try {
      const state = await this.#prepare(first);
      this.#failing = false;
      if (first.read?.earlier) return await this.#answerAgain(first);
      const now = Date.now();
      const decision = await this.#decide(first, state, now);
      if (isRefusal(decision)) return await this.#refuse(first, decision, state, now);
      const { request, takenIds } = first;
      const deciding = { waiting: first, request, change: decision, now, state, takenIds };
      shared = share(deciding, this.#queue, this.#memory.commits);
      for (const { waiting } of shared) waiting.started = true;
      if (await this.#isOwner(first, state)) await this.#commit(shared);
    } catch (error) {
      await this.#fail(first, shared, error);
    }
  }

  /**
   * Make sure that the writer's state is current, and the first reads of this command and of those read together with
   * it.
   */
  async #prepare(first: Waiting): Promise<WriterState> {
    const state = this.#memory.state ?? (await this.#learn(first));
    const { recalled, commits } = this.#memory;
    const waiting = together(this.#queue);
    for (const one of waiting) one.recall(recalled, commits);
    if (first.read?.commits === commits) return state;
    const unread = waiting.filter(({ read }) => read?.commits !== commits);
    const reads = new Reads(unread, state);
    if (reads.statements.length > 0) {
      const database = this.#database();
      const results = await database.send(reads.statements);
      reads.take(results, this.#memory.commits, (waiting, own) => waiting.charge(database, own));
    }
    return state;
  }

  /** Read the writer's state and, in the same call, all first reads that do not depend on it. */
  async #learn(first: Waiting): Promise<WriterState> {
    const reads = new Reads(together(this.#queue), undefined);
    const { state, results } = await this.#memory.learn(first, reads.statements);
    // The first command bears the cost of the call.
    reads.take(results, this.#memory.commits, () => undefined);
    return state;
  }

  /** Decide a command on its first rows, and on the rows of its second reads. */
  async #decide(waiting: Waiting, state: WriterState, now: number): Promise<Change | Refusal> {
    const more = waiting.more(state, now);
    const statements = statementsOf(more);
    const results = statements.length === 0 ? [] : await waiting.send(this.#database(), statements);
    return waiting.decide(state, now, more, results);
  }

  /** Commit in one batch. The first reads of the next commands follow at its end. */
  async #commit(shared: readonly Deciding[]): Promise<void> {
    const next = together(this.#queue.slice(shared.length));
    const { recalled } = this.#memory;
    const learning = recalled.learning(
      this.#scope,
      shared.map(({ waiting }) => waiting),
    );
    const unknown = next.filter((one) => one.isRetry || !recalled.rows(one));
    const batch = new Batch(this.#scope, shared, { next: unknown, learning }, this.#saltOf);
    const database = this.#database();
    const requestsJobs = shared.some(({ change }) => change.jobs);
    const commits = () => database.send(batch.all);
    const results = await (batch.emits || requestsJobs
      ? this.#hooks.aroundCommit(commits, requestsJobs)
      : commits());

    const state = batch.state(results);
    const durable = this.#memory.committed(
      state,
      shared.map(({ change }) => change),
    );
    batch.passOn(results, this.#memory.commits);
    this.#hooks.afterCommit(
      shared.flatMap(({ change }) => change.audit),
      state.head.sequenceNumber,
    );
    for (const { waiting, body, own } of batch.results(results)) {
      waiting.charge(database, own);
      this.#finish(waiting, { kind: 'done', body, replayed: false }, durable);
    }
  }

  /** Refuse a command that has waited too long. A command that has started is not refused, because it may take effect. */
  #refuseLate(waiting: Waiting): void {
    if (waiting.started) return;
    this.#finish(
      waiting,
      unavailable('The change waited too long, so nothing was changed. Send the same request again.'),
    );
  }

  /** Answer with a refusal, and store it if a repeat must get the same answer. */
  async #refuse(waiting: Waiting, refused: Refusal, state: WriterState, now: number): Promise<void> {
    const { request } = waiting;
    if (!waiting.read) {
      // The command itself may be the cause of the refusal: an earlier attempt took effect, and its answer was lost.
      const [record] = await waiting.send(this.#database(), [earlierAnswerQuery(this.#scope, request)]);
      if (record!.rows.length > 0) return await this.#answerAgain(waiting);
    }
    // Nothing can be stored for an organization that does not exist.
    const isThere = state.organization || this.#scope.organization === NO_ORGANIZATION;
    if (request.idempotencyKey !== null && isAnswer(refused) && isThere) {
      const recording = { now, fence: endsWith(this.#scope, state.head.hash) };
      await waiting.send(this.#database(), [recordRefusal(this.#scope, request, refused, recording)]);
    }
    this.#finish(waiting, { kind: 'refused', refusal: refused, replayed: false });
  }

  /**
   * Handle a failure of a read or of a commit. A failed commit had no effect, or left a record of the answer. The next
   * attempt looks for it first. Commands that shared a failed commit are retried one by one, so that only the faulty
   * one fails.
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
    if (isAnswerTaken(error)) first.takenIds += 1;
    if (error instanceof ProblemError) {
      return this.#finish(first, { kind: 'refused', refusal: error.refusal, replayed: false });
    }
    const failure = failureOf(error);
    if (failure === 'defect') {
      logFailure(first.request, error);
      return this.#finish(first, { kind: 'defect' });
    }
    const once = failure === 'lasting' || (failure === 'passing' && this.#failing);
    if (!once && first.attempts < ATTEMPTS_MAXIMUM) {
      // The first collision is retried at once. A second one shows another busy writer, so the command pauses.
      if (first.attempts > 1 || failure === 'passing') await pause(first.attempts);
      return;
    }
    logFailure(first.request, error);
    this.#failing = failure === 'passing';
    const detail = 'The change could not be stored. Send the same request again.';
    if (!(await this.#answeredBefore(first))) this.#finish(first, unavailable(detail));
  }

  /** Before giving up on a command, check again whether it took effect. If so, answer it. Returns whether it did. */
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
   * Answer from the stored record of an earlier attempt. The object that committed it may have ended before its
   * watermark was durable. So the watermark is first moved to the end of the log. @throws if the record no longer
   * exists, because the store may have been restored after it was found
   */
  async #answerAgain(waiting: Waiting): Promise<void> {
    const record = earlierAnswerQuery(this.#scope, waiting.request);
    const { state, results } = await this.#memory.learn(waiting, [record]);
    const earlier = earlierAnswer(results[0]!.rows, waiting.request);
    if (!earlier) throw outage('The store was put back.');
    this.#finish(waiting, earlier, this.#memory.writeWatermark(state));
  }

  /**
   * Whether this object still owns the organization, and was not replaced. If the object's storage does not respond,
   * answers the command with 503.
   */
  async #isOwner(first: Waiting, state: WriterState): Promise<boolean> {
    try {
      await this.#memory.own(state);
      return true;
    } catch (error) {
      logFailure(first.request, error);
      this.#finish(first, unstored(error));
      return false;
    }
  }

  /**
   * Remove a command from the queue, and answer it when the watermark of its commit is durable. The next commands do
   * not wait for that.
   */
  #finish(waiting: Waiting, answer: CommandOutcome, durable?: Promise<void>): void {
    this.#queue.splice(this.#queue.indexOf(waiting), 1);
    Promise.resolve(durable).then(
      () => waiting.finish(answer),
      (error) => {
        logFailure(waiting.request, error);
        waiting.finish(unstored(error));
      },
    );
  }

  #database(): Database {
    return new Database(this.#options.organization, this.#options.databases);
  }
}

/** Full jitter below 10 ms, 20 ms, 40 ms … 640 ms. */
export const pause = (attempt: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * 5 * 2 ** Math.min(attempt, 7)));

/** The answer (503) if the store or a full queue prevents a command. */
export const unavailable = (detail: string): EarlierAnswer => ({
  kind: 'refused',
  refusal: refusal('temporarilyUnavailable', detail),
  replayed: false,
});

/** The answer if the object's own storage fails: the same, or a defect if the storage is not the cause. */
export const unstored = (error: unknown): EarlierAnswer | { kind: 'defect' } =>
  isUnavailable(error)
    ? unavailable('The database did not answer. Send the same request again.')
    : { kind: 'defect' };

/** Log why a command failed. */
export function logFailure({ requestId, name }: CommandRequest, error: unknown): void {
  console.error(JSON.stringify({ requestId, command: name, error: String(error) }));
}
