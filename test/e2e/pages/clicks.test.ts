import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { signedIn } from './browser.ts';
import { atDock, openGate, SOON, wedge } from './dock.ts';

// Other files count the clicks of longer tasks: first-run, morning, order-list, desk, stay, share and selection.

const { world, dock, admin } = await atDock(
  'clicks',
  { G1: 'Dock 01', G2: 'Dock 02' },
  {
    dispatchStrategy: 'SHIPMENT',
    shipmentCustomFields: [{ fieldKey: 'etd', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' }],
  },
);
const PALLETS = ['395212349000000017', '395212349000000024', '395212349000000031'];
const OTHER = '395212349000000048';
await dock.couple(...PALLETS, OTHER);
await dock.must('POST', '/manifest', { externalIdentifier: 'ORD-1', assets: PALLETS });
const truck = await dock.must('POST', '/shipment', {
  identifier: 'TRUCK-1',
  manifests: [{ manifestExternalId: 'ORD-1' }],
  customFields: [{ fieldKey: 'etd', fieldValue: '2031-05-06T12:00:00Z' }],
});
const path = `/app/shipment/${truck.uuid}`;

/** A hand that counts its clicks. */
function counted() {
  const hand = {
    clicks: 0,
    click: async (target: Locator): Promise<void> => {
      hand.clicks += 1;
      await target.click();
    },
  };
  return hand;
}

it('a pallet is found by its last four digits and one click', async () => {
  const page = await signedIn(world, admin);
  await page.goto('/app/today');
  const hand = counted();
  await page.keyboard.press('/');
  await wedge(page, '0024');
  await hand.click(page.locator('#main').getByRole('link', { name: PALLETS[1]! }));
  await page.waitForURL(/\/app\/track\//);
  // Who loaded it is on the first screen.
  await page.setViewportSize({ width: 1280, height: 800 });
  const timeline = await page.getByRole('heading', { name: 'Timeline' }).boundingBox();
  expect(timeline!.y).toBeLessThan(700);
  expect(hand.clicks).toBe(1);
});

it('one click prints the labels of a shipment', async () => {
  const page = await signedIn(world, admin);
  await page.goto(path);
  const hand = counted();
  const asked = page.context().waitForEvent('request', (request) => request.url().includes('/labels.pdf'));
  await hand.click(page.getByRole('link', { name: 'Print labels' }));
  expect(new URL((await asked).url()).pathname).toBe(`${path}/labels.pdf`);
  expect(hand.clicks).toBe(1);
});

it('a gate is given on the day by a choice and one click', async () => {
  const page = await signedIn(world, admin);
  await page.goto('/app/today?day=2031-05-06');
  const hand = counted();
  await page.getByLabel('Gate of TRUCK-1').selectOption('Dock 01');
  await hand.click(page.getByRole('button', { name: 'Assign this gate: TRUCK-1' }));
  await page.locator('.day tbody', { hasText: 'Dock 01' }).locator('.slot').waitFor(SOON);
  expect(hand.clicks).toBe(1);
});

it('a wrong pallet is seen without a click and taken off by one, and three clicks complete with a reason', async () => {
  await dock.must('POST', '/shipment/TRUCK-1/gate/G1');
  await dock.must('POST', '/shipment/TRUCK-1/status/IN_PROGRESS');
  const page = await openGate(world, admin, dock.gatePath('G1'));
  const hand = counted();
  await wedge(page, PALLETS[0]!);
  await page.getByText('1 / 3').waitFor(SOON);
  await wedge(page, OTHER);
  await page.getByText('Wrong pallet').first().waitFor(SOON);
  await hand.click(page.getByRole('button', { name: /^It is off the truck/ }));
  await page.locator('.haz').waitFor({ state: 'hidden', ...SOON });
  expect(hand.clicks).toBe(1);
  await hand.click(page.getByRole('link', { name: /^Complete/ }));
  await hand.click(page.locator('dialog').getByRole('radio', { name: 'Next truck' }));
  await hand.click(page.locator('dialog').getByRole('button', { name: 'Complete with 2 missing' }));
  await page.getByText('Nothing is being loaded here.').waitFor(SOON);
  expect(hand.clicks).toBe(4);
});
