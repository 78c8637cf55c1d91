import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Call, Tenant } from '../client.ts';
import type { Service } from '../service.ts';

/** A write with what it was answered in the end. */
export interface Settled {
  call: Call;
  answer: Answer;
  /** How often it was sent without learning what became of it. */
  unknown: number;
}

/** What all callers of a run share. */
export interface Run {
  service: Service;
  tenant: Tenant;
  /** Set to false when callers should come to an end. */
  going: boolean;
  /** Called at each acknowledgement, before the caller does anything with it. */
  acknowledged(): void;
  settled: Settled[];
  /** Everything that must not be; collected, so that one fault does not hide the next. */
  faults: string[];
}

const ATTEMPTS_MAXIMUM = 40;
/** A caller asks again for this many of its latest answers after each restart. */
const LATEST = 3;

/** One client of the API: it sends a write under a key until it knows what became of it. */
export class Caller {
  readonly run: Run;
  readonly name: string;
  readonly #settled: Settled[] = [];
  #starts: number;

  constructor(run: Run, name: string) {
    this.run = run;
    this.name = name;
    this.#starts = run.service.starts;
  }

  /** Send a write, once for its effect however often on the wire; the answer it has for good. */
  async settle(call: Call): Promise<Answer> {
    const keyed = { ...call, headers: { 'Idempotency-Key': randomUUID() } };
    const { answer, unknown } = await this.#send(keyed);
    const settled = { call: keyed, answer, unknown };
    this.#settled.push(settled);
    this.run.settled.push(settled);
    if (unknown > 0) await this.replay(settled);
    await this.#replayLatest();
    return answer;
  }

  /** Send a settled write again: it must be answered as before, and say that it is a repeat. */
  async replay({ call, answer }: Settled): Promise<void> {
    const again = await this.#send(call);
    if (again.answer.status !== answer.status || comparable(again.answer) !== comparable(answer)) {
      this.#fault(call, `was answered ${brief(answer)}, its repeat ${brief(again.answer)}`);
    } else if (again.answer.headers.get('Idempotent-Replayed') !== 'true') {
      this.#fault(call, `was answered ${brief(answer)}, its repeat does not say that it is one`);
    }
  }

  /** What was acknowledged right before a kill is what a service that promises too early would lose. */
  async #replayLatest(): Promise<void> {
    const { starts } = this.run.service;
    if (starts === this.#starts) return;
    this.#starts = starts;
    for (const settled of this.#settled.slice(-LATEST)) await this.replay(settled);
  }

  async #send(call: Call): Promise<{ answer: Answer; unknown: number }> {
    const { service, tenant } = this.run;
    for (let unknown = 0; unknown < ATTEMPTS_MAXIMUM; unknown += 1) {
      while (!service.running) {
        if (!this.run.going) throw new Error(`${this.name}: the service did not come back`);
        await sleep(20);
      }
      const answer = await tenant.send(call).catch(() => undefined);
      // A 500 of the service's own is a defect, not an unknown outcome; a 503 promises nothing.
      if (answer && (answer.status < 500 || answer.json?.code === 'internalError')) {
        this.run.acknowledged();
        return { answer, unknown };
      }
      await sleep(50);
    }
    throw new Error(`${call.method} ${call.path} was never answered\n${service.output}`);
  }

  #fault(call: Call, text: string): void {
    const key = call.headers!['Idempotency-Key'];
    this.run.faults.push(`${this.name}: ${call.method} ${call.path} (${key}) ${text}`);
  }
}

/** A refusal carries the id and instant of the request that is answered with it. */
function comparable({ status, text, json }: Answer): string {
  return status < 400 ? text : JSON.stringify({ ...json, requestId: null, timestamp: null });
}

const brief = ({ status, text }: Answer): string => `${status} ${text.slice(0, 200)}`;
