import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { ApiClient, ApiError, nextPath, unlessDone } from '../../../src/client/client.ts';

interface Scripted {
  status: number;
  headers?: Record<string, string>;
  /** JSON, or bytes as they are. */
  body?: unknown;
}

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/**
 * A service that returns these answers in turn (null: it closes the connection), and the keys and paths that it
 * received.
 */
async function service(...answers: (Scripted | null)[]) {
  const keys: (string | undefined)[] = [];
  const paths: (string | undefined)[] = [];
  const sent: { type: string | undefined; bytes: Buffer }[] = [];
  const server = createServer(async (request, response) => {
    paths.push(request.url);
    keys.push(request.headers['idempotency-key'] as string | undefined);
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const bytes = Buffer.concat(parts);
    sent.push({ type: request.headers['content-type'], bytes });
    const answer = answers.shift();
    if (!answer) return void request.socket.destroy();
    response
      .writeHead(answer.status, answer.headers)
      .end(answer.body instanceof Uint8Array ? answer.body : JSON.stringify(answer.body ?? {}));
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { client: new ApiClient(base), base, keys, paths, sent };
}

describe('client', () => {
  test.each([
    ['a hang-up', null],
    ['429', { status: 429, headers: { 'Retry-After': '0' }, body: { code: 'rateLimited' } }],
    ['500', { status: 500, headers: { 'Retry-After': '0' }, body: { code: 'internalError' } }],
    ['503', { status: 503, headers: { 'Retry-After': '0' }, body: { code: 'temporarilyUnavailable' } }],
    [
      'a twin that runs',
      { status: 409, headers: { 'Retry-After': '0' }, body: { code: 'idempotencyInProgress' } },
    ],
  ])('the client retries with the same key after %s', async (_, failure) => {
    const { client, keys } = await service(failure, {
      status: 200,
      headers: { 'Idempotent-Replayed': 'true' },
      body: { done: 1 },
    });
    const answer = await client.request('POST', '/thing', { key: 'k-1', body: {} });
    expect(answer).toMatchObject({ body: { done: 1 }, replayed: true });
    expect(keys).toEqual(['k-1', 'k-1']);
    expect(client.traffic).toEqual({ requests: 2, retries: 1, replays: 1 });
  });

  test('the client sends the same photo with the same key until it is answered', async () => {
    const photo = Uint8Array.from([0xff, 0xd8, 0x00, 0x7b, 0xff, 0xd9]);
    const later = { status: 503, headers: { 'Retry-After': '0' }, body: { code: 'temporarilyUnavailable' } };
    const { client, keys, sent } = await service(null, later, { status: 201, body: { uuid: 'p' } });
    const { body } = await client.request('POST', '/photo?kind=SEAL', {
      key: 'seal-1',
      bytes: photo,
      contentType: 'image/jpeg',
    });
    expect(body).toEqual({ uuid: 'p' });
    expect(keys).toEqual(['seal-1', 'seal-1', 'seal-1']);
    for (const { type, bytes } of sent) expect([type, [...bytes]]).toEqual(['image/jpeg', [...photo]]);
  });

  test.each([
    ['application/pdf', '%PDF-1.7'],
    ['application/zpl', '^XA^XZ'],
    ['application/json-seq', '{}'],
  ])('the client returns an answer of type %s as bytes, and the next part', async (type, text) => {
    const headers = { 'Content-Type': type, Link: '</label?after=7>; rel="next"' };
    const { client } = await service({ status: 200, headers, body: Buffer.from(text) });
    const { body, next } = await client.request<Uint8Array>('GET', '/label');
    expect([body.constructor, Buffer.from(body).toString(), next]).toEqual([
      Uint8Array,
      text,
      '/label?after=7',
    ]);
  });

  test('the client parses every kind of JSON, and an empty answer is undefined', async () => {
    const { client } = await service(
      { status: 200, headers: { 'Content-Type': 'application/ld+json; charset=utf-8' }, body: { a: 'ü' } },
      { status: 204, headers: { 'Content-Type': 'application/json' } },
    );
    expect((await client.request('GET', '/thing')).body).toEqual({ a: 'ü' });
    expect((await client.request('DELETE', '/thing')).body).toBeUndefined();
  });

  test('the client gives up after its last attempt', async () => {
    const { client } = await service(null, null, null);
    await expect(client.request('GET', '/thing', { attempts: 2 })).rejects.toThrow(/GET http.*\/thing/);
    expect(client.traffic.requests).toBe(2);
  });

  test.each([400, 404, 409, 422])('the client does not retry after %i', async (status) => {
    const { client } = await service({ status, body: { code: 'someCode', detail: 'Because.' } });
    const call = client.request('POST', '/thing');
    await expect(call).rejects.toThrow(`POST /thing was answered ${status} someCode: Because.`);
    expect(client.traffic.requests).toBe(1);
  });

  test('the client accepts only the listed refusals as done', async () => {
    const inUse = new ApiError('POST', '/thing', 409, 'externalIdentifierInUse', '');
    expect(await unlessDone(Promise.reject(inUse), 'externalIdentifierInUse')).toBeUndefined();
    await expect(unlessDone(Promise.reject(inUse), 'manifestClosed')).rejects.toBe(inUse);
    await expect(unlessDone(Promise.reject(new Error('lost')), 'lost')).rejects.toThrow('lost');
  });

  test('the client walks a list along the cursor', async () => {
    const next = { Link: '<http://other.host/thing?pageSize=2&cursor=abc>; rel="next"' };
    const { client } = await service(
      { status: 200, headers: next, body: { content: [1, 2] } },
      { status: 200, body: { content: [3] } },
    );
    const seen: number[] = [];
    for await (const item of client.walk<number>('/thing?pageSize=2')) seen.push(item);
    expect(seen).toEqual([1, 2, 3]);
    expect(nextPath(next.Link)).toBe('/thing?pageSize=2&cursor=abc');
    expect(nextPath('</thing>; rel="successor-version"')).toBeUndefined();
    expect(nextPath(null)).toBeUndefined();
  });
});

describe('base URL', () => {
  test.each([
    ['', '/thing'],
    ['/', '/thing'],
    ['///', '/thing'],
    ['/yard', '/yard/thing'],
    ['/yard/', '/yard/thing'],
    ['/a%20b/c/ ', '/a%20b/c/thing'],
  ])('the client takes a base URL that ends with "%s"', async (end, path) => {
    const { base, paths } = await service({ status: 200 });
    await new ApiClient(`${base}${end}`).as({}).request('GET', '/thing');
    expect(paths).toEqual([path]);
  });

  test.each([
    ['quotation marks', (url: string) => `"${url}"`],
    ['apostrophes', (url: string) => `'${url}/'`],
    ['invisible characters', (url: string) => `\u200b${url}\ufeff`],
  ])('the client takes a base URL with %s around it', async (_, typed) => {
    const { base, paths } = await service({ status: 200 });
    await new ApiClient(typed(base)).as({}).request('GET', '/thing');
    expect(paths).toEqual(['/thing']);
  });

  test('the client walks a list behind a proxy that adds a path, whether or not links contain it', async () => {
    const next = (path: string) => ({ Link: `<http://inner.host${path}?cursor=a>; rel="next"` });
    const { base, paths } = await service(
      { status: 200, headers: next('/yard/thing'), body: { content: [1] } },
      { status: 200, headers: next('/thing'), body: { content: [2] } },
      { status: 200, headers: next('/yardage'), body: { content: [3] } },
      { status: 200, body: { content: [4] } },
    );
    const seen: number[] = [];
    for await (const item of new ApiClient(`${base}/yard/`).walk<number>('/thing')) seen.push(item);
    expect(seen).toEqual([1, 2, 3, 4]);
    expect(paths).toEqual([
      '/yard/thing',
      '/yard/thing?cursor=a',
      '/yard/thing?cursor=a',
      '/yard/yardage?cursor=a',
    ]);
  });

  test.each([
    ['dispatch.example.com', /"dispatch.example.com" has no scheme.* https:\/\/dispatch\.example\.com\.$/],
    ['localhost:8787/', /"localhost:8787" has no scheme/],
    ['//dispatch.example.com', /has no scheme.* https:\/\/dispatch\.example\.com\.$/],
    ['ftp://dispatch.example.com', /has no scheme.* https:\/\/dispatch\.example\.com\.$/],
    ['', /"" has no scheme/],
    ['https://', / https:\/\/dispatch\.example\.com\.$/],
    ['http:dispatch.example.com:8787', / https:\/\/dispatch\.example\.com:8787\.$/],
    ['https://exa mple.com', /is not a URL/],
    ['https://dispatch.example.com?x=1', /must not have a query/],
    ['https://dispatch.example.com/#top', /must not have a query or a fragment/],
  ])('the client refuses the base URL "%s" at once', (base, message) => {
    expect(() => new ApiClient(base)).toThrow(message);
  });

  test.each(['https://user:s3cret@dispatch.example.com', 'user:s3cret@dispatch.example.com'])(
    'the client refuses the base URL %s without repeating the password',
    (base) => {
      expect(() => new ApiClient(base)).toThrow(/user name or password|has no scheme/);
      expect(() => new ApiClient(base)).not.toThrow(/s3cret/);
    },
  );
});
