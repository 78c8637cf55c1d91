import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectGoodPage, shot, signedIn } from './browser.ts';
import { atDock, live, SOON } from './dock.ts';

const HOSTILE = '"><img src=x onerror=alert(1)>';

const { world, dock, admin } = await atDock(
  'loads',
  { G1: 'Dock 01', G2: 'Dock 02', G3: 'Dock 03', G4: 'Dock 04', G5: 'Dock 05' },
  {
    dispatchStrategy: 'SHIPMENT',
    shipmentCustomFields: [
      { fieldKey: 'leaves', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' },
      { fieldKey: 'carrier', fieldType: 'TEXT', role: 'CARRIER' },
    ],
  },
);

let trucks = 0;

/**
 * Creates a shipment at a gate of its own, with a manifest of 12 pallets and one of one pallet. If pallets are to be
 * `loaded`, it is in progress.
 */
async function newTruck(loaded: { first?: true; last?: true } = {}) {
  trucks += 1;
  const [name, order, last] = [`TRUCK-${trucks}`, `ORD-${trucks}`, `${HOSTILE} ${trucks}`];
  const pallets = Array.from(
    { length: 12 },
    (_, index) => `39521234900${String(trucks).padStart(2, '0')}${String(index).padStart(5, '0')}`,
  );
  await dock.couple(...pallets, last);
  await dock.must('POST', '/manifest', { externalIdentifier: order, assets: pallets });
  await dock.must('POST', '/manifest', { externalIdentifier: last, assets: [last] });
  const { uuid } = await dock.must('POST', '/shipment', {
    identifier: name,
    gateIdentifier: `G${trucks}`,
    notes: 'Tail lift only.',
    manifests: [{ manifestExternalId: order }, { manifestExternalId: last }],
    customFields: [
      { fieldKey: 'leaves', fieldValue: new Date(Date.now() + 3_600_000).toISOString() },
      { fieldKey: 'carrier', fieldValue: 'United Package' },
    ],
  });
  const aboard = [...(loaded.first ? [pallets[0]!] : []), ...(loaded.last ? [last] : [])];
  if (aboard.length > 0) await dock.must('POST', `/shipment/${name}/status/IN_PROGRESS`);
  for (const pallet of aboard) {
    const path = `/shipment/${name}/asset-loading/track/${encodeURIComponent(pallet)}/status`;
    await dock.must('PATCH', path, { status: 'LOADED' });
  }
  return { name, order, last, pallets, gate: `G${trucks}`, path: `/app/shipment/${uuid}` };
}

/** Waits for the pallets that stayed behind, and for their manifests with the back orders. */
async function stayedBehind(page: Page, problems: string, title: string): Promise<void> {
  const pallets = page.getByRole('region', { name: problems });
  await pallets.getByRole('heading', { name: title, level: 3 }).waitFor();
  await page.getByRole('heading', { name: title, level: 2 }).waitFor();
}

describe('the page of a shipment', () => {
  it("the page of a shipment shows live changes of the gate and keeps the viewer's position", async () => {
    const { name, path, gate, last } = await newTruck();
    await dock.couple('W-1');
    const page = await signedIn(world, admin, { viewport: { width: 1280, height: 800 } });
    await page.goto(path);
    await live(page);
    await page.getByRole('button', { name: 'Start loading' }).click();
    await page.locator('.stands .badge', { hasText: 'In progress' }).waitFor(SOON);
    await page.getByLabel('Search pallets').fill('half typ');
    await dock.scan(gate, last);
    await page.locator('.news .count', { hasText: '1 of 13 loaded' }).waitFor(SOON);
    // A refresh keeps the typed text and open details.
    expect(await page.getByLabel('Search pallets').inputValue()).toBe('half typ');
    await dock.scan(gate, 'W-1');
    await page.getByRole('heading', { name: '1 wrong pallet aboard' }).waitFor(SOON);
    expect(await page.title()).toContain(`WRONG PALLET, ${name}`);
    // The wrong pallet is above the progress and the facts of the truck on every screen.
    for (const width of [360, 1024, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      const tops = await page.evaluate(
        "['.hazard', '.news', '.side .facts'].map((one) => document.querySelector(one).getBoundingClientRect().top)",
      );
      const [hazard, ...others] = tops as [number, ...number[]];
      expect([width, others.filter((top) => top < hazard)]).toEqual([width, []]);
    }
    await page.getByRole('button', { name: 'It is off the truck: W-1' }).click();
    await page.locator('.hazard').waitFor({ state: 'detached', ...SOON });
    await expectGoodPage(page, 'shipment');
    await page.setViewportSize({ width: 1920, height: 1080 });
    await shot(page, 'shipment-1920');
    // Where rows form a table, none of them is cut off.
    for (const width of [861, 1024, 1280, 1366, 1500, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      const cut = await page.evaluate(
        "[...document.querySelectorAll('.group[open] .listed')].filter((e) => e.scrollWidth > e.clientWidth + 1).length",
      );
      expect([width, cut]).toEqual([width, 0]);
    }
    await page.context().close();
  });

  it('a printed shipment has all pallets, and the screen has some of them', async () => {
    const { name, path, order, gate, last } = await newTruck({ last: true });
    const page = await signedIn(world, admin);
    await page.goto(path);
    const seen = async (rows: string): Promise<number> => {
      const all = await page.locator(rows).all();
      return (await Promise.all(all.map((row) => row.isVisible()))).filter(Boolean).length;
    };
    expect([await seen('.paper tbody tr'), await seen('.group[open] tbody tr')]).toEqual([0, 8]);
    await page.emulateMedia({ media: 'print' });
    expect([await seen('.paper tbody tr'), await seen('.group tbody tr')]).toEqual([13, 0]);
    // Chromium cuts a row off where a grid continues on the next sheet.
    const around = (element: string) =>
      page.locator(element).evaluateAll((all) => {
        const found = new Set<string>();
        for (let one = all[0]?.parentElement; one; one = one.parentElement)
          found.add(one.ownerDocument.defaultView!.getComputedStyle(one).display);
        return [...found].filter((display) => display.includes('grid'));
      });
    expect(await around('.paper table')).toEqual([]);
    // The head of a table is on each of its sheets.
    expect(await page.locator('.paper thead .of').allInnerTexts()).toEqual([
      `${order}: 12 pallets`,
      `${last}: 1 pallet`,
    ]);
    await shot(page, 'shipment-paper');
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('link', { name: 'Pallet list' }).click();
    await page.getByRole('heading', { name: `Pallet list of ${name}` }).waitFor();
    expect(await seen('.paper tbody tr')).toBe(13);
    await page.getByText(new RegExp(`^Dock 0${gate.at(-1)}, Departure .*, United Package`)).waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await around('.paper table')).toEqual([]);
    await page.emulateMedia({ media: 'screen' });
    await expectGoodPage(page, 'pallet-list');
    await page.context().close();
  });

  it('on a phone the actions of a pallet are beside its state, each with its name and large enough', async () => {
    const page = await signedIn(world, admin, { viewport: { width: 360, height: 740 } });
    const { path, pallets } = await newTruck();
    await page.goto(path);
    const row = page.locator('.group[open] tbody tr', { hasText: pallets[0]!.slice(-4) }).first();
    const state = (await row.getByText('To load').boundingBox())!;
    const boxes = [];
    for (const button of [
      row.getByRole('button', { name: `Loaded: ${pallets[0]}` }),
      row.getByRole('link', { name: `Label: ${pallets[0]}` }),
    ])
      boxes.push((await button.boundingBox())!);
    for (const { x, y, width, height } of boxes) {
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
      expect(x).toBeGreaterThanOrEqual(state.x + state.width);
      expect(Math.abs(y + height / 2 - (state.y + state.height / 2))).toBeLessThanOrEqual(3);
    }
    expect((await row.boundingBox())!.height).toBeLessThanOrEqual(100);
    await page.context().close();
  });

  it('the page of a shipment leads to the rest of a manifest, where a marked pallet keeps the list', async () => {
    const { path, pallets } = await newTruck({ last: true });
    const page = await signedIn(world, admin);
    await page.goto(path);
    await live(page);
    await page.getByRole('link', { name: 'and 4 more pallets' }).click();
    await live(page);
    await page.getByText('1–12 of 12').waitFor();
    await page.getByRole('button', { name: `Loaded: ${pallets[0]}` }).click();
    await page.getByRole('button', { name: `Loaded: ${pallets[0]}` }).waitFor({ state: 'detached', ...SOON });
    await page.getByText('1–12 of 12').waitFor(SOON);
    expect(new URL(page.url()).search).toContain('manifest=');
    const label = page.getByRole('link', { name: `Label: ${pallets[0]}` });
    const answer = await page.request.get((await label.getAttribute('href'))!);
    expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'application/pdf']);
    await page.getByRole('checkbox', { name: `Select ${pallets[1]}` }).check();
    const print = page.context().waitForEvent('page');
    const sent = page
      .context()
      .waitForEvent('response', (response) => response.request().method() === 'POST');
    await page.getByRole('button', { name: 'Print labels' }).click();
    expect((await sent).status()).toBe(200);
    await (await print).close();
    await page.context().close();
  });

  it('the page of a shipment works without script, confirms a short completion and says what stayed', async () => {
    const { path, order } = await newTruck({ first: true, last: true });
    const page = await signedIn(world, admin, { javaScriptEnabled: false, locale: 'en-GB' });
    await page.goto(path);
    await page.getByRole('link', { name: 'Complete', exact: true }).click();
    await page.getByRole('radio', { name: 'Next truck' }).check();
    await page.getByRole('button', { name: 'Complete with 11 missing' }).click();
    await page.locator('.stands .badge', { hasText: 'Completed, some missing' }).waitFor();
    await stayedBehind(page, 'Needs attention', 'Stayed behind');
    await page.getByText(`${order}: 11 pallets stayed behind`).waitFor();
    // On paper, too, a pallet of a truck that has left is missing, not to load.
    await page.goto(`${path}/loading-list`);
    expect(await page.locator('.paper td', { hasText: 'Missing' }).count()).toBe(11);
    expect(await page.locator('.paper td', { hasText: 'To load' }).count()).toBe(0);
    await page.goto(path);
    await page.getByText('Why: Next truck').waitFor();
    await page.context().close();
    const again = await signedIn(world, admin);
    await again.goto(path);
    await expectGoodPage(again, 'shipment-short');
    await again.goto('/language?to=de&next=/app');
    await again.goto(path);
    await stayedBehind(again, 'Zu prüfen', 'Zurückgeblieben');
    await expectGoodPage(again, 'shipment-de');
    await again.goto(`/app/manifest?find=${order}`);
    await again.locator('.badge', { hasText: 'Unvollständig abgeschlossen' }).waitFor();
    await again.context().close();
  });
});

describe('choosing manifests', () => {
  it('choosing manifests keeps the selection and the input while searching, also without script', async () => {
    for (const name of ['KEEP-1', 'OTHER-2']) {
      await dock.must('POST', '/manifest', { externalIdentifier: name, assets: [`P-${name}`] });
    }
    const page = await signedIn(world, admin, { javaScriptEnabled: false });
    await page.goto('/app/shipment/new');
    await page.getByLabel('KEEP-1, 1 pallet').check();
    await page.getByLabel('Shipment number').fill('SH-2');
    await page.getByLabel('Search planned manifests').fill('other');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByLabel('OTHER-2, 1 pallet').check();
    expect(await page.getByLabel('KEEP-1').isChecked()).toBe(true);
    expect(await page.getByLabel('Shipment number').inputValue()).toBe('SH-2');
    await page.getByRole('button', { name: 'Create shipment' }).click();
    await page.waitForURL(/\/app\/shipment\/[\w-]{36}$/);
    const { manifests } = await dock.must('GET', '/shipment/SH-2');
    expect(manifests).toHaveLength(2);
    await page.context().close();
  });

  it('a shipment without a manifest is refused at the manifests, which get the focus', async () => {
    await dock.must('POST', '/manifest', { externalIdentifier: 'FOCUS-1', assets: ['P-FOCUS-1'] });
    const page = await signedIn(world, admin);
    await page.goto('/app/shipment/new');
    await page.locator('#create-identifier:focus').waitFor(SOON);
    await page.getByLabel('Shipment number').fill('SH-FOCUS');
    await page.getByRole('button', { name: 'Create shipment' }).click();
    await page.locator('.error', { hasText: 'Choose at least one manifest.' }).waitFor(SOON);
    await page.locator('.checkboxes label:first-of-type :focus').waitFor(SOON);
    expect(await page.getByLabel('Shipment number').inputValue()).toBe('SH-FOCUS');
  });
});
