import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { expectGoodPage, newPerson, newTenant, shot, signedIn, startWorld } from './browser.ts';
import { leftShort } from './dispatched.ts';
import { type Wifi, wifiTo } from './wifi.ts';

const world = await startWorld();
const tenant = await newTenant(world.service, 'sign', {
  name: 'Northwind',
  dispatchStrategy: 'SHIPMENT',
  shipmentCustomFields: ['carrier', 'plate', 'seal'].map((fieldKey) => ({ fieldKey, fieldType: 'TEXT' })),
});
const summary = await leftShort(tenant);
const admin = await newPerson(world, tenant, 'ADMINISTRATOR');
const { uuid } = (await tenant.get('/shipment/SH-1')).json;

/** Open the dialog of a load, choose who signs, and return the link in it. */
async function newLink(page: Page, role = 'Driver'): Promise<string> {
  await page.goto(`/app/shipment/${uuid}`);
  await page.getByRole('link', { name: 'Sign', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Signature for SH-1' });
  await dialog.getByText('Who signs?').waitFor();
  await dialog.getByRole('link', { name: role }).click();
  await dialog.locator('.share').waitFor();
  return (await page.locator('.share code').textContent())!;
}

/** Draw a line over the canvas of a page. */
async function draw(page: Page): Promise<void> {
  const box = (await page.locator('canvas').boundingBox())!;
  await page.mouse.move(box.x + box.width / 4, box.y + box.height / 2);
  await page.mouse.down();
  for (const part of [0.4, 0.5, 0.6, 0.7])
    await page.mouse.move(box.x + box.width * part, box.y + box.height * (1 - part));
  await page.mouse.up();
}

/** Open a new link on a phone over Wi-Fi, and draw a signature. */
async function drawnOverWifi(name: string): Promise<{ page: Page; wifi: Wifi }> {
  const wifi = await wifiTo(world.service.origin);
  onTestFinished(() => wifi.end());
  const link = await newLink(await signedIn(world, admin));
  const page = await (await world.profile({ viewport: { width: 360, height: 740 } })).newPage();
  await page.goto(link.replace(world.service.origin, wifi.origin));
  await page.getByLabel('Name').fill(name);
  await draw(page);
  return { page, wifi };
}

const signatures = async () => (await tenant.get('/shipment/SH-1/signature')).json;

describe('signing a load', () => {
  it('a consignee signs on a phone, and the summary shows name and lines', async () => {
    const link = await newLink(await signedIn(world, admin), 'Consignee');
    const phone = await (await world.profile({ viewport: { width: 360, height: 740 } })).newPage();
    await phone.goto(link);
    expect(await phone.locator('body').innerText()).toMatch(
      /Northwind[\s\S]*Shipment SH-1[\s\S]*Role: Consignee\s*I have received this load\./,
    );
    await phone.getByLabel('Name').fill('Eva Meier');
    await phone.getByRole('button', { name: 'Save signature' }).click();
    await phone.getByText('Not saved: draw your signature first.').waitFor();
    await draw(phone);
    await phone.getByRole('button', { name: 'Clear' }).click();
    await draw(phone);
    await expectGoodPage(phone, 'sign-page');
    await shot(phone, 'sign-page');
    await phone.getByRole('button', { name: 'Save signature' }).click();
    await phone.getByText('Your signature is saved.').waitFor();
    // The page shows the signature, and the proof, because the load is completed.
    await phone.locator('.signatures').getByText('Eva Meier').waitFor();
    await phone.getByRole('link', { name: 'Proof of shipment (PDF)' }).waitFor();
    await expectGoodPage(phone, 'signed-page');
    await shot(phone, 'signed-page');
    const [signature, ...others] = (await signatures()).filter(
      ({ name }: { name: string }) => name === 'Eva Meier',
    );
    expect(others).toEqual([]);
    expect(signature).toMatchObject({ role: 'CONSIGNEE', name: 'Eva Meier' });
    expect(signature.strokes).toHaveLength(1);
    await phone.goto(summary);
    expect(await phone.locator('.signatures').innerText()).toContain('Eva Meier');
    await expectGoodPage(phone, 'signed-summary');
    await shot(phone, 'signed-summary');
    // The link takes no second signature.
    await phone.goto(link);
    expect(await phone.locator('canvas').count()).toBe(0);
  });

  it('a signature without a connection waits on the page, and is saved by itself when the connection is back', async () => {
    const before = (await signatures()).length;
    const page = await signedIn(world, admin);
    await newLink(page);
    await page.getByRole('link', { name: 'Sign on this device' }).click();
    await page.locator('canvas').waitFor();
    await page.getByLabel('Name').fill('Ben Kraft');
    await draw(page);
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Save signature' }).click();
    await page.getByText('Not saved yet: there is no connection. Keep this page open.').waitFor();
    expect(await signatures()).toHaveLength(before);
    expect(await page.getByLabel('Name').inputValue()).toBe('Ben Kraft');
    expect(await page.getByRole('button', { name: 'Clear' }).isDisabled()).toBe(true);
    await page.context().setOffline(false);
    await page.getByText('Your signature is saved.').waitFor();
    expect(await signatures()).toHaveLength(before + 1);
    await page.getByRole('link', { name: 'Back' }).click();
    await page.waitForURL(`**/app/shipment/${uuid}`);
    expect(await page.locator('main').innerText()).toContain('Ben Kraft');
  });

  it('a signature is saved once when its answer is lost over Wi-Fi, also after a reload', async () => {
    const before = (await signatures()).length;
    const { page, wifi } = await drawnOverWifi('Ida Lund');
    wifi.dieAfter('"Ida Lund"');
    await page.getByRole('button', { name: 'Save signature' }).click();
    // The service has the signature, but the answer never arrives.
    await expect.poll(async () => (await signatures()).length).toBe(before + 1);
    await page.getByText('Not saved yet: there is no connection.').waitFor({ timeout: 20_000 });
    wifi.comeBack();
    page.on('dialog', (dialog) => dialog.accept());
    await page.reload();
    await page.getByText('Your signature is saved.').waitFor({ timeout: 20_000 });
    expect(await signatures()).toHaveLength(before + 1);
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });

  it('a signature that waits is sent when the service can be reached again', async () => {
    const before = (await signatures()).length;
    const { page, wifi } = await drawnOverWifi('Ole Berg');
    wifi.die();
    await page.getByRole('button', { name: 'Save signature' }).click();
    await page.getByText('Not saved yet: there is no connection.').waitFor({ timeout: 20_000 });
    expect(await signatures()).toHaveLength(before);
    wifi.comeBack();
    await page.getByText('Your signature is saved.').waitFor({ timeout: 30_000 });
    const all = await signatures();
    expect(all).toHaveLength(before + 1);
    expect(all.at(-1)).toMatchObject({ name: 'Ole Berg' });
  });
});
