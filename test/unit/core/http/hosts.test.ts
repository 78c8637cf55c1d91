import { expect, it } from 'vitest';
import { hostSlug } from '../../../../src/core/http/hosts.ts';

it.each([
  ['acme.localhost', 'localhost', 'acme'],
  ['ACME.dispatch.example.com', 'dispatch.example.com', 'acme'],
  ['acme.localhost.', 'localhost', 'acme'],
  ['a.b.localhost', 'localhost', 'a.b'],
  ['localhost', 'localhost', undefined],
  ['127.0.0.1', 'localhost', undefined],
  ['api.localhost', 'localhost', undefined],
  ['notlocalhost', 'localhost', undefined],
  ['acme.other.com', 'localhost', undefined],
])('the host %s below %s belongs to %s', (hostname, baseDomain, slug) => {
  expect(hostSlug(hostname, baseDomain)).toBe(slug);
});
