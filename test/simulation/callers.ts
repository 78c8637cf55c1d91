import { canonicalJson } from '../../src/core/lib/hash.ts';
import { newUuid } from '../../src/core/lib/id.ts';
import type { Actor } from '../../src/core/writer/chain.ts';
import { execute } from '../../src/core/writer/client.ts';
import type { Outcome } from '../../src/core/writer/command.ts';
import { isAnswered, recordOf } from './answers.ts';
import type { Ledger } from './ledger.ts';
import type { Service } from './service.ts';
import { type Domain, Finding, type World } from './world.ts';

/** What a caller wants done, once, however often it asks for it. */
export interface Wish {
  /** By which the audit log names it: `{id}.{attempt}` is the request id. */
  id: string;
  organization: string;
  name: string;
  input: object;
  key: string | null;
  /** Requests that are not answered yet, nor given up. */
  open: number;
  attempts: number;
  /** What it was answered for good; undefined while that is not known. */
  answer: Outcome | undefined;
  /** Whether it was forgotten when the store was put back, after it was answered. */
  isLost: boolean;
  /** How often the store had been put back when it was last sent with another body. */
  alteredAt: number | undefined;
  /** Whether it comes to no answer that lasts: refused for a fault of its own, or without a key to ask by. */
  isOver: boolean;
}

const ACTOR: Actor = { actorType: 'API_KEY', uuid: null, displayName: 'Caller' };
/** How many answers a caller can still ask for again. */
const REMEMBERED = 60;

/** Callers of the service: they send, go away, ask again, and compare. */
export class Callers {
  readonly service: Service;
  readonly ledger: Ledger;
  readonly world: World;
  readonly wishes: Wish[] = [];
  /** Answers by command and what they say. */
  readonly met = new Map<string, number>();
  #count = 0;
  /** Of each that waits for an answer, how it goes away. */
  readonly #asking = new Set<() => void>();

  constructor(service: Service, ledger: Ledger) {
    this.service = service;
    this.ledger = ledger;
    this.world = service.world;
  }

  /** Want something new. */
  wish(organization: string, name: string, input: object, keyed: boolean): Wish {
    this.#count += 1;
    const id = `${name}-${this.#count}`;
    const wish: Wish = {
      id,
      organization,
      name,
      input,
      key: keyed ? `key-${id}` : null,
      open: 0,
      attempts: 0,
      answer: undefined,
      isLost: false,
      alteredAt: undefined,
      isOver: false,
    };
    this.wishes.push(wish);
    this.ask(wish);
    return wish;
  }

  /** Ask for it, first or again; with another body than before where `altered`. */
  ask(wish: Wish, altered = false): void {
    wish.attempts += 1;
    wish.open += 1;
    const { world } = this;
    if (altered) wish.alteredAt = world.rewinds;
    const domain: Domain = { name: `caller of ${wish.id}`, dead: false };
    const leave = (): void => {
      if (!this.#asking.delete(leave)) return;
      domain.dead = true;
      wish.open -= 1;
    };
    this.#asking.add(leave);
    const requestId = `${wish.id}.${wish.attempts}`;
    const rewinds = world.rewinds;
    const request = {
      name: wish.name,
      input: 'requestId' in wish.input ? { ...wish.input, requestId } : wish.input,
      commandId: newUuid(),
      idempotencyKey: wish.key,
      fingerprint: canonicalJson([wish.name, wish.input, altered]),
      actor: ACTOR,
      requestId,
      ipAddress: null,
    };
    execute(this.service.envOf(domain), wish.organization, request).then(
      (outcome) => {
        if (domain.dead) return;
        leave();
        // In its turn, since checks look at the store.
        world.later('answer', () => this.#answered(wish, outcome, { request, altered, rewinds }));
      },
      (error) => world.fail(new Finding(`${requestId}: ${error}`)),
    );
    if (world.faults.draws('caller gone')) world.later('caller gone', leave);
  }

  /** Nobody waits for an answer any more. */
  leave(): void {
    for (const leave of this.#asking) leave();
  }

  /** Those that a caller may ask for again, answered or not. */
  repeatable(): Wish[] {
    return this.wishes
      .filter((wish) => wish.key !== null && !wish.isOver && wish.open === 0)
      .slice(-REMEMBERED);
  }

  /** Those whose key somebody has for certain. */
  answered(): Wish[] {
    return this.repeatable().filter(({ answer, isLost }) => answer && !isLost);
  }

  /** Those whose outcome nobody knows. */
  unknown(): Wish[] {
    return this.wishes.filter(
      ({ key, isOver, open, answer }) => key !== null && !isOver && open === 0 && !answer,
    );
  }

  /** The store was put back: some of what was answered is forgotten. */
  async forget(): Promise<void> {
    for (const wish of this.wishes) {
      if (!wish.answer || wish.isLost) continue;
      wish.isLost = !isAnswered(await recordOf(this.world.stores, wish), wish.answer);
    }
  }

  async #answered(
    wish: Wish,
    outcome: Outcome,
    sent: { request: { commandId: string; requestId: string }; altered: boolean; rewinds: number },
  ): Promise<void> {
    const what = outcome.kind === 'refused' ? outcome.refusal.code : outcome.kind;
    const kind = `${wish.name} ${what}`;
    this.met.set(kind, (this.met.get(kind) ?? 0) + 1);
    const { requestId } = sent.request;
    if (outcome.kind === 'defect') throw new Finding(`${requestId} ended in a defect`);
    if (what === 'temporarilyUnavailable') return;
    if (what === 'idempotencyKeyReused') {
      // Where the store was put back, another body may have taken the key.
      if (!sent.altered && (wish.alteredAt ?? this.world.rewinds) === this.world.rewinds) {
        throw new Finding(`${requestId} was refused as another request than it was`);
      }
      wish.isOver ||= !sent.altered;
      return;
    }
    if (sent.altered) {
      if (sent.rewinds === this.world.rewinds) {
        throw new Finding(`${requestId} had another body, and was answered ${what}`);
      }
      wish.isOver = true;
      return;
    }
    await this.ledger.acknowledged(wish, outcome, sent);
  }
}
