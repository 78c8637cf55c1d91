import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Language } from '../../../src/messages/languages.ts';
import { wordsIn } from '../../messages.ts';
import { expectGoodPage, shot, signedIn } from './browser.ts';
import { SOON, smallTargets, wedge } from './dock.ts';
import { withEachFont } from './fonts.ts';
import { disconnect, overWifi, reconnect } from './wifi.ts';

const FIELDS = [
  { fieldKey: 'etd', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' },
  { fieldKey: 'carrier', fieldType: 'TEXT', role: 'CARRIER' },
];
const { wifi, world, dock, admin } = await overWifi(
  'strips',
  { G1: 'Rampe 01, Halle Nord', G2: 'Dock 02' },
  { dispatchStrategy: 'SHIPMENT', shipmentCustomFields: FIELDS },
);
const SIZES = [
  [1024, 768],
  [1280, 800],
  [360, 780],
  [1920, 1080],
] as const;

/** Starts a shipment with a late departure at a gate. Each manifest has these pallets. */
async function load(identifier: string, gate: string, manifests: Record<string, string[]>, starts = true) {
  for (const [name, pallets] of Object.entries(manifests))
    await dock.must('POST', '/manifest', { externalIdentifier: name, assets: pallets });
  await dock.must('POST', '/shipment', {
    identifier,
    gateIdentifier: gate,
    manifests: Object.keys(manifests).map((manifestExternalId) => ({ manifestExternalId })),
    customFields: [
      { fieldKey: 'etd', fieldValue: '2026-01-05T06:00:00Z' },
      { fieldKey: 'carrier', fieldValue: 'Spedition Kowalski & Söhne' },
    ],
  });
  if (starts) await dock.must('POST', `/shipment/${identifier}/status/IN_PROGRESS`);
}

/**
 * Returns the faults of all combinations of strips: parts that are not wholly in the window, or are covered. It shows and
 * hides the strips in the page, so that the browser lays them out without a request.
 */
const faultsIn = (page: Page, parts: readonly string[]): Promise<unknown> =>
  page.evaluate(`(() => {
    const strips = ['.strip.alerts', '#whose', '#others', '#photos', '#main > .notice']
      .map((selector) => document.querySelector(selector)).filter(Boolean);
    const faultOf = (selector) => {
      const element = document.querySelector(selector);
      const { top, bottom, left, right, width, height } = element.getBoundingClientRect();
      if (width < 100 || height < 20) return 'too small';
      if (top < 0 || bottom > innerHeight || left < 0 || right > innerWidth) return 'outside';
      const covers = [[0.5, 0.5], [0, 0], [1, 0], [0, 1], [1, 1]].map(([x, y]) =>
        document.elementFromPoint(left + 3 + x * (width - 6), top + 3 + y * (height - 6)));
      return covers.every((one) => element.contains(one) || one?.contains(element)) ? undefined : 'covered';
    };
    const faults = [];
    scrollTo(0, 0);
    for (let shown = 0; shown < 2 ** strips.length; shown += 1) {
      strips.forEach((strip, at) => { strip.hidden = !(shown & (1 << at)); });
      for (const part of ${JSON.stringify(parts)}) {
        const fault = faultOf(part);
        if (fault) faults.push([part, fault, ...strips.filter((strip) => !strip.hidden).map(({ id, className }) => id || className)]);
      }
    }
    return faults;
  })()`);

/** Fills the strips of a tablet that others have used and that has photos, and shows a notice. */
function fill(page: Page, language: Language): Promise<unknown> {
  const { t } = wordsIn(language);
  const texts = {
    done: t('work.done'),
    others: t('tablet.ofOthers', { count: 12, who: 'Marek Nowak' }),
    send: t('tablet.sendMine'),
    discard: t('tablet.discard'),
    photos: t('tablet.photoWaits', { count: 3 }),
    notice: t('dialog.unsure'),
  };
  return page.evaluate(`(() => {
    const texts = ${JSON.stringify(texts)};
    const find = (selector) => document.querySelector(selector);
    const button = (text) => '<button type="button" class="button quiet">' + text + '</button>';
    find('#whose').innerHTML = '<p>Tablet 01, <b>Katarzyna Nowak-Wiśniewska</b></p><form>' + button(texts.done) + '</form>';
    find('#others').innerHTML = '<p>' + texts.others + '</p>' + button(texts.send) + button(texts.discard);
    find('#photos p').textContent = texts.photos;
    find('#main > .notice')?.remove();
    find('#live').insertAdjacentHTML('beforebegin', '<p class="notice bad">' + texts.notice + '</p>');
  })()`);
}

/** Measures all combinations in all sizes of the window. `onWide`: parts that a phone may have to scroll to. */
async function measure(
  page: Page,
  name: string,
  parts: readonly string[],
  onWide: readonly string[] = [],
): Promise<void> {
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    await withEachFont(page, async (font) => {
      const here = [name, width, font];
      const faults = await faultsIn(page, width > 860 ? [...parts, ...onWide] : parts);
      if (parts.includes('.fit')) expect([...here, await figureFits(page)]).toEqual([...here, true]);
      // The figure is read from far away, also while all strips are shown and scans wait.
      if (parts.includes('.fit') && width > 860)
        expect([...here, await figureSize(page)]).toEqual([...here, expect.toSatisfy((one) => one >= 88)]);
      // All strips are shown now. Nothing makes the page longer than the window of a tablet.
      const length = await page.evaluate<number>('document.documentElement.scrollHeight');
      if (width > 860)
        expect([...here, length]).toEqual([...here, expect.toSatisfy((one) => one <= height + 1)]);
      await shot(page, `strips-${here.join('-')}`);
      expect([...here, faults]).toEqual([...here, []]);
    });
  }
}

const LOADING = ['.fit', '.load', '#scan'];
/** Whether the figure is not wider than its element. */
const figureFits = (page: Page): Promise<boolean> =>
  page.locator('.fit').evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth);

/** The height of the font of the figure in pixels. */
const figureSize = (page: Page): Promise<number> =>
  page.evaluate("Number.parseFloat(getComputedStyle(document.querySelector('.n')).fontSize)");

describe('the strips of a gate page', () => {
  it('no combination of strips, states, languages and sizes covers or pushes out the count, the load bar and the input for scans', async () => {
    await dock.couple('OLD-1', 'OLD-2', 'OLD-3');
    // Three trucks were cancelled while pallets were aboard.
    for (const at of [1, 2, 3]) {
      await load(`OLD-${at}`, 'G1', { [`OLD-M-${at}`]: [`OLD-${at}`] });
      await dock.scan('G1', `OLD-${at}`);
      await dock.must('POST', `/shipment/OLD-${at}/status/CANCELLED`);
    }
    const pallets = ['PAL-10017', 'PAL-20017', ...Array.from({ length: 12 }, (_, at) => `PAL-${at}`)];
    await load('SH-2026-0105-07', 'G1', {
      'ORDER-4711': pallets.slice(0, 8),
      'ORDER-4712': pallets.slice(8),
    });
    for (const at of [3, 4, 5, 6])
      await load(`SH-2026-0105-0${at}`, 'G2', { [`ORDER-471${at}`]: [`Q-${at}`] }, false);
    const page = await signedIn(world, admin);
    for (const [language, waiting] of [
      ['de', 'PAL-3'],
      ['pl', 'PAL-4'],
    ] as const) {
      const url = world.service.origin;
      // An open page would load itself again in the new language.
      await page.goto('about:blank');
      await page.context().addCookies([{ name: 'language', value: language, url }]);
      await page.goto(dock.gatePath('G1'));
      await page.locator('body[data-feed="live"]').waitFor();
      await page.locator('.strip.alerts', { hasText: '3' }).waitFor(SOON);
      await fill(page, language);
      await measure(page, `${language}-online`, LOADING);
      await disconnect(page, wifi);
      await page.locator('#offline').waitFor(SOON);
      for (const text of ['STRAY-1', 'STRAY-2', waiting, '0017']) await wedge(page, text);
      await page.locator('#choices fieldset').waitFor();
      await page.locator('#waits').waitFor();
      await page.locator('#open-aside', { hasText: '2' }).waitFor();
      await page.setViewportSize({ width: 360, height: 780 });
      await wedge(page, 'STRAY-4815');
      await page.locator('#answer .last', { hasText: '4815' }).waitFor();
      // A phone shows the whole answer below the count and the input, while alerts and the offline strip are there.
      await page.evaluate(`for (const strip of document.querySelectorAll('#whose, #others, #photos, #main > .notice'))
        strip.hidden = true; scrollTo(0, 0);`);
      await withEachFont(page, async (font) => {
        await shot(page, `strips-${language}-doubtful-360-${font}`);
        const foot = (await page.locator('.gfoot').boundingBox())!;
        for (const part of ['#answer [data-undo]', '#answer .last']) {
          const { y, height } = (await page.locator(part).boundingBox())!;
          expect([part, font, y + height]).toEqual([part, font, expect.toSatisfy((end) => end <= foot.y)]);
        }
      });
      await measure(page, `${language}-offline`, LOADING, [
        '#answer',
        '#open-aside',
        '#choices legend',
        '#choices button',
      ]);
      await reconnect(page, wifi);
      await page.locator('#offline').waitFor({ state: 'hidden', timeout: 30_000 });
    }
    await dock.couple(...pallets);
    await dock.scan('G1', ...pallets);
    await page.locator('.alldone').waitFor(SOON);
    await fill(page, 'pl');
    await measure(page, 'pl-done', LOADING);
    await page.goto(dock.gatePath('G2'));
    await page.locator('body[data-feed="live"]').waitFor();
    await fill(page, 'pl');
    await measure(page, 'pl-idle', ['#scan', '.gfoot .next'], ['.next-up']);
    await page.setViewportSize({ width: 1024, height: 768 });
    await wedge(page, 'Q-6');
    await page.locator('#answer button', { hasText: 'SH-2026-0105-06' }).waitFor(SOON);
    await measure(page, 'pl-ready', ['#scan', '.gfoot .next'], ['#answer button']);
  });

  it('the line opens the list of alerts over the page, and the list stays open until the last alert is done', async () => {
    const page = await signedIn(world, admin, { viewport: { width: 1024, height: 768 } });
    await page.goto(dock.gatePath('G1'));
    const line = page.locator('.strip.alerts');
    await line.getByText('3', { exact: true }).waitFor(SOON);
    const place = await page.locator('#scan').boundingBox();
    await line.click();
    const list = page.getByRole('dialog', { name: 'Alerts: 3' });
    await list.waitFor();
    expect(await page.locator('#scan').boundingBox()).toEqual(place);
    await expectGoodPage(page, 'gate-alerts');
    await list.getByText('Pallets', { exact: true }).first().click();
    await list.getByText('OLD-3').first().waitFor();
    expect(await smallTargets(page)).toEqual([]);
    await page.setViewportSize({ width: 1024, height: 768 });
    // A scan closes the list, so that it reaches its input.
    await wedge(page, 'nothing-has-this-name');
    await page.locator('#answer.bad', { hasText: 'nothing-has-this-name' }).waitFor(SOON);
    expect(await page.locator('#alerts:popover-open').count()).toBe(0);
    await line.click();
    for (const left of [2, 1]) {
      await page.locator('#alerts .row form button').first().click();
      await page.getByRole('dialog', { name: `Alerts: ${left}` }).waitFor(SOON);
      await page.waitForTimeout(1_100);
    }
    await page.locator('#alerts .row form button').first().click();
    await line.waitFor({ state: 'detached', ...SOON });
    await expect.poll(() => page.evaluate('document.activeElement.id'), SOON).toBe('scan');
  });
});
