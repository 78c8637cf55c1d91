import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { DESK_LANGUAGES, LANGUAGES, type Language } from '../../../src/messages/languages.ts';
import { shot, signedIn } from './browser.ts';
import { atDock, live, SOON } from './dock.ts';
import { withEachFont } from './fonts.ts';
import { isKept } from './wifi.ts';

const FIELDS = [
  { fieldKey: 'carrier', fieldType: 'TEXT', role: 'CARRIER' },
  { fieldKey: 'departure', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' },
];
const DAY = '2031-05-06';
const LONG_GATE = 'Verladetor Nordhof';
const WIDTHS = [360, 768, 1024, 1920];

const { world, dock, admin } = await atDock(
  'words',
  { G1: 'Dock 01', G2: LONG_GATE, G3: 'Dock 03', G4: 'Dock 04', G5: 'Dock 05' },
  { dispatchStrategy: 'SHIPMENT', shipmentCustomFields: FIELDS },
);

const plan = async (name: string, gate: string, assets: string[], departure = `${DAY}T12:00:00Z`) => {
  await dock.must('POST', '/manifest', { externalIdentifier: `M-${name}`, assets });
  await dock.must('POST', '/shipment', {
    identifier: name,
    gateIdentifier: gate,
    manifests: [{ manifestExternalId: `M-${name}` }],
    customFields: [
      { fieldKey: 'carrier', fieldValue: 'Federal Shipping' },
      { fieldKey: 'departure', fieldValue: departure },
    ],
  });
};

const pallets = Array.from({ length: 4 }, (_, index) => `39521234900000000${index}`);
await dock.couple(...pallets, 'X-1', 'X-2');
await plan('LEFT', 'G1', pallets);
await plan('NEXT', 'G2', ['N-1']);
await dock.must('POST', '/shipment/LEFT/status/IN_PROGRESS');
await dock.scan('G1', pallets[0]!, pallets[1]!, 'X-1', 'X-2', 777);
await dock.scan('G3', 'X-2');
for (const pallet of [pallets[0], pallets[2]])
  await dock.must('PATCH', `/track/${pallet}/flag`, { damaged: true, reason: 'Wet' });
await dock.must('PATCH', `/shipment/LEFT/asset-loading/track/${pallets[1]}/status`, {
  status: 'UNLOADED',
  gateExternalId: 'G1',
});

/** The words within these elements that are broken between two lines. */
const brokenWords = (page: Page, within: string): Promise<unknown> =>
  page.evaluate((selector) => {
    // biome-ignore lint/suspicious/noExplicitAny: the tests are compiled without the types of browsers
    const { document, NodeFilter } = globalThis as any;
    const range = document.createRange();
    const broken: string[] = [];
    for (const element of document.querySelectorAll(selector)) {
      if (!element.checkVisibility() || element.closest('.hidden, .sscc')) continue;
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text; text = texts.nextNode())
        for (const word of text.data.matchAll(/[\p{L}\p{M}]{2,}/gu)) {
          range.setStart(text, word.index);
          range.setEnd(text, word.index + word[0].length);
          const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
          if (new Set(tops).size > 1) broken.push(word[0]);
        }
    }
    return broken;
  }, within);

/** The elements whose text is cut. */
const cutTexts = (page: Page, within: string): Promise<unknown> =>
  page.evaluate(`[...document.querySelectorAll(${JSON.stringify(within)})]
    .filter((one) => one.checkVisibility() && getComputedStyle(one).display !== 'inline')
    .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
    .map((one) => one.textContent)`);

/** The pixels by which the page is too wide. */
const WIDER = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

const inLanguage = (page: Page, language: Language, path: string) =>
  page.goto(`/language?to=${language}&next=${encodeURIComponent(path)}`);

it.each(DESK_LANGUAGES)(
  'every state, alert and free time fits on the wall and on the day in %s',
  async (language) => {
    const page = await signedIn(world, admin);
    for (const [path, states] of [
      [
        '/app/board?screen=wall',
        '.wall-state, .wall-state > span, .wall-state small, .wall-load:has(+ .wall-state:empty), .wall-rows > li',
      ],
      [`/app/today?day=${DAY}`, '.lane small, .figure .hint, .figures'],
    ] as const) {
      await inLanguage(page, language, path);
      await page.locator('.wall-rows li, .day .lane small').first().waitFor(SOON);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: width === 360 ? 740 : Math.round((width * 9) / 16) });
        await withEachFont(page, async (font) => {
          await shot(page, `words-${language}-${path}-${width}-${font}`);
          expect([path, width, font, await cutTexts(page, states)]).toEqual([path, width, font, []]);
          const broken = await brokenWords(page, `${states}, .beside > span`);
          expect([path, width, font, broken]).toEqual([path, width, font, []]);
        });
      }
    }
  },
);

describe('the page of a gate', () => {
  it('a gate with a long name shows whole words beside a departure on another day', async () => {
    const page = await signedIn(world, admin);
    for (const language of ['en', 'es', 'fr'] as const) {
      await inLanguage(page, language, dock.gatePath('G2'));
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        await withEachFont(page, async (font) => {
          const words = await brokenWords(page, '.ghead, .count, .gfoot');
          expect([language, width, font, words]).toEqual([language, width, font, []]);
          const cut = await cutTexts(page, '.ghead .sub');
          expect([language, width, font, cut]).toEqual([language, width, font, []]);
        });
      }
    }
  });

  it('the buttons of a phone do not hide the result of a scan without a connection, in Spanish', async () => {
    await plan('PHONE', 'G5', ['P-1', 'P-2'], new Date(Date.now() - 60_000).toISOString());
    await dock.must('POST', '/shipment/PHONE/status/IN_PROGRESS');
    const page = await signedIn(world, admin, { viewport: { width: 360, height: 640 } });
    await page.goto(dock.gatePath('G5'));
    await live(page);
    await isKept(page);
    await inLanguage(page, 'es', dock.gatePath('G5'));
    await page.locator('body[data-feed="live"]').waitFor(SOON);
    await page.context().setOffline(true);
    await page.locator('#scan').fill('nobody');
    await page.keyboard.press('Enter');
    const answer = page.locator('#answer', { hasText: 'nobody' });
    await answer.waitFor(SOON);
    const below = async () => {
      const [shown, buttons] = await Promise.all([
        answer.boundingBox(),
        page.locator('.gfoot').boundingBox(),
      ]);
      return Math.round(shown!.y + shown!.height - buttons!.y);
    };
    await expect.poll(below, SOON).toBeLessThanOrEqual(0);
  });
});

describe('the public summary', () => {
  it('no state breaks within a word at any width and in any language', async () => {
    await dock.must('POST', '/shipment/LEFT/status/COMPLETED');
    const { shipmentSummaryUrl } = await dock.must('GET', '/shipment/LEFT');
    const { pathname } = new URL(shipmentSummaryUrl);
    await dock.must('PATCH', `/shipment/LEFT/asset-loading/track/${pallets[3]}/status`, {
      status: 'LOADED',
      gateExternalId: 'G1',
    });
    const page = await (await world.profile()).newPage();
    for (const language of LANGUAGES) {
      await inLanguage(page, language, pathname);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        const cells = width < 704 ? 'td, .problems, dl, h2' : 'td, thead th, .problems, dl, h2';
        await withEachFont(page, async (font) => {
          const broken = await brokenWords(page, cells);
          expect([language, width, font, broken]).toEqual([language, width, font, []]);
          expect([language, width, font, await page.evaluate(WIDER)]).toEqual([language, width, font, 0]);
        });
      }
    }
  });
});

it.each(DESK_LANGUAGES)('no list of a phone breaks a badge within a word in %s', async (language) => {
  const page = await signedIn(world, admin, { viewport: { width: 360, height: 740 } });
  for (const path of ['/app/shipment', '/app/manifest', '/app/track', '/app/alert', '/app/gate']) {
    await inLanguage(page, language, path);
    expect([path, await page.locator('.badge').count()]).not.toEqual([path, 0]);
    await withEachFont(page, async (font) => {
      expect([path, font, await brokenWords(page, '.badge')]).toEqual([path, font, []]);
      expect([path, font, await page.evaluate(WIDER)]).toEqual([path, font, 0]);
    });
  }
});
