import { env, exports } from 'cloudflare:workers';
import { createHash } from 'node:crypto';
import type { Env } from '../../../../src/core/env.ts';
import { type Answer, API, call, DEVICE_API, type Tenant } from '../../client.ts';
import { look, post, signIn } from '../../delivery/live/listener.ts';
import type { Dock } from '../load/shipment/dock.ts';

export const bindings = env as unknown as Env;
export const bucket = bindings.CALIBRATION;

/** Settings of a request that adds a photo. */
interface Sent {
  type?: string;
  headers?: Record<string, string>;
  /** The gate of a device; without it, the integration API is called. */
  gate?: string;
}

/** Send a photo: `addPhoto(tenant, 'kind=LOAD&trackIdentifier=A', JPEG)`. */
export const addPhoto = (
  tenant: Tenant,
  query: string,
  bytes: Uint8Array,
  { type = 'image/jpeg', headers = {}, gate }: Sent = {},
): Promise<Answer> =>
  call('POST', gate === undefined ? `${API}/photo?${query}` : `${DEVICE_API}/gate/${gate}/photo?${query}`, {
    headers: {
      ...(gate === undefined ? { 'X-AUTH-KEY': tenant.key } : { 'X-Auth-Token': tenant.token }),
      'Content-Type': type,
      ...headers,
    },
    raw: Uint8Array.from(bytes),
  });

/** Send a photo in the form of a page, with the thumbnail that the script of the page has drawn. */
export async function sendPhoto(
  cookie: string,
  path: string,
  fields: Record<string, string>,
  files: { photo: Uint8Array; thumbnail?: Uint8Array | undefined },
  headers: Record<string, string> = {},
  /** A page that the user or the tablet may see. */
  from = '/app/board',
): Promise<Response> {
  const html = await (await look(from, cookie)).text();
  const token = /name="token" value="([^"]+)"/.exec(html)?.[1] ?? '';
  const form = new FormData();
  for (const [name, value] of Object.entries({ token, key: crypto.randomUUID(), ...fields }))
    form.set(name, value);
  for (const [name, bytes] of Object.entries(files))
    form.set(name, new File([Uint8Array.from(bytes)], `${name}.jpg`));
  return post(path, form, { Cookie: cookie, ...headers });
}

/** Add a photo of a pallet, manifest or shipment with its thumbnail on its page. @returns the photo */
export async function addAtPage(
  dock: Pick<Dock, 'must'> & Tenant,
  [kind, name]: ['track' | 'manifest' | 'shipment', string],
  photo: Uint8Array,
  thumbnail: Uint8Array | undefined,
) {
  const { uuid } = (await dock.must('GET', `/${kind}/${name}`)).body;
  const { cookie } = await signIn(dock);
  const files = thumbnail ? { photo, thumbnail } : { photo };
  const fields = { action: 'addPhoto', kind: 'LOAD' };
  const answer = await sendPhoto(cookie, `/app/${kind}/${uuid}`, fields, files);
  if (answer.status !== 303) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await photosOf(dock))[0];
}

/** Open a link as a browser does. */
export async function open(link: string, init: RequestInit = {}) {
  const worker = (exports as unknown as { default: { fetch: typeof fetch } }).default;
  const response = await worker.fetch(new Request(link, { redirect: 'manual', ...init }));
  return {
    status: response.status,
    headers: response.headers,
    bytes: new Uint8Array(await response.arrayBuffer()),
  };
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The keys of an organization's photos in the bucket. */
export const objectsOf = async ({ uuid }: Pick<Tenant, 'uuid'>): Promise<string[]> =>
  (await bucket.list({ prefix: `organization/${uuid}/photo/` })).objects.map(({ key }) => key);

/** The keys of an organization's orphans. */
export const orphansOf = async ({ uuid }: Tenant): Promise<string[]> =>
  (
    await bindings.DB.prepare('SELECT object_key FROM calibration_orphan WHERE organization_uuid = ?')
      .bind(uuid)
      .all<{ object_key: string }>()
  ).results.map((row) => row.object_key);

/** The photos that the API lists. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export const photosOf = async (tenant: Tenant, query = ''): Promise<any[]> =>
  (await tenant.call('GET', `/photo?pageSize=100${query}`)).body.content;
