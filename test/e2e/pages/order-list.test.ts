import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { DESK_LANGUAGES } from '../../../src/messages/languages.ts';
import { checkDigit } from '../../../src/pallet/gs1.ts';
import { wordsIn } from '../../messages.ts';
import { sheetOf } from '../../unit/web/console/workbook.ts';
import { expectGoodPage, inTenant, shot, signedIn } from './browser.ts';
import { SOON } from './dock.ts';
import { fileDialog } from './ready.ts';

const FIELDS = [
  { fieldKey: 'carrier', fieldType: 'TEXT', role: 'CARRIER' },
  { fieldKey: 'departure', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' },
];
/** Most clicks for twelve orders from a file. Choosing a file in the system's dialog counts as two. */
const CLICKS = 6;

const { world, admin, tenant } = await inTenant('orders', {
  timeZone: 'Europe/Berlin',
  dispatchStrategy: 'SHIPMENT',
  shipmentCustomFields: FIELDS,
});

const sscc = (number: number): string => {
  const digits = `3952123${String(number).padStart(10, '0')}`;
  return digits + checkDigit(digits);
};
/** A workbook of orders with three pallets each, two orders a tour. */
const workbookOf = (name: string, orders: number, first: number): Buffer =>
  Buffer.from(
    sheetOf([
      ['Tour', 'Auftrag', 'Pos', 'NVE', 'Ware', 'Spedition', 'Abfahrt'],
      ...Array.from({ length: orders * 3 }, (_, at) => {
        const order = Math.floor(at / 3);
        const tour = `${name}-T${Math.floor(order / 2) + 1}`;
        const row = [tour, `${name}-${order + 1}`, String((at % 3) + 1), sscc(first + at), 'Schrauben M8'];
        return [...row, 'Nordfracht', { number: '46351.604166666664' }];
      }),
    ]),
  );
const fileOf = (name: string, orders: number, first: number) => ({
  name: `${name}.xlsx`,
  mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  buffer: workbookOf(name, orders, first),
});
const totalOf = async (resource: string, q: string): Promise<number> =>
  (await tenant.get(`/${resource}?q=${q}&pageSize=1`)).json.totalElements;

/** Drops a file on the middle of a page. */
async function drop(page: Page, { name, buffer }: ReturnType<typeof fileOf>): Promise<void> {
  const file = JSON.stringify({ name, bytes: [...buffer] });
  await page.evaluate(`(({ name, bytes }) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([new Uint8Array(bytes)], name));
    for (const type of ['dragover', 'drop'])
      document.getElementById('main').dispatchEvent(
        new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }),
      );
  })(${file})`);
}

describe('a file of orders', () => {
  it('twelve orders become manifests and shipments in six clicks, and get their labels in one more', async () => {
    const page = await signedIn(world, admin);
    let clicks = 0;
    const click = async (name: string | RegExp, role: 'button' | 'link' = 'button') => {
      clicks += 1;
      await page.getByRole(role, { name }).first().click();
    };
    await page.goto('/app/today');
    await click('Manifests', 'link');
    await page.waitForURL(/\/app\/manifest/);
    clicks += 1;
    const dialog = await fileDialog(page, () => page.getByText('Import a file').click());
    clicks += 2;
    await dialog.setFiles(fileOf('N', 12, 1));
    await page.getByRole('heading', { name: 'Create 12 manifests?' }).waitFor(SOON);
    await page.getByText('N-T1 · Nordfracht · 25 Nov 2026, 14:30').waitFor(SOON);
    expect(await totalOf('manifest', 'N-')).toBe(0);
    await expectGoodPage(page, 'order-list');
    await click('Create');
    await page.getByText('Planned: 12 manifests, 6 shipments.').waitFor(SOON);
    expect(clicks).toBeLessThanOrEqual(CLICKS);
    expect([await totalOf('manifest', 'N-'), await totalOf('shipment', 'N-')]).toEqual([12, 6]);
    await page
      .getByRole('cell', { name: /Nordfracht/ })
      .first()
      .waitFor(SOON);
    await shot(page, 'order-list-made');

    await page.getByRole('link', { name: 'N-T1' }).click();
    await page.getByRole('link', { name: 'Open N-1', exact: true }).click();
    await page.getByText('3 pallets have no marker yet.').waitFor(SOON);
    await expectGoodPage(page, 'give-markers');
    const [labels] = await Promise.all([
      page.context().waitForEvent('page', SOON),
      page.getByRole('button', { name: 'Give 3 markers and print labels' }).click(),
    ]);
    await page.getByText('3 markers given.').waitFor(SOON);
    await labels.close();
    await page.getByText('3 pallets have no marker yet.').waitFor({ state: 'detached', ...SOON });
  });

  it.each(['/app/manifest', '/app/shipment'])('a file is dropped anywhere on %s', async (list) => {
    const page = await signedIn(world, admin);
    await page.goto(list);
    const name = `D${list.at(-1)}`;
    await drop(page, fileOf(name, 2, 1_000));
    await page.getByRole('heading', { name: 'Create 2 manifests?' }).waitFor(SOON);
    expect(await totalOf('manifest', `${name}-`)).toBe(0);
  });

  it('the keyboard alone imports a file, changes a column, and returns to the list that was read', async () => {
    const page = await signedIn(world, admin);
    await page.goto('/app/manifest');
    await page.getByText('Import a file').locator('input').focus();
    const dialog = await fileDialog(page, () => page.keyboard.press('Space'));
    await dialog.setFiles(fileOf('K', 2, 2_000));
    await page.getByRole('heading', { name: 'Create 2 manifests?' }).waitFor(SOON);
    await page.getByLabel('Column with the orders').selectOption('1');
    await page.getByRole('button', { name: 'Preview these columns' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Create 1 manifest?' }).waitFor(SOON);
    await page.getByRole('button', { name: 'Back' }).focus();
    await page.keyboard.press('Enter');
    const list = page.getByLabel('Pallets', { exact: true });
    await list.waitFor(SOON);
    expect(await list.inputValue()).toContain(sscc(2_001));
    expect(await page.getByLabel('Column with the orders').inputValue()).toBe('1');
    expect(await totalOf('manifest', 'K-')).toBe(0);
  });

  it('a refusal of labels stays in the tab in which the button was pressed', async () => {
    const page = await signedIn(world, admin);
    await tenant.send({
      method: 'POST',
      path: '/manifest',
      json: { externalIdentifier: 'BARE', assets: [] },
    });
    await page.goto('/app/manifest?find=BARE');
    await page.getByRole('checkbox').first().check();
    await page.getByRole('button', { name: 'Print labels', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'None of these pallets has a label.' }).waitFor(SOON);
    expect(page.context().pages()).toHaveLength(1);
    expect(await page.getByRole('checkbox').first().isChecked()).toBe(true);
    await expectGoodPage(page, 'labels-refused');
  });

  it('a list without scripts becomes manifests', async () => {
    const page = await signedIn(world, admin, { javaScriptEnabled: false });
    await page.goto('/app/manifest/new');
    await page.getByLabel('From a file').setInputFiles(fileOf('S', 2, 3_000));
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.waitForURL(/\/app\/shipment\?createDateAfter/);
    expect(await totalOf('manifest', 'S-')).toBe(2);
  });

  it.each(DESK_LANGUAGES)('the preview of orders is in %s', async (language) => {
    const page = await signedIn(world, admin, { locale: language });
    const { t } = wordsIn(language);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto('/app/manifest/new');
    await page.getByLabel(t('page.pallets'), { exact: true }).fill('Order;LPN\nO-1;P-1\n;P-2');
    await page.getByRole('button', { name: t('make.look'), exact: true }).click();
    await page.getByText(t('orders.order', { order: 'O-1', count: 1 })).waitFor(SOON);
    await page.getByText(t('make.lineOf', { line: '3', reason: t('line.noOrder') })).waitFor(SOON);
    const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(wide)).toBe(0);
  });
});
