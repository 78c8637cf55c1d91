import { describe, expect, it } from 'vitest';
import { API, call, ORIGIN } from '../workerd/client.ts';
import { changesByGet, document, isIntegration, isTokened, isWrite, operations } from './document.ts';
import { exampleOf } from './operations.ts';
import { problemFaults } from './problem.ts';
import { pathOf, send } from './request.ts';
import { restoredWorld } from './restored-world.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** The methods of all path templates that match a path. `/track/couple` also matches the path of a track. */
function allowedMethods(path: string): string[] {
  const segments = (text: string) => text.split('/');
  const fits = Object.entries<Record<string, { operationId: string }>>(document.paths).filter(
    ([template]) => {
      const [wanted, given] = [segments(template), segments(path)];
      return (
        wanted.length === given.length &&
        wanted.every(
          (part, index) => part === given[index] || (part.startsWith('{') && fitsName(part, given[index]!)),
        )
      );
    },
  );
  const methods = fits.flatMap(([, item]) =>
    Object.entries(item).flatMap(([method, operated]) =>
      method === 'get' && !changesByGet(operated) ? ['GET', 'HEAD'] : [method.toUpperCase()],
    ),
  );
  return METHODS.filter((method) => methods.includes(method));
}

/** `{code}.png` matches names with this ending. */
const fitsName = (template: string, given: string): boolean =>
  given.endsWith(template.replace(/^\{\w+\}/, ''));

describe('a path', () => {
  it('a path answers an unknown method with 405 and lists its methods in Allow', async () => {
    const world = await restoredWorld();
    const paths = new Set(operations.map((operated) => pathOf(operated, exampleOf(operated, world.names))));
    const found: string[] = [];
    for (const path of [...paths].map((given) => given.split('?')[0]!).concat('/openapi.json')) {
      const allowed = path === '/openapi.json' ? ['GET', 'HEAD'] : allowedMethods(path);
      for (const method of METHODS.filter((candidate) => !allowed.includes(candidate))) {
        const answer = await call(method, path, { headers: { 'X-AUTH-KEY': world.tenant.key } });
        const allow = (answer.headers.get('Allow') ?? '').split(/\s*,\s*/).sort();
        const faults = method === 'HEAD' ? [] : problemFaults(answer, 405, 'methodNotAllowed');
        if (answer.status !== 405) faults.push(`${answer.status} instead of 405`);
        if (allow.join() !== [...allowed].sort().join()) faults.push(`Allow: ${allow} instead of ${allowed}`);
        found.push(...faults.map((fault) => `${method} ${path}: ${fault}`));
      }
    }
    expect(found).toEqual([]);
  });

  it.each([
    '/',
    '/nothing',
    '/integration',
    '/integration/rest/api/v1',
    '/integration/rest/api/v2/manifest',
    '/integration/rest/api/v1/manifests',
    '/integration/rest/api/v1/manifest/',
    '/integration/rest/api/v1/manifest/M/asset/',
    '/integration/rest/api/v1/manifest/M/nothing',
    '/integration/rest/api/v1//manifest',
    '/Integration/rest/api/v1/manifest',
    '/integration/rest/api/v1/marker-code/image/1.jpg',
    '/integration/rest/api/v1/marker-code/image/1.png/more',
    '/operator/rest/api/v1/nothing',
    '/%00',
    '/%ff',
    '/..%2fopenapi.json',
  ])('the unknown path %s gets 404 notFound for every method', async (path) => {
    const world = await restoredWorld();
    for (const method of METHODS) {
      const answer = await call(method, path, { headers: { 'X-AUTH-KEY': world.tenant.key } });
      const faults = method === 'HEAD' ? [] : problemFaults(answer, 404, 'notFound');
      expect([method, answer.status, faults]).toEqual([method, 404, []]);
    }
  });
});

describe('HEAD', () => {
  it.each(operations.filter((operated) => !isWrite(operated) && !changesByGet(operated)))(
    'HEAD of $operationId is its GET without a body',
    async (operated) => {
      const world = await restoredWorld();
      const get = await send(operated, world);
      const head = await send(operated, world, { method: 'HEAD' });
      expect(head.status).toBe(get.status);
      expect(head.body === null || head.body.length === 0).toBe(true);
      for (const name of ['Content-Type', 'ETag', 'Link', 'Cache-Control']) {
        expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
      }
    },
  );

  it('HEAD of a missing resource is its 404 without a body', async () => {
    const { tenant } = await restoredWorld();
    const head = await tenant.call('HEAD', '/manifest/nothing');
    expect([head.status, head.body === null || head.body.length === 0]).toEqual([404, true]);
  });
});

describe('X-Request-Id', () => {
  const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

  it.each(['a', 'A-Z_0.9', 'x'.repeat(128)])(
    'every operation echoes the X-Request-Id %s, also in errors',
    async (id) => {
      const world = await restoredWorld();
      const headers = { 'X-Request-Id': id };
      for (const operated of operations) {
        const refused = await send(operated, world, { anonymous: true, headers });
        const answers = [await send(operated, world, { headers, query: { pageSize: '0' } }), refused];
        expect([
          operated.operationId,
          ...answers.map((answer) => answer.headers.get('X-Request-Id')),
        ]).toEqual([operated.operationId, id, id]);
        if (refused.status === 401) expect(refused.body.requestId).toBe(id);
      }
      for (const [method, path] of [
        ['GET', '/nothing'],
        ['DELETE', '/health'],
        ['GET', '/openapi.json'],
      ] as const) {
        expect((await call(method, path, { headers })).headers.get('X-Request-Id')).toBe(id);
      }
    },
  );

  it.each(['', 'x'.repeat(129), 'a b', 'a/b', '<script>', '"a"'])(
    'the service replaces the X-Request-Id %j by a fresh one',
    async (id) => {
      const ids = new Set<string | null>();
      for (let index = 0; index < 3; index += 1) {
        ids.add(
          (await call('GET', '/health', { headers: { 'X-Request-Id': id } })).headers.get('X-Request-Id'),
        );
      }
      expect(ids.size).toBe(3);
      for (const made of ids) expect(made).toMatch(UUID);
    },
  );
});

/** Operations whose answers have no bookmark: they read no store, or find all they show by a public link. */
const WITHOUT_BOOKMARK = ['getMarkerImage', 'getDriverPage', 'getPhotoBytes'];
/** The list of created resources, if it is not at the path of the operation. */
const CREATED_IN: Record<string, string> = { addPhotoAtGate: `${API}/photo` };

describe('the headers of an answer', () => {
  it.each(operations)('the headers of $operationId follow the contract', async (operated) => {
    const world = await restoredWorld();
    const { status, headers } = await send(operated, world, {
      headers: { Origin: 'https://elsewhere.example' },
    });
    expect(status).toBeLessThan(300);
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    if (WITHOUT_BOOKMARK.includes(operated.operationId)) {
      expect(headers.get('x-d1-bookmark')).toBeNull();
    } else {
      expect(headers.get('x-d1-bookmark')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/);
    }
    if (isIntegration(operated) || isTokened(operated)) {
      expect(headers.get('RateLimit-Policy')).toBe('"org";q=1000000;w=60');
      expect(headers.get('RateLimit')).toMatch(/^"org";r=\d+;t=([1-9]|[1-5]\d|60)$/);
    }
    // Shared caches do not know X-AUTH-KEY as a credential. Without Cache-Control they could store such
    // answers.
    if (operated.schemes.length > 0) expect(headers.get('Cache-Control')).toMatch(/^(no-store|private, .+)$/);
    if (status === 201 && operated.method === 'POST') {
      const location = new URL(headers.get('Location')!, ORIGIN);
      const list = CREATED_IN[operated.operationId] ?? operated.path.split('/{')[0]!;
      expect(location.pathname.startsWith(`${list}/`)).toBe(true);
    }
    expect(headers.get('Deprecation') !== null).toBe(operated.operationId === 'upsertAssets');
    expect(headers.get('Sunset') !== null).toBe(operated.operationId === 'upsertAssets');
  });

  it('the headers of upsert-assets follow RFC 9745 and RFC 8594', async () => {
    const world = await restoredWorld();
    const operated = operations.find(({ operationId }) => operationId === 'upsertAssets')!;
    const { headers } = await send(operated, world);
    expect(headers.get('Deprecation')).toMatch(/^@\d+$/);
    expect(Date.parse(headers.get('Sunset')!)).toBeGreaterThan(
      Number(headers.get('Deprecation')!.slice(1)) * 1_000,
    );
  });
});
