import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Call, Tenant } from '../client.ts';
import type { Service } from '../service.ts';

/** A write and its final answer. */
export interface Settled {
  call: Call;
  answer: Answer;
  /** How many attempts had an unknown outcome. */
  unknown: number;
}

/** The shared state of all callers of a run. */
export interface Run {
  service: Service;
  tenant: Tenant;
  /** Callers stop once this is false. */
  going: boolean;
  /** Called at each acknowledgement, before the caller uses it. */
  acknowledged(): void;
  settled: Settled[];
  /** All detected faults. They are collected, so that one fault does not hide the next. */
  faults: string[];
}

const ATTEMPTS_MAXIMUM = 40;
/** After each restart, a caller repeats this many of its latest writes. */
const LATEST = 3;

/** A client of the API. It sends a write with one idempotency key until it knows the outcome. */
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

  /** Sends a write until it has its final answer. All attempts together must have one effect. */
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

  /** Sends a settled write again. The answer must be the same and marked as a repeat. */
  async replay({ call, answer }: Settled): Promise<void> {
    const again = await this.#send(call);
    if (again.answer.status !== answer.status || comparable(again.answer) !== comparable(answer)) {
      this.#fault(call, `was answered ${brief(answer)}, its repeat ${brief(again.answer)}`);
    } else if (again.answer.headers.get('Idempotent-Replayed') !== 'true') {
      this.#fault(call, `was answered ${brief(answer)}, its repeat does not say that it is one`);
    }
  }

  /** A service that acknowledges too early would lose the writes right before a kill. */
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
      // A 500 with a problem code of the service is a defect. After a 503 the outcome is unknown.
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

/** A refusal holds the id and the time of its own request, so these are left out. */
function comparable({ status, text, json }: Answer): string {
  return status < 400 ? text : JSON.stringify({ ...json, requestId: null, timestamp: null });
}

const brief = ({ status, text }: Answer): string => `${status} ${text.slice(0, 200)}`;
