import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectGoodPage, signedIn } from './browser.ts';
import { atDock, SOON } from './dock.ts';

const COUNT = 25;
const SETTINGS = {
  dispatchStrategy: 'SHIPMENT',
  shipmentCustomFields: [
    { fieldKey: 'carrier', fieldType: 'TEXT', role: 'CARRIER' },
    { fieldKey: 'etd', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' },
  ],
};

const { world, dock, admin } = await atDock('selection', { G1: 'Dock 01' }, SETTINGS);
for (let number = 10; number < 10 + COUNT; number += 1) {
  await dock.couple(`P-${number}`);
  await dock.manifest(`M-${number}`, [`P-${number}`], { manifestStatus: 'PLANNED' });
  await dock.must('POST', '/shipment', {
    identifier: `S-${number}`,
    manifests: [{ manifestExternalId: `M-${number}` }],
  });
}

const selected = (page: Page) => page.locator('#chosen').textContent();
const chosenCount = (page: Page) => page.locator('input[name=row]:checked').count();

describe('the selection of rows', () => {
  it('a click with Shift, and Shift with Space, select a range', async () => {
    const page = await signedIn(world, admin);
    await page.goto('/app/shipment');
    const boxes = page.locator('input[name=row]');
    await boxes.nth(2).click();
    await boxes.nth(6).click({ modifiers: ['Shift'] });
    expect(await chosenCount(page)).toBe(5);
    expect(await selected(page)).toBe('5 selected, 5 pallets');
    await boxes.nth(10).focus();
    await page.keyboard.press('Shift+Space');
    expect(await chosenCount(page)).toBe(9);
    await boxes.nth(4).click();
    expect(await chosenCount(page)).toBe(8);
  });

  it('the header selects the page, then all rows of the filter, which get a carrier at once', async () => {
    const page = await signedIn(world, admin);
    await page.goto('/app/shipment');
    await page.getByLabel('Select all rows of this page').click();
    expect(await chosenCount(page)).toBe(20);
    await page.getByLabel('All 25 of this filter').click();
    expect(await selected(page)).toBe('25 selected');
    await expectGoodPage(page, '/app/shipment selection');
    await page.getByText('More', { exact: true }).click();
    await expectGoodPage(page, '/app/shipment bulk');
    await page.getByRole('textbox', { name: 'Carrier' }).last().fill('Speedy Express');
    await page.getByRole('button', { name: 'Set carrier' }).click();
    await page.getByText('Set carrier: 25 rows?').waitFor(SOON);
    await page.getByRole('button', { name: 'Continue with 25 rows' }).click();
    await page.getByText('25 of 25 are changed.').waitFor(SOON);
    await page.goto('/app/shipment?carrier=Speedy+Express');
    await page.getByText('1–20 of 25').waitFor(SOON);
    const box = page.locator('input[name=row]').first();
    await page.getByLabel('Select all rows of this page').click();
    await page.getByLabel('All 25 of this filter').click();
    await box.click();
    expect(await page.getByLabel('All 25 of this filter').isVisible()).toBe(false);
    expect(await selected(page)).toBe('19 selected, 19 pallets');
  });

  it('without scripts, all rows of the filter are cancelled with a reason', async () => {
    const page = await signedIn(world, admin, { javaScriptEnabled: false });
    await page.goto('/app/shipment?find=S-1');
    expect(await page.locator('#choose-page').isVisible()).toBe(false);
    await page.goto('/app/shipment');
    await page.locator('input[name=row]').first().check();
    await page.getByLabel('All 25 of this filter').check();
    await page.getByText('More', { exact: true }).click();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('heading', { name: 'Cancel 25 shipments?' }).waitFor(SOON);
    await page.getByLabel('Order withdrawn').check();
    await page.getByRole('button', { name: 'Cancel 25 shipments' }).click();
    await page.getByText('25 of 25 are cancelled.').waitFor(SOON);
    expect((await dock.must('GET', '/shipment?status=CANCELLED')).totalElements).toBe(COUNT);
  });
});

it('a list shows 50 rows after one click, and the browser remembers it', async () => {
  const page = await signedIn(world, admin);
  await page.goto('/app/shipment');
  await page.getByRole('navigation', { name: 'Rows on a page' }).getByRole('link', { name: '50' }).click();
  await page.getByText(`1–${COUNT} of ${COUNT}`).waitFor(SOON);
  await page.goto('/app/shipment');
  await page.getByText(`1–${COUNT} of ${COUNT}`).waitFor(SOON);
});

/** Most clicks from any page to the person who loaded a pallet. */
const CLICKS_WHO = 2;

it('who loaded a pallet is answered in two clicks by the search, and in one from the list of a load', async () => {
  await dock.couple('P-LOADED');
  await dock.manifest('TRUCK', ['P-LOADED'], { gateExternalId: 'G1' });
  const { uuid } = await dock.must('GET', '/manifest/TRUCK');
  await dock.must('POST', '/manifest/TRUCK/status/IN_PROGRESS');
  const page = await signedIn(world, admin);
  await page.goto(`/app/manifest/${uuid}`);
  await page.getByRole('button', { name: 'Loaded: P-LOADED' }).click();
  await page.getByText('1 of 1 loaded').waitFor(SOON);
  let clicks = 0;
  const click = async (target: Locator) => {
    clicks += 1;
    await target.click();
  };
  const timeline = () =>
    page.locator('#timeline tr', { hasText: 'Loaded' }).filter({ hasText: 'Robin Field' }).waitFor(SOON);
  await page.goto('/app/board');
  await click(page.getByRole('searchbox', { name: 'Search', exact: true }));
  await page.keyboard.type('P-LOADED');
  await page.keyboard.press('Enter');
  await timeline();
  await click(page.getByRole('link', { name: 'History in the audit log' }));
  await page.getByText('Robin Field loaded pallet P-LOADED (').first().waitFor(SOON);
  expect(clicks).toBeLessThanOrEqual(CLICKS_WHO);
  await expectGoodPage(page, '/app/audit-log pallet');
  await page.goto(`/app/manifest/${uuid}`);
  await page.getByRole('link', { name: 'P-LOADED', exact: true }).first().click();
  await timeline();
  await page.goto('/app/audit-log');
  await expectGoodPage(page, '/app/audit-log whole');
});
