import { readFileSync } from 'node:fs';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import { expect, it } from 'vitest';
import { type ReadCode, readCodes } from '../../unit/dispatch/label/read.ts';
import { renderedPages } from '../../unit/dispatch/printing-batch/read.ts';
import { printZpl } from '../../unit/dispatch/printing-batch/zpl.ts';
import { expectGoodPage, signedIn } from './browser.ts';
import { atDock, SOON } from './dock.ts';

const PALLETS = ['340123450000000017', 'PAL-0042'];
const { world, dock, admin } = await atDock('labels', { G1: 'Dock 01' });
await dock.must('POST', '/manifest', {
  externalIdentifier: 'ORD-1',
  gateExternalId: 'G1',
  assets: PALLETS,
  customFields: [{ fieldKey: 'consignee', fieldValue: 'Alfreds Futterkiste' }],
});
const { uuid } = await dock.must('GET', '/manifest/ORD-1');
const path = `/app/manifest/${uuid}`;

/** The codes on the pages of a PDF, as a scanner reads them from paper. */
async function codesIn(pdf: Uint8Array): Promise<ReadCode[][]> {
  const pdfium = await PDFiumLibrary.init();
  const pages = await renderedPages(pdfium, pdf, 4);
  pdfium.destroy();
  return Promise.all(pages.map(({ picture }) => readCodes(picture)));
}

it('a dispatcher prints the label of a pallet without a marker, which a scanner reads', async () => {
  const page = await signedIn(world, admin);
  await page.goto(`/app/search?q=${PALLETS[0]}`);
  await expectGoodPage(page, 'pallet-without-marker');
  const link = page.getByRole('link', { name: `Label: ${PALLETS[0]}` });
  const href = (await link.getAttribute('href'))!;
  const answer = await page.context().request.get(new URL(href, world.service.origin).href);
  expect(await codesIn(await answer.body())).toEqual([[{ kind: ']C1', data: `00${PALLETS[0]}` }]]);
});

it('a dispatcher chooses the size once, gives markers, and prints labels that a scanner reads', async () => {
  const page = await signedIn(world, admin, { viewport: { width: 1024, height: 768 } });
  await page.goto('/app/settings');
  await page.getByLabel('Pallet labels').selectOption('A6');
  await page.locator('form.settings').getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => page.getByLabel('Pallet labels').inputValue()).toBe('A6');
  await expectGoodPage(page, 'settings-labels');

  await page.goto(path);
  const opened = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'Give 2 markers and print labels' }).click();
  await opened;
  await expect.poll(async () => (await dock.must('GET', '/track')).totalElements).toBe(2);

  await page.goto(path);
  const link = page.getByRole('link', { name: 'Print labels' });
  const href = (await link.getAttribute('href'))!;
  const answer = await page.context().request.get(new URL(href, world.service.origin).href);
  expect(answer.headers()['content-type']).toBe('application/pdf');
  const [first, second] = await codesIn(await answer.body());
  expect(first).toContainEqual({ kind: ']C1', data: `00${PALLETS[0]}` });
  expect(second).toContainEqual({ kind: ']C0', data: PALLETS[1] });

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Labels as ZPL' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('labels.zpl');
  const printed = printZpl(readFileSync(await download.path(), 'utf8'));
  expect(printed.map(({ texts }) => texts.at(-1)!.text)).toEqual(['(00) 3401 2345 0000 00 0017', 'PAL-0042']);
  await expectGoodPage(page, 'manifest-labels');
});

it('the result of an action on chosen rows is in the bar of the rows, and pushes nothing', async () => {
  const page = await signedIn(world, admin, { viewport: { width: 1024, height: 768 } });
  await dock.couple('BULK-1');
  await dock.manifest('ORD-2', ['BULK-1']);
  await page.goto('/app/manifest?find=ORD-2');
  await page.locator('input[name=row]').check();
  const top = () => page.locator('table').evaluate((table) => table.getBoundingClientRect().top);
  const before = await top();
  const opened = page.context().waitForEvent('page');
  await page.locator('.bulk').getByRole('button', { name: 'Print labels', exact: true }).click();
  await page.locator('.bulk > .notice').waitFor(SOON);
  await opened;
  expect(await top()).toBe(before);
  await expectGoodPage(page, 'bulk-result');
});
