import { createServer } from 'node:http';
import Provider from 'oidc-provider';
import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { expectGoodPage, inTenant, signedIn, typeSignIn } from '../e2e/pages/browser.ts';

const { world, tenant: acme, admin: robin } = await inTenant('company');
const server = createServer();
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const issuer = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Starts an identity provider with its development pages and this client. It accepts any login name. */
function register(redirectUri: string): void {
  const provider = new Provider(issuer, {
    clients: [
      { client_id: 'dispatch', client_secret: 'a secret of the provider', redirect_uris: [redirectUri] },
    ],
    claims: { email: ['email', 'email_verified'] },
    cookies: { keys: ['a key of the provider'] },
    findAccount: (_: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ sub, email: sub, email_verified: true }),
    }),
  });
  server.removeAllListeners('request');
  server.on('request', provider.callback());
}

// The service reads the provider's document before the redirect URI is known.
register('https://example.com');

const fresh = async (): Promise<Page> => (await world.profile()).newPage();

/** Goes from the sign-in page to the provider and signs in there. */
async function signInAs(page: Page, login: string): Promise<void> {
  await page.goto('/app/login');
  await page.getByRole('link', { name: 'Continue with your company account' }).click();
  await page.getByLabel('Organization').fill(acme.slug);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('link', { name: 'Continue with your company account' }).click();
  await page.waitForURL(`${issuer}/**`);
  await page.locator('input[name=login]').fill(login);
  await page.locator('input[name=password]').fill('whatever');
  await page.locator('button[type=submit]').click();
  await page.waitForURL(/\/interaction\//);
  await page.getByRole('button', { name: 'Continue' }).click();
}

it('an administrator sets up a company account, users sign in and out by it, and it can be the only way in', async () => {
  const admin = await signedIn(world, robin);
  await admin.goto('/app/company-account');
  await expectGoodPage(admin, '/app/company-account');
  await admin.getByLabel('Issuer').fill(issuer);
  await admin.getByLabel('Client ID').fill('dispatch');
  await admin.getByLabel('Client secret').fill('a secret of the provider');
  await admin.getByRole('button', { name: 'Save' }).click();
  await admin.getByText('The company account was saved.').waitFor();
  await expectGoodPage(admin, '/app/company-account');
  const redirectUri = admin.locator('.copied code');
  expect(await redirectUri.evaluate((shown) => shown.parentElement!.querySelector('button')!.hidden)).toBe(
    false,
  );
  register((await redirectUri.textContent())!);

  const page = await fresh();
  await signInAs(page, robin.email);
  await page.waitForURL(`${world.service.origin}/app`);
  await page.goto('/app/account');
  expect(await page.getByText(robin.email).count()).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/app/login');
  await page.goto('/app/account');
  expect(new URL(page.url()).pathname).toBe('/app/login');

  await admin.goto('/app/company-account');
  await admin.getByLabel('Do not allow sign-in with a password').check();
  await admin.getByRole('button', { name: 'Save' }).click();
  await admin.getByText('The company account was saved.').waitFor();
  const other = await fresh();
  await typeSignIn(other, robin);
  expect(await other.getByRole('alert').textContent()).toContain('The sign-in failed');
});

it('a company account refuses an unknown person on a plain page', async () => {
  const page = await fresh();
  await signInAs(page, 'stranger@example.com');
  await page.waitForURL('**/app/login/oidc/callback/*?**');
  await page.getByText('no user here has its verified e-mail address').waitFor();
  await expectGoodPage(page, 'refused');
  await page.goto('/app');
  expect(new URL(page.url()).pathname).toBe('/app/login');
});
