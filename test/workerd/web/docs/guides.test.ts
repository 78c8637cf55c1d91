import { beforeAll, expect, it } from 'vitest';
import { GUIDE_GROUPS, GUIDES, MOVED_GUIDES } from '../../../../src/web/docs/guides.ts';
import { call, ORIGIN } from '../../client.ts';

const BROWSER = { Accept: 'text/html' };
/** Each served guide by its path. */
const pages = new Map<string, { headers: Headers; html: string }>();

beforeAll(async () => {
  for (const { name } of GUIDES) {
    const path = `/docs/${name}`;
    const { status, headers, body } = await call('GET', path, { headers: BROWSER });
    expect([path, status]).toEqual([path, 200]);
    pages.set(path, { headers, html: new TextDecoder().decode(body) });
  }
});

it('every guide is a page under its title', () => {
  for (const { name, title } of GUIDES) {
    const { headers, html } = pages.get(`/docs/${name}`)!;
    expect(headers.get('Content-Type')).toMatch(/^text\/html/);
    expect(html).toContain(`<title>${title} · Warehouse Dispatch</title>`);
    expect(html).toMatch(new RegExp(`<h1 id="[^"]+">${title}</h1>`));
    expect(html).toMatch(new RegExp(`<a href="/docs/${name}"[^>]* aria-current="page">`));
  }
});

it('guides load from their host only, without inline scripts and styles', () => {
  for (const { headers, html } of pages.values()) {
    const policy = headers.get('Content-Security-Policy')!;
    expect(policy).toMatch(/default-src 'none'/);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(html).not.toMatch(/<(script|img) (?!src="\/assets\/(docs|console)\/)|<style|\sstyle=|\son\w+=/);
  }
});

it('every guide links to all others and to existing pages', async () => {
  const links = [...pages].flatMap(([path, { html }]) =>
    [...html.matchAll(/<a [^>]*?href="([^"]+)"/g)].map(([, href]) => new URL(href!, ORIGIN + path)),
  );
  const own = links.filter(({ origin }) => origin === ORIGIN);
  expect(own.length).toBeGreaterThan(GUIDES.length ** 2);
  for (const { pathname, hash } of own) {
    const page = pages.get(pathname);
    if (page)
      expect(
        hash === '' || page.html.includes(`id="${decodeURIComponent(hash.slice(1))}"`),
        pathname + hash,
      ).toBe(true);
  }
  for (const path of new Set(own.map(({ pathname }) => pathname))) {
    const { status } = await call('GET', path, { headers: BROWSER });
    expect([path, status < 400]).toEqual([path, true]);
  }
});

const bodyOf = async (url: string): Promise<string> =>
  new TextDecoder().decode((await call('GET', url, { headers: BROWSER })).body);

it('the first page lists all guides by reader, and every page of documentation leads there', async () => {
  const first = await bodyOf('/');
  const [, list] = /<div id="guides"[^>]*>(.*?)<\/div>/s.exec(first)!;
  const linked = [...list!.matchAll(/href="(\/docs\/[a-z/-]+)"/g)].map(([, href]) => href);
  expect(linked).toEqual([...pages.keys()]);
  expect([...list!.matchAll(/<h2[^>]*>(.*?)<\/h2>/g)].map(([, title]) => title)).toEqual(
    GUIDE_GROUPS.map(({ title }) => title),
  );
  for (const html of [await bodyOf('/docs'), ...[...pages.values()].map(({ html }) => html)])
    expect(html).toMatch(/<a href="\/#guides">(Guides|Anleitungen)<\/a>/);
});

it('guides are in the order of their readers', () => {
  const ORDER = [
    'quickstart',
    'concepts',
    'dispatch-day',
    'writing-a-client',
    'webhooks',
    'events',
    'errors',
    'epcis',
    'client',
    'limits',
    'versioning',
    'changelog',
    'manual/loader',
    'manual/dispatcher',
    'manual/office',
  ];
  const OPERATORS = ['first-deployment', 'deploying', 'operating', 'cost', 'runbook', 'alerts'];
  const order = GUIDES.map(({ name }) => name).filter((name) => [...ORDER, ...OPERATORS].includes(name));
  expect(order).toEqual([...ORDER, ...OPERATORS]);
});

it('a guide leads to the guides before and after it in its language', () => {
  for (const { name, language } of GUIDES) {
    const same = GUIDES.filter((guide) => guide.language === language);
    const at = same.findIndex((guide) => guide.name === name);
    const { html } = pages.get(`/docs/${name}`)!;
    const around = ['prev', 'next'].map(
      (rel) => new RegExp(`href="/docs/([^"]+)"[^>]* rel="${rel}"`).exec(html)?.[1],
    );
    expect([name, ...around]).toEqual([name, same[at - 1]?.name, same[at + 1]?.name]);
  }
});

it('each guide has a table of its contents, in their order', () => {
  for (const [path, { html }] of pages) {
    const [, main] = /<main.*?>(.*?)<\/main>/s.exec(html)!;
    const idsOf = (levels: string) =>
      [...main!.matchAll(new RegExp(`<h${levels} id="([^"]+)"`, 'g'))].map(([, id]) => id);
    const [, table] = /<nav class="contents".*?>(.*?)<\/nav>/s.exec(html)!;
    const listed = [...table!.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect([path, listed]).toEqual([path, idsOf('2').length > 1 ? idsOf('2') : idsOf('[23]')]);
  }
});

it('commands name the service that shows them, and text still names the local service', async () => {
  const OTHER = 'https://dispatch.example.com';
  const [there, here] = [await bodyOf(`${OTHER}/docs/quickstart`), pages.get('/docs/quickstart')!.html];
  const commands = /curl -sS -X PUT (\S+?)\/operator\/rest/;
  expect(commands.exec(there)![1]).toBe(OTHER);
  expect(commands.exec(here)![1]).toBe(ORIGIN);
  expect(there).not.toContain(ORIGIN);
  expect(await bodyOf(`${OTHER}/docs/operations-pages`)).toContain('<code>http://127.0.0.1:8787</code>');
});

it('an unknown guide is 404', async () => {
  for (const path of ['/docs/nothing', '/docs/limits.md', '/docs/guides/limits']) {
    expect(await call('GET', path)).toMatchObject({ status: 404, body: { code: 'notFound' } });
  }
});

it('an old name of a guide leads to its present name', async () => {
  expect(MOVED_GUIDES).toMatchObject({ costs: 'cost' });
  for (const [from, to] of Object.entries(MOVED_GUIDES)) {
    expect([...pages.keys()]).toContain(`/docs/${to}`);
    const { status, headers } = await call('GET', `/docs/${from}`, { headers: BROWSER });
    expect([status, headers.get('Location')]).toEqual([308, `/docs/${to}`]);
  }
});
