import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectGoodPage, newPerson, newTenant, signedIn, startWorld } from './browser.ts';

const world = await startWorld();

/** Kinds of pages that must be reachable by links from an organization's page. */
const LINKED = [
  '/operator',
  '/operator/database',
  '/operator/dead-letter',
  '/operator/organization',
  '/operator/organization/:uuid',
  '/operator/organization/:uuid/access-token',
  '/operator/organization/:uuid/api-key',
];

/** Looks at one page of each kind that links reach, and returns the kinds. */
async function eachKind(page: Page, from: string, look: (path: string) => Promise<void>): Promise<string[]> {
  const kinds = new Set<string>();
  const paths = [from];
  for (let path = paths.shift(); path !== undefined; path = paths.shift()) {
    const kind = path.replace(/[?#].*$/, '').replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, ':uuid');
    if (kinds.has(kind)) continue;
    kinds.add(kind);
    await look(path);
    const links = page.locator('a[href^="/operator"]:not([download])');
    paths.push(...(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')!))));
  }
  return [...kinds];
}

it.each([true, false])(
  'an operator signs in, creates an organization and suspends it (script: %s)',
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
    await page.goto('/operator/organization');
    await page.getByLabel('Name', { exact: true }).fill('<b>Desk</b> & Co');
    await page.getByLabel('Slug', { exact: true }).fill(slug);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.waitForURL(/\/operator\/organization\/[0-9a-f-]{36}$/);
    const path = new URL(page.url()).pathname;
    const kinds = await eachKind(page, path, good);
    expect(kinds).toEqual(expect.arrayContaining([...LINKED]));
    const acme = await newTenant(world.service, `suspended-${crypto.randomUUID().slice(0, 8)}`);
    const desk = await signedIn(world, await newPerson(world, acme, 'ADMINISTRATOR'));
    await page.goto(`/operator/organization?find=${acme.slug}`);
    await page.locator('tbody a').first().click();
    await page.getByRole('link', { name: 'Suspend' }).click();
    await page.getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('is suspended.').waitFor();
    await expect.poll(async () => (await desk.goto('/app'))?.status(), { timeout: 15_000 }).toBe(403);
  },
);

it('the zone of a new organization is the zone of the browser, unless the operator has chosen one', async () => {
  const page = await (await world.profile({ timezoneId: 'Europe/Paris' })).newPage();
  await page.goto('/operator/login');
  await page.getByLabel('Secret of the operator').fill('local-operator-key');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/operator');
  await page.goto('/operator/organization');
  const zone = page.getByLabel('Time zone');
  expect(await zone.inputValue()).toBe('Europe/Paris');
  // The operator chooses before the script of the page is ready.
  await page.route('**/zone.js', async (route) => {
    const response = await route.fetch();
    const choice = "document.querySelector('.zone select').value = 'Asia/Tokyo';";
    await route.fulfill({ response, body: `${choice}${await response.text()}` });
  });
  await page.reload();
  expect(await zone.inputValue()).toBe('Asia/Tokyo');
});
