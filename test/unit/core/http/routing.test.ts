import { Hono } from 'hono';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { TrieRouter } from 'hono/router/trie-router';
import { expect, it } from 'vitest';
import { app } from '../../../../src/app.ts';
import { pathParams, register } from '../../../../src/core/http/routing.ts';
import type { AppEnv } from '../../../../src/core/http/types.ts';

type Declared = [method: string, path: string];

/**
 * Paths with the shapes of this service's paths. Hono's router does not accept some of them next to each
 * other.
 */
const ROUTES: Declared[] = [
  ['GET', '/track'],
  ['GET', '/track/:track'],
  ['POST', '/track/couple'],
  ['POST', '/track/get-and-couple'],
  ['POST', '/track/:track/comments'],
  ['GET', '/code/image/:file{[^/]+\\.png}'],
  ['GET', '/code/:code'],
  ['POST', '/load/:owner/status'],
  ['POST', '/load/track/:track/status'],
  ['POST', '/load/marker/:marker/status'],
  ['GET', '/proof/:file{[^/]+\\.pdf}'],
  ['GET', '/proof/:file{[^/]+\\.json}'],
  ['GET', '/app/start'],
  ['GET', '/app/:page'],
  ['GET', '/app/*'],
];

/** Segments that occur in paths (WORDS), and values for parameters (VALUES). */
const WORDS = ['track', 'couple', 'code', 'image', 'load', 'marker', 'status', 'proof', 'app', 'start'];
const VALUES = ['x', 'x.png', '.pdf', 'a.pdf', 'a.json', 'get-and-couple', 'comments', 'a b', 'track.status'];
const segments = [...WORDS, ...VALUES].map(encodeURIComponent);
const paths = segments.flatMap((first) => [
  `/${first}`,
  ...segments.flatMap((second) => [
    `/${first}/${second}`,
    `/${first}/${second}/`,
    ...segments.flatMap((third) => [
      `/${first}/${second}/${third}`,
      ...(first === 'load' ? segments.map((fourth) => `/load/${second}/${third}/${fourth}`) : []),
    ]),
  ]),
]);

it('the app uses the router that builds one regular expression', () => {
  expect(app.router.name).toBe('RegExpRouter');
});

it('every path reaches the route that Hono finds for its declaration, with its parameters', async () => {
  const answering = (app: Hono<AppEnv>, add: (routes: Parameters<typeof register>[1]) => void) => {
    const routes = ROUTES.map(([method, path]) => ({
      method,
      path,
      // biome-ignore lint/suspicious/noExplicitAny: the names of the parameters are computed
      handler: async (c: any) => {
        const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
        return c.json({ path, params: names.map((name) => pathParams(c)[name]) });
      },
    }));
    add(routes);
    return async (method: string, path: string) => (await app.request(path, { method })).text();
  };
  const [found, plain] = [
    new Hono<AppEnv>({ router: new RegExpRouter() }),
    new Hono<AppEnv>({ router: new TrieRouter() }),
  ];
  const ask = answering(found, (routes) => register(found, routes));
  const expected = answering(plain, (routes) => {
    for (const { method, path, handler } of routes) plain.on(method, path, handler);
  });
  const answers = new Set<string>();
  for (const path of paths) {
    for (const method of ['GET', 'POST']) {
      const text = await ask(method, path);
      expect([method, path, text]).toEqual([method, path, await expected(method, path)]);
      if (text.startsWith('{')) answers.add(JSON.parse(text).path);
    }
  }
  expect([...answers].sort()).toEqual(ROUTES.map(([, path]) => path).sort());
});
