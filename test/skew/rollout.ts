import { exports } from 'cloudflare:workers';
import { expect } from 'vitest';
import { API, ORIGIN, type Tenant } from '../workerd/client.ts';

type Sent = readonly [method: string, path: string, json?: unknown];

/** An answer of either version, which may not be documented by the version of the tests. */
interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
}

const sending =
  (when: 'during' | 'after') =>
  async ({ key }: Tenant, [method, path, json]: Sent, own = 'k'): Promise<Answer> => {
    const worker = (exports as unknown as { default: { fetch: typeof fetch } }).default;
    const answer = await worker.fetch(`${ORIGIN}${API}${path}`, {
      method,
      headers: {
        'X-AUTH-KEY': key,
        'X-Skew': when,
        'Idempotency-Key': own,
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
  };

/** Send a request to the service during a rollout. */
export const during = sending('during');

/** Send a request to the service after the rollout. */
export const after = sending('after');

/** The answer to a write that one side does not know. */
export function expectUnknown({ status, headers, body }: Answer): void {
  expect([status, body.code]).toEqual([503, 'temporarilyUnavailable']);
  expect(Number(headers.get('Retry-After'))).toBeLessThanOrEqual(5);
}
