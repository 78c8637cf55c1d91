import type { Outcome } from '../../src/core/writer/command.ts';
import { codesOf, isAnswered, lasts, recordOf, said } from './answers.ts';
import type { Wish } from './callers.ts';
import { LogCheck } from './log-check.ts';
import { accepts, claimsMove, loggedBy } from './statements.ts';
import type { Statement } from './store.ts';
import { Finding, type World } from './world.ts';

/** Holds every commit and every answer against what may be. */
export class Ledger {
  readonly #world: World;
  readonly #logs = new Map<string, LogCheck>();
  /** Who was given a code, by organization and code. */
  readonly #handedOut = new Map<string, string>();
  /** Batches that wrote to a log. */
  batches = 0;
  /** How often somebody began to carry on a move. */
  claims = 0;
  readonly #accepted: (organization: string) => void;

  /** `accepted` is told of whom something was accepted by an object that lives. */
  constructor(world: World, accepted: (organization: string) => void) {
    this.#world = world;
    this.#accepted = accepted;
    world.watch = (statements, unseen) => this.#committed(statements, unseen);
  }

  /** An organization's log. */
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

  /** The store was put back. */
  async putBack(): Promise<void> {
    for (const log of this.#logs.values()) await log.putBack();
  }

  /** A caller has its answer. */
  async acknowledged(
    wish: Wish,
    outcome: Outcome,
    { request, rewinds }: { request: { commandId: string; requestId: string }; rewinds: number },
  ): Promise<void> {
    const { requestId, commandId } = request;
    const log = this.log(wish.organization);
    if (rewinds === this.#world.rewinds) log.tell(wish.id);
    const record = wish.key === null ? undefined : await recordOf(this.#world.stores, wish);
    const isThere = isAnswered(record, outcome);
    const isRepeat = 'replayed' in outcome && outcome.replayed;
    if (isThere || !isRepeat) {
      this.#handOut(wish, outcome, isThere ? (record!['commandId'] as string) : commandId);
    }
    if (wish.key === null || !lasts(outcome)) {
      wish.isOver = true;
      return;
    }
    if (rewinds === this.#world.rewinds) {
      if (!isThere) throw new Finding(`${requestId} was answered ${said(outcome)}, and has no such record`);
      if (wish.answer && !wish.isLost && said(wish.answer) !== said(outcome)) {
        throw new Finding(`${requestId} was answered ${said(outcome)}, and before ${said(wish.answer)}`);
      }
      if (isRepeat === (record!['commandId'] === commandId)) {
        throw new Finding(`${requestId} does not say right whether it is a repeat`);
      }
    }
    wish.isLost = !isThere;
    wish.answer = outcome;
  }

  /** What was lost may be done once more; it gets other codes then. */
  #handOut(wish: Wish, outcome: Outcome, commandId: string): void {
    const codes = codesOf(wish.name, outcome);
    if (!codes) return;
    const who = `${wish.id} (${commandId})`;
    for (let code = codes[0]; code <= codes[1]; code += 1) {
      const name = `${wish.organization} ${code}`;
      const before = this.#handedOut.get(name);
      if (before !== undefined && before !== who) {
        throw new Finding(`code ${code} was handed out to ${before}, and to ${who}`);
      }
      this.#handedOut.set(name, who);
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
      await log.advance(this.batches);
      // Whoever tells of an event looks at everything that is due.
      log.isUnseen = unseen || (log.isUnseen && log.place.event === event);
    }
  }
}
