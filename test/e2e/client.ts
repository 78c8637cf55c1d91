import { setTimeout as sleep } from 'node:timers/promises';

export const OPERATOR_KEY = 'local-operator-key';
export const API = '/integration/rest/api/v1';
const OPERATOR_API = '/operator/rest/api/v1';
const TIMEOUT_MS = 30_000;
const ATTEMPTS_MAXIMUM = 20;

/** A response whose whole body was read. A truncated response does not count. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  json: any;
}

export interface Call {
  method: string;
  /** A path below the API's base path, or a full path below the origin. */
  path: string;
  json?: unknown;
  headers?: Record<string, string>;
}

/** A service that receives requests. */
export interface Served {
  origin: string;
  /** The output of the service, for the message of a failing test. */
  output?: string;
}

/**
 * Sends one request, a write only once. It throws if no complete response arrives. A kept connection may belong to a
 * process that was killed, so a request that only reads is then sent again.
 */
export async function send(service: Served, { method, path, json, headers = {} }: Call): Promise<Answer> {
  const ask = () =>
    fetch(`${service.origin}${path}`, {
      method,
      headers: { ...(json === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
  const response = method === 'GET' ? await ask().catch(ask) : await ask();
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('Content-Type') ?? '') && text !== '';
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : null };
}

/** Sends a repeatable request until the answer is not 503. */
export async function sendPatiently(service: Served, call: Call): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await send(service, call);
      if (answer.status !== 503 || attempt === ATTEMPTS_MAXIMUM) return answer;
    } catch (error) {
      if (attempt === ATTEMPTS_MAXIMUM) throw error;
    }
    await sleep(100);
  }
}

/** An organization with an API key. */
export interface Tenant {
  uuid: string;
  slug: string;
  key: string;
  /** Sends an integration request. A GET is repeated until it is answered. */
  send(call: Call): Promise<Answer>;
  get(path: string): Promise<Answer>;
}

/** Sends a request to the operator API and checks the status. */
export async function operator(service: Served, status: number, call: Call): Promise<Answer> {
  const answer = await send(service, {
    ...call,
    path: `${OPERATOR_API}${call.path}`,
    headers: { 'X-OPERATOR-KEY': OPERATOR_KEY },
  });
  if (answer.status === status) return answer;
  throw new Error(`${call.method} ${call.path}: ${answer.status} ${answer.text}\n${service.output ?? ''}`);
}

/** Creates an organization with an API key and the gate `G1`. */
export async function newTenant(
  service: Served,
  slug: string,
  settings: Record<string, unknown> = {},
): Promise<Tenant> {
  const organization = { name: slug, slug, requestsPerMinute: 1_000_000, databaseName: 'DB', ...settings };
  const created = await operator(service, 201, { method: 'POST', path: '/organization', json: organization });
  const { uuid } = created.json;
  const path = `/organization/${uuid}`;
  await operator(service, 201, { method: 'PUT', path: `${path}/gate/G1`, json: { name: 'Gate 1' } });
  const issued = await operator(service, 201, {
    method: 'POST',
    path: `${path}/api-key`,
    json: { name: 'WMS' },
  });
  const key: string = issued.json.secret;
  const authorized = (call: Call): Call => ({
    ...call,
    path: `${API}${call.path}`,
    headers: { 'X-AUTH-KEY': key, ...call.headers },
  });
  return {
    uuid,
    slug,
    key,
    send: (call) => send(service, authorized(call)),
    get: (path) => sendPatiently(service, authorized({ method: 'GET', path })),
  };
}

/** Sends an integration request and expects success. Returns the JSON of the answer. */
export async function must(
  tenant: Pick<Tenant, 'send'>,
  method: string,
  path: string,
  json?: unknown,
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
): Promise<any> {
  const answer = await tenant.send({ method, path, ...(json === undefined ? {} : { json }) });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
  return answer.json;
}
