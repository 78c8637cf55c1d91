import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { signedIn } from '../pages/browser.ts';
import { SOON } from '../pages/dock.ts';
import { LANGUAGES, type Reader, readerOf } from './reader.ts';
import { type Warehouse, warehouse, world } from './warehouse.ts';

/** Creates a user, and shows the link for the password. */
async function invite({ t, picture }: Reader, page: Page): Promise<void> {
  await page.goto('/app/user');
  const form = page.getByRole('form', { name: t('user.new') });
  await form.getByLabel(t('user.firstName')).fill('Eva');
  await form.getByLabel(t('user.lastName')).fill('Meier');
  await form.getByLabel(t('account.email')).fill('eva.meier@example.com');
  await form.getByLabel(t('account.authority')).selectOption({ label: t('authorityName.OPERATOR') });
  await form.scrollIntoViewIfNeeded();
  await picture(page, 'user');
  await form.getByRole('button', { name: t('account.create') }).click();
  await page.getByText(t('user.linkOf', { name: 'Eva Meier' })).waitFor(SOON);
  await picture(page, 'link');
  await page.goto('/app/authority');
  await page.getByRole('heading', { name: t('authority.title') }).waitFor();
  await picture(page, 'roles');
  await page.goto('/app/company-account');
  await page.getByLabel(t('provider.issuer')).waitFor();
  await picture(page, 'company');
}

/** Makes the link for a tablet, and creates a worker. */
async function equip({ t, picture, language }: Reader, page: Page, { dock }: Warehouse): Promise<void> {
  await page.goto(`${dock.gatePath('G1')}/tablets`);
  await page
    .getByLabel(t('tablet.name'), { exact: true })
    .fill(language === 'en' ? 'Dock 01 left' : 'Tor 01 links');
  await page.getByRole('button', { name: t('tablet.makeLink') }).click();
  await page.getByRole('img', { name: t('tablet.qr') }).waitFor(SOON);
  await picture(page, 'tablet');
  await page.goto('/app/gate-worker');
  await page.getByLabel(t('worker.name'), { exact: true }).fill('Ana');
  await page.getByLabel(t('worker.secret', { mode: 'BADGE' }), { exact: true }).fill('W-0001');
  await picture(page, 'worker');
  await page.getByRole('button', { name: t('worker.create') }).click();
  await page.getByText(t('worker.made', { name: 'Ana' })).waitFor(SOON);
}

/** Gives markers to the pallets of a manifest and prints their labels. */
async function label({ t, picture }: Reader, page: Page, { dock }: Warehouse): Promise<void> {
  const pallets = ['340123450000000017', '340123450000000024'];
  await dock.must('POST', '/manifest', { externalIdentifier: 'ORDER-4711', assets: pallets });
  const { uuid } = await dock.must('GET', '/manifest/ORDER-4711');
  await page.goto(`/app/manifest/${uuid}`);
  const give = page.getByRole('button', { name: t('load.giveMarkers', { count: 2 }) });
  await give.scrollIntoViewIfNeeded();
  await picture(page, 'labels');
  const tab = page.context().waitForEvent('page');
  await give.click();
  await tab;
  await page.getByText(t('load.markersGiven', { count: 2 })).waitFor(SOON);
}

/** Creates an API key, and registers a webhook for a chat. */
async function connect({ t, picture }: Reader, page: Page): Promise<void> {
  await page.goto('/app/api-key');
  const form = page.getByRole('form', { name: t('key.new', { kind: 'API_KEY' }) });
  await form.getByLabel(t('key.name')).fill('WMS');
  await form.getByRole('button', { name: t('made.create') }).click();
  await page.getByText(t('kit.copyNow')).waitFor(SOON);
  // The picture shows no secret.
  await page.evaluate("document.querySelector('#secret, .secret code, code').textContent = '…'");
  await picture(page, 'key');
  await page.goto('/app/webhook');
  const hook = page.getByRole('form', { name: t('hook.new') });
  await hook.getByLabel(t('hook.name')).fill('Chat');
  await hook.getByLabel(t('hook.address')).fill('https://hooks.slack.com/services/T000/B000/XXXX');
  await hook.getByLabel(t('hook.format')).selectOption({ label: t('hook.formats', { format: 'SLACK' }) });
  await hook.getByLabel(t('hook.format')).scrollIntoViewIfNeeded();
  await picture(page, 'webhook');
  await hook.getByRole('button', { name: t('hook.register') }).click();
  await page.getByText(t('hook.registered', { name: 'Chat' })).waitFor(SOON);
}

/** Changes the settings. */
async function set({ t, picture }: Reader, page: Page): Promise<void> {
  await page.goto('/app/settings');
  const form = page.getByRole('form', { name: t('settings.change') });
  await form.getByLabel(t('settings.ask')).selectOption({ label: t('settings.asked', { what: 'BADGE' }) });
  await form.getByLabel(t('settings.quietFrom')).fill('22:00');
  await form.getByLabel(t('settings.quietTo')).fill('06:00');
  await form.scrollIntoViewIfNeeded();
  await picture(page, 'settings');
  await form.getByRole('button', { name: t('made.save') }).click();
  await page.getByText(t('settings.changed')).waitFor(SOON);
}

it.each(LANGUAGES)(
  'the manual for the office leads from the settings to the audit log (%s)',
  async (language) => {
    const reader = readerOf('office', language);
    const { t, picture } = reader;
    const made = await warehouse('office', language);
    const page = await signedIn(world, made.admin, reader.options(1024, 720));
    await page.goto('/app');
    await page.getByText(t('start.title')).first().waitFor();
    await picture(page, 'start');
    await set(reader, page);
    await invite(reader, page);
    await equip(reader, page, made);
    await label(reader, page, made);
    await connect(reader, page);
    await page.goto('/app/audit-log');
    await page.getByRole('heading', { name: t('audit.title') }).waitFor();
    await picture(page, 'audit');
    expect((await made.dock.must('GET', '/webhook')).content).toHaveLength(1);
    reader.expectAllPictures();
  },
);
