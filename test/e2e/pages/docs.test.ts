import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GUIDES } from '../../../src/web/docs/guides.ts';
import type { Document } from '../../contract/schema.ts';
import { API, newTenant } from '../client.ts';
import { accessibilityFaults, CONTRAST, type Rules } from './accessibility.ts';
import { startWorld } from './browser.ts';

/** A known fault of the library's own markup: the button of an operation contains a link. */
const OF_THE_LIBRARY = /^nested-interactive/;

/** A page with its requests and its errors and warnings. */
interface Seen {
  page: Page;
  requests: URL[];
  complaints: string[];
}

const world = await startWorld();
const document: Document = await (await fetch(`${world.service.origin}/openapi.json`)).json();

const operations = (): Document[] =>
  Object.values<object>(document.paths).flatMap((item) => Object.values(item));

/** Opens a page in a separate browser profile. */
async function visited(path: string, options: BrowserContextOptions = {}): Promise<Seen> {
  const context = await world.profile({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const seen: Seen = { page, requests: [], complaints: [] };
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) seen.requests.push(new URL(request.url()));
  });
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) seen.complaints.push(message.text());
  });
  page.on('pageerror', (error) => seen.complaints.push(String(error)));
  await page.goto(path);
  return seen;
}

/** Waits until all tags of the reference are drawn. */
const drawn = (page: Page): Promise<void> =>
  page
    .locator('.opblock-tag')
    .nth(document.tags.length - 1)
    .waitFor({ state: 'attached' });

/** Checks that every request went to the service, and that there were no errors or warnings. */
function expectQuiet({ requests, complaints }: Seen): void {
  expect([...new Set(requests.map(({ origin }) => origin))]).toEqual([world.service.origin]);
  expect(complaints).toEqual([]);
}

/** Returns the section of a tag, and opens it if necessary. */
async function unfolded(page: Page, tag: string) {
  const section = page.locator('.opblock-tag-section', { has: page.locator(`[data-tag="${tag}"]`) });
  const button = section.locator('.expand-operation');
  if ((await button.getAttribute('aria-expanded')) !== 'true') await button.click();
  await section.locator('.opblock').first().waitFor();
  return section;
}

/** Returns the element of an operation, and opens it if necessary. */
async function opened(page: Page, tag: string, operationId: string) {
  await unfolded(page, tag);
  const operation = page.locator(`#operations-${tag}-${operationId}`);
  const body = operation.locator('.opblock-body');
  if ((await body.count()) === 0) await operation.locator('.opblock-summary-control').click();
  await body.waitFor();
  return operation;
}

/** Opens operations with much content: a body, and the parameters of a list. */
async function openMuch(page: Page): Promise<void> {
  await opened(page, 'Manifest', 'createManifest');
  await opened(page, 'Shipment', 'listShipments');
}

/** Checks that axe finds nothing serious in the reference, also in open operations, with all rules or the given ones. */
async function expectAccessible(page: Page, rules: Rules = {}): Promise<void> {
  await openMuch(page);
  const faults = await accessibilityFaults(page, rules);
  expect(faults.filter((fault) => !OF_THE_LIBRARY.test(fault))).toEqual([]);
}

// The library needs seconds to draw the reference and to open an operation, so the tests of a screen share a page.
describe('/docs', () => {
  let seen: Seen;
  beforeAll(async () => {
    seen = await visited('/docs', { colorScheme: 'light' });
    await drawn(seen.page);
  });
  afterAll(() => seen.page.context().close());

  it('the keyboard works /docs: skip link, then an operation opened by Enter', async () => {
    const { page } = seen;
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the reference');
    await page.keyboard.press('Enter');
    await unfolded(page, 'Manifest');
    const summary = page.locator('#operations-Manifest-createManifest .opblock-summary-control');
    await summary.focus();
    await page.keyboard.press('Enter');
    await page.locator('#operations-Manifest-createManifest .opblock-body').waitFor();
  });

  it('/docs shows every tag and operation, asks no other host and logs no error', async () => {
    const { page } = seen;
    const tags = document.tags.map(({ name }: Document) => name);
    const shown = await page
      .locator('.opblock-tag')
      .evaluateAll((all) => all.map((tag) => tag.getAttribute('data-tag')));
    expect(shown).toEqual(tags);
    const paths: (string | null)[] = [];
    for (const tag of tags) {
      const section = await unfolded(page, tag);
      const shown = section.locator('.opblock-summary [data-path]');
      paths.push(...(await shown.evaluateAll((all) => all.map((path) => path.getAttribute('data-path')))));
      await section.locator('.expand-operation').click();
    }
    expect(new Set(paths)).toEqual(new Set(Object.keys(document.paths)));
    expect(paths).toHaveLength(operations().length);
    expect(await page.locator('.webhooks .opblock').count()).toBe(Object.keys(document.webhooks).length);
    expectQuiet(seen);
  });

  it('the policy of /docs allows its own host only, without inline scripts and styles', async () => {
    const answer = await fetch(`${world.service.origin}/docs`);
    const policy = answer.headers.get('Content-Security-Policy')!;
    expect(policy).toMatch(/default-src 'none'/);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(answer.headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(await answer.text()).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
  });

  it('axe finds nothing serious on /docs in light', async () => {
    expect(await seen.page.locator('html.dark-mode').count()).toBe(0);
    await expectAccessible(seen.page);
  });

  it('the filter of /docs finds operations by parameters, fields and words, and clears again', async () => {
    const { page } = seen;
    const filter = page.locator('.operation-filter-input');
    const found = async (words: string, tag: string, hidden: string) => {
      await filter.fill(words);
      await page.locator(`[data-tag="${hidden}"]`).waitFor({ state: 'detached' });
      const paths = (await unfolded(page, tag)).locator('.opblock [data-path]');
      return paths.evaluateAll((all) => all.map((path) => path.getAttribute('data-path')));
    };
    expect(await found('updateDateAfter', 'Manifest', 'Service')).toEqual([`${API}/manifest`]);
    expect(await found('alertTypes', 'Webhook', 'Shipment')).toContain(`${API}/webhook`);
    await filter.fill('');
    await expect.poll(() => page.locator('.opblock-tag').count()).toBe(document.tags.length);
  });

  it('/docs calls an operation with a typed key', async () => {
    const { page, requests } = seen;
    const { key } = await newTenant(world.service, 'docs-reader');
    await page.locator('.btn.authorize').click();
    const dialog = page.locator('.auth-container', { hasText: 'X-AUTH-KEY' });
    await dialog.locator('input').fill(key);
    await dialog.locator('button[type=submit]').click();
    await dialog.locator('.btn-done').click();
    const create = await opened(page, 'Manifest', 'createManifest');
    await create.locator('.try-out__btn').click();
    await create
      .locator('textarea.body-param__text')
      .fill(JSON.stringify({ externalIdentifier: 'FROM-DOCS' }));
    await create.locator('.btn.execute').click();
    await create.locator('.live-responses-table .response-col_status', { hasText: '201' }).waitFor();
    const list = await opened(page, 'Manifest', 'listManifests');
    await list.locator('.try-out__btn').click();
    await list.locator('.btn.execute').click();
    await list.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
    expect(await list.locator('.live-responses-table').innerText()).toContain('FROM-DOCS');
    expect(requests.at(-1)!.pathname).toBe(`${API}/manifest`);
    expectQuiet(seen);
  });
});

describe('/docs on a phone in the dark', () => {
  let page: Page;
  beforeAll(async () => {
    ({ page } = await visited('/docs/webhooks', {
      colorScheme: 'dark',
      viewport: { width: 360, height: 740 },
    }));
    await page.getByRole('link', { name: '/rotate-secret' }).first().click();
    await drawn(page);
  });
  afterAll(() => page.context().close());

  it('a link of a guide opens its operation in the reference', async () => {
    await page.locator('#operations-Webhook-rotateWebhookSecret .opblock-body').waitFor();
  });

  it('/docs fits a phone of 360 pixels, also with an operation open', async () => {
    await opened(page, 'Shipment', 'getShipment');
    await openMuch(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  });

  it('axe finds nothing serious on /docs in dark', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    expect(await page.locator('html.dark-mode').count()).toBe(1);
    await expectAccessible(page, CONTRAST);
  });
});

describe('/docs/{guide}', () => {
  const paths = GUIDES.map(({ name }) => `/docs/${name}`);

  it('/docs/{guide} fits a phone and has nothing serious for axe, in light and in dark', async () => {
    const seen = await visited(paths[0]!, { viewport: { width: 360, height: 740 } });
    const { page } = seen;
    for (const path of paths) {
      await page.emulateMedia({ colorScheme: 'light' });
      await page.goto(path);
      expect([path, await accessibilityFaults(page)]).toEqual([path, []]);
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect([path, width]).toEqual([path, 360]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect([path, 'dark', await accessibilityFaults(page, CONTRAST)]).toEqual([path, 'dark', []]);
    }
    expectQuiet(seen);
    await page.context().close();
  });
});

describe('the parts of a guide', () => {
  it('each guide has one title, contents, a neighbour, a mark in the list, and headings without gaps', async () => {
    for (const { name, title } of GUIDES) {
      const html = await (await fetch(`${world.service.origin}/docs/${name}`)).text();
      const count = (pattern: RegExp) => html.match(pattern)?.length ?? 0;
      expect([name, html]).toEqual([
        name,
        expect.stringContaining(`<title>${title} · Warehouse Dispatch</title>`),
      ]);
      expect([name, html]).toEqual([
        name,
        expect.stringMatching(/<meta name="description" content="[^"]{40,}">/),
      ]);
      const [, contents = ''] = /<nav class="contents".*?>(.*?)<\/nav>/s.exec(html) ?? [];
      expect([name, (contents.match(/<a href="#/g) ?? []).length > 1]).toEqual([name, true]);
      expect([name, count(/rel="(?:prev|next)"/g) > 0]).toEqual([name, true]);
      expect([name, count(/aria-current="page"/g), count(/<h1/g)]).toEqual([name, 1, 1]);
      const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'));
      const levels = [...main.matchAll(/<h(\d)/g)].map(([, level]) => Number(level));
      const gaps = levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1);
      expect([name, gaps]).toEqual([name, []]);
    }
  });

  it('a German manual says which guides are in English', async () => {
    const { page } = await visited('/docs/de/manual/office');
    const link = page.locator('main a[href="/docs/company-accounts"]');
    expect(await link.locator('xpath=..').innerText()).toContain('Firmenkonten (auf Englisch)');
    const headings = page.locator('nav.guides h2');
    expect(await headings.filter({ hasText: '(auf Englisch)' }).count()).toBe((await headings.count()) - 1);
    await page.context().close();
  });

  it('a button copies the commands of a block, with the address of the service', async () => {
    const { page } = await visited('/docs/quickstart', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const block = page.locator('.code', { hasText: 'OPERATOR_KEY=local-operator-key' });
    await block.getByRole('button', { name: 'Copy' }).click();
    await block.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toBe(await block.locator('code').textContent());
    expect(copied).toContain(`curl -sS ${world.service.origin}/operator/`);
    await page.context().close();
  });
});

describe('the search box', () => {
  it('the search finds codes, events, headings and operations by keyboard, and loads its index at the first use', async () => {
    const seen = await visited('/docs/limits');
    const { page, requests } = seen;
    const isIndex = ({ pathname }: URL) => ['/assets/docs/search.json', '/openapi.json'].includes(pathname);
    const box = page.getByRole('searchbox');
    await box.waitFor();
    expect(requests.filter(isIndex)).toEqual([]);
    const results = page.getByRole('list', { name: 'Results' });
    for (const [words, href] of [
      ['wmsidalready', '/docs/errors#wmsIdAlreadyCoupled'],
      ['shipment arrived', '/docs/events#SHIPMENT_ARRIVED'],
      ['retire', '/docs#/Track/retireTrack'],
      ['retries', '/docs/writing-a-client#retries'],
    ] as const) {
      await box.fill(words);
      // The results of the words before may still be shown.
      await results.locator(`a[href="${href}"]`).first().waitFor();
    }
    expect(await accessibilityFaults(page)).toEqual([]);
    for (const width of [360, 800, 1280]) {
      await page.setViewportSize({ width, height: 740 });
      const shown = await results.boundingBox();
      expect([width, shown!.x >= 0, shown!.x + shown!.width <= width]).toEqual([width, true, true]);
    }
    await box.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/#/);
    expect(requests.filter(isIndex)).toHaveLength(2);
    expectQuiet(seen);
    await page.context().close();
  });
});

it('the search finds words although the first request for its index failed', async () => {
  const { page } = await visited('/docs/limits');
  await page.route('/assets/docs/search.json', (route) => route.abort(), { times: 1 });
  await page.getByRole('searchbox').fill('retries');
  await page.getByRole('list', { name: 'Results' }).getByRole('link').first().waitFor();
});

describe('the results of the search', () => {
  let page: Page;
  beforeAll(async () => {
    ({ page } = await visited('/'));
  });
  afterAll(() => page.context().close());
  const found = async (words: string) => {
    await page.getByRole('searchbox').fill('');
    await page.getByRole('searchbox').fill(words);
    const results = page.getByRole('list', { name: 'Results' }).getByRole('link');
    await results.first().waitFor();
    return results.evaluateAll((all) =>
      all.map((link) => ({ text: link.firstChild!.textContent, place: link.lastChild!.textContent })),
    );
  };
  const texts = async (words: string) => (await found(words)).map(({ text }) => text);

  it('the start page finds the parameter that limits a list, by its name or by its purpose', async () => {
    const place = expect.stringMatching(/^Parameter of GET .* more\. Limits each page of the list/);
    expect((await found('pageSize'))[0]).toEqual({ text: 'pageSize', place });
    expect(await texts('page size')).toContain('pageSize');
    expect(await texts('limit a list')).toContain('pageSize');
  });

  it('the search finds an operation by the words of its purpose', async () => {
    const place = `POST ${API}/shipment/{shipmentExternalId}/status/{shipmentStatus}`;
    expect(await found('how to complete a shipment')).toContainEqual({
      text: 'Change the status of a shipment: start, complete or cancel it',
      place,
    });
  });

  it('the search finds a field of an answer, and a section of a guide by its text', async () => {
    expect((await found('proofOfShipmentUrl'))[0]).toMatchObject({
      place: expect.stringMatching(/^Field of /),
    });
    expect(await found('pagination')).toContainEqual({ text: 'Lists', place: 'Writing a client' });
  });

  it('the search says that it has found nothing', async () => {
    await page.getByRole('searchbox').fill('qqq');
    await page.getByRole('status').filter({ hasText: 'No results' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByText('No results').isVisible()).toBe(false);
  });
});

describe('samples in guides', () => {
  it('samples show one language as a tab, by mouse or keyboard, and remember it on the next page', async () => {
    const seen = await visited('/docs/writing-a-client');
    const { page } = seen;
    await page.waitForLoadState();
    const shown = () =>
      page
        .locator('.sample:visible pre code')
        .evaluateAll((all) => all.map((code) => code.getAttribute('data-language')));
    const groups = await page.locator('.samples').count();
    const each = (language: string) => Array.from({ length: groups }, () => language);
    expect(groups).toBeGreaterThan(3);
    expect(await shown()).toEqual(each('curl'));
    const list = page.getByRole('tablist').first();
    await list.getByRole('tab', { name: 'Python' }).click();
    expect(await shown()).toEqual(each('python'));
    await page.keyboard.press('ArrowRight');
    expect(await shown()).toEqual(each('java'));
    const focused = await page.evaluate('document.activeElement.textContent');
    expect(focused).toBe('Java');
    await page.keyboard.press('ArrowRight');
    expect(await shown()).toEqual(each('curl'));
    await page.keyboard.press('End');
    expect(await list.getByRole('tab', { selected: true }).innerText()).toBe('Java');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.goto('/docs/webhooks');
    await page.waitForLoadState();
    expect(await shown()).toEqual(['java', 'java']);
    expect(await page.locator('.sample:visible .language').first().innerText()).toBe(
      'java VerifyWebhook.java',
    );
    expectQuiet(seen);
    await page.context().close();
  });

  it('samples show all languages if the browser runs no script', async () => {
    const { page } = await visited('/docs/webhooks', { javaScriptEnabled: false });
    expect(await page.locator('.sample:visible .language:visible').count()).toBe(7);
    await page.context().close();
  });
});

describe('/docs/errors', () => {
  it('the type of a problem leads to the explanation of its code', async () => {
    const answer = await fetch(`${world.service.origin}${API}/manifest`);
    const { type, code } = (await answer.json()) as { type: string; code: string };
    const { page } = await visited(type);
    const heading = page.locator(`[id="${code}"]`);
    expect(await heading.innerText()).toBe('unauthorized');
    const box = await heading.boundingBox();
    expect(box!.y).toBeGreaterThanOrEqual(0);
    expect(box!.y).toBeLessThan(900);
    await page.context().close();
  });
});

describe('/', () => {
  it('/ shows links to a browser and is 404 for other clients', async () => {
    const { page, complaints } = await visited('/');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'API reference' }).click();
    await page.waitForURL('/docs', { waitUntil: 'commit' });
    await page.getByRole('link', { name: 'Guides', exact: true }).click();
    await page.waitForURL('/#guides');
    await page.getByRole('link', { name: 'Limits', exact: true }).click();
    await page.waitForURL('/docs/limits');
    expect(complaints).toEqual([]);
    await page.context().close();
    const answer = await fetch(world.service.origin);
    expect([answer.status, (await answer.json()) as object]).toMatchObject([404, { code: 'notFound' }]);
  });
});
