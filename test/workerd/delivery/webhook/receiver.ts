import { env } from 'cloudflare:workers';
import { Webhook } from 'standardwebhooks';
import { onTestFinished, vi } from 'vitest';
import type { Env } from '../../../../src/core/env.ts';
import { call } from '../../../platform/invocation.ts';
import { sent } from '../../../platform/mail.ts';
import { type Answer, call as anonymous, newTenant, type Tenant } from '../../client.ts';

export const bindings = env as unknown as Env;
export const db = bindings.DB;

/** A request that a receiver got. */
export interface Received {
  url: string;
  headers: Headers;
  body: string;
  // biome-ignore lint/suspicious/noExplicitAny: events of every shape
  event: any;
  redirect: string;
}

/** How a receiver answers: with a response, or never. */
export type Behaviour = (received: Received) => Response | Promise<Response>;

/** Fake receivers by host and path. They replace the network until the test ends. */
export class Receivers {
  readonly received: Received[] = [];
  readonly #behaviours = new Map<string, Behaviour>();

  constructor() {
    const real = globalThis.fetch;
    onTestFinished(() => {
      globalThis.fetch = real;
      vi.restoreAllMocks();
    });
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      const request = new Request(input as RequestInfo, init);
      const behaviour = this.#behaviours.get(request.url);
      if (!behaviour) throw new TypeError('connection refused');
      const body = await request.text();
      const received = {
        url: request.url,
        headers: request.headers,
        body,
        event: JSON.parse(body),
        redirect: request.redirect,
      };
      this.received.push(received);
      const hangs = new Promise<Response>((_, fail) => {
        init?.signal?.addEventListener('abort', () => fail(init.signal!.reason));
      });
      // The request holds a connection of its invocation until the receiver answers.
      return call(0, () => Promise.race([hangs, Promise.resolve(behaviour(received))]));
    });
  }

  /** Set how the receiver at a URL answers from now on. */
  at(url: string, behaviour: number | Behaviour): void {
    this.#behaviours.set(
      url,
      typeof behaviour === 'number'
        ? () => new Response(behaviour === 204 ? null : 'ok', { status: behaviour })
        : behaviour,
    );
  }

  /** The requests to the receiver at a URL. */
  of(url: string): Received[] {
    return this.received.filter((received) => received.url === url);
  }

  /** The sequence numbers that it received, in order of arrival. */
  numbers(url: string): number[] {
    return this.of(url).map(({ event }) => event.sequenceNumber);
  }
}

let hooks = 0;

/** Register a webhook. @returns the answer's body, with the secret. */
export async function register(tenant: Tenant, more: Record<string, unknown> = {}): Promise<Answer['body']> {
  hooks += 1;
  const url = `https://hooks.example.com/${hooks}`;
  const answer = await tenant.call('POST', '/webhook', { name: `Hook ${hooks}`, url, ...more });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}

/** The confirmation e-mails to an address that were not answered yet. */
export const confirmationsTo = (address: string) =>
  sent.filter(({ to, text }) => to === address && text.includes('Receive these e-mails: '));

/** The link of an e-mail that confirms or stops the e-mails. */
export const linkIn = ({ text }: { text: string }, kind: 'Receive' | 'Stop' = 'Stop'): string =>
  new RegExp(`${kind} these e-mails: (\\S+)`).exec(text)![1]!;

/** Press the button of the confirmation e-mail to an address, and remove the e-mail from `sent`. */
export async function confirm(address: string): Promise<void> {
  await until(() => confirmationsTo(address).length > 0);
  const [mail] = confirmationsTo(address);
  sent.splice(sent.indexOf(mail!), 1);
  const { status } = await anonymous('POST', linkIn(mail!, 'Receive'));
  if (status !== 200) throw new Error(`the answer to the confirmation was ${status}`);
}

/** Register an e-mail webhook whose recipient confirms the address. @returns the answer's body. */
export async function registerMail(
  tenant: Tenant,
  address: string,
  more: Record<string, unknown> = {},
): Promise<Answer['body']> {
  const hook = await register(tenant, { format: 'EMAIL', url: `mailto:${address}`, ...more });
  if (hook.confirmation === 'CONFIRMED') return hook;
  await confirm(address);
  await until(async () =>
    (await log(tenant, hook.uuid)).every(({ status }: { status: string }) => status === 'SUCCEEDED'),
  );
  return hook;
}

/** Verify a request with the official library, as a receiver does. @throws if the signature is wrong. */
export function verify(secret: string, { headers, body }: Received): unknown {
  return new Webhook(secret).verify(body, Object.fromEntries(headers));
}

/** Cause events by creating manifests. */
export async function happen(tenant: Tenant, count = 1): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const externalIdentifier = `M-${crypto.randomUUID()}`;
    const { status, body } = await tenant.call('POST', '/manifest', { externalIdentifier });
    if (status !== 201) throw new Error(JSON.stringify(body));
  }
}

/** Wait until a condition holds. */
export async function until(what: () => boolean | Promise<boolean>, timeoutMs = 10_000): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await what())) {
    if (performance.now() > end)
      throw new Error(`the condition did not hold within ${timeoutMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** The delivery log without confirmation e-mails, in the order of its events. */
export async function deliveries(tenant: Tenant, uuid: string): Promise<Answer['body'][]> {
  const all = await log(tenant, uuid);
  // Deliveries that were created together have the same date.
  return all.filter(({ eventType }) => eventType !== 'EMAIL_CONFIRMATION').toSorted(bySequence);
}

/** The delivery log. */
export async function log(tenant: Tenant, uuid: string): Promise<Answer['body'][]> {
  const { status, body } = await tenant.call(
    'GET',
    `/webhook/${uuid}/delivery?pageSize=100&sort.sortBy=createDate`,
  );
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.content;
}
const bySequence = (one: Answer['body'], other: Answer['body']) => one.sequenceNumber - other.sequenceNumber;

export { newTenant, type Tenant };
