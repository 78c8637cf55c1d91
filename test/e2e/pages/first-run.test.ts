import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectGoodPage, inTenant, PASSWORD, signedIn, startWorld } from './browser.ts';
import { live, SOON } from './dock.ts';

const world = await startWorld();

/** Most clicks from the operator's sign-in to the first loaded pallet. The README states this number. */
const CLICKS = 16;
/** The time of the same way, without the time that people need to read and type. */
const FIVE_MINUTES_MS = 300_000;

/** Uses a control as a person does: by a click, or by Tab and a key. It counts the clicks or the keys. */
interface Hand {
  presses: number;
  use(target: Locator): Promise<void>;
}

const mouse = (): Hand => {
  const hand: Hand = {
    presses: 0,
    async use(target) {
      hand.presses += 1;
      await target.click();
    },
  };
  return hand;
};

/** Most presses of Tab from one control to the next. */
const TABS = 90;

const keyboard = (page: Page): Hand => {
  const hand: Hand = {
    presses: 0,
    async use(target) {
      await target.waitFor();
      const isHere = () => target.evaluate((element) => element === element.ownerDocument.activeElement);
      for (let tabs = 0; !(await isHere()); tabs += 1) {
        expect(tabs, `Tab does not reach ${target}`).toBeLessThan(TABS);
        await page.keyboard.press('Tab');
      }
      hand.presses += 1;
      const isBox = await target.evaluate((element) => element.matches('[type=checkbox]'));
      await page.keyboard.press(isBox ? 'Space' : 'Enter');
    },
  };
  return hand;
};

describe('the first run', () => {
  it.each([
    ['the mouse', (_: Page) => mouse()],
    ['the keyboard', keyboard],
  ] as const)(
    'a new operator comes by %s from the sign-in to the first loaded pallet without curl',
    async (name, of) => {
      const began = performance.now();
      const page = await (await world.profile({ timezoneId: 'America/New_York' })).newPage();
      const hand = of(page);
      const button = (label: string | RegExp) => page.getByRole('button', { name: label });
      const link = (label: string | RegExp) => page.getByRole('link', { name: label, exact: true });
      const slug = `first-${crypto.randomUUID().slice(0, 8)}`;

      await page.goto('/operator/login');
      await page.getByLabel('Secret of the operator').fill('local-operator-key');
      await hand.use(button('Sign in'));
      await hand.use(page.locator('#menu').getByRole('link', { name: 'Organizations' }));
      await page.getByLabel('Name', { exact: true }).fill('Harbour');
      await page.getByLabel('Slug', { exact: true }).fill(slug);
      // A script has chosen the time zone of the browser.
      await expect.poll(() => page.getByLabel('Time zone').inputValue()).toBe('America/New_York');
      await page.getByLabel('First name').fill('Jane');
      await page.getByLabel('Last name').fill('Doe');
      await page.getByLabel('E-mail address').fill(`${slug}@example.com`);
      await hand.use(button('Create'));
      await page.getByText('Jane Doe is invited as an administrator of Harbour.').waitFor();
      await hand.use(button('Copy'));
      const invitation = (await page.locator('.secret code').textContent())!;

      await page.goto(invitation);
      await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
      await page.getByLabel(/again/i).fill(PASSWORD);
      await hand.use(page.locator('main button[type=submit]'));
      await page.getByRole('heading', { name: 'Set up your site' }).waitFor();
      if (name === 'the mouse') await expectGoodPage(page, 'first-run');
      await page.setViewportSize({ width: 1280, height: 800 });
      await hand.use(button('Create gates'));
      await page.getByText('12 gates are created.').waitFor();
      await hand.use(button('Save'));
      await page.getByText('2 of 7 done').waitFor();

      await hand.use(link('New manifest'));
      await page.getByLabel('Manifest number').fill('ORDER-1');
      await page.getByLabel('Pallets', { exact: true }).fill('395212349000000093\n395212349000000109');
      await hand.use(button('Preview'));
      await hand.use(button(/^Create/));
      await page.getByText('ORDER-1 is planned.').waitFor();
      await hand.use(page.locator('#menu .brand'));
      await hand.use(link('New shipment'));
      await hand.use(page.getByLabel(/ORDER-1/));
      await page.getByLabel('Shipment number').fill('TRUCK-1');
      await page.getByLabel('Gate', { exact: true }).selectOption('D01');
      await page.getByLabel('Carrier').fill('North Freight');
      await hand.use(button('Create shipment'));
      await page.getByText('TRUCK-1 is ready.').waitFor();
      await hand.use(button('Start loading'));
      await page.locator('.stands .badge', { hasText: 'In progress' }).waitFor(SOON);
      await hand.use(page.locator('.stands .gate-link'));
      await page.waitForURL(/\/app\/gate\//);
      await live(page);
      await page.keyboard.type('395212349000000093');
      await page.keyboard.press('Enter');
      await page.getByText('1 / 2').waitFor(SOON);
      await page.goto('/app');
      await page.getByText('5 of 7 done').waitFor();
      if (name === 'the mouse') await expectGoodPage(page, 'first-run-after');
      console.info(
        `first run by ${name}: ${hand.presses} presses, ${Math.round(performance.now() - began)} ms`,
      );
      expect(hand.presses).toBeLessThanOrEqual(CLICKS);
      expect(performance.now() - began).toBeLessThan(FIVE_MINUTES_MS);
    },
  );
});

describe('the example day', () => {
  it('the example day fills the day in two clicks and is marked everywhere', async () => {
    const { admin } = await inTenant('example', { timeZone: 'Europe/Berlin' });
    const page = await signedIn(world, admin);
    await page.goto('/app');
    const hand = mouse();
    await hand.use(page.getByRole('link', { name: 'Fill with an example day' }));
    await page.getByText('This creates 5 shipments with 27 pallets').waitFor();
    await hand.use(page.getByRole('button', { name: 'Fill', exact: true }));
    await page.waitForURL('**/app/today');
    await page.getByText('The example day is ready.').waitFor();
    await page
      .getByText(/EXAMPLE-S2 \(/)
      .first()
      .waitFor();
    await expectGoodPage(page, 'example-day');
    expect(hand.presses).toBe(2);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto('/app');
    await page.getByRole('link', { name: 'Hide this list' }).click();
    await page.getByRole('heading', { name: 'Set up your site' }).waitFor({ state: 'detached' });
    await page.goto('/app');
    expect(await page.getByRole('heading', { name: 'Set up your site' }).count()).toBe(0);
  });

  it('the day of an organization that dispatches by manifest has the switch to shipments', async () => {
    const { admin } = await inTenant('switch', { dispatchStrategy: 'MANIFEST' });
    const page = await signedIn(world, admin, { javaScriptEnabled: false });
    await page.goto('/app/today');
    await page.getByRole('button', { name: 'Dispatch by shipment' }).click();
    await page.getByText('The organization dispatches by shipment.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/app/today');
    await page.getByRole('region', { name: 'Gates over the day' }).waitFor();
  });
});
