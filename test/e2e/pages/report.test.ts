import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownService } from '../shared.ts';
import { changeStored } from '../stored.ts';
import { accessibilityFaults, CONTRAST } from './accessibility.ts';
import { expectGoodPage, newPerson, type Person, shot, signedIn, worldOn } from './browser.ts';
import { type Dock, newDock } from './dock.ts';

const DAY = 86_400_000;
const FIELDS = [
  { fieldKey: 'carrier', fieldType: 'TEXT', role: 'CARRIER' },
  { fieldKey: 'departure', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' },
];
const CARRIERS = ['Speedy Express', 'United Package', 'Federal Shipping of the North and West'];
const DAYS = 24;

const service = await ownService();
const world = await worldOn(service);
afterAll(async () => {
  await world.end();
  await service.kill();
});

let dock: Dock;
let admin: Person;
/** The first and last day of the work, in UTC as the site is. */
const day = (ago: number) => new Date(Date.now() - ago * DAY).toISOString().slice(0, 10);

/** Completes two shipments a day, then moves them to their days: none on Sundays. */
async function work(): Promise<void> {
  const ages: [uuid: string, ago: number][] = [];
  for (let ago = 0; ago < DAYS; ago += 1) {
    if (ago > 0 && new Date(day(ago)).getUTCDay() === 0) continue;
    for (const index of [0, 1]) {
      const name = `T-${ago}-${index}`;
      const pallets = Array.from({ length: 3 + (ago % 4) }, (_, pallet) => `${name}-${pallet}`);
      await dock.manifest(`M-${name}`, pallets, { manifestStatus: 'PLANNED' });
      const departs = new Date(Date.now() + ((ago + index) % 3 === 0 ? -1 : 1) * 4_000_000 - ago * DAY);
      await dock.must('POST', '/shipment', {
        identifier: name,
        gateIdentifier: index === 0 ? 'G1' : 'G2',
        manifests: [{ manifestExternalId: `M-${name}` }],
        customFields: [
          { fieldKey: 'carrier', fieldValue: CARRIERS[(ago + index) % 3] },
          { fieldKey: 'departure', fieldValue: departs.toISOString() },
        ],
      });
      await dock.must('POST', `/shipment/${name}/status/IN_PROGRESS`);
      const left = ago % 5 === 0 ? 1 : 0;
      for (const pallet of pallets.slice(left))
        await dock.must('PATCH', `/shipment/${name}/asset-loading/track/${pallet}/status`, {
          status: 'LOADED',
        });
      if (ago === 0 && index === 0) await dock.scan('G1', 4_000_000_000);
      const reason = left === 0 || index === 0 ? '' : '?shortReason=Next%20truck';
      await dock.must('POST', `/shipment/${name}/status/COMPLETED${reason}`);
      ages.push([(await dock.must('GET', `/shipment/${name}`)).uuid, ago]);
    }
  }
  await changeStored(service, dock.uuid, (database) => {
    for (const [uuid, ago] of ages) {
      database.prepare('UPDATE shipment SET close_date = close_date - ? WHERE uuid = ?').run(ago * DAY, uuid);
      database
        .prepare(
          `UPDATE shipment_figures SET close_date = close_date - ?, loading_minutes = ?, gate_minutes = ?,
            dwell_minutes = ? WHERE shipment_uuid = ?`,
        )
        .run(ago * DAY, 20 + (ago % 7) * 6, 40 + (ago % 7) * 9, ago % 2 === 0 ? 0 : 75, uuid);
    }
  });
}

beforeAll(async () => {
  dock = await newDock(
    world,
    'report',
    { G1: 'Dock 01', G2: 'Dock 02' },
    {
      dispatchStrategy: 'SHIPMENT',
      shipmentCustomFields: FIELDS,
    },
  );
  admin = await newPerson(world, dock, 'ADMINISTRATOR');
  await work();
}, 120_000);

const opened = async (path: string, options = {}): Promise<Page> => {
  const page = await signedIn(world, admin, options);
  await page.goto(path);
  return page;
};

describe('the page of reports', () => {
  it('the page shows the figures of the API, and a number opens its list', async () => {
    const range = `from=${day(DAYS)}&to=${day(0)}`;
    const page = await opened(`/app/report?${range}&groupBy=CARRIER`);
    const { content } = await dock.must('GET', `/report?${range}&groupBy=CARRIER`);
    const shown = await page.evaluate(`[...document.querySelectorAll('#table tbody tr')]
      .map((row) => [...row.cells].slice(0, 2).flatMap((cell) => cell.innerText.trim().split(/\\s*\\n\\s*/)))`);
    expect(shown).toEqual(
      content.map((row: Record<string, unknown>) => [
        row['group'],
        String(row['shipmentsCompleted']),
        `With departure: ${row['shipmentsPlanned']}`,
      ]),
    );
    const late = page
      .locator('#table')
      .getByRole('link', { name: /^Late: / })
      .first();
    const count = Number((await late.innerText()).replace('Late: ', ''));
    await late.click();
    await page.waitForURL(/outcome=LATE/);
    expect(await page.locator('tbody tr').count()).toBe(count);
  });

  it('the page is accessible and fits each screen, by day and by carrier', async () => {
    const page = await opened('/app/report');
    expect(await page.locator('svg[role=img] > title').count()).toBeGreaterThanOrEqual(8);
    await expectGoodPage(page, 'report-day');
    await page.goto(`/app/report?from=${day(DAYS)}&to=${day(0)}&groupBy=CARRIER`);
    await expectGoodPage(page, 'report-carrier');
    for (const width of [360, 1024, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      const cut = await page.evaluate(
        "[...document.querySelectorAll('#table .listed')].map((one) => one.scrollWidth - one.clientWidth)",
      );
      expect([width, cut]).toEqual([width, [0]]);
    }
    await page.goto('/app/report/wrong-pallets');
    await expectGoodPage(page, 'report-wrong');
    await page.goto('/app/report?from=2020-01-01&to=2020-01-07');
    await expectGoodPage(page, 'report-empty');
  }, 60_000);

  it('days and groups are chosen by keyboard alone', async () => {
    const page = await opened('/app/report');
    await page.getByLabel('Group by', { exact: true }).focus();
    await page.keyboard.type('Gate');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(/groupBy=GATE/);
    expect(await page.locator('#table tbody th').allInnerTexts()).toEqual(
      expect.arrayContaining([expect.stringContaining('Dock 01'), expect.stringContaining('Dock 02')]),
    );
    await page.getByRole('link', { name: 'Last week' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/groupBy=GATE/);
    await page.locator('nav.views [aria-current=page]', { hasText: 'Last week' }).waitFor();
  });

  it('a printed report has charts and table within the paper, and no controls', async () => {
    const page = await opened('/app/report', { viewport: { width: 718, height: 1000 }, colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const seen = await page.evaluate(`({
      wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      controls: [...document.querySelectorAll('#main form, #main nav, .menu, .tabbar, #main a.button')].filter((one) => one.checkVisibility()).length,
      charts: [...document.querySelectorAll('.chart svg')].filter((one) => one.checkVisibility()).length,
      table: document.querySelector('#table').checkVisibility(),
      paper: getComputedStyle(document.documentElement).backgroundColor,
    })`);
    expect(seen).toMatchObject({ wide: 0, controls: 0, table: true, paper: 'rgb(255, 255, 255)' });
    expect((seen as { charts: number }).charts).toBeGreaterThanOrEqual(8);
    await shot(page, 'report-print');
    expect(await accessibilityFaults(page, CONTRAST)).toEqual([]);
  });

  it('the page is in German, with its numbers and days', async () => {
    const page = await opened('/language?to=de&next=/app/report');
    await page.getByRole('heading', { name: 'Berichte' }).waitFor();
    expect(await page.locator('.figures').innerText()).toMatch(/Pünktlich\s+\d+\s%/);
    await shot(page, 'report-german');
  });
});
