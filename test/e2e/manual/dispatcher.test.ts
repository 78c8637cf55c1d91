import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { signedIn } from '../pages/browser.ts';
import { SOON } from '../pages/dock.ts';
import { LANGUAGES, type Reader, readerOf } from './reader.ts';
import { NAMES, type Warehouse, warehouse, world } from './warehouse.ts';

const palletsOf = (order: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `P-${order}-${index + 1}`);
/** The pallets that the dispatcher enters. They are SSCCs with a right check digit. */
const ENTERED = ['340123450000000017', '340123450000000024', '340123450000000031', '340123450000000048'];
const MINE = 'TOUR-0820';

/** Plans the trucks of the day: one left short, one is late, one is being loaded, one waits for a gate. */
async function theDay({ dock, ship, load }: Warehouse): Promise<void> {
  const orders = { left: palletsOf(4701, 6), late: palletsOf(4702, 8), loading: palletsOf(4703, 12) };
  await dock.couple(...orders.left, ...orders.late, ...orders.loading, 'P-4704-1', ...ENTERED);
  await ship({ name: 'TOUR-0815', gate: 'G1', departs: -90, orders: { 'ORDER-4701': orders.left } });
  await load('TOUR-0815', orders.left.slice(0, 5));
  await dock.must('POST', '/shipment/TOUR-0815/status/COMPLETED');
  await ship({
    name: 'TOUR-0816',
    gate: 'G2',
    departs: -30,
    carrier: 1,
    orders: { 'ORDER-4702': orders.late },
  });
  await load('TOUR-0816', orders.late.slice(0, 3));
  await ship({ name: 'TOUR-0817', gate: 'G1', departs: 60, orders: { 'ORDER-4703': orders.loading } });
  await load('TOUR-0817', orders.loading.slice(0, 7));
  await ship({ name: 'TOUR-0818', departs: 120, carrier: 1, orders: { 'ORDER-4704': ['P-4704-1'] } });
  // A pallet of another truck.
  await dock.scan('G1', 'P-4704-1');
}

const live = (page: Page) => page.locator('body[data-feed="live"]').waitFor();

/** Enters a manifest as a list of pallets. */
async function enterManifest({ t, picture }: Reader, page: Page): Promise<void> {
  await page.goto('/app/manifest');
  await page
    .getByRole('link', { name: t('make.manifest') })
    .first()
    .click();
  await page.getByLabel(t('make.manifestId')).fill('ORDER-4720');
  await page.getByLabel(t('page.pallets'), { exact: true }).fill(ENTERED.join('\n'));
  await picture(page, 'manifest');
  await page.getByRole('button', { name: t('make.look') }).click();
  await page.getByRole('button', { name: t('make.create'), exact: true }).waitFor();
  await picture(page, 'preview');
  await page.getByRole('button', { name: t('make.create'), exact: true }).click();
  await page
    .getByText(t('make.manifestPlanned', { name: 'ORDER-4720' }))
    .first()
    .waitFor(SOON);
}

/** Plans a truck for the manifest. */
async function planTruck({ t, picture, language }: Reader, page: Page): Promise<void> {
  await page.goto('/app/shipment');
  await page
    .getByRole('link', { name: t('make.shipment') })
    .first()
    .click();
  await page.getByLabel(t('make.shipmentId')).fill(MINE);
  await page.getByLabel(/ORDER-4720/).check();
  await page.getByLabel(t('role.CARRIER')).fill(NAMES[language].carriers[0]!);
  await page.getByLabel(t('role.PLANNED_DEPARTURE')).fill(`${new Date().toISOString().slice(0, 10)}T23:30`);
  await picture(page, 'shipment');
  await page.getByRole('button', { name: t('make.createShipment') }).click();
  await page
    .getByText(t('make.shipmentReady', { name: MINE }))
    .first()
    .waitFor(SOON);
}

/** Gives the truck its gate on the page of the day. */
async function giveGate({ t, picture }: Reader, page: Page): Promise<void> {
  await page.goto('/app/today');
  await live(page);
  const gateless = page.getByLabel(t('day.gateOf', { name: MINE }));
  await gateless.scrollIntoViewIfNeeded();
  await picture(page, 'gate');
  await gateless.selectOption({ index: 3 });
  await page.getByRole('button', { name: t('day.assignTo', { name: MINE }) }).click();
  await page
    .locator('#undo')
    .getByRole('button', { name: t('day.undo') })
    .waitFor(SOON);
}

/** Looks at the gates, on the board and on the wall. */
async function watch({ t, picture }: Reader, page: Page): Promise<void> {
  await page.goto('/app/board');
  await live(page);
  await picture(page, 'board');
  await page.getByRole('link', { name: t('board.wall') }).click();
  await page.waitForURL('**/app/board?screen=wall*');
  await live(page);
  await picture(page, 'wall');
  await page.goto('/app/alert?status=OPEN');
  await page.getByRole('checkbox', { name: t('list.chooseAll') }).check();
  await page
    .getByRole('button', { name: t('alert.resolve') })
    .first()
    .waitFor();
  await picture(page, 'alerts');
}

/** Makes the back order of a truck that left short, and shares its summary. */
async function afterwards({ t, picture }: Reader, page: Page, uuid: string): Promise<void> {
  await page.goto(`/app/shipment/${uuid}`);
  const left = page.locator('.left-behind');
  await left.scrollIntoViewIfNeeded();
  await picture(page, 'backorder');
  await left.getByRole('button', { name: t('load.backorderMake', { count: 1 }) }).click();
  await page
    .getByText(t('load.backorderMade', { name: 'ORDER-4701-2' }))
    .first()
    .waitFor(SOON);
  await page.goto(`/app/shipment/${uuid}`);
  await page.getByRole('link', { name: t('share.open'), exact: true }).click();
  await page.getByRole('dialog').waitFor();
  await picture(page, 'share');
  await page.goto('/app/report');
  await page.getByRole('link', { name: t('reportPreset.LAST_30_DAYS') }).click();
  await page.getByRole('heading', { name: t('report.title') }).waitFor();
  await picture(page, 'report');
}

it.each(LANGUAGES)('the manual for dispatchers leads from an order to a report (%s)', async (language) => {
  const reader = readerOf('dispatcher', language);
  const { t, picture } = reader;
  const made = await warehouse('dispatcher', language);
  await theDay(made);
  const page = await signedIn(world, made.admin, reader.options(1024, 720));
  await page.goto('/app/today');
  await live(page);
  await picture(page, 'today');
  await enterManifest(reader, page);
  await planTruck(reader, page);
  await giveGate(reader, page);
  await watch(reader, page);
  const { uuid } = await made.dock.must('GET', `/shipment/${MINE}`);
  await page.goto(`/app/shipment/${uuid}`);
  await page.getByRole('link', { name: t('load.cancel', { kind: 'shipment' }) }).click();
  const dialog = page.getByRole('dialog', { name: t('cancel.title', { kind: 'shipment', name: MINE }) });
  await picture(page, 'cancel');
  await dialog.getByRole('link', { name: t('ask.keep') }).click();
  const left = await made.dock.must('GET', '/shipment/TOUR-0815');
  await afterwards(reader, page, left.uuid);
  expect((await made.dock.must('GET', `/shipment/${MINE}`)).gate.externalIdentifier).toBe('G3');
  reader.expectAllPictures();
});
