import chromium from '@sparticuz/chromium';
import axe, { type AxeResults } from 'axe-core';
import { type Browser, type BrowserContextOptions, type Page, chromium as playwright } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GUIDES } from '../../../src/docs/guides.ts';
import type { Document } from '../../contract/schema.ts';
import { Service } from '../service.ts';

const API = '/integration/rest/api/v1';
/** What the library's own markup is found guilty of: a link to an operation within the button that opens it. */
const OF_THE_LIBRARY = ['nested-interactive'];

let service: Service;
let browser: Browser;
let document: Document;

/** A page with all that it asked for and complained about. */
interface Seen {
  page: Page;
  requests: URL[];
  complaints: string[];
}

beforeAll(async () => {
  service = await Service.start();
  // In one process, the end of one page would be the end of the browser.
  const args = chromium.args.filter((arg) => !['--single-process', '--no-zygote'].includes(arg));
  browser = await playwright.launch({ executablePath: await chromium.executablePath(), args });
  document = await (await fetch(`${service.origin}/openapi.json`)).json();
});
afterAll(async () => {
  await browser?.close();
  await service?.dispose();
});

const operations = (): Document[] =>
  Object.values<object>(document.paths).flatMap((item) => Object.values(item));

/** Open the reference and wait until all its tags are drawn. */
async function open(options: BrowserContextOptions = {}): Promise<Seen> {
  const page = await (
    await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  ).newPage();
  const seen: Seen = { page, requests: [], complaints: [] };
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) seen.requests.push(new URL(request.url()));
  });
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) seen.complaints.push(message.text());
  });
  page.on('pageerror', (error) => seen.complaints.push(String(error)));
  await page.goto(`${service.origin}/docs`);
  await page
    .locator('.opblock-tag')
    .nth(document.tags.length - 1)
    .waitFor({ state: 'attached' });
  return seen;
}

/** The section of a tag, unfolded if it was not. */
async function unfolded(page: Page, tag: string) {
  const section = page.locator('.opblock-tag-section', { has: page.locator(`[data-tag="${tag}"]`) });
  const button = section.locator('.expand-operation');
  if ((await button.getAttribute('aria-expanded')) !== 'true') await button.click();
  await section.locator('.opblock').first().waitFor();
  return section;
}

/** The element of an operation, opened. */
async function opened(page: Page, tag: string, operationId: string) {
  await unfolded(page, tag);
  const operation = page.locator(`#operations-${tag}-${operationId}`);
  await operation.locator('.opblock-summary-control').click();
  await operation.locator('.opblock-body').waitFor();
  return operation;
}

/** What axe finds that is serious or critical: rule and elements. */
async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => [...new Set(nodes.map(({ html }) => `${id} ${html.slice(0, 100)}`))]);
}

describe('/docs', () => {
  it('shows every tag and every operation, asks nobody else, and has nothing to complain of', async () => {
    const { page, requests, complaints } = await open();
    const tags = document.tags.map(({ name }: Document) => name);
    const shown = await page
      .locator('.opblock-tag')
      .evaluateAll((all) => all.map((tag) => tag.getAttribute('data-tag')));
    expect(shown).toEqual(tags);
    const paths: (string | null)[] = [];
    for (const tag of tags) {
      const section = await unfolded(page, tag);
      const drawn = section.locator('.opblock-summary [data-path]');
      paths.push(...(await drawn.evaluateAll((all) => all.map((path) => path.getAttribute('data-path')))));
      await section.locator('.expand-operation').click();
    }
    expect(new Set(paths)).toEqual(new Set(Object.keys(document.paths)));
    expect(paths).toHaveLength(operations().length);
    expect(await page.locator('.webhooks .opblock').count()).toBe(Object.keys(document.webhooks).length);
    expect([...new Set(requests.map(({ origin }) => origin))]).toEqual([service.origin]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('is kept to the host by its policy, without inline scripts and styles', async () => {
    const answer = await fetch(`${service.origin}/docs`);
    const policy = answer.headers.get('Content-Security-Policy')!;
    expect(policy).toMatch(/default-src 'none'/);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(answer.headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(await answer.text()).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
  });

  it('really calls an operation with a key that was typed in', async () => {
    const { page, requests, complaints } = await open();
    const key = await newKey();
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
    expect([...new Set(requests.map(({ origin }) => origin))]).toEqual([service.origin]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it.each(['light', 'dark'] as const)('has nothing serious for axe, in %s', async (colorScheme) => {
    const { page } = await open({ colorScheme });
    await opened(page, 'Manifest', 'createManifest');
    await opened(page, 'Shipment', 'listShipments');
    expect(await page.locator('html.dark-mode').count()).toBe(colorScheme === 'dark' ? 1 : 0);
    const findings = await seriousFindings(page);
    expect(findings.filter((finding) => !OF_THE_LIBRARY.some((rule) => finding.startsWith(rule)))).toEqual(
      [],
    );
    await page.context().close();
  });

  it('fits a phone of 360 pixels, also with an operation open', async () => {
    const { page } = await open({ viewport: { width: 360, height: 740 } });
    await opened(page, 'Shipment', 'getShipment');
    await opened(page, 'Manifest', 'listManifests');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    await page.context().close();
  });

  it('can be used by keyboard: skip link, then an operation opened by Enter', async () => {
    const { page } = await open();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the reference');
    await page.keyboard.press('Enter');
    await unfolded(page, 'Manifest');
    const summary = page.locator('#operations-Manifest-getManifest .opblock-summary-control');
    await summary.focus();
    await page.keyboard.press('Enter');
    await page.locator('#operations-Manifest-getManifest .opblock-body').waitFor();
    await page.context().close();
  });
});

describe('/docs/{guide}', () => {
  const paths = GUIDES.map(({ name }) => `/docs/${name}`);

  it.each(['light', 'dark'] as const)(
    'fits a phone and has nothing serious for axe, in %s',
    async (colorScheme) => {
      const { page, requests, complaints } = await open({
        colorScheme,
        viewport: { width: 360, height: 740 },
      });
      for (const path of paths) {
        await page.goto(service.origin + path);
        expect([path, await seriousFindings(page)]).toEqual([path, []]);
        const width = await page.evaluate<number>('document.documentElement.scrollWidth');
        expect([path, width]).toEqual([path, 360]);
      }
      expect([...new Set(requests.map(({ origin }) => origin))]).toEqual([service.origin]);
      expect(complaints).toEqual([]);
      await page.context().close();
    },
  );
});

describe('/', () => {
  it('shows a browser where to go, and is 404 for anybody else', async () => {
    const { page, complaints } = await open();
    await page.goto(`${service.origin}/`);
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('link', { name: 'API reference' }).click();
    await page.waitForURL(`${service.origin}/docs`);
    await page.getByRole('link', { name: 'Guides', exact: true }).click();
    await page.getByRole('link', { name: 'Limits', exact: true }).click();
    await page.waitForURL(`${service.origin}/docs/limits`);
    expect(complaints).toEqual([]);
    await page.context().close();
    const answer = await fetch(`${service.origin}/`);
    expect([answer.status, (await answer.json()) as object]).toMatchObject([404, { code: 'notFound' }]);
  });
});

/** A key of an organization of its own. */
async function newKey(): Promise<string> {
  const post = async (path: string, body: object) => {
    const headers = { 'X-OPERATOR-KEY': 'local-operator-key', 'Content-Type': 'application/json' };
    const url = `${service.origin}/operator/rest/api/v1${path}`;
    return (
      await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    ).json() as Promise<Document>;
  };
  const { uuid } = await post('/organization', { name: 'Docs', slug: 'docs-reader' });
  return (await post(`/organization/${uuid}/api-key`, { name: 'Reader' })).secret;
}
