import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { app } from '../../../../src/app.ts';
import type { Env } from '../../../../src/core/env.ts';
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

/** Uploads a body unchanged. */
export const upload = (tenant: Tenant, body: BodyInit, { path = pathOf(), headers, token }: Sent = {}) =>
  call('POST', `${API}${path}`, {
    headers: { 'X-Auth-Token': token ?? tenant.token, 'Content-Type': 'application/json', ...headers },
    raw: body,
  });

/** Deletes a file. */
export const remove = (tenant: Tenant, { path = pathOf(), headers, token }: Sent = {}) =>
  call('DELETE', `${API}${path}`, { headers: { 'X-Auth-Token': token ?? tenant.token, ...headers } });

/** Downloads a file as bytes. */
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

/** Issues an access token with these scopes. */
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

/** The longest file so far. Shorter files start with the same numbers. */
let longest = new Uint8Array();

function numbersOf(sizeBytes: number): Uint8Array<ArrayBuffer> {
  const numbers: string[] = [];
  for (let length = 0, value = 1; length < sizeBytes; value = (value * 48_271) % 2_147_483_647) {
    numbers.push(String(value));
    length += numbers.at(-1)!.length + 1;
  }
  return bytesOf(`[${numbers.join(',')}`);
}

/** A JSON array of exactly this many bytes. No part of it repeats. */
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

/** Calls the Worker with some of its bindings replaced. */
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
 * Checks two rules that always hold. Each object belongs to exactly one file or orphan. The object of a file exists
 * and has the recorded bytes.
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

export async function objectKeys(): Promise<string[]> {
  return (await bucket.list()).objects.map(({ key }) => key).sort();
}

/** The object keys of the tenant's files and orphans. */
export async function keysOf(tenant: Tenant): Promise<{ files: string[]; orphans: string[] }> {
  const keys = async (table: string) => (await rowsOf(tenant, table)).map((row) => row.object_key).sort();
  return { files: await keys('calibration'), orphans: await keys('calibration_orphan') };
}

export const bytesNow = async (tenant: Tenant): Promise<Uint8Array> => (await download(tenant)).bytes;

/** Runs the sweep at a time when all present orphans are more than an hour old. */
export const sweepLater = (): Promise<number> => sweepOrphans(DB, bucket, Date.now() + HOUR_MS + 1);

/** Starts an upload that ends right after its object is in the bucket. Returns the key of the object. */
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
