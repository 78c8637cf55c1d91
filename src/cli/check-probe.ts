import { setTimeout as sleep } from 'node:timers/promises';
import { refused } from './operator-shell.ts';

const TIMEOUT_MS = 30_000;

/** The options of a request. */
interface Options {
  body?: unknown;
  headers?: Record<string, string>;
}

/**
 * Sends each request once and measures it. It does not retry: a deployment check reports every failure that a caller
 * would see.
 */
export class Probe {
  readonly base: string;
  /** Times in milliseconds from the request to the end of the answer, by step. Shared by the probes of a run. */
  readonly times: Map<string, number[]>;
  readonly #headers: Record<string, string>;

  constructor(base: string, headers: Record<string, string> = {}, times = new Map<string, number[]>()) {
    this.base = base;
    this.#headers = headers;
    this.times = times;
  }

  /** The same service with another credential. */
  as(headers: Record<string, string>): Probe {
    return new Probe(this.base, headers, this.times);
  }

  /** Send a request and return the answer with its whole body, also if it is a refusal. */
  async send(step: string, method: string, path: string, { body, headers }: Options = {}): Promise<Response> {
    const start = performance.now();
    const response = await fetch(this.base + path, {
      method,
      headers: {
        ...this.#headers,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // The credential is for this service alone.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const bytes = await response.arrayBuffer();
    this.times.set(step, [...(this.times.get(step) ?? []), performance.now() - start]);
    return new Response(bytes.byteLength === 0 ? null : bytes, response);
  }

  /** Send a request and return the JSON of the answer. @throws for a refusal */
  async call<T>(step: string, method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.send(step, method, path, { body });
    if (!answer.ok) throw new Error(`${method} ${path}: ${(await refused(answer)).message}`);
    const text = await answer.text();
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }
}

/** How long to look for a result, and the pause between two looks. */
interface Patience {
  maximumMs: number;
  pollMs: number;
}

/**
 * Look until there is a result. A look without a result returns the error for the case that it was the last look.
 * @throws the error of the last look, if there is no result in time
 */
export async function poll<T>({ maximumMs, pollMs }: Patience, look: () => Promise<T | Error>): Promise<T> {
  const start = performance.now();
  for (;;) {
    const seen = await look();
    if (!(seen instanceof Error)) return seen;
    if (performance.now() - start > maximumMs) throw seen;
    await sleep(Math.min(pollMs, maximumMs));
  }
}

/** The middle of some numbers, the upper one of two. */
export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
