import type fc from 'fast-check';
import { expect } from 'vitest';
import { snapshot } from './model/snapshot.ts';
import type { Model } from './model/state.ts';
import type { Refusal, Verdict } from './model/verdict.ts';
import { compare, type Real, type Request } from './real.ts';

/** A request, and what the rules make of it. */
export interface Plan {
  request: Request;
  rule(): Verdict | Refusal[];
}

/** One step of a history: a request that is sent to the service and, by its rule, to the model. */
export class Step implements fc.AsyncCommand<Model, Real> {
  readonly text: string;
  readonly plan: (model: Model, real: Real) => Plan | Promise<Plan>;

  constructor(text: string, plan: Step['plan']) {
    this.text = text;
    this.plan = plan;
  }

  /** Whatever is asked at whatever time has an answer. */
  check(): boolean {
    return true;
  }

  async run(model: Model, real: Real): Promise<void> {
    model.begin();
    const { request, rule } = await this.plan(model, real);
    const [before, shown] = [real.head ?? (await real.changes()), snapshot(model)];
    const answer = await real.send(request);
    real.note(this.text, answer);
    compare(model, answer, rule());
    // What changes is audited, and what does not, above all a refusal, writes nothing.
    expect((await real.changes()) > before).toBe(snapshot(model) !== shown);
  }

  toString(): string {
    return `\n  ${this.text}`;
  }
}

/** Looks at a part of what there is. */
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
