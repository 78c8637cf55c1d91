import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { wordsIn } from '../../messages.ts';
import { expectGoodPage, inTenant, signedIn } from './browser.ts';

const { world, admin: robin } = await inTenant('people');

const { t } = wordsIn('de');

/** Checks that a page is completely in German and otherwise good. */
async function expectGerman(page: Page, path: string, title: string): Promise<void> {
  await page.goto(path);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(title);
  // A part in another language would have a `lang` attribute.
  expect(await page.locator('main').getAttribute('lang')).toBe(null);
  await expectGoodPage(page, `${path} in German`);
}

it('users, authorities, the company account and the own account are in German, with their questions', async () => {
  const page = await signedIn(world, robin);
  await page.goto('/language?to=de&next=/app');
  await expectGerman(page, '/app/user', t('user.title'));
  await expectGerman(page, '/app/authority', t('authority.title'));
  await expectGerman(page, '/app/company-account', t('provider.title'));
  await expectGerman(page, '/app/account', t('account.title'));

  await page.goto('/app/user');
  // A first password is asked for only if the user gets one.
  const password = page.getByLabel(t('user.firstPassword'));
  const modes = page.getByLabel(t('user.password'), { exact: true });
  expect(await password.isVisible()).toBe(false);
  await modes.selectOption('TEMP_PASSWORD');
  expect(await password.isVisible()).toBe(true);
  await modes.selectOption('INVITE_LINK');
  await page.getByLabel(t('user.firstName')).fill('Jo');
  await page.getByLabel(t('user.lastName')).fill('Feld');
  await page.getByLabel(t('account.email'), { exact: true }).fill('jo.feld@example.com');
  await page.getByRole('button', { name: t('account.create') }).click();
  await page.getByText(t('user.isNow', { name: 'Jo Feld' })).waitFor();
  await page.getByText(t('user.linkOf', { name: 'Jo Feld' })).waitFor();
  await page.getByRole('link', { name: 'Jo Feld' }).click();
  await page.waitForURL('**/app/user/*-*');
  await expectGerman(page, new URL(page.url()).pathname, 'Jo Feld');
  await page.getByRole('link', { name: t('user.reset') }).click();
  await page.getByRole('dialog').getByText(t('user.resetText')).waitFor();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('user.resetYes') })
    .click();
  await page.getByText(t('user.resetDone')).waitFor();
  await page.getByRole('link', { name: t('delete.button', { what: 'user' }) }).click();
  await page
    .getByRole('dialog')
    .getByRole('radio', { name: t('user.left') })
    .check();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('delete.yes') })
    .click();
  await page.getByText(t('user.deleted')).waitFor();

  await page.goto('/app/authority');
  await page.getByRole('link', { name: 'Disponent', exact: true }).click();
  await page.waitForURL('**/app/authority/*-*');
  await expectGerman(page, new URL(page.url()).pathname, 'Disponent');
});
