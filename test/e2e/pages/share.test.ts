import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { expectGoodPage, newPerson, newTenant, signedIn, startWorld } from './browser.ts';
import { leftShort } from './dispatched.ts';
import { SOON } from './dock.ts';

const wasm = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'));
prepareZXingModule({ overrides: { wasmBinary: wasm.buffer as ArrayBuffer } });

const world = await startWorld();
const tenant = await newTenant(world.service, 'share', {
  name: 'Northwind',
  dispatchStrategy: 'SHIPMENT',
  shipmentCustomFields: ['carrier', 'plate', 'seal'].map((fieldKey) => ({ fieldKey, fieldType: 'TEXT' })),
});
const summary = await leftShort(tenant);
const admin = await newPerson(world, tenant, 'ADMINISTRATOR');
const { uuid, manifests } = (await tenant.get('/shipment/SH-1')).json;
const path = `/app/shipment/${uuid}`;

/** The text of the QR code on a page, as a phone reads it from the screen. */
async function scanned(page: Page): Promise<string | undefined> {
  const picture = await page.locator('.share .qr').screenshot();
  return (await readBarcodes(picture, { formats: ['QRCode'] }))[0]?.text;
}

describe('sharing the summary with a driver', () => {
  it('two clicks copy the link, and its code, texts and page are in the chosen language', async () => {
    const page = await signedIn(world, admin, { viewport: { width: 1280, height: 800 } });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(path);
    await page.getByRole('link', { name: 'Share', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Share SH-1 with the driver' });
    await dialog.getByRole('button', { name: 'Copy link' }).click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = () => page.evaluate('navigator.clipboard.readText()');
    expect(await copied()).toBe(`${summary}?language=en`);
    expect(await scanned(page)).toBe(`${summary}?language=en`);
    await dialog.getByRole('link', { name: 'Polski' }).click();
    await expect.poll(() => scanned(page)).toBe(`${summary}?language=pl`);
    const text = `Wysyłka SH-1, Northwind. Palety i PDF: ${summary}?language=pl`;
    expect(await dialog.locator('.said').textContent()).toBe(text);
    const encoded = encodeURIComponent(text);
    expect(await dialog.getByRole('link', { name: 'Text message' }).getAttribute('href')).toBe(
      `sms:?&body=${encoded}`,
    );
    expect(await dialog.getByRole('link', { name: 'E-mail' }).getAttribute('href')).toBe(
      `mailto:?subject=${encodeURIComponent('Wysyłka SH-1, Northwind')}&body=${encoded}`,
    );
    await expectGoodPage(page, 'share-dialog');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    // The next driver gets the same language.
    await page.getByRole('link', { name: 'Share', exact: true }).click();
    expect(await scanned(page)).toBe(`${summary}?language=pl`);
  });

  it('the keyboard alone copies the link', async () => {
    const page = await signedIn(world, admin);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(path);
    await page.getByRole('link', { name: 'Share', exact: true }).press('Enter');
    await page.getByRole('dialog').waitFor();
    const focused = () => page.evaluate('document.activeElement.textContent.trim()');
    for (let tabs = 0; tabs < 20 && (await focused()) !== 'Copy link'; tabs += 1)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Copied' }).waitFor(SOON);
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${summary}?language=en`);
  });

  it('the device shares the text where it can', async () => {
    const page = await signedIn(world, admin);
    await page.addInitScript('navigator.share = async (data) => { document.title = JSON.stringify(data); }');
    await page.goto(path);
    await page.getByRole('link', { name: 'Share', exact: true }).click();
    await page.getByRole('button', { name: 'Other apps' }).click();
    const shared = {
      title: 'Shipment SH-1, Northwind',
      text: `Shipment SH-1, Northwind. Pallets and PDF: ${summary}?language=en`,
    };
    await expect.poll(() => page.title()).toBe(JSON.stringify(shared));
  });

  it('without JavaScript, the code and the link of a manifest are on a page, and nothing that needs a script', async () => {
    const script = await signedIn(world, admin);
    const page = await (
      await world.profile({ javaScriptEnabled: false, storageState: await script.context().storageState() })
    ).newPage();
    await page.goto(`/app/manifest/${manifests[0].manifestUuid}`);
    await page.getByRole('link', { name: 'Share', exact: true }).click();
    await page.locator('.share').getByRole('link', { name: 'Deutsch' }).click();
    const link = await page.locator('.share code').textContent();
    expect(link).toMatch(/\/public\/shipment-summary\/[\w-]{32}\?language=de$/);
    expect(await scanned(page)).toBe(link);
    expect(
      await page
        .getByRole('button', { name: /Copy|Other/ })
        .filter({ visible: true })
        .count(),
    ).toBe(0);
    await page.getByRole('link', { name: 'Close' }).click();
    expect(new URL(page.url()).pathname).toBe(`/app/manifest/${manifests[0].manifestUuid}`);
  });

  it('the link opens the summary in its language on every page, until the reader chooses another one', async () => {
    const driver = await (await world.profile({ locale: 'de-DE' })).newPage();
    const lang = () => driver.locator('html').getAttribute('lang');
    await driver.goto(`${summary}?language=pl`);
    expect(await lang()).toBe('pl');
    const proof = (await driver.locator('.button').getAttribute('href'))!;
    const answer = await driver.request.get(proof);
    expect([answer.status(), answer.headers()['content-language']]).toEqual([200, 'pl']);
    await driver.locator('.language summary').click();
    await driver.getByRole('link', { name: 'Italiano' }).click();
    expect(await lang()).toBe('it');
    expect((await driver.goto(`${summary}?language=xx`))!.status()).toBe(400);
  });
});
