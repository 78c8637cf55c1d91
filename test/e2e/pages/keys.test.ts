import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessibilityFaults } from './accessibility.ts';
import { expectGoodPage, shot, signedIn } from './browser.ts';
import { atDock, SOON } from './dock.ts';

const FIELDS = [
  { fieldKey: 'carrier', fieldType: 'TEXT', role: 'CARRIER' },
  { fieldKey: 'departure', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' },
];

const { world, dock, admin } = await atDock(
  'keys',
  { G1: 'Dock 01' },
  { dispatchStrategy: 'SHIPMENT', shipmentCustomFields: FIELDS },
);

const shipment = async (name: string) => {
  await dock.must('POST', '/manifest', { externalIdentifier: `M-${name}`, assets: [`P-${name}`] });
  await dock.must('POST', '/shipment', {
    identifier: name,
    gateIdentifier: 'G1',
    manifests: [{ manifestExternalId: `M-${name}` }],
    customFields: [{ fieldKey: 'carrier', fieldValue: 'Federal' }],
  });
};

/** The dialog, its field and the option that Enter chooses. */
const palette = (page: Page) => {
  const dialog = page.getByRole('dialog', { name: 'Commands' });
  const field = dialog.getByRole('combobox');
  return {
    dialog,
    field,
    options: dialog.getByRole('option'),
    chosen: () =>
      page.evaluate(`(() => {
        const field = document.activeElement;
        return document.getElementById(field.getAttribute('aria-activedescendant'))?.firstChild.textContent;
      })()`),
  };
};

/** The hosts that a page asks. */
function hostsOf(page: Page): Set<string> {
  const hosts = new Set<string>();
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  return hosts;
}

describe('the command palette', () => {
  it('the palette opens by key, finds pages, shipments and actions by the keyboard alone, and closes with Escape', async () => {
    await shipment('TRUCK-77');
    await shipment('TRUCK-78');
    const page = await signedIn(world, admin);
    const hosts = hostsOf(page);
    await page.goto('/app/track');
    const { dialog, field, options, chosen } = palette(page);
    await page.keyboard.press('Control+k');
    await dialog.waitFor();
    expect(await field.getAttribute('aria-expanded')).toBe('true');
    expect(await page.evaluate('document.activeElement.role')).toBe('combobox');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    // A page of a closed group of the menu.
    await page.keyboard.press('Meta+k');
    await page.keyboard.type('webh');
    await expect.poll(chosen).toBe('Webhooks');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/app/webhook');

    // It opens while a field has the focus, too.
    await page.keyboard.press('/');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('truck-7');
    await options.filter({ hasText: 'TRUCK-78' }).waitFor(SOON);
    await shot(page, 'palette');
    expect(await accessibilityFaults(page)).toEqual([]);
    const first = await chosen();
    expect(first).toMatch(/^TRUCK-7[78]$/);
    await page.keyboard.press('ArrowDown');
    expect(await chosen()).toMatch(/^TRUCK-7[78]$/);
    expect(await chosen()).not.toBe(first);
    await page.keyboard.press('ArrowUp');
    expect(await chosen()).toBe(first);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/app\/shipment\//);
    await page.getByRole('heading', { name: String(first) }).waitFor();

    // An action of this shipment.
    await page.keyboard.press('Control+k');
    await page.keyboard.type('start load');
    await expect.poll(chosen).toBe('Start loading');
    await page.keyboard.press('Enter');
    await page.locator('.stands .badge', { hasText: 'In progress' }).waitFor(SOON);

    // Anything else goes to the search page.
    await page.keyboard.press('Control+k');
    await page.keyboard.type('nowhere at all');
    await expect.poll(chosen).toContain('nowhere at all');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/app/search?q=nowhere+at+all');
    expect([...hosts]).toEqual([new URL(world.service.origin).host]);
  });

  it('a click outside closes the palette, and the focus returns', async () => {
    const page = await signedIn(world, admin);
    await page.goto('/app/track');
    await page.locator('#search').focus();
    await page.keyboard.press('Control+k');
    const { dialog } = palette(page);
    await dialog.waitFor();
    await page.mouse.click(5, 700);
    await dialog.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.id')).toBe('search');
    for (const [width, height] of [
      [360, 740],
      [1024, 768],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.keyboard.press('Control+k');
      await dialog.waitFor();
      await shot(page, `palette-${width}`);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      await page.keyboard.press('Control+k');
      await dialog.waitFor({ state: 'detached' });
    }
  });
});

describe('the search of the command palette', () => {
  it('the palette searches from two characters on, once for characters that are typed in a row', async () => {
    const page = await signedIn(world, admin);
    await page.goto('/app/track');
    const asked: (string | null)[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/app/search') asked.push(searchParams.get('q'));
    });
    await page.keyboard.press('Control+k');
    const { dialog, field } = palette(page);
    await dialog.waitFor();
    await page.keyboard.type('t');
    // Longer than the pause before a search.
    await page.waitForTimeout(600);
    expect([await field.inputValue(), asked]).toEqual(['t', []]);
    await page.keyboard.type('ruck');
    await expect.poll(() => asked).toEqual(['truck']);
  });
});

describe('the list of keys', () => {
  it('? shows the keys in a dialog, and they are a page without script', async () => {
    const page = await signedIn(world, admin);
    await page.goto('/app/track');
    // In a field, ? is a character.
    await page.locator('#search').focus();
    await page.keyboard.type('?');
    expect(await page.locator('#search').inputValue()).toBe('?');
    await page.locator('#main').focus();
    await page.keyboard.type('?');
    const sheet = page.getByRole('dialog', { name: 'Keys' });
    await sheet.getByText('Move the shipment by a quarter of an hour').waitFor();
    await shot(page, 'keys');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    await page.waitForURL('**/app/keys');
    await expectGoodPage(page, 'keys-page');
  });
});

describe('the menu', () => {
  it('the menu has the daily places and a short group for setting up, which opens on its own pages', async () => {
    const page = await signedIn(world, admin);
    await page.goto('/app/track');
    const shown = () =>
      page.evaluate(`[...document.querySelectorAll('#menu section :is(a, summary)')]
        .filter((one) => one.checkVisibility() && !one.hreflang).map((one) => one.textContent.trim())`);
    expect(await shown()).toEqual([
      'Today',
      'Gate board',
      'Shipments',
      'Manifests',
      'Pallets',
      'Alerts',
      'Reports',
      'Markers and labels',
      'Site and devices',
      'People',
      'Integration',
      'History',
      'Language: English',
    ]);
    const menu = page.locator('#menu');
    await menu.getByText('Integration').click();
    await menu.getByRole('link', { name: 'API keys' }).click();
    await page.waitForURL('**/app/api-key');
    expect(await menu.locator('[aria-current=page]').textContent()).toBe('API keys');
    expect(await shown()).toContain('Webhooks');
    await expectGoodPage(page, 'menu');
  });
});
