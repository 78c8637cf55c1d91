import type fc from 'fast-check';
import { expect } from 'vitest';
import { snapshot } from './model/snapshot.ts';
import type { Model } from './model/state.ts';
import type { Refusal, Verdict } from './model/verdict.ts';
import { compare, type Real, type Request } from './real.ts';

/** A request, and the rule for its answer. */
export interface Plan {
  request: Request;
  rule(): Verdict | Refusal[];
}

/** One step of a history. It sends a request to the service and applies the rule to the model. */
export class Step implements fc.AsyncCommand<Model, Real> {
  readonly text: string;
  readonly plan: (model: Model, real: Real) => Plan | Promise<Plan>;
  /** Whether the request is sent again with the same key, as after a lost answer. */
  readonly isRepeated: boolean;

  constructor(text: string, plan: Step['plan'], isRepeated = false) {
    this.text = text;
    this.plan = plan;
    this.isRepeated = isRepeated;
  }

  /** The same step with a request that is sent twice. */
  twice(): Step {
    return new Step(this.text, this.plan, true);
  }

  /** Every request is allowed at every time, because refusals are answers too. */
  check(): boolean {
    return true;
  }

  async run(model: Model, real: Real): Promise<void> {
    model.begin();
    const { request, rule } = await this.plan(model, real);
    const [before, shown] = [real.head ?? (await real.changes()), snapshot(model)];
    const headers: Record<string, string> = this.isRepeated ? { 'Idempotency-Key': crypto.randomUUID() } : {};
    const answer = await real.send(request, headers);
    real.note(this.text, answer);
    compare(model, answer, rule());
    // Each change is audited. A request without a change writes nothing, above all a refusal.
    const after = await real.changes();
    expect(after > before).toBe(snapshot(model) !== shown);
    if (!this.isRepeated) return;
    const again = await real.send(request, headers);
    expect([again.status, withoutRequest(again.body)]).toEqual([answer.status, withoutRequest(answer.body)]);
    expect(await real.changes()).toBe(after);
  }

  toString(): string {
    return `\n  ${this.text}${this.isRepeated ? ', twice' : ''}`;
  }
}

/** An answer without the id and the time of its request. */
const withoutRequest = (body: object | null) => ({ ...body, requestId: undefined, timestamp: undefined });

/** A step that compares a part of the state. */
export class Look implements fc.AsyncCommand<Model, Real> {
  readonly text: string;
  readonly look: (model: Model, real: Real) => Promise<void>;

  constructor(text: string, look: Look['look']) {
    this.text = text;
    this.look = look;
  }

  check(): boolean {
    return true;
  }

  run(model: Model, real: Real): Promise<void> {
    return this.look(model, real);
  }

  toString(): string {
    return `\n  ${this.text}`;
  }
}
