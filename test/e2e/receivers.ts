import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a receiver got. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  sequenceNumber: number;
  /** Time of arrival, from `performance.now()`. */
  date: number;
}

/** Webhook receivers on 127.0.0.1, one for each path. By default they answer 200. */
export class Receivers {
  readonly received: Received[] = [];
  readonly #behaviours = new Map<string, (response: ServerResponse) => void>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      let body = '';
      request.on('data', (part) => {
        body += part;
      });
      request.on('end', () => {
        const path = request.url!;
        const { sequenceNumber } = JSON.parse(body) as { sequenceNumber: number };
        this.received.push({ path, headers: request.headers, body, sequenceNumber, date: performance.now() });
        const behaviour = this.#behaviours.get(path);
        if (behaviour) behaviour(response);
        else response.end('ok');
      });
    });
  }

  static async start(): Promise<Receivers> {
    const receivers = new Receivers();
    await new Promise<void>((ready) => receivers.#server.listen(0, '127.0.0.1', ready));
    return receivers;
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`;
  }

  /** Sets how the receiver at a path answers from now on. */
  at(path: string, behaviour: (response: ServerResponse) => void): void {
    this.#behaviours.set(path, behaviour);
  }

  /** Returns the event numbers that a receiver got, each once, in order. */
  numbers(path: string): number[] {
    const numbers = this.received
      .filter((received) => received.path === path)
      .map((got) => got.sequenceNumber);
    return [...new Set(numbers)].sort((a, b) => a - b);
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
