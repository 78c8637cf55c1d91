import { setTimeout as sleep } from 'node:timers/promises';
import type { Exchange } from '../../../src/web/docs/document.ts';
import type { Document } from '../../contract/schema.ts';
import type { Service } from '../service.ts';
import { Disguise } from './disguise.ts';

export type Sent = Partial<Pick<Exchange, 'params' | 'query' | 'body'>> & {
  /** A body that is not JSON. Examples do not show it. */
  raw?: string | Uint8Array<ArrayBuffer>;
};

const DAY = Date.UTC(2026, 10, 21);
const MINUTE_MS = 60_000;
const PATIENCE_MS = 30_000;

/** Sends requests to a service and records them with their answers as examples of the API. */
export class Recorder {
  readonly #origin: string;
  readonly #document: Document;
  readonly #disguise: Disguise;
  readonly #exchanges: [string, Exchange][] = [];
  readonly #payloads: [string, object][] = [];
  readonly #headers: Record<string, string> = {};
  /** The index of the exchange that issued each secret. */
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

  /** Sets the time of day in the examples. Each request takes a minute. */
  at(clock: string): void {
    const [hours, minutes] = clock.split(':').map(Number) as [number, number];
    this.#clock = DAY + (hours * 60 + minutes) * MINUTE_MS;
  }

  /** Sets the credential of a security scheme from now on. Returns the previous one. */
  use(scheme: string, secret: string): string {
    const { name } = this.#document.components.securitySchemes[scheme];
    const before = this.#headers[name] ?? '';
    this.#headers[name] = secret;
    return before;
  }

  /** Shows `shown` instead of `real` in the examples. */
  rename(real: string, shown: string): void {
    this.#disguise.rename(real, shown);
  }

  /** Sends a request and records it under a summary. */
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

  /** Sends a request without recording it. */
  async ask(operationId: string, sent: Sent): Promise<Document> {
    return (await this.#request(operationId, sent, 'unkept')).answer;
  }

  /** Reads an answer that is not JSON, without recording it. */
  async read(operationId: string, sent: Sent): Promise<string> {
    return (await this.#request(operationId, sent, 'unkept')).text;
  }

  /** Repeats a request without recording it until the answer fits. */
  async until(operationId: string, sent: Sent, isThere: (answer: Document) => boolean): Promise<Document> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const answer = await this.ask(operationId, sent);
      if (isThere(answer)) return answer;
      if (Date.now() > deadline) throw new Error(`${operationId}: ${JSON.stringify(answer)}`);
      await sleep(50);
    }
  }

  /** Records a webhook payload of an event type. */
  payload(eventType: string, payload: object): void {
    this.#payloads.push([eventType, this.#disguise.of(payload)]);
  }

  /** Records an exchange written by hand, for a state that the recording cannot reach. */
  byHand(operationId: string, exchange: Exchange): void {
    this.#exchanges.push([operationId, exchange]);
  }

  /** Returns a value as examples show it. */
  shown<T>(real: T): T {
    return this.#disguise.of(real);
  }

  /** Returns the contents of `examples.json` and `payloads.json`. */
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

  /** Starts a new minute. Later events get its date. */
  async #tick(): Promise<void> {
    // The clock of workerd does not advance within a request and may lag by a millisecond.
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

  /** Finds the exchange that issued the credential of an operation. The operator key comes from no exchange. */
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
