import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { phoneJpeg } from '../../images.ts';
import { signedIn, worldOn } from '../pages/browser.ts';
import { SOON, wedge } from '../pages/dock.ts';
import { film, marker } from '../pages/fake-camera.ts';
import { fileDialog } from '../pages/ready.ts';
import { isKept } from '../pages/wifi.ts';
import { LANGUAGES, type Reader, readerOf } from './reader.ts';
import { type Warehouse, warehouse, world } from './warehouse.ts';

const PALLETS = [
  '340123450000000017',
  '340123450000000024',
  '340123450000000031',
  '340123450000000048',
  '340123450000000055',
] as const;
const OTHER = '340123450000000062';
const BADGE = 'W-0001';
const TRUCK = 'TOUR-0815';
/** The name of the tablet. */
const TABLET = { en: 'Dock 01 left', de: 'Tor 01 links' };

const home = mkdtempSync(join(tmpdir(), 'dispatch-manual-'));
afterAll(() => rmSync(home, { recursive: true }));

/** Plans a truck for the first gate, and starts another truck at the second gate. */
async function prepare({ dock, ship, load }: Warehouse): Promise<void> {
  await dock.couple(...PALLETS, OTHER);
  await ship({
    name: TRUCK,
    gate: 'G1',
    orders: { 'ORDER-4711': PALLETS.slice(0, 3), 'ORDER-4712': PALLETS.slice(3) },
  });
  await ship({ name: 'TOUR-0816', gate: 'G2', orders: { 'ORDER-4720': [OTHER] } });
  await load('TOUR-0816', []);
}

const answered = (page: Page, tone: string, text: string) =>
  page.locator(`#answer.${tone}`, { hasText: text }).waitFor(SOON);

/** Creates the worker and the link for a tablet, as the office does. Returns the path of the link. */
async function preparedBy(office: Page, { t, language }: Reader, path: string): Promise<string> {
  await office.goto('/app/gate-worker');
  await office.getByLabel(t('worker.name'), { exact: true }).fill('Ana');
  await office.getByLabel(t('worker.secret', { mode: 'BADGE' }), { exact: true }).fill(BADGE);
  await office.getByRole('button', { name: t('worker.create') }).click();
  await office.getByText(t('worker.made', { name: 'Ana' })).waitFor();
  await office.goto(`${path}/tablets`);
  await office.getByLabel(t('tablet.name'), { exact: true }).fill(TABLET[language]);
  await office.getByRole('button', { name: t('tablet.makeLink') }).click();
  return new URL((await office.locator('#link').textContent())!).pathname;
}

/** Pairs the tablet, and identifies the worker. */
async function begin(reader: Reader, tablet: Page, link: string): Promise<void> {
  const { t } = reader;
  await tablet.goto(link);
  await reader.picture(tablet, 'pair');
  await tablet.getByRole('button', { name: t('pair.button') }).click();
  await tablet.waitForURL('**/app/gate/*');
  await tablet.locator('body[data-feed="live"]').waitFor();
  await tablet.getByText(t('work.who')).waitFor();
  await reader.picture(tablet, 'who');
  await wedge(tablet, BADGE);
  await tablet.locator('#whose', { hasText: 'Ana' }).waitFor(SOON);
}

/** Starts the truck, and scans a pallet with the hand scanner. */
async function load({ t, picture }: Reader, tablet: Page): Promise<void> {
  await picture(tablet, 'ready');
  await tablet.getByRole('button', { name: t('gate.truckHere') }).click();
  await answered(tablet, 'told', t('done.arrived'));
  await tablet.getByRole('button', { name: `${t('gate.start')}: ${TRUCK}` }).click();
  await tablet.getByText('0 / 5').waitFor(SOON);
  await wedge(tablet, `00${PALLETS[0]}`);
  await answered(tablet, 'ok', t('scan.LOADED'));
  await tablet.getByText('1 / 5').waitFor(SOON);
  await picture(tablet, 'scan');
}

/** Scans a pallet with the camera of a phone. */
async function scanByPhone(reader: Reader, { dock, admin }: Warehouse): Promise<void> {
  const { t, picture } = reader;
  const video = join(home, `pallet-${reader.language}.y4m`);
  film(video, [marker(dock.codes[PALLETS[4]]!)]);
  const filming = await worldOn(world.service, [
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${video}`,
  ]);
  const phone = await signedIn(filming, admin, {
    ...reader.options(390, 760),
    hasTouch: true,
    permissions: ['camera'],
  });
  await phone.goto(dock.gatePath('G1'));
  await phone.getByText('1 / 5').waitFor(SOON);
  await picture(phone, 'phone');
  await phone.getByRole('link', { name: t('gate.camera') }).tap();
  await phone.locator('#reads .done', { hasText: PALLETS[4] }).waitFor({ timeout: 40_000 });
  await picture(phone, 'camera');
  await filming.end();
}

/** Scans a pallet of another truck, and takes it off. */
async function mistake({ t, picture }: Reader, tablet: Page, { dock }: Warehouse): Promise<void> {
  await tablet.getByText('2 / 5').waitFor(SOON);
  await wedge(tablet, String(dock.codes[OTHER]));
  await tablet.getByText(t('gate.takeOff')).waitFor(SOON);
  await picture(tablet, 'wrong');
  await tablet.getByRole('button', { name: t('gate.isOff') }).click();
  await tablet.getByText(t('gate.takeOff')).waitFor({ state: 'detached', ...SOON });
}

/** Reports damage, and continues without a connection. */
async function trouble({ t, picture }: Reader, tablet: Page): Promise<void> {
  const row = tablet.locator('#open > li', { hasText: PALLETS[1] });
  await row.locator('summary').click();
  await picture(tablet, 'row');
  const dialog = await fileDialog(tablet, () =>
    row.getByRole('button', { name: `${t('takes.DAMAGE')}: ${PALLETS[1]}` }).click(),
  );
  await dialog.setFiles({ name: 'phone.jpg', mimeType: 'image/jpeg', buffer: phoneJpeg() });
  await answered(tablet, 'told', t('gate.photoStored'));
  await row.getByText(t('note.photoDamaged')).waitFor(SOON);
  await isKept(tablet);
  await tablet.context().setOffline(true);
  await tablet.locator('body:not([data-feed="live"]) #offline').waitFor();
  await wedge(tablet, PALLETS[1]);
  await tablet.getByText(t('tablet.waits', { count: 1 })).waitFor(SOON);
  await picture(tablet, 'offline');
  await tablet.context().setOffline(false);
  await tablet.getByText('3 / 5').waitFor({ timeout: 30_000 });
}

/** Draws a line over the canvas of a page. */
async function draw(page: Page): Promise<void> {
  const box = (await page.locator('canvas').boundingBox())!;
  await page.mouse.move(box.x + box.width / 4, box.y + box.height / 2);
  await page.mouse.down();
  for (const [x, y] of [
    [0.35, 0.3],
    [0.45, 0.7],
    [0.55, 0.3],
    [0.7, 0.5],
  ] as const)
    await page.mouse.move(box.x + box.width * x, box.y + box.height * y, { steps: 4 });
  await page.mouse.up();
}

/** Opens the question before the truck leaves. The driver signs in it on the tablet. */
async function finish({ t, picture }: Reader, tablet: Page): Promise<void> {
  await tablet.getByRole('link', { name: `${t('gate.complete')}: ${TRUCK}` }).click();
  const dialog = tablet.getByRole('dialog');
  await dialog.getByRole('textbox', { name: t('role.SEAL') }).fill('SEAL-4711');
  await dialog.getByRole('radio', { name: t('reason.nextTruck') }).check();
  await picture(tablet, 'short');
  await dialog.getByLabel(t('proof.signer'), { exact: true }).fill('Eva Meier');
  await dialog
    .locator('canvas')
    .evaluate<void, { scrollIntoView(how: object): void }>((canvas) =>
      canvas.scrollIntoView({ block: 'center' }),
    );
  await draw(tablet);
  await picture(tablet, 'sign');
  await dialog
    .getByRole('button', { name: t('close.yesAmiss', { amiss: t('close.missingCount', { count: 2 }) }) })
    .click();
  await tablet.getByText(t('finish.signed', { who: 'Eva Meier', role: t('signer.DRIVER') })).waitFor(SOON);
}

it.each(LANGUAGES)(
  'the manual for loaders leads from pairing to a completed truck (%s)',
  async (language) => {
    const reader = readerOf('loader', language);
    const { t } = reader;
    const made = await warehouse('loader', language, { gateWorkerIdentification: 'BADGE' });
    await prepare(made);
    const { dock, admin } = made;
    const office = await signedIn(world, admin, reader.options(1024, 768));
    const link = await preparedBy(office, reader, dock.gatePath('G1'));
    const tablet = await (await world.profile(reader.options(1024, 768))).newPage();
    await begin(reader, tablet, link);
    await load(reader, tablet);
    await scanByPhone(reader, made);
    await mistake(reader, tablet, made);
    await trouble(reader, tablet);
    await finish(reader, tablet);
    await tablet.getByText(t('state.FREE')).first().waitFor(SOON);
    await tablet.getByRole('button', { name: `${t('work.done')}: Ana` }).click();
    await tablet.getByText(t('work.who')).waitFor(SOON);
    expect((await dock.must('GET', `/shipment/${TRUCK}`)).status).toBe('COMPLETED');
    reader.expectAllPictures();
  },
);
