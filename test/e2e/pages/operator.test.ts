import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectGoodPage, newPerson, newTenant, signedIn, startWorld, type World } from './browser.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.end());

it.each([true, false])(
  'an operator signs in, makes an organization and suspends it (script: %s)',
  async (javaScriptEnabled) => {
    const page = await (await world.profile({ javaScriptEnabled })).newPage();
    const slug = `desk-${crypto.randomUUID().slice(0, 8)}`;
    const good = async (path: string) => {
      await page.goto(path);
      if (javaScriptEnabled) await expectGoodPage(page, `operator${path.replace(/[^a-z]+/g, '-')}`);
    };
    await page.goto('/operator/organization');
    expect(new URL(page.url()).pathname).toBe('/operator/login');
    await good('/operator/login');
    await page.getByLabel('Secret of the operator').fill('local-operator-key');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/operator');
    for (const path of [
      '/operator',
      '/operator/database',
      '/operator/dead-letter',
      '/operator/organization',
    ]) {
      await good(path);
    }
    await page.getByLabel('Name', { exact: true }).fill('<b>Desk</b> & Co');
    await page.getByLabel('Slug', { exact: true }).fill(slug);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.waitForURL(/\/operator\/organization\/[0-9a-f-]{36}$/);
    const path = new URL(page.url()).pathname;
    await good(path);
    await good(`${path}/api-key`);
    const acme = await newTenant(world.service, `suspended-${crypto.randomUUID().slice(0, 8)}`);
    const desk = await signedIn(world, await newPerson(world, acme, 'ADMINISTRATOR'));
    await page.goto(`/operator/organization?find=${acme.slug}`);
    await page.locator('tbody a').first().click();
    await page.getByRole('link', { name: 'Suspend' }).click();
    await page.getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('is suspended.').waitFor();
    await expect.poll(async () => (await desk.goto('/app'))?.status(), { timeout: 15_000 }).toBe(403);
  },
  120_000,
);
