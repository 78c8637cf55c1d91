import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectGoodPage, signedIn } from './browser.ts';
import { atDock, SOON, smallTargets, wedge } from './dock.ts';

const { world, dock, admin, opened } = await atDock(
  'arrival',
  { G1: 'Gate 1', G2: 'Gate 2', D04: 'Dock 04' },
  {
    name: 'Northwind',
    dispatchStrategy: 'SHIPMENT',
    timeZone: 'Europe/Berlin',
    shipmentCustomFields: [
      { fieldKey: 'etd', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' },
      { fieldKey: 'carrier', fieldType: 'TEXT', role: 'CARRIER' },
      { fieldKey: 'plate', fieldType: 'TEXT', role: 'VEHICLE' },
    ],
  },
);

let made = 0;
/** Creates a shipment at Dock 04 that departs in an hour. Returns its identifier, a reader, and its JSON. */
async function newShipment(more: object = {}) {
  made += 1;
  const id = `SH-${made}`;
  await dock.must('POST', '/manifest', { externalIdentifier: `M-${made}`, assets: [`P-${made}`] });
  await dock.must('POST', '/shipment', {
    identifier: id,
    manifests: [{ manifestExternalId: `M-${made}` }],
    gateIdentifier: 'D04',
    customFields: [
      { fieldKey: 'etd', fieldValue: new Date(Date.now() + 3_600_000).toISOString() },
      { fieldKey: 'carrier', fieldValue: 'Speedy' },
    ],
    ...more,
  });
  const read = () => dock.must('GET', `/shipment/${id}`);
  return { id, read, ...(await read()) };
}

const openPhone = async (url: string, options: object = {}): Promise<Page> => {
  const profile = await world.profile({ viewport: { width: 360, height: 740 }, locale: 'en', ...options });
  const page = await profile.newPage();
  await page.goto(url);
  return page;
};

describe('the page of a driver', () => {
  it('one tap records the arrival, and the page shows the new gate by itself', async () => {
    const { id, driverUrl, read } = await newShipment({ gateIdentifier: '' });
    const page = await openPhone(driverUrl);
    await page.getByText('No gate yet').waitFor();
    await expectGoodPage(page, 'driver-no-gate');
    await dock.must('POST', `/shipment/${id}/gate/D04`);
    // The page reads itself again when it is looked at.
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.getByText('Dock 04').waitFor(SOON);
    await expectGoodPage(page, 'driver-gate');
    await page.getByRole('button', { name: 'I am here' }).click();
    await page.getByText('Arrived').waitFor(SOON);
    expect((await read()).arrivalDate).not.toBeNull();
    expect(await page.getByRole('button').count()).toBe(0);
    await expectGoodPage(page, 'driver-arrived');
  });

  it('takes vehicle and name by keyboard alone, without scripts', async () => {
    const { driverUrl, read } = await newShipment();
    const page = await openPhone(driverUrl, { javaScriptEnabled: false });
    const link = page.getByRole('link', { name: 'Add vehicle and name' });
    await link.focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Vehicle').waitFor();
    await page.getByLabel('Vehicle').focus();
    await page.keyboard.type('AB 123');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Ann Lee');
    await page.keyboard.press('Enter');
    await page.getByText('Arrived').waitFor(SOON);
    expect(await read()).toMatchObject({ driverName: 'Ann Lee' });
    expect((await read()).customFields).toContainEqual(
      expect.objectContaining({ fieldKey: 'plate', fieldValue: 'AB 123' }),
    );
  });

  it('says that it is old without a connection, and that a load is closed', async () => {
    const { id, driverUrl } = await newShipment();
    const page = await openPhone(driverUrl);
    await page.context().setOffline(true);
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.getByText('No connection').waitFor(SOON);
    await page.getByText('Dock 04').waitFor();
    await dock.must('POST', `/shipment/${id}/status/CANCELLED`);
    await page.context().setOffline(false);
    await page.getByText('This load is closed').waitFor(SOON);
    expect(await page.getByText('Dock 04').count()).toBe(0);
    await expectGoodPage(page, 'driver-closed');
  });

  it('the form of a driver is good in German', async () => {
    const { driverUrl } = await newShipment();
    const page = await openPhone(`${driverUrl}/arrival?language=de`);
    await expectGoodPage(page, 'driver-form');
  });
});

describe('the desk', () => {
  it('the pages of the desk are good with an arrival', async () => {
    const { id, uuid } = await newShipment();
    await dock.must('POST', `/shipment/${id}/arrival`, { vehicle: 'AB 123', driverName: 'Ann Lee' });
    const page = await signedIn(world, admin);
    await newShipment({ gateIdentifier: 'G1' });
    await page.goto(dock.gatePath('G1'));
    await page.getByRole('button', { name: 'Truck is here' }).waitFor();
    await expectGoodPage(page, 'arrival-gate-button');
    expect(await smallTargets(page)).toEqual([]);
    for (const [name, path] of [
      ['shipment', `/app/shipment/${uuid}`],
      ['share', `/app/shipment/${uuid}/share`],
      ['board', '/app/board'],
      ['wall', '/app/board?screen=wall'],
      ['today', '/app/today'],
      ['gate', dock.gatePath('D04')],
    ] as const) {
      await page.goto(path);
      await expectGoodPage(page, `arrival-${name}`);
    }
  });

  it('shows the tap of a driver on the open page of the gate at once', async () => {
    const gate = await opened('D04');
    const { driverUrl, id } = await newShipment();
    await dock.must('POST', `/shipment/${id}/status/IN_PROGRESS`);
    await gate.locator('.ghead').getByText(`Shipment ${id}`).waitFor(SOON);
    const phone = await openPhone(driverUrl);
    await phone.getByRole('button', { name: 'I am here' }).click();
    await gate.locator('.gl .arrived').waitFor(SOON);
    await expect.poll(() => gate.getByRole('button', { name: /Truck is here/ }).count()).toBe(0);
  });

  it('at the gate, an arrival that is pressed while a scan is being sent is recorded after it', async () => {
    const { id, read } = await newShipment({ gateIdentifier: 'G2' });
    const page = await opened('G2');
    await page.getByRole('button', { name: 'Truck is here' }).first().waitFor();
    const answers: (() => void)[] = [];
    await page.route('**/app/gate/*', async (route) => {
      if (route.request().method() === 'POST') await new Promise<void>((done) => answers.push(done));
      await route.continue();
    });
    await wedge(page, 'nothing-has-this-name');
    await expect.poll(() => answers.length).toBe(1);
    await page.getByRole('button', { name: `Truck is here: ${id}` }).click();
    await page.locator('#answer.hold', { hasText: 'Waiting' }).waitFor(SOON);
    expect((await read()).arrivalDate).toBeNull();
    answers[0]!();
    await expect.poll(() => answers.length).toBe(2);
    answers[1]!();
    await page.locator('#answer.told', { hasText: 'The arrival is recorded.' }).waitFor(SOON);
    expect((await read()).arrivalDate).not.toBeNull();
  });
});
