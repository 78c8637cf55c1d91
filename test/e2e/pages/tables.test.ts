import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { bookText } from '../../../src/web/console/pallet-list/xlsx.ts';
import { expectGoodPage, newPerson, signedIn } from './browser.ts';
import { atDock, newDock, SOON } from './dock.ts';
import { inEachFont, NONE_IN_EACH_FONT } from './fonts.ts';

const COUNT = 25;

const { world, dock, admin } = await atDock('tables', { G1: 'Dock 01', G2: 'Dock 02' });
for (let number = 10; number < 10 + COUNT; number += 1) {
  await dock.couple(`P-${number}`);
  await dock.manifest(`M-${number}`, [`P-${number}`]);
}

const names = (page: Page): Promise<string[]> => page.locator('tbody th').allTextContents();
const trimmed = async (page: Page): Promise<string[]> => (await names(page)).map((name) => name.trim());

describe('a table', () => {
  it('a table filters at once, keeps the focus and puts the filter into the address', async () => {
    const page = await signedIn(world, admin);
    await page.goto('/app/manifest');
    await page.evaluate('globalThis.marked = true');
    expect(await page.getByRole('button', { name: 'Show' }).isVisible()).toBe(false);
    await page.getByLabel('Search manifests').fill('M-12');
    await page.keyboard.press('Enter');
    await page.getByText('1–1 of 1').waitFor(SOON);
    expect(await trimmed(page)).toEqual(['M-12']);
    expect(new URL(page.url()).search).toBe('?find=M-12');
    await page.getByLabel('Search manifests').fill('');
    await page.getByRole('combobox', { name: 'State' }).focus();
    await page.getByText(`1–20 of ${COUNT}`).waitFor(SOON);
    await page.getByRole('combobox', { name: 'State' }).selectOption('COMPLETED');
    await page.getByText('This view is empty.').waitFor(SOON);
    expect(new URL(page.url()).search).toBe('?manifestStatus=COMPLETED');
    expect(await page.evaluate('document.activeElement.id')).toBe('manifestStatus');
    expect(await page.evaluate('globalThis.marked')).toBe(true);
    await page.goBack();
    await page.getByText(`1–20 of ${COUNT}`).waitFor(SOON);
  });

  it('a table shows filters in one line on a desk and behind one step on a phone', async () => {
    const page = await signedIn(world, admin, { viewport: { width: 1440, height: 900 } });
    await page.goto('/app/manifest');
    const state = page.getByRole('combobox', { name: 'State' });
    const order = page.getByRole('combobox', { name: 'Order' });
    const line = [page.getByLabel('Search manifests'), state, page.getByText('More filters and order')];
    const middles = await Promise.all(line.map((one) => one.boundingBox()));
    expect(new Set(middles.map((box) => Math.round((box!.y + box!.height / 2) / 4))).size).toBe(1);
    expect(await page.getByText('Filters', { exact: true }).isVisible()).toBe(false);
    await page.setViewportSize({ width: 360, height: 740 });
    expect([await state.isVisible(), await order.isVisible()]).toEqual([false, false]);
    await page.getByText('Filters', { exact: true }).click();
    expect([await state.isVisible(), await order.isVisible()]).toEqual([true, true]);
    await expectGoodPage(page, '/app/manifest filters');
  });

  it('a table sorts by its headers, which show the order', async () => {
    const page = await signedIn(world, admin);
    await page.goto('/app/manifest');
    await page.getByRole('link', { name: 'Manifest', exact: true }).click();
    await page.waitForURL(/sort\.direction=ASC/);
    expect((await trimmed(page))[0]).toBe('M-10');
    const header = page.getByRole('columnheader', { name: 'Manifest' });
    expect(await header.getAttribute('aria-sort')).toBe('ascending');
    await page.getByRole('link', { name: 'Manifest', exact: true }).click();
    await page.waitForURL(/sort\.direction=DESC/);
    expect((await trimmed(page))[0]).toBe(`M-${9 + COUNT}`);
    expect(await page.locator('thead [aria-sort]').count()).toBe(1);
  });

  it('a table can be saved as a view, renamed and deleted', async () => {
    const page = await signedIn(world, admin);
    await page.goto('/app/manifest?find=M-1');
    await page.getByText('Save view').click();
    await page.getByLabel('Name of the view').fill('The first ten');
    await page.getByRole('button', { name: 'Save' }).click();
    const views = page.getByRole('navigation', { name: 'Views' });
    await views.getByRole('link', { name: 'The first ten 10' }).waitFor(SOON);
    await expectGoodPage(page, '/app/manifest view');
    await page.getByText('View The first ten', { exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill('Tens');
    await page.getByRole('button', { name: 'Rename' }).click();
    await views.getByRole('link', { name: 'Tens' }).waitFor(SOON);
    await page.getByText('View Tens').click();
    await page.getByRole('button', { name: 'Delete this view' }).click();
    await page.getByRole('status').filter({ hasText: 'The view was deleted.' }).waitFor(SOON);
    expect(await views.getByRole('link', { name: 'Tens' }).count()).toBe(0);
  });

  it('a table exports all rows to a file, not only the page', async () => {
    const page = await signedIn(world, admin, { acceptDownloads: true });
    await page.goto('/app/manifest?sort.sortBy=externalIdentifier&sort.direction=ASC');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'CSV' }).click(),
    ]);
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines).toHaveLength(COUNT + 1);
    expect(lines[1]).toMatch(/^"M-10",/);
    expect(download.suggestedFilename()).toMatch(/^manifest-\d{4}-\d\d-\d\d\.csv$/);
    const [workbook] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'XLSX' }).click(),
    ]);
    const { text } = (await bookText(readFileSync(await workbook.path()))).sheets[0]!;
    expect(text.split('\n').map((line) => line.split('\t')[0])).toEqual(
      lines.map((line) => line.split('","')[0]!.replace(/^\ufeff?"/, '')),
    );
    expect(workbook.suggestedFilename()).toMatch(/^manifest-\d{4}-\d\d-\d\d\.xlsx$/);
  });
});

it('names and states keep their room on a phone, however much is beside them', async () => {
  const shipmentCustomFields = [
    { fieldKey: 'carrier', fieldType: 'TEXT', role: 'CARRIER' },
    { fieldKey: 'leaves', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' },
  ];
  const settings = { dispatchStrategy: 'SHIPMENT', shipmentCustomFields };
  const yard = await newDock(world, 'yard', { G1: 'Dock 01' }, settings);
  const customers = [{ fieldKey: 'customer', fieldValue: 'Cold Store & Sons' }];
  await yard.manifest('ORDER-100', ['Y-1'], { manifestStatus: 'PLANNED', customFields: customers });
  const leaves = new Date(Date.now() - 100 * 60_000).toISOString();
  await yard.must('POST', '/shipment', {
    identifier: 'TOUR-1',
    gateIdentifier: 'G1',
    manifests: [{ manifestExternalId: 'ORDER-100' }],
    customFields: [
      { fieldKey: 'carrier', fieldValue: 'Österreichische Spedition' },
      { fieldKey: 'leaves', fieldValue: leaves },
    ],
  });
  await yard.must('POST', '/shipment/TOUR-1/status/IN_PROGRESS');
  const page = await signedIn(world, await newPerson(world, yard, 'ADMINISTRATOR'));
  for (const language of ['de', 'en']) {
    for (const path of ['/app/shipment', '/app/search?q=Cold%20Store%20%26%20Sons', '/app/search?q=tour']) {
      await page.goto(`/language?to=${language}&next=${encodeURIComponent(path)}`);
      await expectGoodPage(page, `${path} ${language}`);
      // On a desk no row is cut off beside the menu.
      for (const width of [1024, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        const cut = await page.evaluate(
          inEachFont(
            "[...document.querySelectorAll('.listed')].filter((e) => e.scrollWidth > e.clientWidth).length",
          ),
        );
        expect([path, language, width, cut]).toEqual([path, language, width, NONE_IN_EACH_FONT]);
      }
    }
  }
});

describe('rows that are chosen', () => {
  it('selected rows show their pallet count, get a gate, and list the result of each', async () => {
    const page = await signedIn(world, admin);
    await dock.must('POST', '/manifest/M-34/status/CANCELLED');
    await page.goto('/app/manifest');
    const bar = page.getByRole('form', { name: 'Actions for the selected rows' });
    expect(await bar.isVisible()).toBe(false);
    for (const name of ['M-34', 'M-33', 'M-32']) await page.getByLabel(`Select ${name}`).check();
    expect(await page.locator('#chosen').textContent()).toBe('3 selected, 3 pallets');
    await page.setViewportSize({ width: 360, height: 740 });
    await expectGoodPage(page, '/app/manifest chosen');
    await page.setViewportSize({ width: 1280, height: 800 });
    // Without a chosen gate, the button assigns nothing.
    await page.getByRole('button', { name: 'Assign gate' }).click();
    expect(
      await bar.getByRole('combobox', { name: 'Gate' }).evaluate((gate) => gate.matches(':invalid')),
    ).toBe(true);
    expect(await page.locator('#chosen').textContent()).toBe('3 selected, 3 pallets');
    await bar.getByRole('combobox', { name: 'Gate' }).selectOption('G2');
    await page.getByRole('button', { name: 'Assign gate' }).click();
    await page.getByRole('status').filter({ hasText: '2 of 3 are at G2.' }).waitFor(SOON);
    expect(await page.locator('.outcome li').first().textContent()).toContain('(Cancelled): ');
    // A reload sends the form again. The same result appears.
    await page.reload();
    await page.getByRole('status').filter({ hasText: '2 of 3 are at G2.' }).waitFor(SOON);
    expect((await dock.must('GET', '/manifest/M-33')).gate.externalIdentifier).toBe('G2');
  });

  it('selected rows and filters work without script', async () => {
    const context = await world.profile({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto('/app/manifest');
    await page.getByLabel('Organization').fill(admin.organization);
    await page.getByLabel('E-mail address').fill(admin.email);
    await page.getByLabel('Password').fill(admin.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Search manifests').fill('M-2');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('1–10 of 10').waitFor(SOON);
    await page.getByLabel('Select M-20').check();
    // The filters have a gate, too.
    const bar = page.getByRole('form', { name: 'Actions for the selected rows' });
    await bar.getByRole('combobox', { name: 'Gate' }).selectOption('G1');
    await page.getByRole('button', { name: 'Assign gate' }).click();
    await page.getByRole('status').filter({ hasText: '1 of 1 are at G1.' }).waitFor(SOON);
    expect((await dock.must('GET', '/manifest/M-20')).gate.externalIdentifier).toBe('G1');
    await context.close();
  });
});

it('a printed table has no buttons, filters or menu', async () => {
  const page = await signedIn(world, admin);
  const seen = (selector: string) =>
    page.locator(selector).evaluateAll((found) => found.filter((one) => one.checkVisibility()).length);
  await page.emulateMedia({ media: 'print' });
  // The width of a screen, and of A4 paper without its margins.
  for (const width of [1280, 718]) {
    await page.setViewportSize({ width, height: 1000 });
    await page.goto('/app/manifest');
    expect([width, await seen('button, .button, input, select, summary, nav, .top')]).toEqual([width, 0]);
    expect([width, await seen('tbody tr')]).toEqual([width, 20]);
    const display = "getComputedStyle(document.querySelector('tbody tr')).display";
    expect([width, await page.evaluate(display)]).toEqual([width, 'table-row']);
    await page.locator('tbody th a').first().click({ force: true });
    await page.waitForURL(/manifest\/[0-9a-f-]{36}/);
    expect([width, await seen('button, .button, input, select, nav, .top')]).toEqual([width, 0]);
    expect([width, await page.locator('h2').filter({ hasText: 'Actions' }).isVisible()]).toEqual([
      width,
      false,
    ]);
  }
});

/** Returns the headers of columns that are empty in every row. */
const emptyColumns = (page: Page): Promise<unknown> =>
  page.evaluate(`[...document.querySelectorAll('table')].flatMap((table) =>
    [...table.querySelectorAll('thead th')]
      .filter((head) => head.checkVisibility() && ![...table.querySelectorAll('tbody tr')]
        .some(({ cells }) => cells[head.cellIndex].innerText.trim() !== ''))
      .map((head) => head.textContent))`);

it('a printed table has no empty column and is not wider than the sheet', async () => {
  const page = await signedIn(world, admin, { viewport: { width: 718, height: 1000 } });
  const { content } = await dock.must('GET', '/manifest?pageSize=1');
  for (const path of ['/app/board', '/app/gate', `/app/manifest/${content[0].uuid}`]) {
    await page.goto(path);
    await page.emulateMedia({ media: 'print' });
    const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect([path, await page.evaluate(wide)]).toEqual([path, 0]);
    expect([path, await emptyColumns(page)]).toEqual([path, []]);
  }
});
