import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectGoodPage, shot, signedIn } from './browser.ts';
import { atDock, live, openGate, SOON } from './dock.ts';

const { world, dock, admin } = await atDock(
  'undoing',
  { G1: 'Dock 01', G2: 'Dock 02', G3: 'Dock 03', G4: 'Dock 04', G5: 'Dock 05', G6: 'Dock 06' },
  { dispatchStrategy: 'SHIPMENT' },
);

let trucks = 0;

/** Creates a shipment at a gate of its own, in progress, with a manifest of 10 pallets and one of 2 pallets. */
async function newTruck() {
  trucks += 1;
  const pallets = Array.from({ length: 10 }, (_, index) => `P${trucks}-${index}`);
  const [order, other] = [`ORD-${trucks}`, `MORE-${trucks}`];
  await dock.couple(...pallets);
  await dock.must('POST', '/manifest', { externalIdentifier: order, assets: pallets });
  const further = [`Q${trucks}-1`, `Q${trucks}-2`];
  const { uuid: manifest } = await dock.must('POST', '/manifest', {
    externalIdentifier: other,
    assets: further,
  });
  const { uuid } = await dock.must('POST', '/shipment', {
    identifier: `TRUCK-${trucks}`,
    gateIdentifier: `G${trucks}`,
    manifests: [{ manifestExternalId: order }, { manifestExternalId: other }],
  });
  await dock.must('POST', `/shipment/TRUCK-${trucks}/status/IN_PROGRESS`);
  return {
    name: `TRUCK-${trucks}`,
    pallets,
    order,
    path: `/app/shipment/${uuid}`,
    manifest: `/app/manifest/${manifest}`,
  };
}

const statusOf = async (name: string, pallet: string): Promise<string> =>
  (await dock.must('GET', `/shipment/${name}/asset-loading`)).find(
    ({ trackIdentifier }: { trackIdentifier: string }) => trackIdentifier === pallet,
  ).loadingStatus;

/** The name of each row of a list with its distance from the top of the window. */
const places = (list: Locator): Promise<[string, number][]> =>
  list.evaluateAll((rows) =>
    rows.map((row) => [
      row.querySelector('th')!.textContent!.trim(),
      Math.round(row.getBoundingClientRect().top),
    ]),
  );

/** Where each part of the page is, notices excepted. */
const layout = (page: Page): Promise<unknown> =>
  page.evaluate(`JSON.stringify([...document.querySelectorAll('#main > :not(.notice), .holder > *, .first > *, .group')].map((e) => {
    const { top, left, width } = e.getBoundingClientRect();
    return [e.className, Math.round(top), Math.round(left), Math.round(width)];
  }))`);

const underPointer = (page: Page, at: { x: number; y: number }): Promise<unknown> =>
  page.evaluate(
    `(() => { const e = document.elementFromPoint(${at.x}, ${at.y});
      return [e.closest('tr').querySelector('th').textContent.trim(), e.closest('button')?.firstChild.textContent.trim() ?? null]; })()`,
  );

describe('undo at a desk', () => {
  it('Loaded can be taken back at its place for ten seconds, and nothing moves under the pointer', async () => {
    const { name, path, pallets } = await newTruck();
    const page = await signedIn(world, admin, { viewport: { width: 1280, height: 900 } });
    await page.goto(path);
    await live(page);
    const rows = page.locator('.group[open] tbody tr');
    const [before, parts] = [await places(rows), await layout(page)];
    const button = page.getByRole('button', { name: `Loaded: ${pallets[2]}` });
    const box = (await button.boundingBox())!;
    const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    await page.mouse.click(at.x, at.y);
    const undo = page.locator('tr', { hasText: pallets[2]! }).getByRole('button', { name: 'Undo' });
    await undo.waitFor(SOON);
    expect(await statusOf(name, pallets[2]!)).toBe('LOADED');
    // The row, its neighbours and the page are where they were. The pointer is over the undo button of the same pallet.
    expect((await places(rows)).slice(0, before.length)).toEqual(before);
    await shot(page, 'undo-loaded');
    expect(await layout(page)).toEqual(parts);
    expect(await underPointer(page, at)).toEqual([pallets[2], 'Undo']);
    // The second half of a double click does nothing. A change by somebody else does not move the rows either.
    await dock.scan('G1', pallets[0]!);
    await page.locator('.news .count', { hasText: '2 of 12 loaded' }).waitFor(SOON);
    expect((await places(rows)).slice(0, before.length)).toEqual(before);
    await page.waitForTimeout(800);
    await page.mouse.click(at.x, at.y);
    await page.locator('.news .count', { hasText: '1 of 12 loaded' }).waitFor(SOON);
    expect(await statusOf(name, pallets[2]!)).toBe('NOT_LOADED');
    expect(await underPointer(page, at)).toEqual([pallets[2], 'Loaded']);
    // Away from the list, the rows go to their places: pallets to load come first.
    await page.mouse.move(5, 5);
    await page.evaluate('document.activeElement.blur()');
    await rows.first().filter({ hasNotText: pallets[0]! }).waitFor(SOON);
  });

  it('the notice says so if a pallet is marked before its loading has started', async () => {
    const made = { externalIdentifier: 'EARLY', assets: ['EARLY-1', 'EARLY-2'], manifestStatus: 'TO_DO' };
    const { uuid } = await dock.must('POST', '/manifest', { ...made, gateExternalId: 'G1' });
    const page = await signedIn(world, admin, { viewport: { width: 1280, height: 900 } });
    await page.goto(`/app/manifest/${uuid}`);
    await live(page);
    await page.getByRole('button', { name: 'Loaded: EARLY-1' }).click();
    const notice = page.locator('#main > .notice');
    await notice.getByText('marked as loaded. Its loading has not started.').waitFor(SOON);
    await notice.getByRole('button', { name: 'Undo' }).click();
    await page.locator('.notice', { hasText: 'Undone' }).waitFor(SOON);
    await dock.must('POST', '/manifest/EARLY/status/IN_PROGRESS');
    await page.reload();
    await live(page);
    await page.getByRole('button', { name: 'Loaded: EARLY-2' }).click();
    await notice.getByText('marked as loaded.', { exact: false }).waitFor(SOON);
    expect(await notice.innerText()).not.toContain('has not started');
  });

  it('the undo button of the notice moves no rows, also if an earlier mark has ended, and marked rows are no higher', async () => {
    const { path, pallets } = await newTruck();
    const page = await signedIn(world, admin, { viewport: { width: 1280, height: 900 } });
    await page.goto(path);
    await live(page);
    const rows = page.locator('.group[open] tbody tr');
    await page.getByRole('button', { name: `Loaded: ${pallets[1]}` }).click();
    await page.locator('tr [data-undo]').waitFor(SOON);
    await page.locator('tr [data-undo]').waitFor({ state: 'detached', ...SOON });
    await page.getByRole('button', { name: `Loaded: ${pallets[3]}` }).click();
    await page.locator('tr [data-undo]').waitFor(SOON);
    const before = await places(rows);
    await page.waitForTimeout(800);
    await page.locator('#main > .notice form.undo button').click();
    await page.locator('.notice', { hasText: 'Undone' }).waitFor(SOON);
    expect(await places(rows)).toEqual(before);
    const heights = await rows.evaluateAll((all) =>
      all.map((row) => Math.round(row.getBoundingClientRect().height)),
    );
    expect(new Set(heights).size).toBe(1);
  });

  it('the offer to undo is in the row also after a slow answer, and ends after ten seconds', async () => {
    const { path, pallets } = await newTruck();
    const page = await signedIn(world, admin, { viewport: { width: 1280, height: 900 } });
    await page.goto(path);
    await live(page);
    await page.route(`**${path}`, async (route) => {
      if (route.request().method() === 'POST') await page.waitForTimeout(1_500);
      await route.continue();
    });
    await page.getByRole('button', { name: `Loaded: ${pallets[1]}` }).click();
    await page.locator('tr [data-undo]').waitFor(SOON);
    const start = Date.now();
    await page.mouse.move(5, 5);
    await page
      .locator('[data-undo], form.undo')
      .first()
      .waitFor({ state: 'detached', ...SOON });
    expect(Date.now() - start).toBeGreaterThan(8_000);
    expect(await page.locator('#main > .notice').count()).toBe(0);
  });

  it('Detach and the removal of a wrong pallet can be taken back, in every language and size', async () => {
    const { name, path, pallets } = await newTruck();
    await dock.must('POST', '/manifest', { externalIdentifier: 'PLAN', assets: ['Z-1', 'Z-2', 'Z-3'] });
    const { uuid } = await dock.must('GET', '/manifest/PLAN');
    const page = await signedIn(world, admin, { viewport: { width: 1280, height: 900 } });
    await page.goto(`/app/manifest/${uuid}`);
    await live(page);
    const rows = page.locator('#pallets tbody tr');
    await page.getByRole('button', { name: 'Detach: Z-2' }).scrollIntoViewIfNeeded();
    const before = await places(rows);
    await page.getByRole('button', { name: 'Detach: Z-2' }).click();
    await page.locator('tr', { hasText: 'Z-2' }).getByRole('button', { name: 'Undo' }).waitFor(SOON);
    expect(await places(rows)).toEqual(before);
    expect((await dock.must('GET', '/manifest/PLAN/asset-loading')).length).toBe(2);
    await page.waitForTimeout(800);
    await page.locator('tr', { hasText: 'Z-2' }).getByRole('button', { name: 'Undo' }).click();
    await page.locator('.notice', { hasText: 'Undone' }).waitFor(SOON);
    expect(await places(rows)).toEqual(before);
    const pallet = ({ trackIdentifier }: { trackIdentifier: string }) => trackIdentifier;
    expect((await dock.must('GET', '/manifest/PLAN/asset-loading')).map(pallet)).toEqual([
      'Z-1',
      'Z-2',
      'Z-3',
    ]);
    await dock.couple('W-9');
    await dock.scan(`G${trucks}`, 'W-9', pallets[0]!);
    await page.goto(path);
    await live(page);
    await page.getByRole('button', { name: 'It is off the truck: W-9' }).click();
    await page.locator('.notice').getByRole('button', { name: 'Undo' }).waitFor(SOON);
    await expectGoodPage(page, 'undo-removed');
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.locator('.notice').getByRole('button', { name: 'Undo' }).hover();
    await page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
    await page.locator('.hazard').waitFor(SOON);
    expect(await statusOf(name, 'W-9')).toBe('WRONGLY_LOADED');
  });
});

/** A truck with wrong pallets aboard, and the gate where it is. The pages show the last pallet first. */
async function withWrongPallets(...pallets: string[]) {
  const truck = await newTruck();
  await dock.couple(...pallets);
  for (const pallet of pallets) await dock.scan(`G${trucks}`, pallet);
  return { ...truck, gate: dock.gatePath(`G${trucks}`) };
}

const isWrong = async (name: string, pallet: string): Promise<boolean> =>
  (await dock.must('GET', `/shipment/${name}/asset-loading`)).some(
    ({ trackIdentifier, loadingStatus }: { trackIdentifier: string; loadingStatus: string }) =>
      trackIdentifier === pallet && loadingStatus === 'WRONGLY_LOADED',
  );

describe('undo of a wrong pallet that was taken off', () => {
  it('can be pressed on the board, in a notice that does not push the gates', async () => {
    const { name } = await withWrongPallets('BOARD-0', 'BOARD-1');
    const page = await signedIn(world, admin, { viewport: { width: 1280, height: 900 } });
    await page.goto('/app/board');
    await live(page);
    const top = () => page.locator('#live').evaluate((element) => element.getBoundingClientRect().top);
    const before = await top();
    await page.getByRole('button', { name: 'It is off the truck: BOARD-1' }).click();
    const undo = page.locator('.notice').getByRole('button', { name: 'Undo' });
    await undo.waitFor(SOON);
    expect([await isWrong(name, 'BOARD-1'), await top()]).toEqual([false, before]);
    await expectGoodPage(page, 'undo-board');
    await page.setViewportSize({ width: 1280, height: 900 });
    await undo.hover();
    await undo.click();
    await page.getByRole('button', { name: 'It is off the truck: BOARD-1' }).waitFor(SOON);
    expect(await isWrong(name, 'BOARD-1')).toBe(true);
  });

  it('can be pressed at the gate for ten seconds', async () => {
    const { name, gate } = await withWrongPallets('GATE-0', 'GATE-1');
    const page = await openGate(world, admin, gate);
    const off = (pallet: string) =>
      page.locator('#wrong').getByRole('button', { name: `It is off the truck: ${pallet}` });
    await off('GATE-1').click();
    // Another wrong pallet still covers the page.
    const inLayer = page.locator('#also').getByRole('button', { name: 'Undo' });
    await inLayer.waitFor(SOON);
    expect(await isWrong(name, 'GATE-1')).toBe(false);
    await off('GATE-0').waitFor(SOON);
    expect(await inLayer.isVisible()).toBe(true);
    await shot(page, 'undo-gate-layer');
    await inLayer.click();
    await off('GATE-1').waitFor(SOON);
    expect(await isWrong(name, 'GATE-1')).toBe(true);
    await page.waitForTimeout(1_000);
    await off('GATE-1').click();
    await off('GATE-0').waitFor(SOON);
    // A press at once would be a double tap.
    await page.waitForTimeout(500);
    await off('GATE-0').click();
    await page.locator('#wrong').waitFor({ state: 'detached', ...SOON });
    const undo = page.locator('#answer').getByRole('button', { name: 'Undo' });
    await undo.waitFor(SOON);
    await shot(page, 'undo-gate');
    const start = Date.now();
    await undo.waitFor({ state: 'detached', ...SOON });
    expect(Date.now() - start).toBeGreaterThan(7_000);
    expect([await isWrong(name, 'GATE-0'), await isWrong(name, 'GATE-1')]).toEqual([false, false]);
  });
});
