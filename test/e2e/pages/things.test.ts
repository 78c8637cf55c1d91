import { describe, expect, it } from 'vitest';
import { expectGoodPage, inTenant, signedIn } from './browser.ts';

const { world, admin } = await inTenant('things', { dispatchStrategy: 'SHIPMENT' });
const page = await signedIn(world, admin);

/** The secret that the page shows once. */
const secretShown = async (on = page): Promise<string> => (await on.locator('.secret code').textContent())!;
const opens = async (secret: string): Promise<number> =>
  (await fetch(`${world.service.origin}/integration/rest/api/v1/gate`, { headers: { 'X-AUTH-KEY': secret } }))
    .status;
describe('things are made on pages alone', () => {
  it('an administrator creates a gate and a scanner on pages, and the token of the scanner reports heartbeats', async () => {
    await page.goto('/app/gate');
    await page.getByLabel('External id', { exact: true }).fill('G9');
    await page.getByLabel('Name', { exact: true }).fill('Dock 09');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Dock 09 was created.').waitFor();
    await expectGoodPage(page, 'gate settings');
    await page.goto('/app/scanner');
    await page.getByLabel('Name', { exact: true }).fill('Handheld 9');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Handheld 9 was created.').waitFor();
    await page.getByLabel('Gate', { exact: true }).selectOption('G9');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The device was changed.').waitFor();
    await expectGoodPage(page, 'scanner');
    await page.getByRole('button', { name: 'Create token' }).click();
    const token = await secretShown();
    const uuid = new URL(page.url()).pathname.split('/').at(-1);
    const beat = await fetch(`${world.service.origin}/device/rest/api/v1/heartbeat`, {
      method: 'POST',
      headers: { 'X-Auth-Token': token, 'Content-Type': 'application/json' },
      body: JSON.stringify({ deviceType: 'SCANNER', uuid, status: 'ONLINE' }),
    });
    expect([beat.status, ((await beat.json()) as { gate: object }).gate]).toMatchObject([
      200,
      { externalIdentifier: 'G9' },
    ]);
  });

  it('an administrator creates, copies, uses, rotates and revokes an API key on pages', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/app/api-key');
    await page.getByLabel('Name', { exact: true }).fill('WMS of the yard');
    await page.getByRole('button', { name: 'Create' }).click();
    const first = await secretShown();
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(first);
    expect((await page.content()).split(first).length - 1).toBe(1);
    await expectGoodPage(page, 'a secret that is shown once');
    expect(await opens(first)).toBe(200);
    await page.goto('/app/api-key');
    expect(await page.content()).not.toContain(first);
    await page.getByRole('link', { name: 'WMS of the yard' }).click();
    await page.getByRole('button', { name: 'New secret' }).click();
    const second = await secretShown();
    expect([await opens(first), await opens(second)]).toEqual([200, 200]);
    await page.goto(new URL(page.url()).pathname);
    await expectGoodPage(page, 'api key');
    await page.getByRole('link', { name: 'Revoke', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('WMS of the yard is revoked.').waitFor();
    await expect.poll(() => opens(first), { timeout: 10_000 }).toBe(401);
    await expect.poll(() => opens(second), { timeout: 10_000 }).toBe(401);
  });

  it('the settings are one grid: each input is below its label, and each hint below its input', async () => {
    await page.goto('/app/settings');
    for (const [width, columns] of [
      [360, 1],
      [1024, 2],
      [1920, 4],
    ]) {
      await page.setViewportSize({ width: width!, height: 900 });
      const fields =
        (await page.evaluate(`[...document.querySelectorAll('.settings > .filters .field')].map((field) => {
        const box = (part) => field.querySelector(part)?.getBoundingClientRect();
        const [label, input, hint] = [box('label'), box('input, select'), box('.hint')];
        return {
          left: Math.round(input.left),
          top: Math.round(input.top),
          width: Math.round(input.width),
          below: Math.round(input.top - label.bottom),
          hint: hint ? Math.round(hint.top - input.bottom) : 4,
        };
      })`)) as { left: number; top: number; width: number; below: number; hint: number }[];
      expect(fields).toHaveLength(7);
      const different = (of: 'left' | 'width' | 'below' | 'hint') => [
        ...new Set(fields.map((one) => one[of])),
      ];
      expect([width, different('left').length]).toEqual([width, columns]);
      expect([width, different('width').length, different('below'), different('hint')]).toEqual([
        width,
        1,
        [4],
        [4],
      ]);
      const rows = new Set(fields.map(({ top }) => top)).size;
      expect([width, rows]).toEqual([width, Math.ceil(7 / columns!)]);
    }
    await expectGoodPage(page, 'settings');
  });

  it('an administrator creates things without script, and in German', async () => {
    const plain = await world.profile({ javaScriptEnabled: false, locale: 'de-DE' });
    await plain.addCookies(await page.context().cookies());
    const german = await plain.newPage();
    await german.goto('/app/access-token');
    expect(await german.locator('h1').textContent()).toBe('Zugriffstokens');
    await german.getByLabel('Bezeichnung').fill('Kamera 1');
    await german.getByLabel('Kalibrierdateien lesen').check();
    await german.getByRole('button', { name: 'Token anlegen' }).click();
    expect(await secretShown(german)).toMatch(/^wdt_/);
    expect(await german.locator('[data-copy]').isVisible()).toBe(false);
    await german.goto('/app/settings');
    await german.getByLabel('Zeitzone').selectOption('Europe/Berlin');
    await german.getByText('Eigene Felder von Sendungen').last().click();
    await german.getByLabel('Schlüssel').first().fill('Spediteur');
    await german.getByLabel('Rolle').first().selectOption('CARRIER');
    await german
      .getByRole('form', { name: 'Die Einstellungen ändern' })
      .getByRole('button', { name: 'Speichern' })
      .click();
    await german.getByText('Die Einstellungen sind geändert.').waitFor();
    expect(await german.locator('.facts').first().textContent()).toContain('Europe/Berlin');
    expect(await german.locator('main').getAttribute('lang')).toBe(null);
    await plain.close();
    await page.goto('/app/settings');
    await expectGoodPage(page, 'settings');
  });

  it('an administrator opens a webhook delivery on pages', async () => {
    await page.goto('/app/webhook');
    await page.getByLabel('Name', { exact: true }).fill('WMS');
    await page.getByLabel('Address').fill('http://127.0.0.1:9/hook');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('link', { name: 'WMS', exact: true }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.locator('#deliveries').getByRole('link', { name: 'Webhook test' }).click();
    await page.getByText('"eventType": "WEBHOOK_TEST"').waitFor();
    await expectGoodPage(page, 'webhook delivery');
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('The delivery is sent again.').waitFor();
  });
});
