import { exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { API, newTenant } from '../workerd/client.ts';
import { operations } from './document.ts';
import { exampleOf } from './operations.ts';
import { credentials, pathOf } from './request.ts';
import { newWorld } from './world.ts';

const worker = (exports as unknown as { default: { fetch: typeof fetch } }).default;
const NAME = 'Strict-Transport-Security';
const YEAR_S = 31_536_000;

/** Send a request over a scheme without following redirects. */
const ask = (scheme: 'http' | 'https', host: string, path: string, init: RequestInit = {}) =>
  worker.fetch(new Request(`${scheme}://${host}${path}`, { redirect: 'manual', ...init }));
const world = await newWorld();

/** The values of the header over https and over http. */
async function headersOf(host: string, path: string, init: RequestInit = {}) {
  const [secure, plain] = [await ask('https', host, path, init), await ask('http', host, path, init)];
  await Promise.all([secure.arrayBuffer(), plain.arrayBuffer()]);
  return { status: secure.status, secure: secure.headers.get(NAME), plain: plain.headers.get(NAME) };
}

function expectOnlyHttps({ secure, plain }: Awaited<ReturnType<typeof headersOf>>, what: string): void {
  const seconds = Number(/^max-age=(\d+)$/.exec(secure ?? '')?.[1]);
  expect([what, seconds >= YEAR_S, plain]).toEqual([what, true, null]);
}

describe('every answer over https keeps browsers to https, and none over http says so', () => {
  it('every operation over https sends HSTS and over http does not, for refused and successful requests', async () => {
    // Caches share marker images between schemes.
    for (const operated of operations.filter(({ operationId }) => operationId !== 'getMarkerImage')) {
      const path = pathOf(operated, exampleOf(operated, world.names));
      expectOnlyHttps(
        await headersOf('api.example.com', path, { method: operated.method }),
        operated.operationId,
      );
      if (operated.method !== 'GET' || operated.path.includes('/status/')) continue;
      const headers = credentials(operated, world);
      for (const method of ['GET', 'HEAD']) {
        const answer = await headersOf('127.0.0.1:8787', path, { method, headers });
        expectOnlyHttps(answer, `${method} ${operated.operationId}`);
        expect([operated.operationId, answer.status]).toEqual([operated.operationId, 200]);
      }
    }
  });

  it.each([
    ['/', 200],
    ['/docs', 200],
    ['/openapi.json', 200],
    ['/app/login', 200],
    ['/app', 303],
    ['/app/manifest', 303],
    ['/app/invite/nothing', 404],
    ['/public/shipment-summary/nothing', 404],
    ['/docs/limits', 200],
    ['/nothing', 404],
    ['/app/feed', 426],
    ['/%ff', 404],
  ])('%s, which answers %i, sends HSTS over https and not over http', async (path, status) => {
    for (const host of ['dispatch.example.com', `${world.tenant.slug}.localhost:8787`]) {
      const headers = { Accept: 'text/html' };
      const answer = await headersOf(host, path, { headers });
      expectOnlyHttps(answer, path);
      expect([path, answer.status]).toEqual([path, status]);
    }
  });

  it('a 304 sends HSTS over https and not over http', async () => {
    const tenant = await newTenant();
    await tenant.call('POST', '/manifest', { externalIdentifier: 'M' });
    const path = `${API}/manifest/M`;
    const key = { 'X-AUTH-KEY': tenant.key };
    const first = await ask('https', 'dispatch.example.com', path, { headers: key });
    await first.arrayBuffer();
    const headers = { ...key, 'If-None-Match': first.headers.get('ETag')! };
    const answer = await headersOf('dispatch.example.com', path, { headers });
    expectOnlyHttps(answer, path);
    expect(answer.status).toBe(304);
  });
});
