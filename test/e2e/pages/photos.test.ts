import { Buffer } from 'node:buffer';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { exif, JPEG, LOCATION, segment } from '../../images.ts';
import { expectGoodPage, newPerson, signedIn } from './browser.ts';
import { atDock, SOON } from './dock.ts';

const { world, dock, admin } = await atDock('photos', { G1: 'Dock 01' }, { dispatchStrategy: 'SHIPMENT' });
await dock.couple('P-1', 'P-2');
await dock.manifest('M-1', ['P-1', 'P-2'], { manifestStatus: 'PLANNED' });
await dock.must('POST', '/shipment', { identifier: 'S-1', manifests: [{ manifestExternalId: 'M-1' }] });
const pathOf = async (resource: string, name: string): Promise<string> =>
  `/app/${resource}/${(await dock.must('GET', `/${resource}/${name}`)).uuid}`;
const photos = async (query: string) => (await dock.must('GET', `/photo?${query}`)).content;

/** A turned photo of a phone with 3,000 × 2,000 pixels, and a location. */
async function phonePhoto(page: Page): Promise<Buffer> {
  const drawn: string = await page.evaluate(`(() => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [3000, 2000];
    const context = canvas.getContext('2d');
    for (let x = 0; x < 3000; x += 50) {
      context.fillStyle = 'hsl(' + x / 10 + ' 70% 50%)';
      context.fillRect(x, 0, 50, 2000);
    }
    return canvas.toDataURL('image/jpeg', 0.9);
  })()`);
  const file = Buffer.from(drawn.slice(drawn.indexOf(',') + 1), 'base64');
  const located = segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exif(6)]));
  return Buffer.concat([file.subarray(0, 2), located, file.subarray(2)]);
}

const choose = (page: Page, buffer: Buffer, mimeType = 'image/jpeg') =>
  page.locator('.photos input[type="file"]').setInputFiles({ name: 'IMG_1.jpg', mimeType, buffer });

/** The thumbnails that the browser has decoded. */
const shown = (page: Page) =>
  page.evaluate(
    '[...document.querySelectorAll(".photos img")].filter((image) => image.naturalWidth > 1).length',
  );

/** The sizes of the pictures that the page shows, in pixels. */
const sizesOf = (page: Page) =>
  page.evaluate(
    '[...document.querySelectorAll(".photos img")].map((image) => image.naturalWidth + " × " + image.naturalHeight)',
  );

it('a photo of a pallet is sent small and without its location, and is on the pages of its shipment', async () => {
  const page = await signedIn(world, admin, { viewport: { width: 1280, height: 900 } });
  await page.goto(await pathOf('track', 'P-1'));
  const photo = await phonePhoto(page);
  expect(photo.toString('latin1')).toContain(LOCATION);
  await choose(page, photo);
  await page.getByLabel('Photo of').selectOption({ label: 'Damage' });
  await page.getByRole('button', { name: 'Add photo' }).click();
  await page.getByText('The photo was added.').waitFor(SOON);
  const [stored] = await photos('trackIdentifier=P-1');
  expect(stored).toMatchObject({ kind: 'DAMAGE', contentType: 'image/jpeg', width: 1067, height: 1600 });
  expect(stored.sizeBytes).toBeLessThan(photo.length);
  const bytes = Buffer.from(await (await fetch(stored.link)).arrayBuffer());
  expect(bytes.toString('latin1')).not.toContain(LOCATION);
  await expect.poll(() => shown(page), SOON).toBe(1);
  // The page has sent a thumbnail with the photo, and shows it.
  expect(await sizesOf(page)).toEqual(['267 × 400']);
  const thumbnail = await fetch(`${stored.link}?thumbnail=true`);
  const small = Buffer.from(await thumbnail.arrayBuffer());
  expect([thumbnail.headers.get('Content-Type'), small.length < stored.sizeBytes / 4]).toEqual([
    'image/jpeg',
    true,
  ]);
  expect(small.toString('latin1')).not.toContain(LOCATION);
  await page.getByText('Damaged').first().waitFor();
  await expectGoodPage(page, 'photos-pallet');
  for (const path of [await pathOf('manifest', 'M-1'), await pathOf('shipment', 'S-1')]) {
    await page.goto(path);
    await page.locator('.photos img').scrollIntoViewIfNeeded();
    await expect.poll(() => shown(page), SOON).toBe(1);
    await expectGoodPage(page, `photos-${path.split('/')[2]}`);
  }
});

it('the page of a shipment shows a photo at once that another program adds', async () => {
  const page = await signedIn(world, admin);
  await page.goto(await pathOf('shipment', 'S-1'));
  await page.locator('body[data-feed="live"]').waitFor(SOON);
  const before = await page.locator('.photos img').count();
  const added = await fetch(
    `${world.service.origin}/integration/rest/api/v1/photo?kind=SEAL&shipmentExternalId=S-1`,
    {
      method: 'POST',
      headers: { 'X-AUTH-KEY': dock.key, 'Content-Type': 'image/jpeg' },
      body: Uint8Array.from(JPEG),
    },
  );
  expect(added.status).toBe(201);
  await expect.poll(() => page.locator('.photos img').count(), SOON).toBe(before + 1);
});

it('a photo is added on the live page of a shipment, which shows it and keeps no chosen file', async () => {
  const page = await signedIn(world, admin);
  await page.goto(await pathOf('shipment', 'S-1'));
  await page.locator('body[data-feed="live"]').waitFor(SOON);
  const before = await page.locator('.photos img').count();
  await choose(page, await phonePhoto(page));
  await page.getByRole('button', { name: 'Add photo' }).click();
  await page.getByText('The photo was added.').waitFor(SOON);
  await expect.poll(() => page.locator('.photos img').count(), SOON).toBe(before + 1);
  const [stored] = await photos('shipmentExternalId=S-1');
  expect(stored).toMatchObject({ kind: 'LOAD', width: 1067, height: 1600 });
  await page.locator('.photos img').last().scrollIntoViewIfNeeded();
  await expect.poll(() => sizesOf(page), SOON).toContain('267 × 400');
  expect(await page.locator('.photos input[type="file"]').inputValue()).toBe('');
  await choose(page, Buffer.from('PK'), 'image/png');
  await page.getByRole('button', { name: 'Add photo' }).click();
  await page.getByText('This file is not a complete photo.').waitFor(SOON);
});

it('without JavaScript a photo is added and deleted, and its location is not stored', async () => {
  const script = await signedIn(world, admin);
  const photo = await phonePhoto(script);
  const page = await (
    await world.profile({ javaScriptEnabled: false, storageState: await script.context().storageState() })
  ).newPage();
  await page.goto(await pathOf('manifest', 'M-1'));
  await choose(page, photo);
  await page.getByRole('button', { name: 'Add photo' }).click();
  await page.getByText('The photo was added.').waitFor(SOON);
  const [stored] = await photos('manifestExternalId=M-1');
  expect(stored).toMatchObject({ kind: 'LOAD', width: 2000, height: 3000 });
  // There was no script that makes a thumbnail, so the page shows the photo itself.
  await expect.poll(() => sizesOf(page), SOON).toContain('2000 × 3000');
  const bytes = Buffer.from(await (await fetch(stored.link)).arrayBuffer());
  expect(bytes.toString('latin1')).not.toContain(LOCATION);
  await page
    .locator('.photos li', { hasText: 'M-1' })
    .getByRole('link', { name: 'Delete this photo' })
    .click();
  await page.getByRole('heading', { name: 'Delete this photo?' }).waitFor();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('The photo was deleted.').waitFor(SOON);
  expect(await photos('manifestExternalId=M-1')).toEqual([]);
  expect((await fetch(stored.link)).status).toBe(404);
});

it('a file that is no photo is refused beside the form, and a viewer can neither add nor delete', async () => {
  const page = await signedIn(world, admin);
  await page.goto(await pathOf('track', 'P-2'));
  await choose(page, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/png');
  await page.getByRole('button', { name: 'Add photo' }).click();
  await page.getByText('This file is not a complete photo.').waitFor(SOON);
  expect(await photos('trackIdentifier=P-2')).toEqual([]);
  const viewer = await signedIn(world, await newPerson(world, dock, 'VIEWER'));
  await viewer.goto(await pathOf('track', 'P-1'));
  await viewer.locator('.photos img').waitFor();
  expect(await viewer.locator('.photos form, .photos [data-ask]').count()).toBe(0);
});
