import type { CDPSession, Page, Request } from 'playwright-core';
import { expect, it } from 'vitest';
import { LANGUAGES } from '../../../src/messages/languages.ts';
import { wordsIn } from '../../messages.ts';
import { expectGoodPage, inTenant, typeSignIn } from './browser.ts';

const { world, admin: robin } = await inTenant('passkeys');
// A passkey needs a host with a name.
const local = world.service.origin.replace('127.0.0.1', 'localhost');

/** A browser with an authenticator. Its user agrees by default. */
async function withAuthenticator(): Promise<{
  page: Page;
  agree(to: boolean): Promise<void>;
  passkeys(): Promise<number>;
}> {
  const context = await world.profile({ baseURL: local });
  const page = await context.newPage();
  const browser: CDPSession = await context.newCDPSession(page);
  await browser.send('WebAuthn.enable');
  const { authenticatorId } = await browser.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    page,
    async agree(to) {
      await browser.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: to });
    },
    passkeys: async () =>
      (await browser.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
  };
}

const signInWithPasskey = (page: Page) =>
  page.getByRole('button', { name: 'Sign in with a passkey' }).click();

it('a user adds a passkey, signs in with it, and cannot use it once it is deleted', async () => {
  const { page, agree, passkeys } = await withAuthenticator();
  // Simulates a browser that does not offer passkeys while typing.
  await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false;');
  await typeSignIn(page, robin);
  await page.waitForURL(/\/app$/);
  await page.goto('/app/account');
  await expectGoodPage(page, '/app/account');
  await page.getByLabel('Name', { exact: true }).fill('This laptop');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByText('The passkey This laptop was added.').waitFor();
  expect(await passkeys()).toBe(1);
  await expectGoodPage(page, '/app/account with a passkey');

  // The device already has a passkey for this user and creates no second one.
  await page.getByLabel('Name', { exact: true }).fill('Once more');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByText('No passkey was added.').waitFor();
  expect(await passkeys()).toBe(1);

  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/app/login');
  await page.goto('/app/manifest');
  expect(new URL(page.url()).pathname).toBe('/app/login');
  await expectGoodPage(page, '/app/login with passkeys');
  // A person who is not the owner of the device cannot sign in.
  await agree(false);
  await signInWithPasskey(page);
  await page.getByText('No passkey was used.').waitFor();
  await agree(true);
  await signInWithPasskey(page);
  await page.waitForURL('**/app/manifest');

  await page.goto('/app/account');
  await page.getByRole('link', { name: 'Delete the passkey This laptop?' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('The passkey is deleted.').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/app/login');
  await signInWithPasskey(page);
  await page.getByText('This passkey did not sign you in.').waitFor();
  await typeSignIn(page, robin);
  await page.waitForURL(/\/app$/);
});

it('the browser offers a passkey while typing and signs in with it', async () => {
  const { page, agree } = await withAuthenticator();
  await typeSignIn(page, robin);
  await page.waitForURL(/\/app$/);
  await page.goto('/app/account');
  await page.getByLabel('Name', { exact: true }).fill('Desk');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByText('The passkey Desk was added.').waitFor();
  await page.getByRole('row', { name: 'Desk' }).getByText('Rename', { exact: true }).click();
  await page.getByLabel('New name of Desk').fill('Office desk');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The passkey is now called Office desk.').waitFor();
  await expectGoodPage(page, '/app/account with a passkey that was renamed');

  await agree(false);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/app/login');
  const asksForOptions = (request: Request) => request.postData()?.includes('passkeyOptions') === true;
  const offered = page.waitForResponse((response) => asksForOptions(response.request()));
  await page.goto('/app/manifest');
  expect(await page.getByLabel('E-mail').getAttribute('autocomplete')).toBe('username webauthn');
  await offered;
  // The button interrupts the offer while typing, which then continues. Here the first passkey is chosen at once.
  let asked = 0;
  await page.route('**/app/login*', async (route, request) => {
    if (asksForOptions(request)) asked += 1;
    if (asked === 2) await agree(true);
    await route.continue();
  });
  await signInWithPasskey(page);
  await page.waitForURL('**/app/manifest');
});

it('the sign-in offers passkeys in every language on a phone', async () => {
  const viewport = { width: 360, height: 740 };
  const page = await (await world.profile({ baseURL: local, viewport })).newPage();
  for (const language of LANGUAGES) {
    await page.goto(`/language?to=${language}&next=/app/login`);
    const button = page.getByRole('button', { name: wordsIn(language).t('signIn.passkey'), exact: true });
    await button.waitFor();
    const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect([language, await page.evaluate(wide)]).toEqual([language, 0]);
  }
});

it('the sign-in offers no passkey without script or at a host without a name', async () => {
  for (const options of [{ baseURL: local, javaScriptEnabled: false }, { baseURL: world.service.origin }]) {
    const page = await (await world.profile(options)).newPage();
    await page.goto('/app/login');
    expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible()).toBe(false);
    expect(await page.getByRole('button', { name: 'Sign in', exact: true }).isVisible()).toBe(true);
  }
});
