import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessibilityFaults, CONTRAST } from './accessibility.ts';
import { shot, signedIn } from './browser.ts';
import { atDock, docked, live, SOON } from './dock.ts';
import { inEachFont, NONE_IN_EACH_FONT } from './fonts.ts';

const GATES = Object.fromEntries(
  Array.from({ length: 10 }, (_, index) => [`G${index + 1}`, `Dock ${String(index + 1).padStart(2, '0')}`]),
);

const { world, dock, admin } = await atDock('wall', GATES);
await dock.couple('L-1', 'L-2', 'L-3', 'X-1');
await dock.manifest('SH-01', ['L-1', 'L-2', 'N-1', 'N-2'], { gateExternalId: 'G9' });
await dock.must('POST', '/manifest/SH-01/status/IN_PROGRESS');
await dock.manifest('SH-02', ['L-3'], { gateExternalId: 'G10' });
await dock.must('POST', '/manifest/SH-02/status/IN_PROGRESS');
await dock.manifest('SH-03', ['N-3', 'N-4'], { gateExternalId: 'G2' });

const plates = (page: Page) => page.locator('.wall-rows > li:visible .plate').allTextContents();

describe('the wall', () => {
  it('the wall fills any screen, shows urgent gates first, and turns the pages of the others', async () => {
    const page = await signedIn(world, admin, { viewport: { width: 1920, height: 1080 } });
    await page.clock.install();
    await page.goto('/app/board?screen=wall');
    await live(page);
    expect(await plates(page)).toEqual(['09', '10', '02', '01', '03', '04', '05', '06']);
    await page.getByText('Page 1 of 2').waitFor();
    expect(await page.locator('nav').count()).toBe(0);
    await page.clock.fastForward(10_000);
    await page.getByText('Page 2 of 2').waitFor();
    expect(await plates(page)).toEqual(['07', '08']);
    // A gate with a wrong pallet appears on every page at once.
    await dock.scan('G10', 'L-3', 'X-1');
    await page.locator('[data-state="WRONG"]:visible', { hasText: 'Wrong pallet' }).waitFor(SOON);
    expect(await plates(page)).toEqual(['10', '07', '08']);
    // It is one line there, half as high as a row.
    const high = (row: string): Promise<number> =>
      page.locator(row).evaluate((element) => element.getBoundingClientRect().height);
    expect(await high('.wall-rows > .brief')).toBeLessThan(
      (await high('.wall-rows > li:visible >> nth=1')) * 0.55,
    );
    await page.clock.fastForward(10_000);
    await page.getByText('Page 1 of 2').waitFor();
    expect((await plates(page)).slice(0, 3)).toEqual(['10', '09', '02']);
    await dock.scan('G9', 'L-1');
    await page.getByText('1 / 4').waitFor(SOON);
    for (const [width, height] of [
      [1920, 1080],
      [3840, 2160],
      [1024, 768],
      [1080, 1920],
      [360, 740],
    ] as const) {
      await page.setViewportSize({ width, height });
      const over = await page.evaluate(
        inEachFont(`[document.documentElement, document.querySelector('.wall'),
        ...document.querySelectorAll('.wall-rows > li:not([hidden])')].filter((element) =>
          element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1).length`),
      );
      expect([width, height, over]).toEqual([width, height, NONE_IN_EACH_FONT]);
      await shot(page, `wall-${width}`);
    }
    await page.setViewportSize({ width: 1920, height: 1080 });
    // To be read from five metres away, digits must be at least a thirtieth of the screen's height.
    const digits = await page.evaluate(
      'Number.parseFloat(getComputedStyle(document.querySelector(".wall-rows > li:not(.brief) .wall-count b")).fontSize)',
    );
    expect(digits).toBeGreaterThan(1080 / 30);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await accessibilityFaults(page, CONTRAST)).toEqual([]);
    await shot(page, 'wall-dark');
  });
});

describe('the wall of a small site', () => {
  it('four gates have larger rows and larger text than eight, and nothing is cut off', async () => {
    const gates = { G1: 'Dock 01', G2: 'Dock 02', G3: 'Dock 03', G4: 'Dock 04' };
    const small = await docked(world, world, ['wall-small', gates]);
    await small.dock.couple('S-1', 'S-2');
    await small.dock.manifest('SH-S', ['S-1', 'S-3'], { gateExternalId: 'G3' });
    await small.dock.must('POST', '/manifest/SH-S/status/IN_PROGRESS');
    await small.dock.scan('G3', 'S-1', 'S-2');
    const measure = `({ row: document.querySelector('.wall-rows > li').getBoundingClientRect().height,
      plate: Number.parseFloat(getComputedStyle(document.querySelector('.wall-rows .plate')).fontSize) })`;
    const sizes: { row: number; plate: number }[] = [];
    for (const person of [small.admin, admin]) {
      const page = await signedIn(world, person, { viewport: { width: 1920, height: 1080 } });
      await page.goto('/app/board?screen=wall');
      await live(page);
      sizes.push((await page.evaluate(measure)) as (typeof sizes)[number]);
      if (person === admin) continue;
      for (const [width, height] of [
        [1920, 1080],
        [1024, 768],
        [1080, 1920],
        [360, 740],
      ] as const) {
        await page.setViewportSize({ width, height });
        const over = await page.evaluate(
          inEachFont(`[...document.querySelectorAll('.wall-rows > li, .wall-rows > li > *')]
          .filter((element) => element.scrollHeight >
            element.clientHeight + 1 + 0.2 * Number.parseFloat(getComputedStyle(element).fontSize)).length`),
        );
        // Letters of some fonts are a little higher than their line, which cuts nothing off.
        expect([width, over]).toEqual([width, NONE_IN_EACH_FONT]);
        await shot(page, `wall-small-${width}`);
      }
      expect(await accessibilityFaults(page)).toEqual([]);
    }
    const [few, many] = sizes;
    expect(few!.row / many!.row).toBeGreaterThan(1.8);
    expect(few!.plate / many!.plate).toBeGreaterThan(1.3);
  });
});

describe('a load without a gate', () => {
  const gateOf = async (manifest: string) =>
    (await dock.must('GET', `/manifest/${manifest}`)).gate?.externalIdentifier;
  const opened = async (options = {}) => {
    const page = await signedIn(world, admin, options);
    await page.goto('/app/board');
    await live(page);
    return page;
  };

  it('two taps assign a load without a gate', async () => {
    await dock.manifest('W-1', []);
    const page = await opened({ hasTouch: true, viewport: { width: 820, height: 1180 } });
    const here = page.getByRole('button', { name: 'Assign: Dock 04' });
    expect(await here.isVisible()).toBe(false);
    await page.getByRole('radio', { name: 'W-1' }).tap();
    await shot(page, 'board-assign');
    await here.tap();
    await page.locator('.gate', { hasText: 'Dock 04' }).getByText('W-1').waitFor(SOON);
    expect(await gateOf('W-1')).toBe('G4');
  });

  it('dragging assigns a load without a gate', async () => {
    await dock.manifest('W-2', []);
    const page = await opened({ viewport: { width: 1920, height: 1080 } });
    await page
      .locator('label.drag', { hasText: 'W-2' })
      .dragTo(page.locator('.gate', { hasText: 'Dock 05' }));
    await page.locator('.gate', { hasText: 'Dock 05' }).getByText('W-2').waitFor(SOON);
    expect(await gateOf('W-2')).toBe('G5');
  });

  it('the keyboard assigns a load without a gate', async () => {
    await dock.manifest('W-3', []);
    const page = await opened();
    await page.getByRole('radio', { name: 'W-3' }).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.id')).toBe('assign-gate');
    await page.keyboard.type('Dock 06');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('.gate', { hasText: 'Dock 06' }).getByText('W-3').waitFor(SOON);
    expect(await gateOf('W-3')).toBe('G6');
  });

  it('a card or the list assigns a load without script', async () => {
    await dock.manifest('W-4', []);
    await dock.manifest('W-5', []);
    const page = await signedIn(world, admin, { javaScriptEnabled: false });
    await page.goto('/app/board');
    await page.getByRole('radio', { name: 'W-4' }).check();
    await page.getByRole('button', { name: 'Assign: Dock 07' }).click();
    await page.getByText('The gate is assigned to the manifest.').waitFor();
    await page.getByRole('radio', { name: 'W-5' }).check();
    await page.getByLabel('Gate', { exact: true }).selectOption({ label: 'Dock 08' });
    await page.getByRole('button', { name: 'Assign', exact: true }).click();
    await page.getByText('The gate is assigned to the manifest.').waitFor();
    expect([await gateOf('W-4'), await gateOf('W-5')]).toEqual(['G7', 'G8']);
  });
});
