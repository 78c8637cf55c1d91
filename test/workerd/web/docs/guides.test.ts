import { beforeAll, expect, it } from 'vitest';
import { GUIDES, MOVED_GUIDES } from '../../../../src/web/docs/guides.ts';
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
    expect(html).toMatch(new RegExp(`<h1 id="[a-z0-9-]+">${title}</h1>`));
    expect(html).toMatch(new RegExp(`<a href="/docs/${name}"[^>]* aria-current="page">`));
  }
});

it('guides load from their host only, without scripts and inline styles', () => {
  for (const { headers, html } of pages.values()) {
    const policy = headers.get('Content-Security-Policy')!;
    expect(policy).toMatch(/default-src 'none'/);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(html).not.toMatch(/<script|<style|<img|\sstyle=|\son\w+=/);
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
    if (page) expect(hash === '' || page.html.includes(`id="${hash.slice(1)}"`), pathname + hash).toBe(true);
  }
  for (const path of new Set(own.map(({ pathname }) => pathname))) {
    const { status } = await call('GET', path, { headers: BROWSER });
    expect([path, status < 400]).toEqual([path, true]);
  }
});

it('the first page and the reference are linked with the guides', async () => {
  const linked = async (path: string) => {
    const { body } = await call('GET', path, { headers: BROWSER });
    return [...new TextDecoder().decode(body).matchAll(/href="(\/docs\/[a-z/-]+)"/g)].map(([, href]) => href);
  };
  expect(await linked('/')).toEqual([...pages.keys()]);
  expect(await linked('/docs')).toEqual([[...pages.keys()][0]]);
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
