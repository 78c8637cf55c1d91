import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectGoodPage, shot, signedIn } from './browser.ts';
import { atDock, docked, live, SOON, zoneOfMorning } from './dock.ts';

const FIELDS = [
  { fieldKey: 'carrier', fieldType: 'TEXT', role: 'CARRIER' },
  { fieldKey: 'departure', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' },
];
const MINUTE = 60_000;

const GATES = { G1: 'Dock 01', G2: 'Dock 02', G3: 'Dock 03' };
const SETTINGS = { dispatchStrategy: 'SHIPMENT', shipmentCustomFields: FIELDS };
const { world, dock, admin } = await atDock('day', GATES, SETTINGS);

const plan = async (name: string, departs: string, gate?: string, pallets = 3, of = dock) => {
  const assets = Array.from({ length: pallets }, (_, index) => `${name}-P${index}`);
  await of.must('POST', '/manifest', { externalIdentifier: `M-${name}`, assets });
  await of.must('POST', '/shipment', {
    identifier: name,
    gateIdentifier: gate,
    manifests: [{ manifestExternalId: `M-${name}` }],
    customFields: [
      { fieldKey: 'carrier', fieldValue: 'Federal Shipping and Cold Chain Logistics' },
      { fieldKey: 'departure', fieldValue: departs },
    ],
  });
};
const slot = (page: Page, name: string) => page.locator(`.slot[title="${name}"]`);
const DAY = '/app/today?day=2031-05-06';
const at = (time: string) => `2031-05-06T${time}:00Z`;
const departs = async (name: string): Promise<string> =>
  (await dock.must('GET', `/shipment/${name}`)).customFields.find(
    ({ fieldKey }: { fieldKey: string }) => fieldKey === 'departure',
  ).fieldValue;
const moment = async (name: string) => new Date(await departs(name)).toISOString().slice(11, 16);
const focused = (page: Page) =>
  page.evaluate('document.activeElement.title || document.activeElement.textContent');

describe('the day with late work', () => {
  it('a late shipment is hatched up to now and in sight at each width', async () => {
    const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE).toISOString();
    // The page shows the departures of one day, so it may not be just after midnight.
    const settings = { ...SETTINGS, timeZone: zoneOfMorning() };
    const { dock, admin } = await docked(world, world, ['late', GATES, settings]);
    await plan('SH-2', ago(151), 'G2', 3, dock);
    await plan('SH-3', ago(-60), 'G3', 30, dock);
    await plan('SH-4', ago(20), 'G1', 60, dock);
    await plan('SH-5', ago(-120), undefined, 3, dock);
    const page = await signedIn(world, admin);
    await page.setViewportSize({ width: 1024, height: 768 });
    await page.goto('/app/today');
    await live(page);
    const seen = (await page.evaluate(`(() => {
      const box = (element) => element.getBoundingClientRect();
      const day = box(document.querySelector('.day'));
      const lane = box(document.querySelector('.day .lane'));
      const now = box(document.querySelector('.day line.now')).left;
      const column = (box(document.querySelector('.day table')).width - lane.width) / Number(document.querySelector('.day table').dataset.columns);
      return {
        overs: [...document.querySelectorAll('.day .delay')].map((over) => (box(over).right - now) / column),
        now: now > lane.right && now < day.right,
        late: [...document.querySelectorAll('.slot.late')].map((slot) => box(slot).right > lane.right && box(slot).left < day.right),
        figures: new Set([...document.querySelectorAll('.figure')].map((figure) => box(figure).top)).size,
      };
    })()`)) as { overs: number[]; now: boolean; late: boolean[]; figures: number };
    expect(seen.overs).toHaveLength(2);
    // The last column of the delay is the one with now in it.
    for (const past of seen.overs) expect(past >= -0.1 && past <= 1.1 ? 'at now' : past).toBe('at now');
    expect(seen).toMatchObject({ now: true, late: [true, true], figures: 2 });
    // The lines of hours and of now are behind the bars and the names, and each name is whole in its row.
    expect(
      await page.evaluate(`(() => {
        const names = [...document.querySelectorAll('.day .beside')];
        return {
          lines: getComputedStyle(document.querySelector('.day line.now').closest('svg')).zIndex,
          names: names.length > 0,
          out: names.filter((name) => {
            const [box, row] = [name, name.closest('tr')].map((one) => one.getBoundingClientRect());
            return box.top < row.top + 1 || box.bottom > row.bottom - 1;
          }).map((name) => name.textContent),
        };
      })()`),
    ).toEqual({ lines: '-1', names: true, out: [] });
    await shot(page, 'day-1024-view');
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto('/app/today');
    await live(page);
    await shot(page, 'day-360-view');
    await expectGoodPage(page, 'day-late');
  });
});

describe('the bar of the day', () => {
  const gridTop = (page: Page) =>
    page.evaluate("document.querySelector('.day').getBoundingClientRect().top + scrollY");
  const scrolled = (page: Page) => page.evaluate('scrollY');

  it('a move and a refusal leave the day where it was, and the bar has the undo', async () => {
    await plan('BAR-1', at('12:00'), 'G1');
    await plan('BAR-2', at('12:15'), 'G2');
    const page = await signedIn(world, admin);
    await page.setViewportSize({ width: 1280, height: 500 });
    await page.goto(DAY);
    await live(page);
    const [top, scroll] = [await gridTop(page), await scrolled(page)];
    await slot(page, 'BAR-1').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const bar = page.locator('#undo');
    await bar.getByText('BAR-1: Dock 02, departs 12:00.').waitFor(SOON);
    expect([await gridTop(page), await scrolled(page)]).toEqual([top, scroll]);
    // The bar covers neither the lanes nor the figures.
    const box = (await bar.boundingBox())!;
    expect([box.y >= 0, box.y + box.height <= (await page.locator('h1').boundingBox())!.y]).toEqual([
      true,
      true,
    ]);
    await shot(page, 'day-bar');
    // The clash is named below the day.
    await page.getByText('1 gate has two shipments at the same time').waitFor();
    await bar.getByRole('link', { name: 'Close' }).click();
    await bar.waitFor({ state: 'detached' });
    // With the address of the undo, the next update would bring the bar back.
    expect(new URL(page.url()).search).toBe('?day=2031-05-06');
    await dock.must('POST', '/shipment/BAR-2/status/CANCELLED');
    await slot(page, 'BAR-2').focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    const refusal = page.getByRole('alert').filter({ hasText: 'BAR-2 (Cancelled): ' });
    await refusal.waitFor(SOON);
    expect([await gridTop(page), await scrolled(page)]).toEqual([top, scroll]);
    await shot(page, 'day-refusal');
    await page.keyboard.press('Escape');
    await refusal.waitFor({ state: 'detached' });
  });
});

describe('the keys of the day', () => {
  it('the grid is one tab stop, and arrows move a slot by gate and quarter of an hour', async () => {
    await plan('KEY-1', at('08:00'), 'G1');
    await plan('KEY-2', at('09:00'), 'G3');
    const page = await signedIn(world, admin);
    await page.goto(DAY);
    await live(page);
    const stops = () =>
      page.evaluate(
        `[...document.querySelectorAll('.day, .day *')].filter((one) => one.tabIndex >= 0 && one.checkVisibility()).length`,
      );
    expect(await stops()).toBe(1);
    await slot(page, 'KEY-1').focus();
    const hint = page.locator('#dropping');
    for (const [key, said] of [
      ['ArrowRight', 'Dock 01, 08:15'],
      ['ArrowDown', 'Dock 02, 08:15'],
      ['ArrowDown', 'Dock 03, 08:15'],
      ['ArrowDown', 'Dock 03, 08:15'],
      ['ArrowLeft', 'Dock 03, 08:00'],
      ['ArrowLeft', 'Dock 03, 07:45'],
    ] as const) {
      await page.keyboard.press(key);
      expect([key, await hint.textContent()]).toEqual([key, said]);
    }
    await page.keyboard.press('Escape');
    expect([await hint.textContent(), await focused(page)]).toEqual(['', 'KEY-1']);
    expect(await moment('KEY-1')).toBe('08:00');
    // Leaving the slot takes the move back, too.
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Tab');
    expect(await hint.textContent()).toBe('');
    await page.keyboard.press('Shift+Tab');
    expect(await focused(page)).toBe('KEY-1');
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await page.locator('#undo').getByText('KEY-1: Dock 02, departs 08:30.').waitFor(SOON);
    expect(await moment('KEY-1')).toBe('08:30');
    await expect.poll(() => focused(page)).toBe('KEY-1');
    // Z does what the Undo of the bar does, but not while the user types.
    await page.locator('#search').focus();
    await page.keyboard.press('z');
    await slot(page, 'KEY-1').focus();
    await page.waitForTimeout(500);
    expect(await moment('KEY-1')).toBe('08:30');
    await page.keyboard.press('z');
    await page.locator('#undo').getByText('KEY-1: Dock 01, departs 08:00.').waitFor(SOON);
    expect(await moment('KEY-1')).toBe('08:00');
    await page.keyboard.press('z');
    await page.locator('#undo').getByText('KEY-1: Dock 02, departs 08:30.').waitFor(SOON);
    await expect.poll(() => focused(page)).toBe('KEY-1');
    // J and K go through the gates and slots of the grid. A new page keeps one stop.
    await page.keyboard.press('j');
    expect(await focused(page)).not.toBe('KEY-1');
    await page.keyboard.press('k');
    expect(await focused(page)).toBe('KEY-1');
    await page.keyboard.press('End');
    expect(await focused(page)).toBe('KEY-2');
    expect(await stops()).toBe(1);
    // The last focused slot is the tab stop.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    expect(await focused(page)).toBe('KEY-2');
    // Enter without a move opens the shipment.
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/app\/shipment\//);
  });

  it('keys draw a shipment and its name in the lane of the hint, also from the second row of a gate', async () => {
    const day = '2031-05-12';
    for (const name of ['ROW-1', 'ROW-2', 'ROW-3']) await plan(name, `${day}T10:00:00Z`, 'G1');
    const page = await signedIn(world, admin, { viewport: { width: 1280, height: 900 } });
    await page.goto(`/app/today?day=${day}`);
    await live(page);
    const rows = page.locator('.day tbody').first().locator('tr');
    expect(await rows.count()).toBe(3);
    const [own, text] = [rows.nth(2).locator('.slot'), rows.nth(2).locator('.beside')];
    const insideOf = async (lane: string): Promise<boolean[]> => {
      const box = (await page.locator(`tbody[data-name="${lane}"]`).boundingBox())!;
      const inside = [own, text].map(async (one) => {
        const { y, height } = (await one.boundingBox())!;
        return y >= box.y && y + height <= box.y + box.height + 1;
      });
      return Promise.all(inside);
    };
    await own.focus();
    for (const [key, lane] of [
      ['ArrowDown', 'Dock 02'],
      ['ArrowDown', 'Dock 03'],
      ['ArrowUp', 'Dock 02'],
      ['ArrowUp', 'Dock 01'],
    ] as const) {
      await page.keyboard.press(key);
      expect([lane, await insideOf(lane)]).toEqual([lane, [true, true]]);
    }
    await page.keyboard.press('Escape');
    expect(await page.locator('[style*="translate"]').count()).toBe(0);
  });

  it('Escape takes back a move by pointer before the button is released', async () => {
    await plan('DRAG-1', at('15:00'), 'G1');
    const page = await signedIn(world, admin);
    await page.goto(DAY);
    await live(page);
    const box = (await slot(page, 'DRAG-1').boundingBox())!;
    await page.mouse.move(box.x + 5, box.y + 5);
    await page.mouse.down();
    await page.mouse.move(box.x + 105, box.y + 5, { steps: 5 });
    const hint = page.locator('#dropping');
    await expect.poll(() => hint.textContent()).toContain('Dock 01');
    await page.keyboard.press('Escape');
    expect(await hint.textContent()).toBe('');
    await page.mouse.move(box.x + 125, box.y + 5, { steps: 5 });
    await page.mouse.up();
    expect(await hint.textContent()).toBe('');
    await page.waitForTimeout(300);
    expect(await moment('DRAG-1')).toBe('15:00');
    expect(new URL(page.url()).search).toBe('?day=2031-05-06');
  });

  it('a moved shipment is at its new place from the key on, keeps the focus, and goes back if it is refused', async () => {
    await plan('FAST-1', '2031-05-09T10:00:00Z', 'G1');
    const page = await signedIn(world, admin, { viewport: { width: 1280, height: 900 } });
    await page.goto('/app/today?day=2031-05-09');
    await live(page);
    // The answer takes long, as on slow Wi-Fi.
    await page.route('**/app/today*', async (route) => {
      if (route.request().method() === 'POST') await page.waitForTimeout(1_000);
      await route.continue();
    });
    const top = async () => Math.round((await slot(page, 'FAST-1').boundingBox())?.y ?? Number.NaN);
    const before = await top();
    await slot(page, 'FAST-1').focus();
    await page.keyboard.press('ArrowDown');
    const there = await top();
    expect(there).toBeGreaterThan(before + 10);
    await page.keyboard.press('Enter');
    const seen = new Set<number>();
    // A change by somebody else does not draw it at the old place either.
    await plan('FAST-2', '2031-05-09T20:00:00Z', 'G3');
    while ((await page.locator('#undo').count()) === 0) seen.add(await top());
    expect([...seen].filter((y) => Math.abs(y - before) < 10)).toEqual([]);
    expect(seen.size).toBeGreaterThan(0);
    await expect.poll(() => focused(page)).toBe('FAST-1');
    await dock.must('POST', '/shipment/FAST-1/status/CANCELLED');
    await slot(page, 'FAST-1').focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'cancelled' }).waitFor(SOON);
    expect(await page.locator('[style*="translate"]').count()).toBe(0);
  });

  it('a printed day is one sheet, with the gates on it', async () => {
    await plan('PRINT-1', at('11:00'), 'G1');
    const page = await signedIn(world, admin);
    await page.goto(DAY);
    await page.locator('.slot').first().waitFor();
    // Six gates.
    await page.evaluate(
      "for (const lane of document.querySelectorAll('.day tbody')) lane.after(lane.cloneNode(true))",
    );
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  });

  it('the scripts of the day update times without an error', async () => {
    await plan('TICK-1', new Date(Date.now() + 30 * MINUTE).toISOString(), 'G1');
    const page = await signedIn(world, admin);
    await page.clock.install();
    await page.goto('/app/today');
    await slot(page, 'TICK-1').waitFor();
    await page.evaluate(
      `document.querySelector('#main').insertAdjacentHTML('beforeend', '<i data-away="${Date.now() + 90 * MINUTE}"></i>')`,
    );
    await page.clock.fastForward(16_000);
    await page.locator('#main i[data-away]', { hasText: 'in 1 h' }).waitFor();
  });

  it('a day is chosen from the calendar, and a button leads back to today', async () => {
    const page = await signedIn(world, admin);
    await page.goto(DAY);
    await live(page);
    await page.getByLabel('Day', { exact: true }).fill('2031-05-07');
    await page.waitForURL('**/app/today?day=2031-05-07');
    await page.getByRole('link', { name: 'Day before' }).click();
    await page.waitForURL('**/app/today?day=2031-05-06');
    // A typed day waits for Enter, because each digit is a change.
    await page.getByLabel('Day', { exact: true }).focus();
    await page.keyboard.type('05082031');
    expect(new URL(page.url()).search).toBe('?day=2031-05-06');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/app/today?day=2031-05-08');
    await page.locator('#main').getByRole('link', { name: 'Today', exact: true }).click();
    await page.waitForURL('**/app/today');
    expect(await page.locator('#main').getByRole('link', { name: 'Today', exact: true }).count()).toBe(0);
  });
});
