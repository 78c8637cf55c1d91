import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { shot, signedIn } from './browser.ts';
import { atDock, SOON } from './dock.ts';
import { linkFor, pairBy } from './tablets.ts';

const { world, dock, admin } = await atDock('gate-rows', { G1: 'Rampe 01, Halle Nord' });
const PALLETS = Array.from({ length: 9 }, (_, index) => `39521234900000012${index}`);

/** The number of text lines in each row of the open list, and in its widest button. */
const lines = (page: Page, list: string) =>
  page.evaluate<
    [text: number, button: number, width: number][]
  >(`[...document.querySelectorAll('#${list} > li')].map((row) => {
    const linesOf = (element) => Math.round(element.getBoundingClientRect().height
      / Number.parseFloat(getComputedStyle(element).lineHeight));
    const button = row.querySelector('.actions > form button');
    const label = document.createRange();
    if (button) label.selectNodeContents(button);
    const tops = new Set([...label.getClientRects()].map(({ top }) => Math.round(top)));
    return [linesOf(row.querySelector('.m')), tops.size, button?.offsetWidth ?? 0];
  })`);

describe('the rows of pallets at a gate', () => {
  it('each row is at most two lines beside a button of at most 136 px, in German and Polish', async () => {
    await dock.couple(...PALLETS.slice(0, 6));
    await dock.manifest('BESTELLUNG-2026-0105-4711-NORD', PALLETS, { gateExternalId: 'G1' });
    await dock.must('POST', '/manifest/BESTELLUNG-2026-0105-4711-NORD/status/IN_PROGRESS');
    await dock.scan('G1', ...PALLETS.slice(0, 3));
    const page = await signedIn(world, admin, { viewport: { width: 1024, height: 768 } });
    for (const language of ['de', 'pl']) {
      await page.goto('about:blank');
      await page.context().addCookies([{ name: 'language', value: language, url: world.service.origin }]);
      await page.goto(dock.gatePath('G1'));
      await page.locator('body[data-feed="live"]').waitFor();
      await shot(page, `gate-rows-${language}`);
      for (const list of ['open', 'loaded']) {
        if (list === 'loaded') await page.locator('.seg label').nth(1).click();
        const rows = await lines(page, list);
        expect(rows.length).toBeGreaterThan(2);
        for (const [text, button, width] of rows)
          expect([language, list, text <= 2, button <= 2, width <= 136, text, button, width]).toEqual([
            ...[language, list, true, true, true],
            ...[text, button, width],
          ]);
      }
      await shot(page, `gate-rows-loaded-${language}`);
    }
  });

  it('the texts of an opened row fit their buttons, and each button suits the status of its pallet', async () => {
    const page = await signedIn(world, admin, { viewport: { width: 1024, height: 768 } });
    for (const language of ['de', 'pl']) {
      await page.goto('about:blank');
      await page.context().addCookies([{ name: 'language', value: language, url: world.service.origin }]);
      for (const width of [1024, 360]) {
        await page.setViewportSize({ width, height: 768 });
        await page.goto(dock.gatePath('G1'));
        await page.locator('body[data-feed="live"]').waitFor();
        const rows = page.locator('#open > li');
        // A pallet with a marker, and one without.
        for (const row of [rows.first(), rows.last()]) {
          await row.locator('summary').click();
          for (const button of await row.locator('.actions :is(button, a)').filter({ visible: true }).all())
            expect(await button.evaluate((each) => each.scrollWidth - each.clientWidth)).toBeLessThanOrEqual(
              0,
            );
          const marks = row.locator('input[name=status]');
          expect(await marks.evaluateAll((all) => all.map((each) => each.getAttribute('value')))).toEqual([
            'LOADED',
          ]);
        }
        await shot(page, `gate-row-opened-${language}-${width}`);
        // A label, the page of the pallet, and the button that marks it.
        expect(await rows.last().locator('.actions :is(button, a)').filter({ visible: true }).count()).toBe(
          3,
        );
      }
    }
  });

  it('a scanned pallet that is out of sight comes into sight in its list, with its undo', async () => {
    const pallets = Array.from({ length: 30 }, (_, index) => `LONG-${String(index).padStart(2, '0')}`);
    await dock.manifest('LONG', pallets, { gateExternalId: 'G1' });
    await dock.must('POST', '/manifest/LONG/status/IN_PROGRESS');
    const page = await signedIn(world, admin, { viewport: { width: 1024, height: 768 } });
    await page.goto(dock.gatePath('G1'));
    await page.locator('body[data-feed="live"]').waitFor();
    await page.keyboard.type('LONG-25');
    await page.keyboard.press('Enter');
    const undo = page.locator('#open .done [data-undo]');
    await undo.waitFor(SOON);
    const [box, foot] = [await undo.boundingBox(), await page.locator('.gfoot').boundingBox()];
    expect(box!.y + box!.height).toBeLessThanOrEqual(foot!.y);
  });

  it('a tablet that asks for nobody has its name in the line at the bottom, and no line of its own', async () => {
    const office = await signedIn(world, admin);
    const tablet = await pairBy(world, await linkFor(office, dock, 'G1', 'Tab h1'));
    const name = tablet.locator('.gfoot', { hasText: 'Tab h1' });
    await name.waitFor(SOON);
    const [head, body] = [
      await tablet.locator('.ghead').boundingBox(),
      await tablet.locator('.gbody').boundingBox(),
    ];
    expect(body!.y).toBeCloseTo(head!.y + head!.height, 0);
    await shot(tablet, 'gate-tablet-name');
  });
});
