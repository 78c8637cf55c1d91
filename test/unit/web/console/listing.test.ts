import { Hono } from 'hono';
import { expect, it } from 'vitest';
import type { AppEnv } from '../../../../src/core/http/types.ts';
import { webhookList } from '../../../../src/delivery/webhook/list.ts';
import { clientList } from '../../../../src/dispatch/client/store.ts';
import { manifestList } from '../../../../src/dispatch/load/manifest/list.ts';
import { listing } from '../../../../src/web/ui/list/listing.tsx';
import { PAGES } from '../../../../src/web/ui/page/page.tsx';

const common = { title: 'List', right: 'see', columns: () => [], empty: 'Nothing.' } as const;

it('a page that offers a filter or sort that its list lacks does not compile', () => {
  const app = new Hono<AppEnv>();
  const before = PAGES.length;
  listing(app, {
    ...common,
    path: '/right',
    list: manifestList,
    search: 'external ids',
    filters: [
      { name: 'manifestStatus', label: 'Status' },
      { name: 'createDateAfter', label: 'Created from', day: true },
    ],
  });
  listing(app, {
    ...common,
    path: '/misspelt',
    list: manifestList,
    // @ts-expect-error no filter of manifests
    filters: [{ name: 'manifestStatuss', label: 'Status' }],
  });
  listing(app, {
    ...common,
    path: '/of-another-list',
    list: clientList,
    // @ts-expect-error a filter of manifests, not of clients
    filters: [{ name: 'manifestStatus', label: 'Status' }],
  });
  listing(app, {
    ...common,
    path: '/unsearched',
    list: webhookList,
    // @ts-expect-error webhooks are not searched
    search: 'names',
    filters: [],
  });
  listing(app, {
    ...common,
    path: '/columns',
    list: manifestList,
    filters: [],
    // @ts-expect-error a stored manifest has no `status`
    columns: () => [{ label: 'Status', value: ({ status }) => status }],
  });
  listing(app, {
    ...common,
    path: '/unsorted',
    list: manifestList,
    filters: [],
    // @ts-expect-error manifests are not sorted by their gate
    columns: () => [{ label: 'Gate', sort: 'gate', plain: () => null }],
  });
  // Remove the pages, because other tests look at all pages.
  const paths = PAGES.splice(before).map(({ path }) => path);
  expect(paths.filter((path) => !/\.(?:csv|xlsx)$/.test(path))).toEqual([
    '/right',
    '/misspelt',
    '/of-another-list',
    '/unsearched',
    '/columns',
    '/unsorted',
  ]);
});
