import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { phoneJpeg } from '../../images.ts';
import { signedIn } from './browser.ts';
import { atDock, live, SOON } from './dock.ts';
import { fileDialog } from './ready.ts';

const { world, dock, admin } = await atDock(
  'fast',
  { G1: 'Dock 01', G2: 'Dock 02' },
  {
    dispatchStrategy: 'SHIPMENT',
    shipmentCustomFields: [
      { fieldKey: 'plate', fieldType: 'TEXT', role: 'VEHICLE' },
      { fieldKey: 'departure', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' },
    ],
  },
);

const DAY = '/app/today?day=2031-05-06';
const departure = (time: string) => ({ fieldKey: 'departure', fieldValue: `2031-05-06T${time}:00Z` });

/** Creates a shipment with one manifest. @returns its uuid */
async function shipment(identifier: string, ...customFields: object[]): Promise<string> {
  const manifest = `M-${identifier}`;
  await dock.must('POST', '/manifest', { externalIdentifier: manifest, assets: [`P-${identifier}`] });
  const manifests = [{ manifestExternalId: manifest }];
  return (await dock.must('POST', '/shipment', { identifier, manifests, customFields })).uuid;
}
/** Creates a manifest. @returns its uuid */
const manifest = async (externalIdentifier: string, more: object): Promise<string> =>
  (await dock.must('POST', '/manifest', { externalIdentifier, assets: [externalIdentifier], ...more })).uuid;

/** Opens a live page of the administrator. */
async function opened(path: string): Promise<Page> {
  const page = await signedIn(world, admin, { serviceWorkers: 'block' });
  await page.goto(path);
  await live(page);
  return page;
}
const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === element.ownerDocument.activeElement);

/** Holds requests with a path and a method. @returns a function that lets them go */
async function hold(page: Page, path: string | RegExp, method = 'POST'): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    if (route.request().method() === method) await released;
    await route.continue();
  });
  return release;
}

describe('a user who types fast', () => {
  it('the form behind a pencil has the focus before the next key', async () => {
    const page = await opened(
      `/app/shipment/${await shipment('PENCIL', { fieldKey: 'plate', fieldValue: 'HH-1' })}`,
    );
    const typed = await page.evaluate(`(() => {
      const summary = [...document.querySelectorAll('.pencil > summary')].find((one) => one.textContent.includes('Vehicle'));
      summary.click();
      const input = document.activeElement;
      return [input.name, input.value.slice(input.selectionStart, input.selectionEnd)];
    })()`);
    expect(typed).toEqual(['fieldValue', 'HH-1']);
  });

  it('keys that are pressed while the palette loads do not reach the page', async () => {
    const page = await opened('/app/board');
    await page.locator('#menu').getByRole('link', { name: 'Manifests', exact: true }).focus();
    const asked = page.waitForRequest(/\/keys\.css$/);
    const release = await hold(page, /\/keys\.css$/, 'GET');
    await page.keyboard.press('Control+k');
    await asked;
    await page.keyboard.type('webx');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Enter');
    release();
    await page.locator('dialog.palette').waitFor();
    await expect.poll(() => page.locator('dialog.palette input').inputValue()).toBe('web');
    expect(new URL(page.url()).pathname).toBe('/app/board');
  });

  it('the answer of a form leaves the focus in the field in which the user types by now', async () => {
    await shipment('ANSWER', departure('09:00'));
    const page = await opened(DAY);
    await page.getByLabel('Gate of ANSWER').selectOption('Dock 01');
    const release = await hold(page, '**/app/today*');
    await page.getByRole('button', { name: 'Assign this gate: ANSWER' }).click();
    await page.locator('#search').focus();
    await page.keyboard.type('half');
    release();
    await page.locator('#undo').waitFor(SOON);
    await page.keyboard.type(' typed');
    expect(await page.locator('#search').inputValue()).toBe('half typed');
  });
});

it('a photo that is stored while a user types in the search of a gate leaves the focus there', async () => {
  await dock.couple('PHOTO');
  await manifest('PHOTO', { gateExternalId: 'G1', manifestStatus: 'TO_DO' });
  await dock.must('POST', '/manifest/PHOTO/status/IN_PROGRESS');
  const page = await opened(dock.gatePath('G1'));
  const release = await hold(page, '**/photo');
  await page.locator('#open > li', { hasText: 'PHOTO' }).locator('summary').click();
  const button = page.getByRole('button', { name: 'Photo of damage: PHOTO' });
  const dialog = await fileDialog(page, () => button.click());
  const photo = { name: 'phone.jpg', mimeType: 'image/jpeg', buffer: phoneJpeg() };
  await Promise.all([page.waitForRequest(/\/photo$/), dialog.setFiles(photo)]);
  await page.locator('#q').focus();
  await page.keyboard.type('PH');
  release();
  await page.locator('#answer.told', { hasText: 'The photo is stored.' }).waitFor(SOON);
  await page.keyboard.type('OTO');
  expect(await page.locator('#q').inputValue()).toBe('PHOTO');
});

describe('an update of the page while a user works', () => {
  it('a text that is typed for one fact stays at it when another user removes the fact before it', async () => {
    const customFields = ['attn', 'consignee'].map((fieldKey) => ({ fieldKey, fieldValue: 'Somebody' }));
    const page = await opened(`/app/manifest/${await manifest('FACTS', { customFields })}`);
    await page.locator('summary', { hasText: 'Change Consignee' }).click();
    await page.keyboard.type('Ann');
    await dock.must('DELETE', '/manifest/FACTS/custom-field/attn');
    await page.locator('summary', { hasText: 'Change Attn' }).waitFor({ state: 'detached', ...SOON });
    await page.keyboard.type('a');
    await page.keyboard.press('Enter');
    await page.getByText('Consignee was set.').waitFor(SOON);
    const { customFields: stored } = await dock.must('GET', '/manifest/FACTS');
    expect(stored).toMatchObject([{ fieldKey: 'consignee', fieldValue: 'Anna' }]);
  });

  it('a selected pallet stays selected when another user adds and removes pallets before it', async () => {
    const assets = ['P-3', 'P-5', 'P-7'];
    const page = await opened(`/app/manifest/${await manifest('ROWS', { assets })}`);
    const row = (name: string) =>
      page.locator('tr', { has: page.getByRole('checkbox', { name: `Select ${name}` }) });
    await row('P-5').getByRole('checkbox').check();
    await row('P-7').getByRole('checkbox').check();
    await dock.must('PUT', '/manifest/ROWS', { assets: ['P-2', 'P-5'] });
    // Rows move only after the pointer and the focus have left the list.
    await page.locator('h1').click();
    await row('P-2').waitFor(SOON);
    await row('P-7').waitFor({ state: 'detached', ...SOON });
    expect(await row('P-5').getByRole('checkbox').isChecked()).toBe(true);
    expect(await row('P-2').getByRole('checkbox').isChecked()).toBe(false);
    expect(await page.locator('#chosen').textContent()).toContain('1 selected');
  });

  it('the shipment that is chosen for a move stays chosen, or none is chosen', async () => {
    for (const [name, time] of [
      ['MOVE-1', '10:00'],
      ['MOVE-2', '11:00'],
      ['MOVE-3', '12:00'],
    ] as const)
      await shipment(name, departure(time));
    const page = await opened(DAY);
    await page.locator('#move > summary').click();
    const form = page.locator('#move');
    const shipments = form.getByLabel('Shipment', { exact: true });
    const option = (name: string) => shipments.locator('option', { hasText: name });
    await shipments.selectOption((await option('MOVE-2').getAttribute('value'))!);
    const chosen = await shipments.inputValue();
    await dock.must('DELETE', '/shipment/MOVE-1');
    await option('MOVE-1').waitFor({ state: 'detached', ...SOON });
    expect(await shipments.inputValue()).toBe(chosen);
    await dock.must('DELETE', '/shipment/MOVE-2');
    await option('MOVE-2').waitFor({ state: 'detached', ...SOON });
    expect(await shipments.inputValue()).toBe('');
  });

  it('a gate that is being chosen keeps the focus when its shipment moves up in the list', async () => {
    await shipment('UP-1', departure('13:00'));
    await shipment('UP-2', departure('14:00'));
    const page = await opened(DAY);
    const gate = page.getByLabel('Gate of UP-2');
    await gate.focus();
    await gate.selectOption('Dock 02');
    await dock.must('POST', '/shipment/UP-2/custom-field', departure('12:30'));
    await page.locator('.gateless li', { hasText: '12:30' }).waitFor(SOON);
    expect([await hasFocus(gate), await gate.locator('option:checked').textContent()]).toEqual([
      true,
      'Dock 02',
    ]);
  });
});
