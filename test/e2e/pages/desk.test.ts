import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectGoodPage, shot, signedIn } from './browser.ts';
import { atDock, live, SOON } from './dock.ts';

const { world, dock, admin } = await atDock(
  'desk',
  { G1: 'Dock 01', G2: 'Dock 02' },
  {
    dispatchStrategy: 'SHIPMENT',
    timeZone: 'America/New_York',
    shipmentCustomFields: [
      { fieldKey: 'orderType', fieldType: 'TEXT' },
      { fieldKey: 'haulier', fieldType: 'TEXT', role: 'CARRIER' },
      { fieldKey: 'etd', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' },
      { fieldKey: 'plate', fieldType: 'TEXT', role: 'VEHICLE' },
    ],
  },
);

/** Most clicks for a shipment with two manifests, carrier and departure, from any page. */
const CLICKS_SHIPMENT = 7;
/** Most clicks for another carrier, and for another departure, on the page of the shipment. */
const CLICKS_FACT = 2;

let made = 0;
/** Creates a shipment and returns its page and a reader of its fields. */
async function shipment(fields: Record<string, string> = {}) {
  made += 1;
  const [order, identifier] = [`ORDER-${made}`, `TRUCK-${made}`];
  await dock.must('POST', '/manifest', { externalIdentifier: order, assets: [`P-${made}`] });
  const { uuid } = await dock.must('POST', '/shipment', {
    identifier,
    manifests: [{ manifestExternalId: order }],
    customFields: Object.entries(fields).map(([fieldKey, fieldValue]) => ({ fieldKey, fieldValue })),
  });
  return { path: `/app/shipment/${uuid}`, fields: () => fieldsOf(identifier) };
}
const fieldsOf = async (identifier: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await dock.must('GET', `/shipment/${identifier}`)).customFields.map(
      ({ fieldKey, fieldValue }: Record<string, string>) => [fieldKey, fieldValue],
    ),
  );

/** Counts clicks. */
function mouse() {
  const hand = {
    clicks: 0,
    async click(target: Locator) {
      hand.clicks += 1;
      await target.click();
    },
  };
  return hand;
}
const pencil = (page: Page, label: string) => page.locator('summary', { hasText: `Change ${label}` });
const form = (page: Page, label: string) => page.locator('.pencil', { has: pencil(page, label) });
const notice = (page: Page, text: string | RegExp) =>
  page.getByRole('status').filter({ hasText: text }).waitFor(SOON);

await shipment({ haulier: 'Federal Shipping' });

describe('a new shipment', () => {
  it('a shipment with two manifests, carrier and departure is made by seven clicks and no typed date', async () => {
    for (const externalIdentifier of ['NEW-1', 'NEW-2'])
      await dock.must('POST', '/manifest', { externalIdentifier, assets: [externalIdentifier] });
    const page = await signedIn(world, admin);
    await page.goto('/app/today');
    const hand = mouse();
    await hand.click(page.locator('#menu').getByRole('link', { name: 'Shipments', exact: true }));
    await hand.click(page.getByRole('link', { name: 'New shipment' }).first());
    // The identifier has the focus already.
    await page.locator('#create-identifier:focus').waitFor();
    await page.keyboard.type('SEVEN');
    await hand.click(page.getByLabel(/NEW-1,/));
    await hand.click(page.getByLabel(/NEW-2,/));
    await hand.click(page.getByRole('button', { name: '+30 min' }));
    await hand.click(page.getByLabel('Carrier'));
    await page.keyboard.type('Federal Shipping');
    await page.getByText('New carrier').waitFor({ state: 'hidden' });
    await hand.click(page.getByRole('button', { name: 'Create shipment' }));
    await notice(page, 'SEVEN is ready.');
    expect(hand.clicks).toBeLessThanOrEqual(CLICKS_SHIPMENT);
    const { haulier, etd } = await fieldsOf('SEVEN');
    expect(haulier).toBe('Federal Shipping');
    expect(etd).toMatch(/-0[45]:00$/);
    const away = Date.parse(etd!) - Date.now();
    expect(away > 25 * 60_000 && away < 36 * 60_000).toBe(true);
  });

  it('the page shows at once that a carrier is new, and asks about a typing error', async () => {
    await dock.must('POST', '/manifest', { externalIdentifier: 'NEW-3', assets: ['NEW-3'] });
    const page = await signedIn(world, admin);
    await page.goto('/app/shipment/new');
    await page.getByLabel('Shipment number').fill('TYPO');
    await page.getByLabel(/NEW-3,/).check();
    await page.getByLabel('Carrier').fill('Federal Shiping');
    await page.getByText('New carrier').waitFor();
    await page.getByRole('button', { name: '+30 min' }).click();
    await page.getByRole('button', { name: '+30 min' }).click();
    await expectGoodPage(page, 'new-shipment');
    await page.getByRole('button', { name: 'Create shipment' }).click();
    await page.getByRole('heading', { name: 'Is “Federal Shiping” a new carrier?' }).waitFor(SOON);
    await expectGoodPage(page, 'carrier-question');
    await page.getByRole('button', { name: 'Use this carrier' }).click();
    await notice(page, 'TYPO is ready.');
    expect((await fieldsOf('TYPO')).haulier).toBe('Federal Shipping');
  });
});

describe('the facts of a manifest', () => {
  it('the gate and a field change by two clicks, a field is added, and the page fits every width', async () => {
    const fields = [{ fieldKey: 'consignee', fieldValue: 'Müller & Söhne, Hamburg' }];
    const made = { externalIdentifier: 'FACTS', assets: ['P-F'], customFields: fields };
    const { uuid } = await dock.must('POST', '/manifest', made);
    const page = await signedIn(world, admin, { viewport: { width: 1280, height: 800 } });
    await page.goto(`/app/manifest/${uuid}`);
    for (const label of ['Gate', 'Consignee'])
      expect([label, (await pencil(page, label).boundingBox())!.y < 800]).toEqual([label, true]);
    const hand = mouse();
    await hand.click(pencil(page, 'Gate'));
    await form(page, 'Gate').getByLabel('Gate', { exact: true }).selectOption('G2');
    await hand.click(form(page, 'Gate').getByRole('button', { name: 'Assign gate' }));
    await notice(page, 'The gate is assigned.');
    expect(hand.clicks).toBeLessThanOrEqual(CLICKS_FACT);
    const other = mouse();
    await other.click(pencil(page, 'Consignee'));
    await page.locator('input:focus').waitFor();
    await page.keyboard.type('Ann');
    await other.click(form(page, 'Consignee').getByRole('button', { name: 'Save' }));
    await notice(page, 'Consignee was set.');
    // The form is closed: the value is beside it.
    expect(await page.locator('details.new-fact[open], .pencil[open]').count()).toBe(0);
    expect(other.clicks).toBeLessThanOrEqual(CLICKS_FACT);
    await page.getByText('Add a fact', { exact: true }).first().click();
    await page.getByLabel('Name of the fact').fill('routeCode');
    await page.getByLabel('Value').fill('R 7');
    await page.keyboard.press('Enter');
    await notice(page, 'Route code was set.');
    const { customFields, gate } = await dock.must('GET', '/manifest/FACTS');
    expect([customFields, gate.externalIdentifier]).toMatchObject([
      [
        { fieldKey: 'consignee', fieldValue: 'Ann' },
        { fieldKey: 'routeCode', fieldValue: 'R 7' },
      ],
      'G2',
    ]);
    await pencil(page, 'Consignee').click();
    await page.getByText('Add a fact', { exact: true }).first().click();
    await expectGoodPage(page, 'manifest-facts');
  });
});

describe('the facts of a shipment', () => {
  it('the carrier changes by two clicks, and the departure by two clicks without typing', async () => {
    const { path, fields } = await shipment({ haulier: 'United', etd: '2031-05-06T14:30:00-04:00' });
    const page = await signedIn(world, admin, { viewport: { width: 1280, height: 800 } });
    await page.goto(path);
    const hand = mouse();
    await hand.click(pencil(page, 'Carrier'));
    await page.locator('input:focus').waitFor();
    await page.keyboard.type('Federal Shipping');
    await hand.click(form(page, 'Carrier').getByRole('button', { name: 'Save' }));
    await notice(page, 'Carrier was set.');
    expect(await page.locator('.pencil[open]').count()).toBe(0);
    expect(hand.clicks).toBeLessThanOrEqual(CLICKS_FACT);
    expect((await fields()).haulier).toBe('Federal Shipping');
    const other = mouse();
    await other.click(pencil(page, 'Departure'));
    await page.locator('input[type="datetime-local"]:focus').waitFor();
    expect(await form(page, 'Departure').getByLabel('Departure').inputValue()).toBe('2031-05-06T14:30');
    await other.click(form(page, 'Departure').getByRole('button', { name: '+30 min' }));
    await notice(page, 'Departure was set.');
    expect(other.clicks).toBeLessThanOrEqual(CLICKS_FACT);
    expect((await fields()).etd).toBe('2031-05-06T15:00:00-04:00');
    // Nobody has to scroll for a fact.
    for (const label of ['Departure', 'Carrier', 'Vehicle', 'Order type', 'Gate'])
      expect([label, (await pencil(page, label).boundingBox())!.y < 800]).toEqual([label, true]);
    expect(await page.getByText('Custom fields').count()).toBe(0);
  });

  it('the facts of a shipment are accessible and fit every width, also with an open form', async () => {
    const { path } = await shipment({
      haulier: 'United',
      etd: new Date(Date.now() + 3_600_000).toISOString(),
    });
    const page = await signedIn(world, admin);
    await page.goto(path);
    await pencil(page, 'Carrier').click();
    await pencil(page, 'Departure').click();
    await pencil(page, 'Gate').click();
    await expectGoodPage(page, 'shipment-facts');
    for (const width of [360, 1024, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      await shot(page, `shipment-facts-${width}`);
    }
  });

  it('a refused fact is shown at its pencil with its label, and the page is live around it', async () => {
    const { path, fields } = await shipment({ haulier: 'United' });
    const page = await signedIn(world, admin);
    await page.goto(path);
    await live(page);
    await pencil(page, 'Order type').click();
    await page.locator('input:focus').waitFor();
    await page.keyboard.type('half typed');
    await dock.must('POST', `${path.replace('/app', '')}/custom-field`, {
      fieldKey: 'haulier',
      fieldValue: 'Transalp',
    });
    await page.locator('.fact', { hasText: 'Transalp' }).waitFor(SOON);
    // The open form keeps its text, and the form of the changed fact has the new value.
    expect(await form(page, 'Order type').getByLabel('Order type').inputValue()).toBe('half typed');
    await pencil(page, 'Carrier').click();
    expect(await form(page, 'Carrier').getByLabel('Carrier').inputValue()).toBe('Transalp');
    await form(page, 'Carrier').getByLabel('Carrier').fill('Transap');
    await page.keyboard.press('Enter');
    // Its own former name is no other carrier.
    await notice(page, '“Transap” is a new carrier.');
    expect(await fields()).toEqual({ haulier: 'Transap' });
  });

  it('a value under the cursor stays while another user changes it, and an input without the focus follows', async () => {
    const { path } = await shipment({ haulier: 'United', plate: 'HH-1' });
    const page = await signedIn(world, admin);
    await page.goto(path);
    await live(page);
    await pencil(page, 'Vehicle').click();
    await pencil(page, 'Carrier').click();
    await page.locator('input:focus').waitFor();
    for (const [fieldKey, fieldValue] of [
      ['haulier', 'Speedy'],
      ['plate', 'HH-2'],
    ]) {
      await dock.must('POST', `${path.replace('/app', '')}/custom-field`, { fieldKey, fieldValue });
      await page.locator('.fact', { hasText: fieldValue! }).waitFor(SOON);
    }
    expect(await form(page, 'Carrier').getByLabel('Carrier').inputValue()).toBe('United');
    expect(await form(page, 'Vehicle').getByLabel('Vehicle').inputValue()).toBe('HH-2');
  });

  it.each([
    ['without a script', { javaScriptEnabled: false }],
    ['with scripts', {}],
  ])('facts and gate are changed by keyboard alone %s', async (_, options) => {
    const { path, fields } = await shipment({ haulier: 'United' });
    const page = await signedIn(world, admin, options);
    await page.goto(path);
    const tabTo = async (target: Locator) => {
      const isHere = () => target.evaluate((element) => element === element.ownerDocument.activeElement);
      for (let tabs = 0; !(await isHere()); tabs += 1) {
        expect(tabs, `Tab does not reach ${target}`).toBeLessThan(90);
        await page.keyboard.press('Tab');
      }
    };
    const change = async (label: string, input: string, type: () => Promise<void>, done: string) => {
      await tabTo(pencil(page, label));
      await page.keyboard.press('Enter');
      await tabTo(form(page, label).getByLabel(input, { exact: true }));
      await type();
      await notice(page, done);
    };
    await change(
      'Vehicle',
      'Vehicle',
      async () => {
        await page.keyboard.type('HH-AB 123');
        await page.keyboard.press('Enter');
      },
      'Vehicle was set.',
    );
    await change(
      'Gate',
      'Gate',
      async () => {
        await page.keyboard.type('Dock 02');
        await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
      },
      'The gate is assigned.',
    );
    const { gate } = await dock.must('GET', path.replace('/app', ''));
    expect(gate).toMatchObject({ externalIdentifier: 'G2', name: 'Dock 02' });
    await page.locator('.fact').getByRole('link', { name: 'Dock 02' }).waitFor(SOON);
    expect(await fields()).toEqual({ haulier: 'United', plate: 'HH-AB 123' });
  });
});

describe('the settings of facts', () => {
  it('four switches set up the facts of each truck, and the boxes for custom fields are closed', async () => {
    const page = await signedIn(world, admin);
    await page.goto('/app/settings');
    await expectGoodPage(page, 'settings-facts');
    const facts = page.getByRole('form', { name: 'Facts of each truck' });
    expect(await facts.getByRole('checkbox').count()).toBe(4);
    expect(await page.getByLabel('Key').first().isVisible()).toBe(false);
    await facts.getByLabel('Seal').check();
    await facts.getByRole('button', { name: 'Save' }).click();
    await notice(page, 'The settings were changed.');
    const { path } = await shipment();
    await page.goto(path);
    await pencil(page, 'Seal').waitFor();
  });
});
