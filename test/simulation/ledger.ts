import type { Outcome } from '../../src/core/writer/command.ts';
import { codesOf, isAnswered, isFinal, recordOf, textOf } from './answers.ts';
import type { Wish } from './callers.ts';
import { checkAboard, movesPallets } from './check-aboard.ts';
import { ManyAtOnce } from './check-orders.ts';
import { ScanAnswers } from './check-scans.ts';
import { LogCheck } from './log-check.ts';
import { wishOf } from './logged.ts';
import { accepts, claimsMove, loggedBy } from './statements.ts';
import type { Statement } from './store.ts';
import { Finding, type World } from './world.ts';

/** Checks every commit and every answer. */
export class Ledger {
  readonly #world: World;
  readonly #logs = new Map<string, LogCheck>();
  /** The request that was given each code, by organization and code. */
  readonly #handedOut = new Map<string, string>();
  readonly #scans = new ScanAnswers();
  readonly #manyAtOnce = new ManyAtOnce();
  readonly #wishes = new Map<string, Wish>();
  /** Number of batches that wrote to a log. */
  batches = 0;
  /** How often a code was issued twice because nothing knew its first commit. */
  issuedTwice = 0;
  /** How often an object claimed a move. */
  claims = 0;
  readonly #accepted: (organization: string) => void;

  /** `accepted` is called with the organization when a living object has accepted an operation. */
  constructor(world: World, accepted: (organization: string) => void) {
    this.#world = world;
    this.#accepted = accepted;
    world.watch = (statements, unseen) => this.#committed(statements, unseen);
  }

  log(organization: string): LogCheck {
    let log = this.#logs.get(organization);
    if (!log) {
      log = new LogCheck(this.#world, organization);
      this.#logs.set(organization, log);
    }
    return log;
  }

  get logs(): Iterable<LogCheck> {
    return this.#logs.values();
  }

  /** Read all logs again after a restore. `knownCode` is the last code that the watermark of an organization knows. */
  async putBack(knownCode: (organization: string) => number | null): Promise<void> {
    this.#scans.putBack();
    for (const [organization, log] of this.#logs) await log.putBack(knownCode(organization));
  }

  /** A caller is about to send a new wish. */
  wished(wish: Wish): void {
    this.#wishes.set(wish.id, wish);
  }

  /** Check an answer that has reached its caller. */
  async acknowledged(
    wish: Wish,
    outcome: Outcome,
    { request, rewinds }: { request: { commandId: string; requestId: string }; rewinds: number },
  ): Promise<void> {
    const { requestId, commandId } = request;
    const log = this.log(wish.organization);
    if (rewinds === this.#world.rewinds) {
      log.answered(wish.id);
      this.#scans.take(wish, outcome);
      if (isFinal(outcome)) this.#manyAtOnce.answered(wish, outcome, log.place.effects.get(wish.id));
    }
    const record = wish.key === null ? undefined : await recordOf(this.#world.stores, wish);
    const isThere = isAnswered(record, outcome);
    const isRepeat = 'replayed' in outcome && outcome.replayed;
    if (isThere || !isRepeat) {
      this.#handOut(wish, outcome, isThere ? (record!['commandId'] as string) : commandId);
    }
    if (wish.key === null || !isFinal(outcome)) {
      wish.isOver = true;
      return;
    }
    if (rewinds === this.#world.rewinds) {
      if (!isThere)
        throw new Finding(`${requestId} was answered ${textOf(outcome)}, but no record holds this answer`);
      if (wish.answer && !wish.isLost && textOf(wish.answer) !== textOf(outcome)) {
        throw new Finding(`${requestId} was answered ${textOf(outcome)}, but earlier ${textOf(wish.answer)}`);
      }
      if (isRepeat === (record!['commandId'] === commandId)) {
        throw new Finding(`${requestId} says wrongly whether it is a repeat`);
      }
    }
    wish.isLost = !isThere;
    wish.answer = outcome;
  }

  /** A wish whose record was lost may take effect again. It gets other codes then. */
  #handOut(wish: Wish, outcome: Outcome, commandId: string): void {
    const codes = codesOf(wish.name, outcome);
    if (!codes) return;
    const owner = `${wish.id} (${commandId})`;
    for (let code = codes[0]; code <= codes[1]; code += 1) {
      const name = `${wish.organization} ${code}`;
      const before = this.#handedOut.get(name);
      if (before !== undefined && before !== owner) {
        // Known (see README): nothing knew the codes of a commit when a restore took it away.
        const { forgotten } = this.log(wish.organization);
        if (![before, owner].some((name) => forgotten.has(name.split(' ')[0]!))) {
          throw new Finding(`code ${code} was issued to ${before} and to ${owner}`);
        }
        this.issuedTwice += 1;
      }
      this.#handedOut.set(name, owner);
    }
    this.log(wish.organization).handedOut(codes[1]);
  }

  async #committed(statements: readonly Statement[], unseen: boolean): Promise<void> {
    const organizations = loggedBy(statements);
    if (organizations.size > 0) this.batches += 1;
    if (claimsMove(statements)) this.claims += 1;
    for (const organization of organizations) {
      if (accepts(statements) && !unseen) this.#accepted(organization);
      const log = this.log(organization);
      const { event } = log.place;
      const records = await log.advance(this.batches);
      const { store } = await this.#world.stores.homeOf(organization);
      for (const [id, made] of Map.groupBy(records, wishOf)) {
        const wish = this.#wishes.get(id);
        if (wish) await this.#manyAtOnce.committed(this.batches, store, wish, made);
      }
      if (records.some(movesPallets)) await checkAboard(store, log);
      // A later commit with an event starts the jobs, and they look at all due work.
      log.isUnseen = unseen || (log.isUnseen && log.place.event === event);
    }
  }
}
