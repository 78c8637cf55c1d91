import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PAGES } from '../../../../src/web/ui/page/page.tsx';
import '../../../../src/app.ts';
import { floor } from '../../../../src/messages/en/index.ts';
import { DESK_LANGUAGES, LANGUAGES } from '../../../../src/messages/languages.ts';
import type { Key } from '../../../../src/messages/messages.ts';
import { addMessages } from '../../../../src/messages/words.ts';
import { MESSAGES } from '../../../messages.ts';
import { call, ORIGIN } from '../../client.ts';
import { look, signIn } from '../../delivery/live/listener.ts';
import { loadingDock } from '../../dispatch/load/shipment/dock.ts';
import { deviceOf, linkFor, newTablet } from '../../dispatch/tablet/tablets.ts';
import { addressesOf, departed } from '../pages/published.ts';

/** A language that has the pages of the floor only. Each message of the desk is marked, so that a page shows it. */
const LANGUAGE = 'nl';
const MARK = '⟦desk⟧';

beforeAll(() => {
  (DESK_LANGUAGES as string[]).splice((DESK_LANGUAGES as string[]).indexOf(LANGUAGE), 1);
  const messages = Object.entries(MESSAGES[LANGUAGE]).map(([key, text]) => [
    key,
    key in floor ? text : MARK + key,
  ]);
  addMessages(LANGUAGE, Object.fromEntries(messages) as Record<Key, string>);
});

afterAll(() => {
  addMessages(LANGUAGE, MESSAGES[LANGUAGE]);
  (DESK_LANGUAGES as string[]).push(LANGUAGE);
});

const langOf = (html: string): string | undefined => /<html lang="([^"]*)"/.exec(html)?.[1];
const marked = (html: string): string[] => [...new Set(html.match(/⟦desk⟧[\w.]+/g))];

/** The HTML of a page in the language of this test, as far as it has the page. */
const htmlOf = async (path: string, cookie?: string): Promise<string> =>
  (await look(path, [cookie, `language=${LANGUAGE}`].filter(Boolean).join('; '))).text();

/** Opens a page, which must be in the language of this test. */
async function open(path: string, cookie?: string): Promise<string> {
  const html = await htmlOf(path, cookie);
  expect([path, langOf(html)]).toEqual([path, LANGUAGE]);
  return html;
}

/** Opens a page, and every page of its gate that it links to. Returns the marked messages by path. */
async function openAll(first: string, cookie?: string): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  const queue = [first];
  for (const path of queue) {
    if (found.has(path) || /\.pdf/.test(path)) continue;
    const html = await open(path, cookie);
    found.set(path, marked(html));
    for (const [, href] of html.matchAll(/href="(\/app\/gate\/[^"]+)"/g)) {
      const to = href!.replaceAll('&amp;', '&');
      if (to.startsWith(first) && !/\/(settings|tablets)/.test(to)) queue.push(to);
    }
  }
  return found;
}

const clean = (found: Map<string, string[]>) =>
  expect([...found].filter(([, keys]) => keys.length > 0)).toEqual([]);

describe('pages of the floor', () => {
  it('use no message of the desk, at a gate with all its questions', async () => {
    const dock = await loadingDock();
    for (const pallet of ['A', 'X', 4_711]) await dock.scan(pallet);
    const { cookie } = await signIn(dock, 'ADMINISTRATOR');
    const { body } = await dock.must('GET', '/gate');
    const gate = `/app/gate/${body.content.find((one: { externalIdentifier: string }) => one.externalIdentifier === 'G').uuid}`;
    const found = await openAll(gate, cookie);
    expect([...found.keys()].filter((path) => /\/(scan|sign\/)/.test(path)).length).toBeGreaterThan(1);
    for (const path of [`${gate}?q=nothing`, `${gate}?scan=A`, `${gate}/photo`])
      found.set(path, marked(await open(path, cookie)));
    clean(found);

    const manager = deviceOf(cookie);
    const link = await linkFor(manager, gate, 'Tablet 1');
    clean(await openAll(link));
    const tablet = await newTablet(manager, gate, 'Tablet 2');
    clean(await openAll(gate, tablet.cookie));
  });

  it('use no message of the desk before and after the sign-in, and show no menu', async () => {
    const { cookie } = await signIn(await loadingDock());
    for (const path of ['/app/login', '/app/invite/nothing', '/app/pair/nothing']) clean(await openAll(path));
    const html = await open('/app/password', cookie);
    expect([marked(html), html.includes('id="menu"')]).toEqual([[], false]);
    expect(html).toContain('action="/app/logout"');
  });

  it('use no message of the desk on public pages', async () => {
    const dock = await departed();
    const { summary } = await addressesOf(dock, 'shipment', 'S');
    const { body } = await (await loadingDock()).must('GET', '/shipment/S');
    expect(body.driverUrl).toBeTruthy();
    for (const url of [
      summary,
      body.driverUrl,
      `${ORIGIN}/public/sign/nothing`,
      `${summary}x`,
      `${ORIGIN}/stop/nothing`,
    ]) {
      const answer = await call('GET', url, {
        headers: { Accept: 'text/html', 'Accept-Language': `${LANGUAGE}-BE` },
      });
      expect([url, answer.headers.get('Content-Type')]).toEqual([url, expect.stringContaining('text/html')]);
      const text = new TextDecoder().decode(answer.body);
      expect([url, marked(text)]).toEqual([url, []]);
    }
  });
});

describe('pages of the desk', () => {
  it('a page of the desk is in English if the reader’s language has only the floor, and does not offer that language', async () => {
    const { cookie } = await signIn(await loadingDock());
    const floorOnly = PAGES.filter(({ languages }) => languages?.includes(LANGUAGE)).map(({ path }) => path);
    expect(floorOnly).toContain('/app/gate/:uuid');
    for (const path of ['/app/shipment', '/app/today', '/app/board', '/app/manifest/new']) {
      expect(floorOnly).not.toContain(path);
      const html = await htmlOf(path, cookie);
      expect([path, langOf(html), marked(html)]).toEqual([path, 'en', []]);
      expect(html).not.toContain(`hreflang="${LANGUAGE}"`);
      expect(html).toContain('hreflang="de"');
    }
  });

  it('a page of the desk shows the marks of this test, if the language has it', async () => {
    expect(LANGUAGES).toContain(LANGUAGE);
    const { cookie } = await signIn(await loadingDock());
    (DESK_LANGUAGES as string[]).push(LANGUAGE);
    try {
      const html = await open('/app/board', cookie);
      expect(marked(html)).toContain(`${MARK}menu.today`);
    } finally {
      (DESK_LANGUAGES as string[]).pop();
    }
  });
});
