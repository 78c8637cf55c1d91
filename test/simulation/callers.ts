import { canonicalJson } from '../../src/core/lib/hash.ts';
import { newUuid } from '../../src/core/lib/id.ts';
import type { Actor } from '../../src/core/writer/chain.ts';
import { execute } from '../../src/core/writer/client.ts';
import type { Outcome } from '../../src/core/writer/command.ts';
import { isAnswered, recordOf } from './answers.ts';
import type { Ledger } from './ledger.ts';
import type { Service } from './service.ts';
import { upload } from './uploads.ts';
import { type Domain, Finding, type World } from './world.ts';

/** A command that a caller wants to take effect once, however often the caller sends it. */
export interface Wish {
  /** The request id of each attempt is `{id}.{attempt}`, so the audit log names the wish. */
  id: string;
  organization: string;
  name: string;
  input: object;
  key: string | null;
  /** Requests without an answer whose caller still waits. */
  open: number;
  attempts: number;
  /** The final answer; undefined while the caller does not know it. */
  answer: Outcome | undefined;
  /** Whether its record was lost by a restore after it was answered. */
  isLost: boolean;
  /** The number of restores when it was last sent with another body. */
  alteredAt: number | undefined;
  /**
   * Whether no final answer can follow: it was refused for a fault of its own, or it has no key for a
   * repeat.
   */
  isOver: boolean;
}

const ACTOR: Actor = { actorType: 'API_KEY', uuid: null, displayName: 'Caller' };
/** Number of latest wishes that a caller may repeat. */
const REMEMBERED = 60;

/** Callers of the service. They send requests, go away, repeat requests and compare the answers. */
export class Callers {
  readonly service: Service;
  readonly ledger: Ledger;
  readonly world: World;
  readonly wishes: Wish[] = [];
  /** Number of answers by command and result. */
  readonly outcomes = new Map<string, number>();
  #count = 0;
  /** For each request without an answer, the function with which its caller goes away. */
  readonly #asking = new Set<() => void>();

  constructor(service: Service, ledger: Ledger) {
    this.service = service;
    this.ledger = ledger;
    this.world = service.world;
  }

  /** Send a new command. */
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
    this.ledger.wished(wish);
    this.ask(wish);
    return wish;
  }

  /** Send a wish for the first time or again. With `altered`, its body differs from the first one. */
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
    const env = this.service.envOf(domain);
    const sent =
      wish.name === 'addPhoto'
        ? upload(env, { bucket: this.service.bucket, domain }, wish.organization, request)
        : execute(env, wish.organization, request);
    sent.then(
      (outcome) => {
        if (domain.dead) return;
        leave();
        // As a step of its own, because the checks read the store.
        world.later('answer', () => this.#answered(wish, outcome, { request, altered, rewinds }));
      },
      (error) => world.fail(new Finding(`${requestId}: ${error}`)),
    );
    if (world.faults.draws('caller gone')) world.later('caller gone', leave);
  }

  /** All callers go away. */
  leave(): void {
    for (const leave of this.#asking) leave();
  }

  /** Wishes that a caller may repeat, answered or not. */
  repeatable(): Wish[] {
    return this.wishes
      .filter((wish) => wish.key !== null && !wish.isOver && wish.open === 0)
      .slice(-REMEMBERED);
  }

  /** Wishes with a known answer and a record that was not lost. */
  answered(): Wish[] {
    return this.repeatable().filter(({ answer, isLost }) => answer && !isLost);
  }

  /** Wishes without a known outcome. */
  unknown(): Wish[] {
    return this.wishes.filter(
      ({ key, isOver, open, answer }) => key !== null && !isOver && open === 0 && !answer,
    );
  }

  /** The stores were restored: mark the answered wishes whose records are gone. */
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
    this.outcomes.set(kind, (this.outcomes.get(kind) ?? 0) + 1);
    const { requestId } = sent.request;
    if (outcome.kind === 'defect') throw new Finding(`${requestId} ended in a defect`);
    if (what === 'temporarilyUnavailable') return;
    if (what === 'idempotencyKeyReused') {
      // After a restore, the request with the other body may have taken the key.
      if (!sent.altered && (wish.alteredAt ?? this.world.rewinds) === this.world.rewinds) {
        throw new Finding(`${requestId} was refused as a request with another body`);
      }
      wish.isOver ||= !sent.altered;
      return;
    }
    if (sent.altered) {
      if (sent.rewinds === this.world.rewinds) {
        throw new Finding(`${requestId} had another body, but was answered ${what}`);
      }
      wish.isOver = true;
      return;
    }
    await this.ledger.acknowledged(wish, outcome, sent);
  }
}
