import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { app } from '../../../../src/app.ts';
import type { Env } from '../../../../src/core/env.ts';
import { databasesOf } from '../../../../src/core/lib/databases.ts';
import { sweepOrphans } from '../../../../src/dispatch/calibration/objects.ts';
import { API, call, ORIGIN, operator, type Tenant } from '../../client.ts';

const bindings = env as unknown as Env;
const { DB } = bindings;
export const bucket = bindings.CALIBRATION;
export const BYTES_MAXIMUM = 25 * 1024 * 1024;
export const TYPES = ['INTRINSIC', 'EXTRINSIC', 'DISTORTION', 'HAND_EYE', 'COLOR'];
export const HOUR_MS = 3_600_000;
const encoder = new TextEncoder();

export const pathOf = (hardwareId = 'cam-1', type = 'INTRINSIC') =>
  `/camera/${hardwareId}/calibration/${type}`;
export const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(encoder.encode(text));
export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
export const tagOf = (bytes: Uint8Array): string => `"${sha256(bytes)}"`;

interface Sent {
  path?: string;
  headers?: Record<string, string>;
  token?: string;
}

/** Upload a body as it is. */
export const upload = (tenant: Tenant, body: BodyInit, { path = pathOf(), headers, token }: Sent = {}) =>
  call('POST', `${API}${path}`, {
    headers: { 'X-Auth-Token': token ?? tenant.token, 'Content-Type': 'application/json', ...headers },
    raw: body,
  });

/** Delete a file. */
export const remove = (tenant: Tenant, { path = pathOf(), headers, token }: Sent = {}) =>
  call('DELETE', `${API}${path}`, { headers: { 'X-Auth-Token': token ?? tenant.token, ...headers } });

/** Download a file as bytes. */
export async function download(
  tenant: Tenant,
  { path = pathOf(), headers, token, method = 'GET' }: Sent & { method?: string } = {},
) {
  const worker = (exports as unknown as { default: { fetch: typeof fetch } }).default;
  const response = await worker.fetch(`${ORIGIN}${API}${path}`, {
    method,
    headers: { 'X-Auth-Token': token ?? tenant.token, ...headers },
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

/** An access token of these scopes. */
export async function tokenOf(tenant: Tenant, ...scopes: string[]): Promise<string> {
  const issued = await operator('POST', `/organization/${tenant.uuid}/access-token`, { name: 'n', scopes });
  return issued.body.secret;
}

/** A body without Content-Length, in pieces of this many bytes. */
export function chunked(bytes: Uint8Array, pieceBytes = 64 * 1024): ReadableStream<Uint8Array> {
  let offset = 0;
  return new ReadableStream({
    pull(controller) {
      if (offset >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(offset, offset + pieceBytes));
      offset += pieceBytes;
    },
  });
}

/** The numbers of the longest file yet, which those of every shorter one begin. */
let longest = new Uint8Array();

function numbersOf(sizeBytes: number): Uint8Array<ArrayBuffer> {
  const numbers: string[] = [];
  for (let length = 0, value = 1; length < sizeBytes; value = (value * 48_271) % 2_147_483_647) {
    numbers.push(String(value));
    length += numbers.at(-1)!.length + 1;
  }
  return bytesOf(`[${numbers.join(',')}`);
}

/** A JSON array of exactly so many bytes, in which no stretch repeats another. */
export function file(sizeBytes: number): Uint8Array<ArrayBuffer> {
  if (longest.length < sizeBytes) longest = numbersOf(sizeBytes);
  const bytes = new Uint8Array(sizeBytes).fill(0x20);
  const end = longest.lastIndexOf(0x2c, Math.max(sizeBytes - 40, 0));
  bytes.set(longest.subarray(0, Math.max(end, 1)));
  bytes[sizeBytes - 1] = 0x5d;
  return bytes;
}

const rowsOf = async (tenant: Tenant, table: string) =>
  (
    await DB.prepare(`SELECT * FROM ${table} WHERE organization_uuid = ?1 ORDER BY create_date`)
      .bind(tenant.uuid)
      .all<{ object_key: string }>()
  ).results;

/** Ask the Worker with some of its bindings replaced. */
export async function fetchWith(
  replaced: Partial<Env>,
  method: string,
  tenant: Tenant,
  body: BodyInit | null = null,
  path = pathOf(),
): Promise<Response> {
  const headers = { 'X-Auth-Token': tenant.token, 'Content-Type': 'application/json' };
  const request = new Request(`${ORIGIN}${API}${path}`, { method, headers, body });
  const context = createExecutionContext();
  const answer = await app.fetch(request, { ...bindings, ...replaced }, context);
  await waitOnExecutionContext(context);
  return answer;
}

/** The bucket with some of its methods replaced. */
export function bucketWith(replaced: Partial<Record<keyof R2Bucket, unknown>>): R2Bucket {
  return new Proxy(bucket, {
    get(target, name) {
      const own = replaced[name as keyof R2Bucket];
      if (own !== undefined) return own;
      const value = Reflect.get(target, name) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/**
 * What holds at every instant: an object is named by one file or stands among the orphans, and a file's object is
 * there with the bytes that the record tells of.
 */
export async function expectNothingLost(): Promise<void> {
  const all = async (table: string) =>
    (
      await DB.prepare(`SELECT * FROM ${table}`).all<{
        object_key: string;
        size_bytes: number;
        sha256: string;
      }>()
    ).results;
  const [files, orphans] = [await all('calibration'), await all('calibration_orphan')];
  const known = [...files, ...orphans, ...(await all('archive_object'))].map((row) => row.object_key);
  expect(known.length).toBe(new Set(known).size);
  expect((await objectKeys()).filter((key) => !known.includes(key))).toEqual([]);
  for (const row of files) {
    const object = await bucket.get(row.object_key);
    const bytes = object && new Uint8Array(await object.arrayBuffer());
    expect([bytes?.length, bytes && sha256(bytes)]).toEqual([row.size_bytes, row.sha256]);
  }
}

/** Keys of all objects in the bucket. */
export async function objectKeys(): Promise<string[]> {
  return (await bucket.list()).objects.map(({ key }) => key).sort();
}

/** Which objects the tenant's files name, and which are orphans. */
export async function keysOf(tenant: Tenant): Promise<{ files: string[]; orphans: string[] }> {
  const keys = async (table: string) => (await rowsOf(tenant, table)).map((row) => row.object_key).sort();
  return { files: await keys('calibration'), orphans: await keys('calibration_orphan') };
}

/** The bytes of the tenant's file. */
export const bytesNow = async (tenant: Tenant): Promise<Uint8Array> => (await download(tenant)).bytes;

/** The sweep of a day on which everything that is an orphan now has been one for long. */
export const sweepLater = (): Promise<number> =>
  sweepOrphans(DB, databasesOf(bindings), bucket, Date.now() + HOUR_MS + 1);

/**
 * An upload up to the instant at which its object is in the bucket, and not a step further: the key of that object.
 */
export async function putObject(tenant: Tenant, bytes: Uint8Array): Promise<string> {
  const before = await objectKeys();
  const died = bucketWith({
    async put(key: string, value: Uint8Array) {
      await bucket.put(key, value);
      throw new Error('the process ended here');
    },
  });
  const { status } = await fetchWith({ CALIBRATION: died }, 'POST', tenant, bytes as BodyInit);
  expect(status).toBe(503);
  const [made, ...more] = (await objectKeys()).filter((key) => !before.includes(key));
  expect(more).toEqual([]);
  return made!;
}
