import { setTimeout as sleep } from 'node:timers/promises';
import type { Exchange } from '../../../src/web/docs/examples.ts';
import type { Document } from '../../contract/schema.ts';
import type { Service } from '../service.ts';
import { Disguise } from './disguise.ts';

export type Sent = Partial<Pick<Exchange, 'params' | 'query' | 'body'>> & {
  /** A body that is not JSON, and not shown. */
  raw?: string;
};

const DAY = Date.UTC(2026, 10, 21);
const MINUTE_MS = 60_000;
const PATIENCE_MS = 30_000;

/** Sends requests to a service and keeps them with their answers, as examples of the contract. */
export class Recorder {
  readonly #origin: string;
  readonly #document: Document;
  readonly #disguise: Disguise;
  readonly #exchanges: [string, Exchange][] = [];
  readonly #payloads: [string, object][] = [];
  readonly #headers: Record<string, string> = {};
  /** By secret, which exchange issued it. */
  readonly #issued = new Map<string, number>();
  #clock = DAY;
  #requests = 0;

  private constructor(origin: string, document: Document, disguise: Disguise) {
    this.#origin = origin;
    this.#document = document;
    this.#disguise = disguise;
  }

  static async of(service: Service): Promise<Recorder> {
    const document = await (await fetch(`${service.origin}/openapi.json`)).json();
    return new Recorder(
      service.origin,
      document,
      new Disguise({ [service.origin]: 'https://dispatch.example.com' }),
    );
  }

  /** What time it is in the day that the examples tell of; each request takes a minute. */
  at(clock: string): void {
    const [hours, minutes] = clock.split(':').map(Number) as [number, number];
    this.#clock = DAY + (hours * 60 + minutes) * MINUTE_MS;
  }

  /** The credential of a security scheme from now on; the one before. */
  use(scheme: string, secret: string): string {
    const { name } = this.#document.components.securitySchemes[scheme];
    const before = this.#headers[name] ?? '';
    this.#headers[name] = secret;
    return before;
  }

  /** Show something under another name. */
  rename(real: string, shown: string): void {
    this.#disguise.rename(real, shown);
  }

  /** Send a request and keep it under a summary. */
  async send(operationId: string, summary: string, sent: Sent = {}): Promise<Document> {
    await this.#tick();
    this.#requests += 1;
    const { status, answer } = await this.#request(operationId, sent, `wms-20261121-${this.#requests}`);
    const { params = {}, query = {}, body } = sent;
    const credential = this.#credentialOf(operationId);
    if (typeof answer?.secret === 'string') this.#issued.set(answer.secret, this.#requests);
    const exchange: Exchange = {
      order: this.#requests,
      ...(credential === undefined ? {} : { credential }),
      summary,
      params,
      query,
      ...(body === undefined ? {} : { body }),
      status,
      ...(answer === undefined ? {} : { answer }),
    };
    this.#exchanges.push([operationId, this.#disguise.of(exchange)]);
    return answer;
  }

  /** Ask without keeping it. */
  async ask(operationId: string, sent: Sent): Promise<Document> {
    return (await this.#request(operationId, sent, 'unkept')).answer;
  }

  /** Read an answer that is no JSON, without keeping it. */
  async read(operationId: string, sent: Sent): Promise<string> {
    return (await this.#request(operationId, sent, 'unkept')).text;
  }

  /** The same, until what is asked for is there. */
  async until(operationId: string, sent: Sent, isThere: (answer: Document) => boolean): Promise<Document> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const answer = await this.ask(operationId, sent);
      if (isThere(answer)) return answer;
      if (Date.now() > deadline) throw new Error(`${operationId}: ${JSON.stringify(answer)}`);
      await sleep(50);
    }
  }

  /** Keep what a webhook is sent of a type. */
  payload(eventType: string, payload: object): void {
    this.#payloads.push([eventType, this.#disguise.of(payload)]);
  }

  /** Keep an exchange that this service cannot be brought to, as it is. */
  byHand(operationId: string, exchange: Exchange): void {
    this.#exchanges.push([operationId, exchange]);
  }

  /** What something is shown as. */
  shown<T>(real: T): T {
    return this.#disguise.of(real);
  }

  /** All that was recorded, as the texts of `examples.json` and `payloads.json`. */
  texts(): { operations: string; webhooks: string } {
    const operations = Map.groupBy(this.#exchanges, ([operationId]) => operationId);
    const text = (recorded: object): string => `${JSON.stringify(recorded, null, 1)}\n`;
    return {
      operations: text(
        Object.fromEntries(
          [...operations].map(([operationId, list]) => [operationId, list.map(([, exchange]) => exchange)]),
        ),
      ),
      webhooks: text(Object.fromEntries(this.#payloads)),
    };
  }

  /** A new minute: what happens from now on has its date. */
  async #tick(): Promise<void> {
    // The clock of workerd stands still within a request and may lag by a millisecond.
    await sleep(5);
    this.#disguise.minute(Date.now(), this.#clock);
    this.#clock += MINUTE_MS;
    await sleep(5);
  }

  async #request(operationId: string, { params = {}, query = {}, body, raw }: Sent, requestId: string) {
    const { method, path, operation } = this.#find(operationId);
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!));
    const search = new URLSearchParams(query).toString();
    const schemes: object[] = operation.security ?? [];
    const names = schemes
      .flatMap((scheme) => Object.keys(scheme))
      .map((name) => this.#document.components.securitySchemes[name].name);
    const response = await fetch(`${this.#origin}${filled}${search === '' ? '' : `?${search}`}`, {
      method: method.toUpperCase(),
      headers: {
        ...Object.fromEntries(names.map((name) => [name, this.#headers[name]!])),
        'X-Request-Id': requestId,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(raw === undefined ? {} : { 'Content-Type': Object.keys(operation.requestBody.content)[0]! }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(raw === undefined ? {} : { body: raw }),
    });
    if (response.status >= 400)
      throw new Error(`${operationId}: ${response.status} ${await response.text()}`);
    const isJson = response.headers.get('Content-Type')?.startsWith('application/json');
    const text = new TextDecoder().decode(await response.arrayBuffer());
    const answer: Document = isJson ? JSON.parse(text) : undefined;
    return { status: response.status, answer, text };
  }

  /** Which exchange issued what an operation is sent with; none did the key of the operator. */
  #credentialOf(operationId: string): number | undefined {
    const schemes: object[] = this.#find(operationId).operation.security ?? [];
    const scheme = schemes.flatMap((one) => Object.keys(one)).find((name) => name !== 'operatorKey');
    const secret = scheme && this.#headers[this.#document.components.securitySchemes[scheme].name];
    return secret === undefined ? undefined : this.#issued.get(secret);
  }

  #find(operationId: string): { method: string; path: string; operation: Document } {
    for (const [path, item] of Object.entries<Document>(this.#document.paths)) {
      for (const [method, operation] of Object.entries<Document>(item)) {
        if (operation.operationId === operationId) return { method, path, operation };
      }
    }
    throw new Error(`the document has no operation ${operationId}`);
  }
}
