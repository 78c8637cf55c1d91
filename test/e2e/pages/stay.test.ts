import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectGoodPage, shot, signedIn } from './browser.ts';
import { atDock } from './dock.ts';

const { world, dock, admin } = await atDock('stays', { G1: 'Dock 01' }, { dispatchStrategy: 'SHIPMENT' });
const pallets = (order: number) => Array.from({ length: 4 }, (_, index) => `P-${order}-${index}`);
await dock.couple(...pallets(1));
for (const order of [1, 2, 3, 4, 5])
  await dock.must('POST', '/manifest', { externalIdentifier: `ORD-${order}`, assets: pallets(order) });

/** Creates a shipment. @returns the path of its page */
async function shipment(identifier: string, ...orders: number[]): Promise<string> {
  const manifests = orders.map((order) => ({ manifestExternalId: `ORD-${order}` }));
  const made = await dock.must('POST', '/shipment', { identifier, gateIdentifier: 'G1', manifests });
  return `/app/shipment/${made.uuid}`;
}

/** A page, and a function that clicks and counts. */
function counted() {
  let clicks = 0;
  return {
    click: async (target: Locator): Promise<void> => {
      clicks += 1;
      await target.click();
    },
    clicks: () => clicks,
  };
}

const confirm = (page: Page, name: string) => page.locator('dialog').getByRole('button', { name });

describe('pallets that stayed', () => {
  it('a completion without some pallets shows why, and one click makes a manifest of the rest', async () => {
    const path = await shipment('SH-1', 1, 2);
    const uuid = path.split('/').at(-1);
    await dock.must('POST', `/shipment/${uuid}/status/IN_PROGRESS`);
    await dock.scan('G1', 'P-1-0', 'P-1-1');
    const page = await signedIn(world, admin, { viewport: { width: 1280, height: 800 } });
    await page.goto(path);
    await page.getByRole('link', { name: 'Complete' }).click();
    await page.locator('dialog').getByRole('radio', { name: 'Next truck' }).check();
    await confirm(page, 'Complete with 6 missing').click();
    await page.getByText('Why: Next truck').waitFor();
    await expectGoodPage(page, 'short-shipment');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'Make a manifest of the 2 left behind: ORD-1-2' }).click();
    const link = page.locator('.left-behind').getByRole('link', { name: 'ORD-1-2' });
    await link.waitFor();
    await link.click();
    await page.getByRole('heading', { name: 'ORD-1-2' }).waitFor();
    expect(await page.getByRole('link', { name: 'ORD-1', exact: true }).isVisible()).toBe(true);
    await expectGoodPage(page, 'back-order');
    await page.context().close();
  });

  it('the name of a back order can be changed on the page of its manifest, by keyboard', async () => {
    const page = await signedIn(world, admin, { viewport: { width: 1024, height: 768 } });
    const { uuid } = await dock.must('GET', '/manifest/ORD-2');
    await page.goto(`/app/manifest/${uuid}`);
    await expectGoodPage(page, 'short-manifest');
    const name = page.getByLabel('Number of the new manifest');
    expect(await name.inputValue()).toBe('ORD-2-2');
    await name.fill('ORD-3');
    await name.press('Enter');
    await page.getByText('is in use').first().waitFor();
    await name.fill('ORD-2-B');
    await name.press('Enter');
    await page.locator('.left-behind').getByRole('link', { name: 'ORD-2-B' }).waitFor();
    await page.context().close();
  });
});

it('pallets of a truck that did not come are on another truck after nine clicks', async () => {
  const path = await shipment('SH-9', 3, 4);
  await shipment('SH-10', 5);
  const page = await signedIn(world, admin, { viewport: { width: 1280, height: 800 } });
  await page.goto(path);
  const { click, clicks } = counted();
  await click(page.getByRole('link', { name: 'Cancel this shipment' }));
  await page.locator('dialog').waitFor();
  await shot(page, 'cancel-question');
  expect(await page.locator('dialog').innerText()).toContain('Not loaded');
  await click(page.locator('dialog').getByRole('radio', { name: 'No carrier' }));
  await click(confirm(page, 'Cancel shipment'));
  await page.locator('.stands .badge', { hasText: 'Cancelled' }).waitFor();
  await click(page.getByRole('link', { name: 'Shipments', exact: true }).first());
  await click(page.getByRole('link', { name: 'SH-10' }).first());
  await click(page.getByRole('link', { name: 'Attach manifests' }));
  await click(page.locator('input[value="ORD-3"]'));
  await click(page.locator('input[value="ORD-4"]'));
  await click(page.getByRole('button', { name: /^Attach/ }));
  await page.waitForURL(/shipment\/[^/]+$/);
  const { manifests } = await dock.must('GET', '/shipment/SH-10');
  expect(manifests.map((one: { manifestExternalId: string }) => one.manifestExternalId)).toEqual([
    // The page offers the newest manifests first.
    'ORD-5',
    'ORD-4',
    'ORD-3',
  ]);
  expect(clicks()).toBe(9);
  await page.context().close();
});
