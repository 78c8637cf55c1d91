import { z } from '@hono/zod-openapi';
import { Hono } from 'hono';
import { expect, it } from 'vitest';
import type { AppEnv } from '../../../../src/core/http/types.ts';
import { clientList } from '../../../../src/dispatch/client/store.ts';
import { type Action, action } from '../../../../src/web/ui/confirm/action.ts';
import { Ask } from '../../../../src/web/ui/confirm/confirmation.tsx';
import { Deletion } from '../../../../src/web/ui/confirm/deletion.tsx';
import { ActionButton, Form, Submit } from '../../../../src/web/ui/form/form.tsx';
import { listing } from '../../../../src/web/ui/list/listing.tsx';
import { PAGES, page } from '../../../../src/web/ui/page/page.tsx';
import { byUuid } from '../../../../src/web/ui/page/resource.tsx';

const done = async () => ({ done: 'Done.' });
const view = () => ({ title: 'Page', body: null });
const byName = z.object({ name: z.string() });

const actions = {
  update: action('see', byName, async (_, { uuid }: { uuid: string }, { name }) => ({ done: uuid + name })),
  close: action('see', z.object({}), done),
};
type Actions = typeof actions;

it('A form that names an action which its page does not have does not compile', () => {
  const forms = [
    () => Form<Actions>({ action: 'update' }),
    () => ActionButton<Actions>({ action: 'close' }),
    () => Ask<Actions>({ action: 'close' }),
    () => Submit<Actions>({ action: 'update' }),
    () => Deletion<{ delete: Action }>({ what: 'thing' }),
    // @ts-expect-error the page has no such action
    () => Form<Actions>({ action: 'updat' }),
    // @ts-expect-error the page has no such action
    () => ActionButton<Actions>({ action: 'open' }),
    // @ts-expect-error the page has no such action
    () => Ask<Actions>({ action: 'open' }),
    // @ts-expect-error the page has no such action
    () => Submit<Actions>({ action: 'open' }),
    // @ts-expect-error the form names no page for its actions
    () => Form({ action: 'update' }),
    // @ts-expect-error the page has no action that deletes
    () => Deletion<Actions>({ what: 'thing' }),
  ];
  expect(forms.length).toBe(11);
});

it('An action with parameters or input that its page or form does not have does not compile', () => {
  const app = new Hono<AppEnv>();
  const before = PAGES.length;
  const byToken = z.object({ token: z.string() });
  const common = { right: 'see', view } as const;
  page(app, { ...common, path: '/right/:uuid', params: byUuid, actions });
  page(app, {
    ...common,
    path: '/of-another/:token',
    params: byToken,
    // @ts-expect-error the path has a token, but no uuid
    actions,
  });
  page(app, {
    ...common,
    path: '/without',
    // @ts-expect-error the path has no parameters
    actions,
  });
  page(app, {
    ...common,
    path: '/read/:uuid',
    params: byUuid,
    // @ts-expect-error the path has no token
    view: (_, { token }) => ({ title: token, body: null }),
  });
  // @ts-expect-error the form has no number
  action('see', byName, async (_at, _params, { number }) => ({ done: number }));
  // Remove the pages, because other tests look at all pages.
  const paths = PAGES.splice(before).map(({ path }) => path);
  expect(paths).toEqual(['/right/:uuid', '/of-another/:token', '/without', '/read/:uuid']);
});

it('An offer for chosen rows that names an action which its list does not have does not compile', () => {
  const app = new Hono<AppEnv>();
  const before = PAGES.length;
  const common = {
    title: 'List',
    right: 'see',
    list: clientList,
    filters: [],
    columns: () => [],
    empty: 'None.',
  } as const;
  const choice = { value: ({ uuid }: { uuid: string }) => uuid, label: () => 'One' };
  const offer = { right: 'see', label: 'Close', icon: 'done' } as const;
  listing(app, {
    ...common,
    path: '/right',
    actions: { close: action('see', z.object({}), done) },
    bulk: { ...choice, offers: () => [{ ...offer, action: 'close' }] },
  });
  listing(app, {
    ...common,
    path: '/misspelt',
    actions: { close: action('see', z.object({}), done) },
    // @ts-expect-error the list has no such action
    bulk: { ...choice, offers: () => [{ ...offer, action: 'open' }] },
  });
  expect(PAGES.splice(before).length).toBe(6);
});
