import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectGoodPage, shot, signedIn } from './browser.ts';
import { atDock, docked, live, SOON, zoneOfMorning } from './dock.ts';

const FIELDS = [
  { fieldKey: 'carrier', fieldType: 'TEXT', role: 'CARRIER' },
  { fieldKey: 'departure', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' },
];
/** Most presses from the lists of pallets to the second loaded truck. The guide states this number. */
const PRESSES = 31;

const GATES = { G1: 'Dock 01', G2: 'Dock 02' };
const SETTINGS = { dispatchStrategy: 'SHIPMENT', shipmentCustomFields: FIELDS };

const { world, dock, admin } = await atDock('timetable', GATES, SETTINGS);

/** Counts clicks, keys and drags. Typed text and scanned codes do not count. */
function counting(page: Page) {
  const hand = {
    presses: 0,
    async click(target: Locator) {
      hand.presses += 1;
      await target.click();
    },
    async key(name: string) {
      hand.presses += 1;
      await page.keyboard.press(name);
    },
    async drag(from: Locator, to: Locator, dx = 0, meanwhile?: () => Promise<unknown>) {
      hand.presses += 1;
      await from.waitFor();
      if (new URL(page.url()).pathname === '/app/today') await live(page);
      await from.scrollIntoViewIfNeeded();
      const [start, end] = [(await from.boundingBox())!, (await to.boundingBox())!];
      const x = start.x + 10;
      await page.mouse.move(x, start.y + 8);
      await page.mouse.down();
      await page.mouse.move(x + 20, start.y + 8, { steps: 3 });
      const isSlot = await from.evaluate((element) => element.matches('.slot'));
      // A slot that moves straight down or up keeps its time.
      const aim = isSlot ? x + dx : end.x + end.width / 2;
      await page.mouse.move(aim, end.y + end.height / 2, { steps: 5 });
      await meanwhile?.();
      await page.mouse.up();
    },
  };
  return hand;
}

const lane = (page: Page, gate: string) => page.locator('.day tbody', { hasText: gate });
/** Waits until the page shows the result of an action once, its styles apply and its scripts work. */
async function expectDone(page: Page, text: string | RegExp): Promise<void> {
  const result = page.getByRole('status').filter({ hasText: text });
  // Before the styles apply, the page shows the result in its notice and beside the undo button.
  await result.first().waitFor(SOON);
  await result.waitFor(SOON);
}

describe('a dispatcher’s morning', () => {
  it("a dispatcher's morning goes from two pallet lists to two loaded trucks by clicks and keys alone", async () => {
    const timeZone = zoneOfMorning();
    const today = new Intl.DateTimeFormat('sv', { timeZone }).format();
    const { dock, admin } = await docked(world, world, ['morning', GATES, { ...SETTINGS, timeZone }]);
    const page = await signedIn(world, admin);
    await page.goto('/app');
    const hand = counting(page);
    const menu = (name: string) => page.locator('#menu').getByRole('link', { name, exact: true });
    for (const [order, pallets] of [
      ['ORDER-1', ['A-1', 'A-2']],
      ['ORDER-2', ['B-1']],
    ] as const) {
      await dock.couple(...pallets);
      await hand.click(menu('Manifests'));
      await hand.click(page.getByRole('link', { name: 'New manifest' }).first());
      await page.getByLabel('Manifest number').fill(order);
      const text = ['pallet', ...pallets].join('\n');
      await page
        .getByLabel('From a file')
        .setInputFiles({ name: `${order}.csv`, mimeType: 'text/csv', buffer: Buffer.from(text) });
      await hand.click(page.getByRole('button', { name: 'Preview' }));
      await hand.click(page.getByRole('button', { name: /^Create/ }));
      await expectDone(page, `${order} is planned.`);
    }
    for (const [truck, order, departs] of [
      ['TRUCK-1', /ORDER-1/, '23:30'],
      ['TRUCK-2', /ORDER-2/, '23:45'],
    ] as const) {
      await hand.click(menu('Shipments'));
      await hand.click(page.getByRole('link', { name: 'New shipment' }).first());
      await hand.click(page.getByLabel(order));
      await page.getByLabel('Shipment number').fill(truck);
      await page.getByLabel('Carrier').fill('Federal');
      await page.getByLabel('Departure').fill(`${today}T${departs}`);
      await hand.click(page.getByRole('button', { name: 'Create shipment' }));
      await expectDone(page, `${truck} is ready.`);
    }
    // Both are dropped on a gate.
    await hand.click(menu('Today'));
    await hand.drag(page.locator('.gateless a', { hasText: 'TRUCK-1' }), lane(page, 'Dock 01'));
    await expectDone(page, 'TRUCK-1: Dock 01, departs 23:30.');
    await hand.drag(page.locator('.gateless a', { hasText: 'TRUCK-2' }), lane(page, 'Dock 02'));
    await expectDone(page, 'TRUCK-2: Dock 02, departs 23:45.');
    for (const [gate, truck, pallets] of [
      ['Dock 01', 'TRUCK-1', ['A-1', 'A-2']],
      ['Dock 02', 'TRUCK-2', ['B-1']],
    ] as const) {
      await hand.click(lane(page, gate).getByRole('link', { name: gate }));
      await page.waitForURL(/\/app\/gate\//);
      await live(page);
      await hand.click(page.getByRole('button', { name: `Start: ${truck}` }));
      await page.getByText(`0 / ${pallets.length}`).waitFor(SOON);
      for (const [index, pallet] of pallets.entries()) {
        await page.keyboard.type(pallet);
        await page.keyboard.press('Enter');
        await page.getByText(`${index + 1} / ${pallets.length}`).waitFor(SOON);
      }
      const checks = page.getByRole('region', { name: 'Before it leaves' });
      await checks.getByText(`${pallets.length} of ${pallets.length}`).waitFor(SOON);
      expect(await page.locator('.ghead').innerText()).toMatch(/Federal[\s\S]*Departs[\s\S]*23:[34]\d/);
      const size = page.viewportSize()!;
      await page.setViewportSize({ width: 360, height: 740 });
      expect((await page.locator('.ghead').boundingBox())!.height).toBeLessThan(124);
      await page.setViewportSize(size);
      await hand.click(page.getByRole('link', { name: `Complete: ${truck}` }));
      await hand.click(page.getByRole('dialog').getByRole('button', { name: 'Complete', exact: true }));
      await page.getByText('Nothing is being loaded here.').waitFor(SOON);
      await hand.click(page.getByRole('link', { name: 'Gate board' }));
      await hand.click(menu('Today'));
    }
    expect(await page.locator('.figure', { hasText: 'Left' }).locator('.value').textContent()).toBe('2 of 2');
    for (const truck of ['TRUCK-1', 'TRUCK-2'])
      expect((await dock.must('GET', `/shipment/${truck}`)).status).toBe('COMPLETED');
    expect(hand.presses).toBeLessThanOrEqual(PRESSES);
  });
});

describe('the day', () => {
  const plan = async (name: string, departs: string, gate?: string) => {
    await dock.must('POST', '/manifest', { externalIdentifier: `M-${name}`, assets: [`P-${name}`] });
    await dock.must('POST', '/shipment', {
      identifier: name,
      gateIdentifier: gate,
      manifests: [{ manifestExternalId: `M-${name}` }],
      customFields: [{ fieldKey: 'departure', fieldValue: `2031-05-06T${departs}:00Z` }],
    });
  };
  const DAY = '/app/today?day=2031-05-06';
  const slot = (page: Page, name: string) =>
    page.locator('.slot', { has: page.locator('b', { hasText: name }) });
  const departs = async (name: string): Promise<string> =>
    (await dock.must('GET', `/shipment/${name}`)).customFields.find(
      ({ fieldKey }: { fieldKey: string }) => fieldKey === 'departure',
    ).fieldValue;

  it('a shipment of the day moves to another time and gate by pointer and keys, and back', async () => {
    await plan('S-1', '12:00', 'G1');
    await plan('S-2', '12:10', 'G1');
    const page = await signedIn(world, admin);
    const hand = counting(page);
    await page.goto(DAY);
    await page.getByText('1 gate has two shipments at the same time').waitFor();
    await expectGoodPage(page, 'today-clash');
    await page.setViewportSize({ width: 1920, height: 1080 });
    await shot(page, 'today-1920');
    await page.setViewportSize({ width: 1280, height: 800 });
    const hour = (await page.locator('.day thead th[colspan="4"]').first().boundingBox())!.width;
    await hand.drag(slot(page, 'S-2'), lane(page, 'Dock 02'), Math.round(hour * 2));
    await expectDone(page, 'S-2: Dock 02, departs 14:10.');
    expect(new Date(await departs('S-2')).toISOString()).toBe('2031-05-06T14:10:00.000Z');
    expect(await page.getByText('at the same time').count()).toBe(0);
    await page.getByRole('button', { name: 'Undo: S-2' }).click();
    await expectDone(page, 'S-2: Dock 01, departs 12:10.');
    await slot(page, 'S-2').focus();
    await page.keyboard.press('m');
    expect(await page.evaluate('document.activeElement.name')).toBe('gate');
    await page.keyboard.type('Dock 02');
    await page.keyboard.press('Tab');
    await page.getByLabel('Departure', { exact: true }).fill('2031-05-06T15:00');
    await page.keyboard.press('Enter');
    await expectDone(page, 'S-2: Dock 02, departs 15:00.');
    expect(await page.evaluate('document.activeElement.textContent')).toContain('S-2');
    // A click is not a drag. It opens the shipment.
    await slot(page, 'S-1').click();
    await page.waitForURL(/\/app\/shipment\//);
  });

  it('a refused move on the day page leaves everything as it was and says why', async () => {
    await plan('S-3', '09:00', 'G1');
    const page = await signedIn(world, admin);
    await page.goto(DAY);
    const before = await departs('S-3');
    // A dragged slot stays under the pointer, although the page learns that the shipment was cancelled.
    await counting(page).drag(slot(page, 'S-3'), lane(page, 'Dock 02'), 0, async () => {
      await dock.must('POST', '/shipment/S-3/status/CANCELLED');
      await page.waitForResponse((response) => response.url().includes('/app/today'), SOON);
      await page.waitForTimeout(300);
    });
    await page.getByRole('alert').filter({ hasText: 'S-3 (Cancelled): ' }).waitFor(SOON);
    expect(await departs('S-3')).toBe(before);
    await slot(page, 'S-3').waitFor({ state: 'detached', ...SOON });
  });

  it('the day page shows changes of others live and keeps the undo', async () => {
    await plan('S-6', '11:00', 'G1');
    const page = await signedIn(world, admin);
    await page.goto(DAY);
    await counting(page).drag(slot(page, 'S-6'), lane(page, 'Dock 02'));
    await expectDone(page, 'S-6: Dock 02, departs 11:00.');
    await plan('S-7', '13:00', 'G2');
    await lane(page, 'Dock 02').locator('.slot', { hasText: 'S-7' }).waitFor(SOON);
    await page.getByRole('button', { name: 'Undo: S-6' }).click();
    await expectDone(page, 'S-6: Dock 01, departs 11:00.');
  });

  it('a finger that holds moves a shipment, and a finger that does not hold scrolls', async () => {
    await plan('S-4', '10:00', 'G1');
    const page = await signedIn(world, admin, { hasTouch: true });
    await page.goto(DAY);
    await live(page);
    const session = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] });
    const start = async () => {
      const { x, y } = (await slot(page, 'S-4').boundingBox())!;
      await touch('touchStart', { x: x + 12, y: y + 10 });
      return { x: x + 12, y: y + 10 };
    };
    const { x, y } = await start();
    await touch('touchMove', { x, y: y + 40 });
    await touch('touchEnd');
    expect(new URL(page.url()).search).toBe('?day=2031-05-06');
    const moved = async (): Promise<boolean> => {
      const held = await start();
      await page.locator('.dragged', { hasText: 'S-4' }).waitFor();
      const to = (await lane(page, 'Dock 02').boundingBox())!;
      await touch('touchMove', { x: held.x, y: held.y + 12 });
      await touch('touchMove', { x: held.x, y: to.y + to.height / 2 });
      await touch('touchEnd');
      return expectDone(page, 'S-4: Dock 02, departs 10:00.').then(
        () => true,
        () => false,
      );
    };
    // A browser may cancel a touch while the page is busy, so the drag is repeated, as a user would do.
    expect((await moved()) || (await moved()) || (await moved())).toBe(true);
  });

  it('the day page works without script', async () => {
    await plan('S-5', '16:00');
    const context = await world.profile({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(DAY);
    await page.getByLabel('Organization').fill(admin.organization);
    await page.getByLabel('E-mail address').fill(admin.email);
    await page.getByLabel('Password').fill(admin.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Move a shipment').click();
    const form = page.getByRole('form', { name: 'Move a shipment' });
    await form.getByLabel('Shipment').selectOption({ label: 'S-5, No gate, 16:00' });
    await form.getByLabel('To gate').selectOption('Dock 02');
    await form.getByLabel('Departure').fill('2031-05-06T17:30');
    await form.getByRole('button', { name: 'Move' }).click();
    await expectDone(page, 'S-5: Dock 02, departs 17:30.');
    await context.close();
  });
});
