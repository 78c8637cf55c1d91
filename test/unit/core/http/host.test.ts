import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type AppContext, hostname, origin } from '../../../../src/core/http/types.ts';

it('each request uses its own host, independent of earlier requests', () => {
  const host = fc.constantFrom('acme.localhost:8787', 'acme.localhost', 'other.example.com', '[::1]:80', 'a');
  const rest = fc.constantFrom('/', '/path', '/?q=//other.example.com/', '/a//b.example.com:1/c?x#y');
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('http', 'https'), host, rest), { minLength: 2 }),
      (requests) => {
        for (const [scheme, name, path] of requests) {
          const url = new URL(`${scheme}://${name}${path}`);
          const c = { req: { url: url.href } } as AppContext;
          expect([origin(c), hostname(c)]).toEqual([url.origin, url.hostname]);
        }
      },
    ),
  );
});
