import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { DESK_LANGUAGES } from '../../../src/messages/languages.ts';
import { checkDigit } from '../../../src/pallet/gs1.ts';
import { wordsIn } from '../../messages.ts';
import { sheetOf } from '../../unit/web/console/workbook.ts';
import { expectGoodPage, inTenant, signedIn } from './browser.ts';
import { SOON } from './dock.ts';

const { world, admin, tenant } = await inTenant('lists');

const NEW = '/app/manifest/new';
const sscc = (number: number): string => {
  const digits = `3952123${String(number).padStart(10, '0')}`;
  return digits + checkDigit(digits);
};
const file = (name: string, buffer: Uint8Array) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(buffer),
});
const palletsOf = async (manifest: string): Promise<string[]> =>
  (await tenant.get(`/manifest/${manifest}/asset-loading`)).json
    .map(({ trackIdentifier }: { trackIdentifier: string }) => trackIdentifier)
    .sort();

/** Reads a workbook as a manifest, from another column than the page takes. */
async function readWorkbook(page: Page, name: string, isChecked: boolean): Promise<void> {
  const rows = [
    ['Auftrag', 'Paletten-Nr.', 'Ware, Beschreibung', 'Alte Nr.'],
    ['O-1', sscc(1), 'Schrauben M8 × 40, verzinkt, in Kartons zu 500 Stück', 'A-1'],
    ['O-2', { number: '3.4012345E+17' }, 'x', sscc(2)],
    ['O-3', sscc(1), 'y', 'A-3'],
  ];
  await page.goto(NEW);
  await page.getByLabel('Manifest number').fill(name);
  if (isChecked) await expectGoodPage(page, 'new-manifest');
  await page.getByLabel('From a file').setInputFiles(file('list.xlsx', sheetOf(rows)));
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('The pallets are in column 2, “Paletten-Nr.”.').waitFor(SOON);
  await page.getByText('Line 3: A spreadsheet has shortened this number.').waitFor(SOON);
  await page.getByText('Line 4: It is already in line 2.').waitFor(SOON);
  if (isChecked) await expectGoodPage(page, 'pallet-list');
  await page.getByLabel('Column with the pallets').selectOption('1');
  await page.getByRole('button', { name: 'Preview these columns' }).click();
  await page.getByText('The pallets are in column 1, “Auftrag”.').waitFor(SOON);
  // Orders are no pallets beside a column of SSCCs.
  await page.getByText('This column contains no SSCC, but column 2 does.').waitFor(SOON);
  expect(await page.getByRole('button', { name: /^Create/ }).count()).toBe(0);
  if (isChecked) await expectGoodPage(page, 'pallet-list-other-column');
  await page.getByLabel('Column with the pallets').selectOption('4');
  await page.getByRole('button', { name: 'Preview these columns' }).click();
  await page.getByText('The pallets are in column 4, “Alte Nr.”.').waitFor(SOON);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.waitForURL(/\/app\/manifest\/[\da-f-]{36}$/);
  expect(await palletsOf(name)).toEqual([sscc(2), 'A-1', 'A-3']);
}

it('a workbook becomes a manifest from the column that people choose', async () => {
  await readWorkbook(await signedIn(world, admin), 'SCRIPTS', true);
});

it('a workbook becomes a manifest from a chosen column without scripts', async () => {
  await readWorkbook(await signedIn(world, admin, { javaScriptEnabled: false }), 'NO-SCRIPTS', false);
});

it('a text file of Windows and a pasted list become manifests, and a refused list stays in the form', async () => {
  const page = await signedIn(world, admin);
  await page.goto(NEW);
  await page.getByLabel('Manifest number').fill('TEXT');
  const text = `\ufeffBestellung\tNVE\r\n7\t${sscc(5)}\r\n8\t340123450000000018\r\n`;
  await page
    .getByLabel('From a file')
    .setInputFiles(file('list.txt', Buffer.from(text.replace(sscc(5), ''), 'utf16le')));
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('No line of the list contains a pallet.').waitFor(SOON);
  const list = page.getByLabel('Pallets', { exact: true });
  expect(await list.inputValue()).toContain('Bestellung\tNVE');
  await expectGoodPage(page, 'pallet-list-refused');
  await list.fill(text.replace(/\r/g, ''));
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('Many lines cannot be read.').waitFor(SOON);
  expect(await page.getByRole('button', { name: /^Create/ }).count()).toBe(0);
  await page.getByRole('combobox', { name: 'Bad lines' }).selectOption('leave');
  await page.getByRole('button', { name: 'Preview these columns' }).click();
  await page.getByRole('button', { name: 'Create without 1 bad line' }).click();
  await page.waitForURL(/\/app\/manifest\/[\da-f-]{36}$/);
  expect(await palletsOf('TEXT')).toEqual([sscc(5)]);
});

it.each(DESK_LANGUAGES)('the preview of a list is in %s', async (language) => {
  const page = await signedIn(world, admin, { locale: language });
  const { t } = wordsIn(language);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(NEW);
  await page.getByLabel(t('make.manifestId')).fill(`IN-${language}`);
  await page.getByLabel(t('page.pallets'), { exact: true }).fill('Order;Colli\nO-1;P-1\n"O-2;P-2');
  await page.getByRole('button', { name: t('make.look'), exact: true }).click();
  await page.getByText(t('make.taken', { number: '2', name: 'Colli' })).waitFor(SOON);
  await page.getByText(t('make.lineOf', { line: '3', reason: t('line.quote') })).waitFor(SOON);
  expect(await page.locator('html').getAttribute('lang')).toBe(language);
  const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect(await page.evaluate(wide)).toBe(0);
});
