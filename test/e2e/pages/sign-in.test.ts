import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectGoodPage, inTenant, signedIn, typeSignIn } from './browser.ts';

const { world, admin: robin } = await inTenant('sign-in');

const fresh = async (): Promise<Page> => (await world.profile()).newPage();

describe('signing in', () => {
  it('signing in leads to the requested page', async () => {
    const page = await fresh();
    await page.goto('/app/nowhere?x=1');
    expect(new URL(page.url()).pathname).toBe('/app/login');
    await typeSignIn(page, robin);
    await page.waitForURL('**/app/nowhere?x=1');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('This was not found');
    await page.getByRole('link', { name: 'To the start page' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/app/login');
    await page.goto('/app');
    expect(new URL(page.url()).pathname).toBe('/app/login');
  });

  it('the sign-in page names the organization that was used last in this browser', async () => {
    const page = await fresh();
    await page.goto('/app/login');
    const brand = page.locator('.brand');
    expect(await brand.innerText()).toBe('Warehouse dispatch');
    await typeSignIn(page, robin);
    await page.waitForURL('**/app');
    const name = (await page.locator('#menu .brand span').first().innerText()).split('\n')[0]!;
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/app/login');
    expect(await brand.innerText()).toBe(`${name}\nWarehouse dispatch`);
    expect(await page.getByLabel('Organization').inputValue()).toBe(robin.organization);
    await expectGoodPage(page, '/app/login again');
    // A cookie that another program has written is ignored.
    const domain = new URL(world.service.origin).hostname;
    await page
      .context()
      .addCookies([{ name: 'organization', value: encodeURIComponent('["x",'), domain, path: '/app' }]);
    await page.goto('/app/login');
    expect(await brand.innerText()).toBe('Warehouse dispatch');
  });

  it('a failed sign-in shows one message for every reason', async () => {
    const page = await fresh();
    await expectGoodPageAt(page, '/app/login');
    const wrong = [
      { ...robin, password: 'wrong' },
      { ...robin, email: 'nobody@example.com' },
      { ...robin, organization: 'elsewhere' },
    ];
    const told = new Set<string>();
    for (const credentials of wrong) {
      await typeSignIn(page, credentials);
      told.add((await page.getByRole('alert').textContent())!);
      expect(await page.getByLabel('E-mail address').inputValue()).toBe(credentials.email);
      expect(await page.getByLabel('Password').inputValue()).toBe('');
    }
    expect(told.size).toBe(1);
  });
});

describe('a page', () => {
  it('the sign-in page looks right and is accessible', async () => {
    const page = await signedIn(world, robin);
    await expectGoodPageAt(page, '/app');
  });
});

async function expectGoodPageAt(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expectGoodPage(page, path);
}
