import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import axe from 'axe-core';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../src/messages/languages.ts';
import { newTenant } from '../client.ts';
import { startWorld } from './browser.ts';
import { dispatched, LONG, leftShort, TEXTS } from './dispatched.ts';

const world = await startWorld();
/** The summary of a shipment that shows every kind of content. */
const summary = await dispatched(await newTenant(world.service, 'summary', { dispatchStrategy: 'SHIPMENT' }));

/** The summary of a shipment with 23 of 30 pallets missing, and all facts. */
const short = await leftShort(
  await newTenant(world.service, 'short', {
    name: 'Northwind Rotterdam',
    dispatchStrategy: 'SHIPMENT',
    timeZone: 'Europe/Amsterdam',
    shipmentCustomFields: [
      { fieldKey: 'carrier', fieldType: 'TEXT', role: 'CARRIER' },
      { fieldKey: 'plate', fieldType: 'TEXT', role: 'VEHICLE' },
      { fieldKey: 'seal', fieldType: 'TEXT', role: 'SEAL' },
    ],
  }),
);

/** Opens the summary in a separate browser profile. */
async function visit<T>(options: BrowserContextOptions, look: (page: Page) => Promise<T>): Promise<T> {
  const context = await world.profile(options);
  try {
    const page = await context.newPage();
    await page.goto(summary);
    return await look(page);
  } finally {
    await context.close();
  }
}

const SCREENS = [
  { viewport: { width: 360, height: 740 }, colorScheme: 'light' },
  { viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
  { viewport: { width: 800, height: 1_200 }, colorScheme: 'light' },
  { viewport: { width: 1_280, height: 900 }, colorScheme: 'dark' },
] as const;

describe('the summary page in a browser', () => {
  it('the summary page shows everything without JavaScript', async () => {
    await visit({ javaScriptEnabled: false }, async (page) => {
      expect(await page.locator('h1').textContent()).toBe(`Shipment ${TEXTS[0]}`);
      expect(await page.title()).toBe(`Shipment ${TEXTS[0]}`);
      const pallets = await page.locator('table.pallets tbody th').allTextContents();
      expect(pallets).toEqual(['340123450000000017', ...TEXTS, '340123450000000024']);
      const statuses = await page.locator('table.pallets .status').allTextContents();
      expect(statuses.filter((status) => status.endsWith(' Loaded'))).toHaveLength(3);
      expect(await page.locator('.problems li').count()).toBe(4);
      expect(await page.locator('table.corrections tbody tr').count()).toBe(1);
      expect(await page.getByRole('link', { name: LONG }).getAttribute('href')).toBe('#m2');
    });
  });

  it('the summary page runs no injected script', async () => {
    await visit({}, async (page) => {
      expect(await page.title()).not.toBe('taken over');
      expect(await page.locator('script').count()).toBe(0);
    });
  });

  it.each(SCREENS)('the summary page passes axe at $viewport.width px, $colorScheme', async (screen) => {
    await visit(screen, async (page) => {
      // The debugger adds axe, because the policy of the page allows no scripts.
      await page.evaluate(axe.source);
      const { violations } = (await page.evaluate('axe.run()')) as axe.AxeResults;
      const faults = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
      expect(faults).toEqual([]);
      const wider = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await page.evaluate(wider)).toBe(0);
      const small =
        "[...document.querySelectorAll('.button')].filter((one) => one.getBoundingClientRect().height < 44).length";
      expect(await page.evaluate(small)).toBe(0);
    });
  });

  it.each(LANGUAGES)(
    'a phone shows the result, the missing pallets, the facts and the proof on its first screen in %s',
    async (language) => {
      const options = { viewport: { width: 360, height: 640 }, locale: language, javaScriptEnabled: false };
      const context = await world.profile(options);
      const page = await context.newPage();
      await page.goto(short);
      expect(await page.locator('html').getAttribute('lang')).toBe(language);
      const lines = page.locator('.problems li').filter({ visible: true });
      expect(await lines.count()).toBe(5);
      for (const box of await Promise.all((await lines.all()).map((line) => line.boundingBox()))) {
        expect(box!.height).toBeLessThan(30);
      }
      const { y, height } = (await page.locator('.button').boundingBox())!;
      expect(y + height).toBeLessThanOrEqual(640);
      await page.locator('.problems summary').click();
      expect(await lines.count()).toBe(23);
      expect(await page.locator('.problems summary').textContent()).toContain('18');
    },
  );

  it('the keyboard alone works the summary page', async () => {
    await visit({ viewport: { width: 800, height: 700 } }, async (page) => {
      await page.keyboard.press('Tab');
      const focused = () => page.evaluate('document.activeElement.textContent.trim()');
      expect(await focused()).toBe('Skip to the pallets');
      await page.keyboard.press('Enter');
      expect(await page.evaluate('location.hash')).toBe('#pallets');
      await page.goto(summary);
      for (let tabs = 0; tabs < 3; tabs += 1) await page.keyboard.press('Tab');
      expect(await focused()).toBe('Proof of shipment (PDF)');
    });
  });

  it('the summary page asks no other host and loads only its styles', async () => {
    const asked: string[] = [];
    const context = await world.profile();
    const page = await context.newPage();
    page.on('request', (request) => asked.push(request.url()));
    const faults: string[] = [];
    page.on('console', (message) => faults.push(message.text()));
    await page.goto(summary, { waitUntil: 'networkidle' });
    await context.close();
    const styles = ['console/base', 'pages/public'].map(
      (name) => `${world.service.origin}/assets/${name}.css`,
    );
    expect(asked).toEqual([summary, ...styles]);
    expect(faults).toEqual([]);
  });

  it('the summary page prints its content without controls', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'summary-'));
    const path = join(folder, 'print.pdf');
    try {
      await visit({ javaScriptEnabled: false, colorScheme: 'dark' }, (page) =>
        page.pdf({ path, format: 'A4', printBackground: true }),
      );
      const pdfium = await PDFiumLibrary.init();
      const document = await pdfium.loadDocument(readFileSync(path));
      const pages = [...document.pages()];
      const text = pages.map((page) => page.getText().replace(/\s+/g, ' ')).join(' ');
      for (const said of [
        'Not aboard',
        '3401 2345 0000 00 0017',
        'Παλέτα 7 — Поддон',
        'Corrections since completion (1)',
      ]) {
        expect(text).toContain(said);
      }
      expect(text).not.toContain('Proof of shipment (PDF)');
      // The print is black on white, even if the screen is dark.
      const { data } = await pages[0]!.render({ scale: 1, render: 'bitmap', colorSpace: 'Gray' });
      expect(data.filter((grey) => grey > 250).length / data.length).toBeGreaterThan(0.7);
      document.destroy();
      pdfium.destroy();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
