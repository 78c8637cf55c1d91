import { exports } from 'cloudflare:workers';
import { undocumented } from './documented.ts';

export const OPERATOR_KEY = 'local-operator-key';
export const ORIGIN = 'http://127.0.0.1:8787';
export const API = '/integration/rest/api/v1';
export const OPERATOR_API = '/operator/rest/api/v1';
export const DEVICE_API = '/device/rest/api/v1';

/** An answer with its body read: parsed where it is JSON. */
export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
}

export interface Call {
  headers?: Record<string, string>;
  /** JSON body. */
  json?: unknown;
  /** Body as it is. */
  raw?: BodyInit;
}

/**
 * Send one request to the Worker.
 * @throws for an answer that its operation does not document, in every test.
 */
export async function call(
  method: string,
  path: string,
  { headers = {}, json, raw }: Call = {},
): Promise<Answer> {
  const url = path.startsWith('http') ? path : `${ORIGIN}${path}`;
  const worker = (exports as unknown as { default: { fetch: typeof fetch } }).default;
  const response = await worker.fetch(
    new Request(url, {
      method,
      redirect: 'manual',
      headers: { ...(json === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
      ...(json === undefined ? (raw === undefined ? {} : { body: raw }) : { body: JSON.stringify(json) }),
    }),
  );
  const isJson = /[/+]json/.test(response.headers.get('Content-Type') ?? '');
  const text = isJson ? await response.text() : '';
  const body =
    isJson && text !== '' ? JSON.parse(text) : isJson ? null : new Uint8Array(await response.arrayBuffer());
  const answer = { status: response.status, headers: response.headers, body };
  const faults = await undocumented((method === 'POST' && overriding(headers)) || method, url, answer);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return answer;
}

/** The method that a POST names in its header. */
const overriding = (headers: Record<string, string>): string | undefined =>
  ['PUT', 'PATCH', 'DELETE'].find((method) => method === headers['X-HTTP-Method-Override']?.toUpperCase());

/** Send a request to the operator API. */
export const operator = (
  method: string,
  path: string,
  json?: unknown,
  headers: Record<string, string> = {},
) =>
  call(method, `${OPERATOR_API}${path}`, {
    headers: { 'X-OPERATOR-KEY': OPERATOR_KEY, ...headers },
    ...(json === undefined ? {} : { json }),
  });

/** A new organization with an API key and an access token, and calls with those. */
export interface Tenant {
  uuid: string;
  slug: string;
  key: string;
  /** Access token with every scope. */
  token: string;
  /** Call the integration API: `tenant.call('GET', '/manifest/M1')`. */
  call(method: string, path: string, json?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Call the device API: `tenant.device('POST', '/gate/G/scan', …)`. */
  device(method: string, path: string, json?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

let tenants = 0;

/** Provision an organization through the operator API. */
export async function newTenant(settings: Record<string, unknown> = {}): Promise<Tenant> {
  tenants += 1;
  const slug = `t${tenants}-${crypto.randomUUID().slice(0, 8)}`;
  const organization = await operator('POST', '/organization', {
    name: `Tenant ${tenants}`,
    slug,
    requestsPerMinute: 1_000_000,
    dispatchStrategy: 'SHIPMENT',
    clientFeatureEnabled: true,
    databaseName: 'DB',
    ...settings,
  });
  if (organization.status !== 201) throw new Error(JSON.stringify(organization.body));
  const { uuid } = organization.body;
  const issued = await operator('POST', `/organization/${uuid}/api-key`, { name: 'WMS' });
  const key: string = issued.body.secret;
  const scopes = ['CAMERA_READ', 'CAMERA_WRITE', 'GATE_WRITE', 'DEVICE_WRITE'];
  const tokened = await operator('POST', `/organization/${uuid}/access-token`, { name: 'Device', scopes });
  const token: string = tokened.body.secret;
  const calls =
    (base: string, credential: Record<string, string>): Tenant['call'] =>
    (method, path, json, headers = {}) =>
      call(method, `${base}${path}`, {
        headers: { ...credential, ...headers },
        ...(json === undefined ? {} : { json }),
      });
  return {
    uuid,
    slug: organization.body.slug,
    key,
    token,
    call: calls(API, { 'X-AUTH-KEY': key }),
    device: calls(DEVICE_API, { 'X-Auth-Token': token }),
  };
}

/** Provision a gate. */
export async function newGate(tenant: Tenant, externalIdentifier: string): Promise<void> {
  const put = await operator(
    'PUT',
    `/organization/${tenant.uuid}/gate/${encodeURIComponent(externalIdentifier)}`,
    {
      name: `Gate ${externalIdentifier}`,
    },
  );
  if (put.status !== 201) throw new Error(JSON.stringify(put.body));
}
