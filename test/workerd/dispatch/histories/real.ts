import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { JPEG } from '../../../images.ts';
import { type Answer, API, call, DEVICE_API, newTenant, operator, type Tenant } from '../../client.ts';
import { SHIPMENT_FIELDS } from './model/rules-shipment.ts';
import type { Model } from './model/state.ts';
import type { Refusal, Verdict } from './model/verdict.ts';

const db = (env as unknown as { DB: D1Database }).DB;
const PAGE_SIZE = 100;

/** A request to the API. */
export interface Request {
  method: string;
  path: string;
  json?: unknown;
  api?: 'device' | 'operator';
  /** Whether the body is a photo. */
  isPhoto?: boolean;
}

/** A row of the audit log. */
interface AuditRow {
  sequence_number: number;
  hash: string;
  previous_hash: string;
  action: string;
  actor_type: string;
  entity_uuid: string;
  entity_external_id: string | null;
  changes: string;
}

/** A row of the event log. */
interface EventRow {
  sequence_number: number;
  event_type: string;
  entity_uuid: string | null;
}

/** How the service is called: directly, or through a record of answers. */
export type Ask = <T>(what: string, ask: () => Promise<T>) => Promise<T>;

/** Sends each request only once. The state must not change between the calls. */
export function newMemory(): Ask {
  const answers = new Map<string, unknown>();
  return async <T>(what: string, ask: () => Promise<T>) => {
    if (!answers.has(what)) answers.set(what, await ask());
    return answers.get(what) as T;
  };
}

/** The service during a model run. */
export class Real {
  readonly tenant: Tenant;
  readonly #ask: Ask;
  /** Counts of answers by operation and code, which show how many rules were used. */
  readonly #met: Map<string, number>;
  /** The requests so far and their outcomes. */
  readonly history: string[] = [];
  /** The last result of `changes`. */
  head: number | undefined;

  private constructor(tenant: Tenant, met: Map<string, number>, ask: Ask) {
    this.tenant = tenant;
    this.#met = met;
    this.#ask = ask;
  }

  /** Creates an empty organization. */
  static async create(met: Map<string, number>): Promise<Real> {
    const tenant = await newTenant({ markerCodeStart: 1, shipmentCustomFields: SHIPMENT_FIELDS });
    return new Real(tenant, met, (_, ask) => ask());
  }

  /** The same organization, called in another way. */
  asked(ask: Ask): Real {
    return new Real(this.tenant, this.#met, ask);
  }

  /** Records the answer of a step. */
  note(text: string, { status, body }: Answer): void {
    const [operation] = text.split(' ');
    const outcomes: string[] = body?.results?.map(({ outcome }: { outcome: string }) => outcome) ?? [
      body?.code ?? body?.outcome ?? '',
    ];
    for (const outcome of outcomes) {
      const kind = `${operation} ${status} ${outcome}`.trimEnd();
      this.#met.set(kind, (this.#met.get(kind) ?? 0) + 1);
    }
    this.history.push(`${text} → ${status} ${outcomes.join(', ')}`.trimEnd());
  }

  /** Adds the history to the message of a failure. */
  async withHistory(play: () => Promise<void>): Promise<void> {
    try {
      await play();
    } catch (error) {
      (error as Error).message = `after\n  ${this.history.join('\n  ')}\n${(error as Error).message}`;
      throw error;
    }
  }

  send({ method, path, json, api, isPhoto }: Request, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#ask(`${method} ${path}`, () => {
      if (isPhoto) return sendPhoto(this.tenant, { method, path, api }, headers);
      if (api === 'device') return this.tenant.device(method, path, json, headers);
      if (api === 'operator') return operator(method, `/organization/${this.tenant.uuid}${path}`, json);
      return this.tenant.call(method, path, json, headers);
    });
  }

  async get(path: string): Promise<unknown> {
    const { status, body } = await this.send({ method: 'GET', path });
    expect([path, status]).toEqual([path, 200]);
    return bare(body);
  }

  /** All rows of a list, oldest first. */
  async list(path: string, query = '', sortBy = 'createDate'): Promise<Record<string, unknown>[]> {
    const rows: Record<string, unknown>[] = [];
    for (let page = 1; ; page += 1) {
      const order = `pageSize=${PAGE_SIZE}&pageNumber=${page}&sort.sortBy=${sortBy}&sort.direction=ASC`;
      const { content, totalElements } = (await this.get(`${path}?${order}${query}`)) as {
        content: typeof rows;
        totalElements: number;
      };
      rows.push(...content);
      if (content.length < PAGE_SIZE) {
        expect([path, query, totalElements]).toEqual([path, query, rows.length]);
        return rows;
      }
    }
  }

  /** The rows of the organization's audit log, in order. */
  audit(): Promise<AuditRow[]> {
    return this.#ask('audit', async () => {
      const rows = await db
        .prepare('SELECT * FROM audit_log WHERE organization_uuid = ?1 ORDER BY sequence_number')
        .bind(this.tenant.uuid)
        .all<AuditRow>();
      return rows.results;
    });
  }

  /** The events of the organization, in order. */
  events(): Promise<EventRow[]> {
    return this.#ask('events', async () => {
      const rows = await db
        .prepare('SELECT * FROM event_log WHERE organization_uuid = ?1 ORDER BY sequence_number')
        .bind(this.tenant.uuid)
        .all<EventRow>();
      return rows.results;
    });
  }

  /** The number of entries in the audit log. Each change adds entries, and nothing else does. */
  async changes(): Promise<number> {
    this.head = await this.#ask('changes', async () => {
      const head = await db
        .prepare('SELECT max(sequence_number) AS head FROM audit_log WHERE organization_uuid = ?1')
        .bind(this.tenant.uuid)
        .first<number>('head');
      return head ?? 0;
    });
    return this.head;
  }
}

function sendPhoto(
  { key, token }: Tenant,
  { method, path, api }: Request,
  headers: Record<string, string>,
): Promise<Answer> {
  const [base, credential] =
    api === 'device' ? [DEVICE_API, { 'X-Auth-Token': token }] : [API, { 'X-AUTH-KEY': key }];
  return call(method, base + path, {
    headers: { ...credential, 'Content-Type': 'image/jpeg', ...headers },
    raw: Uint8Array.from(JPEG),
  });
}

const LINKS = new Set(['deepLink', 'markerImageUrl', 'message']);
const DOCUMENTS = new Set(['proofOfShipmentUrl', 'shipmentSummaryUrl', 'driverUrl']);

/** An answer without addresses that depend on the host, and without texts for people. */
export function bare(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body ?? null), (key, value) => {
    if (LINKS.has(key)) return undefined;
    return DOCUMENTS.has(key) && typeof value === 'string' ? 'url' : value;
  });
}

/** Compares an answer with the rules. */
export function compare(model: Model, answer: Answer, verdict: Verdict | Refusal[]): void {
  const code: unknown = answer.body?.code;
  const chosen = Array.isArray(verdict)
    ? (verdict.find((refusal) => refusal.codes.includes(String(code))) ?? verdict[0]!)
    : verdict;
  if (!('codes' in chosen)) {
    const actual = bare(answer.status === 204 ? null : answer.body);
    const body = 'body' in chosen ? (chosen.body ?? actual) : actual;
    expect({ status: answer.status, body: actual }).toEqual({
      status: chosen.status,
      body: model.known.fill(body, actual),
    });
    return;
  }
  const { body } = answer;
  const codes = chosen.codes.includes(String(code)) ? code : chosen.codes;
  expect({
    status: answer.status,
    code,
    ...(chosen.errors ? { errors: itemsOf(body) } : {}),
    ...(chosen.allowedValues ? { allowedValues: body?.allowedValues } : {}),
  }).toEqual({ ...chosen, code: codes, codes: undefined });
}

const itemsOf = (body: { errors?: Record<string, unknown>[] }) =>
  (body?.errors ?? []).map(({ field, code, rejectedValue }) => ({ field, code, rejectedValue }));
