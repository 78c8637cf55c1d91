import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectGoodPage, shot, signedIn } from './browser.ts';
import { atDock, docked, live, SOON } from './dock.ts';

const MINUTE = 60_000;
const FIELDS = [
  { fieldKey: 'carrier', fieldType: 'TEXT', role: 'CARRIER' },
  { fieldKey: 'departure', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' },
];
const GATES = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`G${index}`, `Dock 0${index}`]));
const { world, dock, admin } = await atDock('board-late', GATES, {
  dispatchStrategy: 'SHIPMENT',
  shipmentCustomFields: FIELDS,
});

const LONG = 'Spedition Großhans-Müllerstädter & Söhne Kühllogistik GmbH';

async function plan(
  name: string,
  gate: string,
  minutes: number,
  { at = dock, carrier = 'Federal Shipping' } = {},
): Promise<void> {
  await at.must('POST', '/manifest', {
    externalIdentifier: `M-${name}`,
    assets: [`${name}-1`, `${name}-2`],
  });
  await at.must('POST', '/shipment', {
    identifier: name,
    gateIdentifier: gate,
    manifests: [{ manifestExternalId: `M-${name}` }],
    customFields: [
      { fieldKey: 'carrier', fieldValue: carrier },
      { fieldKey: 'departure', fieldValue: new Date(Date.now() + minutes * MINUTE).toISOString() },
    ],
  });
}

// Dock 00 is late and has a reading without work, Dock 01 has a wrong pallet, Dock 02 has many loads.
await dock.couple('W-1', 'W-2', 'W-3', 'W-4', 'W-5', 'X-1');
await plan('LATE', 'G0', -25);
await dock.scan('G0', 'X-1');
await dock.must('POST', '/shipment/LATE/status/IN_PROGRESS');
await plan('NOW', 'G1', 60);
await dock.must('POST', '/shipment/NOW/status/IN_PROGRESS');
await dock.scan('G1', 'W-1', 'W-2', 'W-3', 'W-4', 'W-5');
for (let index = 0; index < 8; index += 1) await plan(`WAIT-${index}`, 'G2', 120 + index);
// Dock 05 is loading a truck in time, and the next one is late.
await plan('IN-TIME', 'G5', 70);
await dock.must('POST', '/shipment/IN-TIME/status/IN_PROGRESS');
await plan('BEHIND', 'G5', -41);

const many = await docked(world, world, [
  'board-many',
  Object.fromEntries(Array.from({ length: 24 }, (_, index) => [`G${index + 1}`, `Dock ${index + 1}`])),
  { dispatchStrategy: 'SHIPMENT', shipmentCustomFields: FIELDS },
]);
for (let index = 0; index < 60; index += 1) {
  const name = `SH-2026-1129-${index + 1}`;
  await plan(name, `G${(index % 24) + 1}`, 30 + index, { at: many.dock, carrier: LONG });
  if (index < 16) await many.dock.must('POST', `/shipment/${name}/status/IN_PROGRESS`);
}

const heights = (page: Page): Promise<Record<string, number>> =>
  page.evaluate(
    "Object.fromEntries([...document.querySelectorAll('.gate')].map((e) => [e.querySelector('h2').textContent.trim(), Math.round(e.getBoundingClientRect().height)]))",
  );
/** The number of columns of cards, and the different gaps between the cards of a column, in pixels. */
const gaps = (page: Page): Promise<{ columns: number; gaps: number[] }> =>
  page.evaluate(`(() => {
    const columns = Map.groupBy([...document.querySelectorAll('.gate')].map((e) => e.getBoundingClientRect()), ({ left }) => left);
    const gaps = [...columns.values()].flatMap((boxes) =>
      boxes.slice(1).map(({ top }, at) => Math.round(top - boxes[at].bottom)));
    return { columns: columns.size, gaps: [...new Set(gaps)] };
  })()`);
const colourOf = (page: Page, part: string): Promise<string> =>
  page
    .locator(part)
    .first()
    .evaluate((element) => element.ownerDocument.defaultView!.getComputedStyle(element).backgroundColor);

describe('lateness and numbers on the board and the wall', () => {
  it('the board shows lateness as a colour, numbers of further things, and cards as high as their content', async () => {
    const page = await signedIn(world, admin, { viewport: { width: 1440, height: 900 } });
    await page.goto('/app/board');
    await live(page);
    expect(await page.locator('.gate[data-late] h2').allInnerTexts()).toEqual([
      expect.stringContaining('Dock 00'),
      expect.stringContaining('Dock 05'),
    ]);
    const late = page.locator('.gate[data-late]', { hasText: 'Dock 00' });
    // The wall shows the same number, also with the name of the truck that is late.
    const behind = page.locator('.gate', { hasText: 'Dock 05' }).locator('.late');
    expect(await behind.count()).toBe(1);
    const delay = await page.locator('.gate-next', { hasText: 'BEHIND' }).locator('.late').innerText();
    expect(delay).toMatch(/^4\d min late$/);
    const wall = await signedIn(world, admin, { viewport: { width: 1920, height: 1080 } });
    await wall.goto('/app/board?screen=wall');
    const said = await wall
      .locator('.wall-row[data-late]', { hasText: 'Dock 05' })
      .locator('.wall-trouble')
      .innerText();
    expect(said.replaceAll(/\s+/g, ' ').trim()).toBe(`BEHIND: ${delay}`);
    await shot(wall, 'wall-behind');
    // The delay is in the line of the truck that is late.
    const [name, own] = ['.name', '.late'].map((part) => late.locator(`.gate-thing ${part}`));
    expect([await name!.innerText(), await own!.innerText()]).toEqual([
      'LATE',
      expect.stringMatching(/^2\d min late$/),
    ]);
    expect(await colourOf(page, '.gate-thing .departure .late')).not.toBe(
      await colourOf(page, '[data-state="LOADING"] .state'),
    );
    expect((await page.locator('#sum-LATE').innerText()).replaceAll(/\s+/g, ' ').trim()).toBe('2 gates late');
    await page.getByText('and 4 more').waitFor();
    await page.getByText('and 7 more waiting').waitFor();
    expect(await page.getByText(/^and more/).count()).toBe(0);
    const high = await heights(page);
    const free = Object.entries(high).filter(([name]) => /0[34]/.test(name));
    expect(free).toHaveLength(2);
    const [, wrong] = Object.entries(high).find(([name]) => name.includes('01'))!;
    for (const [, height] of free) expect(height).toBeLessThan(wrong / 2);
    await shot(page, 'board-late-1440');
    for (const [width, columns] of [
      [1920, 3],
      [1440, 3],
      [360, 1],
    ] as const) {
      await page.setViewportSize({ width, height: 1080 });
      await expect.poll(() => gaps(page)).toEqual({ columns, gaps: [10] });
    }
    // A card that becomes lower or higher moves the cards below it, and no other one.
    await page.setViewportSize({ width: 1440, height: 900 });
    for (const index of [1, 2]) await plan(`MORE-${index}`, 'G0', -10 - index);
    await page.getByRole('link', { name: 'MORE-2' }).waitFor(SOON);
    await expect.poll(() => gaps(page)).toEqual({ columns: 3, gaps: [10] });
    await plan('LATE-2', 'G4', -5);
    await page.locator('#sum-LATE', { hasText: /3\s+gates late/ }).waitFor(SOON);
    // The line of the truck says it. The alert about it is in no card.
    expect(await page.locator('.gate-alerts', { hasText: 'has not left' }).count()).toBe(0);
    await expectGoodPage(page, 'board-late');
  });

  it('on a phone one button shows which switches are on, and opens them, so that the first gate is in the upper half', async () => {
    const page = await signedIn(world, many.admin, { viewport: { width: 360, height: 780 } });
    await page.goto('/app/board');
    await live(page);
    const opener = page.getByRole('button', { name: /^Sound: off, Stay awake: off, / });
    await opener.waitFor();
    await shot(page, 'board-phone-switches');
    expect((await page.locator('.gate').first().boundingBox())!.y).toBeLessThan(390);
    const color = () =>
      page.evaluate("getComputedStyle(document.querySelector('.of-sound')).backgroundColor");
    const off = await color();
    await opener.click();
    await page.getByRole('button', { name: 'Sound: off', exact: true }).click();
    await shot(page, 'board-phone-switches-open');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Sound: on, Stay awake: off, / }).waitFor();
    expect(await color()).not.toBe(off);
    await expectGoodPage(page, 'board-phone');
    // A wide window shows the switches themselves.
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'Sound: on', exact: true }).waitFor();
    expect(await page.locator('#open-switches').isVisible()).toBe(false);
  });

  it('the board of 24 gates with 60 trucks needs one screen at 1,920 px, and two at 1,280', async () => {
    const page = await signedIn(world, many.admin);
    for (const [width, height, screens] of [
      [1920, 1080, 1],
      [1280, 800, 2],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.goto('/app/board');
      await live(page);
      await page.locator('.gates.placed').waitFor();
      const ends = await page
        .locator('.gate')
        .evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().bottom));
      expect(ends).toHaveLength(24);
      expect(Math.max(...ends)).toBeLessThan(height * screens);
      await shot(page, `board-many-${width}`);
    }
  });

  it('the board stays where it is when a form of it is answered', async () => {
    const page = await signedIn(world, many.admin);
    await page.setViewportSize({ width: 1280, height: 500 });
    await page.goto('/app/board');
    await live(page);
    await page.locator('.gates.placed').waitFor();
    const start = page.getByRole('button', { name: 'Start: SH-2026-1129-24', exact: true });
    await start.scrollIntoViewIfNeeded();
    const place = () => page.evaluate<number>('scrollY');
    const before = await place();
    expect(before).toBeGreaterThan(200);
    await start.click();
    await start.waitFor({ state: 'detached', ...SOON });
    await expect
      .poll(() => page.locator('.gate', { hasText: 'Dock 24' }).getAttribute('data-state'), SOON)
      .toBe('LOADING');
    expect(Math.abs((await place()) - before)).toBeLessThan(2);
  });

  it.each(['en', 'de', 'pl'])('the wall shows lateness beside an alert, in %s', async (language) => {
    const page = await signedIn(world, admin, { viewport: { width: 1920, height: 1080 }, locale: language });
    await page.context().addCookies([{ name: 'language', value: language, url: world.service.origin }]);
    await page.goto('/app/board?screen=wall');
    const row = page.locator('.wall-row[data-late]', { hasText: 'Dock 00' });
    await row.waitFor();
    const state = row.locator('.wall-state');
    expect(await state.locator('.late').isVisible()).toBe(true);
    expect(await state.locator('.late').innerText()).toMatch(/2\d min/i);
    expect(await state.locator('.trouble').isVisible()).toBe(true);
    // Both are within the row, and the row is as high as the others.
    const fits = await page.evaluate(`(() => {
      const own = [...document.querySelectorAll('.wall-row[data-late]')].find((one) => one.querySelector('.trouble'));
      const row = own.getBoundingClientRect();
      return ['.late', '.trouble'].map((one) => own.querySelector('.wall-state ' + one).getBoundingClientRect())
        .every((box) => box.top >= row.top && box.bottom <= row.bottom && box.width > 0);
    })()`);
    expect(fits).toBe(true);
    await shot(page, `wall-late-${language}`);
    // A number of further loads is whole, and only the name before it may be cut.
    const more = page.locator('.wall-row', { hasText: 'Dock 02' }).locator('.wall-load small > span').last();
    expect(await more.innerText()).toMatch(/7/);
    expect(
      await more.evaluate(
        (one) =>
          one.scrollWidth <= one.clientWidth + 1 &&
          one.getBoundingClientRect().right <= one.closest('p')!.getBoundingClientRect().right,
      ),
    ).toBe(true);
  });
});
