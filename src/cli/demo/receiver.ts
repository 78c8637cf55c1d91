import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiClient, ApiError } from '../../client/client.ts';
import { type Event, eventsAfter, received } from '../../client/webhooks.ts';
import { say } from './output.ts';
import { API } from './provision.ts';

const NAME = 'Demo receiver';
const ARRIVE_MAXIMUM_MS = 15_000;
const POLL_MS = 20;

/**
 * A webhook receiver like the receiver of a WMS. It verifies each request with the official library of Standard
 * Webhooks, answers at once, ignores an event that comes twice, and prints the others as they come.
 */
export class Receiver {
  readonly #wms: ApiClient;
  readonly #server: Server;
  readonly #numbers = new Map<string, number>();
  #webhook: { uuid: string; secret: string } | undefined;
  #since = 0;
  #faults = 0;

  private constructor(wms: ApiClient) {
    this.#wms = wms;
    this.#server = createServer((request, response) => {
      this.#receive(request, response).catch(() => response.destroy());
    });
  }

  /**
   * Listen on a free port of 127.0.0.1 and register there. A service that sends only to public addresses refuses this.
   */
  static async start(wms: ApiClient): Promise<Receiver> {
    const receiver = new Receiver(wms);
    await new Promise<void>((ready) => receiver.#server.listen(0, '127.0.0.1', ready));
    // A failed run must end although the server listens.
    receiver.#server.unref();
    await receiver.#register();
    return receiver;
  }

  /**
   * Wait until all events since the start have arrived, and print their number.
   * @throws Error if an event did not arrive, or the signature of a request was wrong
   */
  async arrived(): Promise<void> {
    if (!this.#webhook) return;
    const happened = await this.#log(this.#since);
    const received = new Set(this.#numbers.values());
    const deadline = performance.now() + ARRIVE_MAXIMUM_MS;
    const isMissing = () => {
      for (const number of this.#numbers.values()) received.add(number);
      return happened.some((number) => !received.has(number));
    };
    while (isMissing() && performance.now() < deadline) await sleep(POLL_MS);
    if (this.#faults > 0) throw new Error(`${this.#faults} requests to the webhook had no valid signature.`);
    if (isMissing()) throw new Error('Some events did not arrive at the webhook.');
    say(`\nThe webhook was sent all ${happened.length} events, each with a valid signature.`);
  }

  /** Delete the webhook and stop listening. */
  async stop(): Promise<void> {
    if (this.#webhook) await this.#wms.request('DELETE', `${API}/webhook/${this.#webhook.uuid}`);
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #register(): Promise<void> {
    // Delete the webhooks of interrupted runs. Nothing listens there any more.
    for await (const { uuid, name } of this.#wms.walk<{ uuid: string; name: string }>(`${API}/webhook`)) {
      if (name === NAME) await this.#wms.request('DELETE', `${API}/webhook/${uuid}`);
    }
    const url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
    try {
      const body = { name: NAME, url, eventTypes: [] };
      this.#webhook = (
        await this.#wms.request<{ uuid: string; secret: string }>('POST', `${API}/webhook`, { body })
      ).body;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 400) throw error;
      say('  no webhook: this service does not send to addresses on this machine');
      return;
    }
    this.#since = (await this.#log(0)).at(-1) ?? 0;
    say(`  a webhook to ${url}, where this run listens. Lines with ← are received events`);
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    let event: Event;
    try {
      const headers = request.headers as Record<string, string>;
      event = received(this.#webhook!.secret, Buffer.concat(parts), headers);
    } catch {
      this.#faults += 1;
      response.writeHead(400).end();
      return;
    }
    response.writeHead(204).end();
    if (this.#numbers.has(event.eventIdentifier)) return;
    this.#numbers.set(event.eventIdentifier, event.sequenceNumber ?? 0);
    say(`    ← ${event.sequenceNumber} ${event.eventType} ${describe(event)}`.trimEnd());
  }

  /** The numbers of all events after this one. */
  async #log(after: number): Promise<number[]> {
    const numbers: number[] = [];
    for await (const { sequenceNumber } of eventsAfter(this.#wms, after)) numbers.push(sequenceNumber ?? 0);
    return numbers;
  }
}

/** Describe in a few words what an event is about. */
function describe({ entityExternalId, data }: Event): string {
  const of = (field: string): string | undefined => {
    const value = data?.[field];
    return typeof value === 'string' ? value : undefined;
  };
  const what = of('trackIdentifier') ?? entityExternalId ?? of('message');
  const state = of('loadingStatus') ?? of('manifestStatus') ?? of('alertType') ?? of('status');
  return [what, state].filter((text) => text !== undefined && text !== null).join(' ');
}
