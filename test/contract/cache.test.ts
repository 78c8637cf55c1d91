import { exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { app } from '../../src/app.ts';
import { PUBLIC } from '../../src/core/http/middleware.ts';
import { cookieOf, newPerson } from '../workerd/access/session/person.ts';
import { API, call, OPERATOR_KEY, ORIGIN } from '../workerd/client.ts';
import { trySecret } from '../workerd/web/console/operator-person.ts';
import { changesByGet, operation, operations } from './document.ts';
import { send } from './request.ts';
import { restoredWorld } from './restored-world.ts';

const worker = (exports as unknown as { default: { fetch: typeof fetch } }).default;

/** Cloudflare stores every answer without one of these directives in front of the Worker, `no-cache` included. */
const UNCACHED = /^(no-store|private(, .+)?)$/;
const IMAGE = `${API}/marker-code/image/1000000007.png`;
const UUID = '01a1fdae-f4f9-731a-b4eb-69b32c4df137';

/** The paths of all GET routes, API and pages, with names that do not exist. */
const paths = [
  ...new Set(
    app.routes.flatMap(({ method, path }) =>
      method === 'GET' && !path.includes('*') ? [path.replace(/:\w+(\{[^}]*\})?\??/g, UUID)] : [],
    ),
  ),
];

describe('the answers that Cloudflare may store in front of the Worker', () => {
  it('only marker images are public: every operation, successful and refused', async () => {
    const found: string[] = [];
    for (const operated of operations) {
      const world = await restoredWorld();
      const methods =
        operated.method === 'GET' && !changesByGet(operated) ? ['GET', 'HEAD'] : [operated.method];
      for (const method of methods) {
        const answers = {
          done: await send(operated, world, { method }),
          anonymous: await send(operated, world, { method, anonymous: true }),
          invalid: await send(operated, world, { method, query: { unknown: '1' } }),
          missing: await send(operated, world, { method, at: `${operated.path.replace(/\{\w+\}/g, UUID)}` }),
          unmatched: await send(operated, world, { method, headers: { 'If-Match': '"x"' } }),
          known: await send(operated, world, { method, headers: { 'If-None-Match': '*' } }),
          wrongMethod: await send(operated, world, { method: 'OPTIONS' }),
        };
        for (const [kind, { status, headers }] of Object.entries(answers)) {
          const control = headers.get('Cache-Control') ?? '';
          const isImage = operated.operationId === 'getMarkerImage' && [200, 304].includes(status);
          if (isImage ? control !== PUBLIC : !UNCACHED.test(control))
            found.push(`${method} ${operated.operationId} (${kind}) ${status}: ${control}`);
        }
      }
    }
    expect(found).toEqual([]);
  });

  it('no page is public: for guests, users and operators, found or missing, with any Accept', async () => {
    const { tenant } = await restoredWorld();
    const user = `session=${(await newPerson(tenant)).session}`;
    const operator = `operator=${cookieOf(await trySecret(OPERATOR_KEY), 'operator')}`;
    const found: string[] = [];
    const statuses = new Set<number>();
    const all = [...paths, '/', '/nothing', '/docs/nothing', '/app/nothing', '/assets/nothing.css', '/%ff'];
    expect(all.length).toBeGreaterThan(150);
    for (const path of all) {
      for (const headers of [
        {},
        { Accept: 'text/html' },
        { Accept: 'text/html', Cookie: `${user}; ${operator}` },
      ] as Record<string, string>[]) {
        const request = new Request(`${ORIGIN}${path}`, { headers, redirect: 'manual' });
        const answer = await worker.fetch(request);
        await answer.body?.cancel();
        statuses.add(answer.status);
        const control = answer.headers.get('Cache-Control') ?? '';
        if (!UNCACHED.test(control)) found.push(`${path} ${answer.status}: ${control}`);
      }
    }
    expect(found).toEqual([]);
    for (const status of [200, 303, 401, 404]) expect([status, statuses.has(status)]).toEqual([status, true]);
  });
});

describe('a marker image', () => {
  it('bytes and headers of a marker image depend on nothing but its path, except for the id of the request', async () => {
    const { tenant } = await restoredWorld();
    const user = `session=${(await newPerson(tenant)).session}`;
    const look = async (url: string, headers: Record<string, string> = {}, method = 'GET') => {
      const answer = await worker.fetch(new Request(url, { method, headers }));
      const shared = [...answer.headers].filter(([name]) => name !== 'x-request-id').sort();
      return [answer.status, shared, new Uint8Array(await answer.arrayBuffer())];
    };
    const plain = await look(`${ORIGIN}${IMAGE}`);
    expect(plain.slice(0, 2)).toEqual([
      200,
      [
        ['cache-control', PUBLIC],
        ['cloudflare-cdn-cache-control', `${PUBLIC}, private="X-Request-Id"`],
        ['content-type', 'image/png'],
        ['etag', '"1000000007"'],
        ['x-content-type-options', 'nosniff'],
      ],
    ]);
    for (const headers of [
      { 'X-AUTH-KEY': tenant.key },
      { 'X-AUTH-KEY': 'nonsense' },
      { 'X-Auth-Token': tenant.token },
      { 'X-OPERATOR-KEY': OPERATOR_KEY },
      { Authorization: 'Bearer nonsense' },
      { Cookie: user },
      { 'Accept-Language': 'de' },
      { Accept: 'text/html' },
      { Origin: 'https://other.example' },
      { 'X-Request-Id': 'of-one-caller' },
      { 'x-d1-bookmark': 'nonsense' },
      { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' },
      { 'CF-Connecting-IP': '203.0.113.9' },
      { Range: 'bytes=0-9' },
      { 'If-None-Match': '"other"' },
    ] as Record<string, string>[]) {
      expect([headers, await look(`${ORIGIN}${IMAGE}`, headers)]).toEqual([headers, plain]);
    }
    for (const host of [
      'https://dispatch.example.com',
      `http://${tenant.slug}.localhost:8787`,
      'https://unknown.localhost',
    ]) {
      expect([host, await look(`${host}${IMAGE}`)]).toEqual([host, plain]);
    }
    expect((await look(`${ORIGIN}${IMAGE}`, {}, 'HEAD')).slice(0, 2)).toEqual(plain.slice(0, 2));
  });

  it('a marker image exists for every canonical code, allocated or not', async () => {
    for (const code of ['1', '7', '9007199254740991']) {
      const answer = await call('GET', `${API}/marker-code/image/${code}.png`);
      expect([code, answer.status]).toEqual([code, 200]);
    }
  });

  it('a query makes a marker image a 400 that no cache stores, so that no caller fills the cache with copies', async () => {
    const world = await restoredWorld();
    for (const query of ['a=1', 'imageDelivery=URL', 'cursor=', 'a', '%00=1']) {
      const answer = await send(operation('getMarkerImage'), world, { at: `${IMAGE}?${query}` });
      expect([query, answer.status, answer.headers.get('Cache-Control')]).toEqual([query, 400, 'no-store']);
      expect(answer.headers.get('X-Request-Id')).not.toBeNull();
    }
  });
});
