import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { LOCATION, phoneJpeg } from '../../images.ts';
import { expectGoodPage, signedIn } from './browser.ts';
import { live, SOON, smallTargets } from './dock.ts';
import { fileDialog } from './ready.ts';
import { isKept, overWifi } from './wifi.ts';

const { world, wifi, dock, admin, opened } = await overWifi(
  'gate-photos',
  { G1: 'Dock 01', G2: 'Dock 02', G3: 'Dock 03', G4: 'Dock 04', G5: 'Dock 05' },
  {
    dispatchStrategy: 'SHIPMENT',
    shipmentCustomFields: [{ fieldKey: 'seal', fieldType: 'TEXT', role: 'SEAL' }],
  },
);

beforeEach(() => wifi.comeBack());

const PHONE = { name: 'phone.jpg', mimeType: 'image/jpeg', buffer: phoneJpeg() };

/** Loads a manifest of these pallets at a gate. */
async function loading(gate: string, manifest: string, pallets: string[]): Promise<void> {
  await dock.couple(...pallets);
  await dock.manifest(manifest, pallets, { gateExternalId: gate });
  await dock.must('POST', `/manifest/${manifest}/status/IN_PROGRESS`);
}

/** Presses a button that opens the camera, and takes a photo. */
async function takes(page: Page, press: () => Promise<void>, file = PHONE): Promise<void> {
  const dialog = await fileDialog(page, press);
  await dialog.setFiles(file);
}
async function takesOf(page: Page, pallet: string, file = PHONE): Promise<void> {
  await page.locator('#open > li', { hasText: pallet }).locator('summary').click();
  await takes(page, () => page.getByRole('button', { name: `Photo of damage: ${pallet}` }).click(), file);
}
/** A JPEG of this size, drawn by the browser. */
async function drawn(page: Page, width: number, height: number): Promise<Buffer> {
  const url = await page.evaluate<string>(`(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: ${width}, height: ${height} });
    canvas.getContext('2d').fillRect(0, 0, ${width / 2}, ${height});
    return canvas.toDataURL('image/jpeg');
  })()`);
  return Buffer.from(url.split(',')[1]!, 'base64');
}
/** Whether a photo has a thumbnail of its own. */
async function hasThumbnail(link: string): Promise<boolean> {
  const [photo, thumbnail] = await Promise.all(
    [link, `${link}?thumbnail=true`].map(async (url) => Buffer.from(await (await fetch(url)).arrayBuffer())),
  );
  return !photo!.equals(thumbnail!);
}
const photosOf = async (query: string) => (await dock.must('GET', `/photo?${query}`)).content;
const isSent = (page: Page) => page.locator('#photos').waitFor({ state: 'hidden', timeout: 60_000 });

describe('photos at a gate', () => {
  it('a photo of damage, taken by keyboard, is small, has no location and flags the pallet', async () => {
    await loading('G1', 'P-1', ['A-1', 'A-2']);
    const page = await opened('G1');
    const row = page.locator('#open > li', { hasText: 'A-1' });
    const large = await drawn(page, 3_000, 1_500);
    const byKeyboard = async () => {
      await row.locator('summary').focus();
      await page.keyboard.press('Enter');
      const button = row.getByRole('button', { name: 'Photo of damage: A-1' });
      await button.focus();
      await button.and(page.locator(':focus')).waitFor();
      await page.keyboard.press('Enter');
    };
    await takes(page, byKeyboard, { name: 'large.jpg', mimeType: 'image/jpeg', buffer: large });
    await page.locator('#answer.told', { hasText: 'The photo is stored.' }).waitFor(SOON);
    await row.locator('.badge', { hasText: 'Damaged' }).waitFor(SOON);
    const [photo] = await photosOf('trackIdentifier=A-1');
    expect([photo.kind, photo.contentType, photo.width, photo.height]).toEqual([
      'DAMAGE',
      'image/jpeg',
      1_600,
      800,
    ]);
    const thumbnail = await page.evaluate<string>(`(async () => {
      const bitmap = await createImageBitmap(await (await fetch('${new URL(photo.link).pathname}?thumbnail=true')).blob());
      return bitmap.width + ' × ' + bitmap.height;
    })()`);
    expect(thumbnail).toBe('400 × 200');
    expect(await smallTargets(page)).toEqual([]);
    expect(Math.abs(Date.parse(photo.takenDate) - Date.now())).toBeLessThan(60_000);
    await takesOf(page, 'A-2');
    await expect.poll(() => photosOf('trackIdentifier=A-2'), SOON).toHaveLength(1);
    const [second] = await photosOf('trackIdentifier=A-2');
    const bytes = Buffer.from(await (await fetch(second.link)).arrayBuffer()).toString('latin1');
    expect(bytes.length).toBe(second.sizeBytes);
    expect([bytes.includes(LOCATION), bytes.includes('Exif')]).toEqual([false, false]);
    // The phone held the camera upright: the picture is turned, not its orientation stored.
    expect([second.width, second.height]).toEqual([8, 16]);
  });

  it('the load, its seal and other things are photographed, the seal also in the question', async () => {
    await dock.couple('B-1');
    await dock.must('POST', '/manifest', { externalIdentifier: 'P-2', assets: ['B-1'] });
    const manifests = [{ manifestExternalId: 'P-2' }];
    await dock.must('POST', '/shipment', { identifier: 'S-2', gateIdentifier: 'G2', manifests });
    await dock.must('POST', '/shipment/S-2/status/IN_PROGRESS');
    await dock.scan('G2', 'B-1');
    const page = await opened('G2');
    for (const label of ['Photo of load', 'Other photo']) {
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await takes(page, () => page.getByRole('button', { name: `${label}: S-2` }).click());
      await page.locator('#answer.told', { hasText: 'The photo is stored.' }).waitFor(SOON);
    }
    await page.getByRole('link', { name: 'Complete: S-2' }).click();
    const dialog = page.getByRole('dialog', { name: 'Complete S-2?' });
    await takes(page, () => dialog.getByRole('button', { name: 'Photo of seal: S-2' }).click());
    await dialog.getByText('The photo is stored.').waitFor(SOON);
    await expectGoodPage(page, 'gate-seal-photo');
    expect(await smallTargets(page)).toEqual([]);
    await dialog.getByLabel('Seal', { exact: true }).fill('S-77');
    await dialog.getByRole('button', { name: 'Complete', exact: true }).click();
    await page.getByText('Free').first().waitFor(SOON);
    const kinds = (await photosOf('shipmentExternalId=S-2')).map(({ kind }: { kind: string }) => kind);
    expect(kinds.sort()).toEqual(['LOAD', 'OTHER', 'SEAL']);
  });

  it('photos wait without a connection, survive a reload, and none is lost or doubled', async () => {
    await loading('G3', 'P-3', ['C-1', 'C-2', 'C-3']);
    const page = await opened('G3');
    await isKept(page);
    // The service has stored the first photo, but its answer is lost.
    wifi.loseAnswerTo('filename="photo.jpg"');
    await takesOf(page, 'C-1');
    await expect.poll(() => photosOf('trackIdentifier=C-1'), SOON).toHaveLength(1);
    await isSent(page);
    wifi.dieAfter('filename="photo.jpg"');
    await takesOf(page, 'C-2');
    await page.locator('body[data-feed="lost"]').waitFor();
    await takesOf(page, 'C-2');
    await page.getByText('2 photos wait on this tablet.').waitFor(SOON);
    await takesOf(page, 'C-3');
    await page.getByText('3 photos wait on this tablet.').waitFor(SOON);
    await expectGoodPage(page, 'gate-photos-offline');
    await page.reload();
    await page.getByText('3 photos wait on this tablet.').waitFor(SOON);
    wifi.comeBack();
    await isSent(page);
    const counts = await Promise.all(
      ['C-1', 'C-2', 'C-3'].map(async (pallet) => (await photosOf(`trackIdentifier=${pallet}`)).length),
    );
    expect(counts).toEqual([1, 2, 1]);
    // The thumbnails have waited with their photos.
    for (const { link } of await photosOf('trackIdentifier=C-3')) expect(await hasThumbnail(link)).toBe(true);
    const audit = await dock.must('GET', '/audit-log?action=PHOTO_ADDED&entityExternalId=C-2');
    expect(audit.totalElements).toBe(2);
  });

  it('a connection that returns does not wait for the timeout of a photo that was being sent', async () => {
    await loading('G5', 'P-5', ['E-1']);
    const page = await opened('G5');
    wifi.dieAfter('filename="photo.jpg"');
    await takesOf(page, 'E-1');
    await page.locator('body[data-feed="lost"]').waitFor();
    wifi.comeBack();
    await page.locator('#photos').waitFor({ state: 'hidden', ...SOON });
    expect(await photosOf('trackIdentifier=E-1')).toHaveLength(1);
  });

  it('a refused photo says why and can be discarded, and scans do not wait for photos', async () => {
    await loading('G4', 'P-4', ['D-1', 'D-2']);
    const page = await signedIn(world, admin, {
      serviceWorkers: 'block',
      viewport: { width: 1024, height: 768 },
    });
    await page.goto(dock.gatePath('G4'));
    await live(page);
    let isBlocked = true;
    await page.route('**/photo', (route) => (isBlocked ? route.abort() : route.continue()));
    await takesOf(page, 'D-1');
    await page.getByText('1 photo waits on this tablet.').waitFor(SOON);
    await page.getByRole('button', { name: 'Mark loaded: D-2' }).click();
    await page.getByText('1 / 2').waitFor(SOON);
    // The load cannot be completed before its photos are sent.
    await page.getByRole('link', { name: 'Complete: P-4' }).click();
    await page.getByRole('radio', { name: 'Next truck' }).check();
    await page.getByRole('button', { name: 'Complete with 1 missing' }).click();
    await page.getByText('First wait until the photo is sent.').waitFor(SOON);
    expect((await dock.must('GET', '/manifest/P-4')).manifestStatus).toBe('IN_PROGRESS');
    await dock.must('POST', '/manifest/P-4/status/COMPLETED');
    isBlocked = false;
    const refused = page.locator('.refused-photo', { hasText: /refused \(Photo of D-1\):/ });
    await refused.waitFor(SOON);
    await page.keyboard.press('Escape');
    await expectGoodPage(page, 'gate-photo-refused');
    await page.reload();
    await refused.waitFor(SOON);
    await refused.getByRole('button', { name: 'Discard the photo' }).click();
    await page.locator('#photos').waitFor({ state: 'hidden' });
    await page.reload();
    await live(page);
    expect(await page.locator('#photos').isHidden()).toBe(true);
    expect(await photosOf('trackIdentifier=D-1')).toEqual([]);
  });
});

describe('a tablet that is full', () => {
  it('a tablet says that it holds no more photos, and keeps those it has', async () => {
    await loading('G1', 'P-6', ['F-1']);
    const page = await signedIn(world, admin, { viewport: { width: 1024, height: 768 } });
    await page.route('**/photo', (route) => route.abort());
    await page.goto(dock.gatePath('G1'));
    await live(page);
    for (let count = 1; count <= 20; count += 1) await takesOf(page, 'F-1');
    await page.getByText('20 photos wait on this tablet.').waitFor(SOON);
    await takesOf(page, 'F-1');
    await page.locator('#answer.bad', { hasText: 'This tablet holds no more photos.' }).waitFor(SOON);
    await page.reload();
    await page.getByText('20 photos wait on this tablet.').waitFor(SOON);
    await takesOf(page, 'F-1', { name: 'list.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('PK') });
    await page.locator('#answer.bad', { hasText: 'This picture cannot be read.' }).waitFor(SOON);
  });
});
