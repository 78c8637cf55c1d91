import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { ownService } from '../shared.ts';
import { changeStored } from '../stored.ts';
import { expectGoodPage, worldOn } from './browser.ts';
import { docked, SOON, smallTargets } from './dock.ts';

const service = await ownService();
const world = await worldOn(service);
const { dock, opened } = await docked(world, world, ['aboard', { G1: 'Dock 01' }]);

const PALLETS = Array.from({ length: 12 }, (_, at) => `39521234900000${1000 + at}`);
const ALERT = '01a223a3-dbb7-702c-873f-e945504e5db4';

/** Stores the open alert that these pallets are aboard a load that ended at Dock 01. */
const leaveAboard = (): Promise<void> =>
  changeStored(service, dock.uuid, (database) => {
    const params = JSON.stringify({ count: 12, wmsIds: ['A'] });
    database
      .prepare(`INSERT INTO alert (uuid, organization_uuid, alert_type, severity, status, params, gate_uuid,
          manifest_external_id, create_date, update_date)
        VALUES (?, ?, 'PALLETS_ABOARD', 'CRITICAL', 'OPEN', ?, ?, 'OLD', ?, ?)`)
      .run(ALERT, dock.uuid, params, dock.gates['G1']!, Date.now(), Date.now());
    const pallet = database.prepare('INSERT INTO alert_pallet VALUES (?, ?, ?, ?)');
    for (const wmsId of PALLETS) pallet.run(dock.uuid, ALERT, wmsId, dock.codes[wmsId]!);
  });

/** Whether a whole element is in the window, and nothing covers its middle. */
const isInSight = (page: Page, selector: string): Promise<unknown> =>
  page.evaluate(`(() => {
    const element = document.querySelector(${JSON.stringify(selector)});
    const { top, bottom, left, right } = element.getBoundingClientRect();
    const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return top >= 0 && bottom <= innerHeight && (element.contains(over) || over.contains(element));
  })()`);

/** Whether a part of the text of an element is not shown. */
const isClipped = (page: Page, selector: string): Promise<boolean> =>
  page.locator(selector).evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1);

describe('pallets that are still aboard the truck before', () => {
  it('pallets that are still aboard are a strip that leaves the count and the input for scans in sight, and that ends with the last one', async () => {
    await dock.couple(...PALLETS, 'B-1');
    await dock.manifest('NEXT', ['B-1', 'B-2'], { gateExternalId: 'G1' });
    await dock.must('POST', '/manifest/NEXT/status/IN_PROGRESS');
    await leaveAboard();
    const page = await opened('G1');
    const strip = page.locator('.strip.alerts');
    const alert = page.locator(`#a-${ALERT}`);
    await strip.getByText('OLD is no longer being loaded, but 12 pallets are still aboard.').waitFor();
    expect(await page.locator('#wrong').count()).toBe(0);
    for (const [width, height] of [
      [1024, 768],
      [360, 780],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const part of ['.count .n', '#scan'])
        expect([width, part, await isInSight(page, part)]).toEqual([width, part, true]);
      expect([width, await isClipped(page, '.strip.alerts .first')]).toEqual([width, false]);
      const place = await page.locator('#scan').boundingBox();
      await strip.click();
      await alert.getByText('Pallets', { exact: true }).click();
      await alert.getByText('1009').waitFor();
      // The open list moves nothing.
      expect(await page.locator('#scan').boundingBox()).toEqual(place);
      await expectGoodPage(page, `gate-aboard-${width}`);
      await page.setViewportSize({ width, height });
      await alert.getByText('Pallets', { exact: true }).click();
      await page.keyboard.press('Escape');
    }
    expect(await smallTargets(page)).toEqual([]);
    await page.setViewportSize({ width: 1024, height: 768 });
    await dock.scan('G1', ...PALLETS.slice(1));
    await strip.getByText('1 pallet is still aboard. Take it off.').waitFor(SOON);
    await dock.scan('G1', PALLETS[0]!);
    await strip.waitFor({ state: 'detached', ...SOON });
  });
});
