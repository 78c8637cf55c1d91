import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectGoodPage, newPerson, type Person, shot, signedIn, typeSignIn } from './browser.ts';
import { live, newDock, SOON, smallTargets, wedge } from './dock.ts';
import { deleteWorker, linkFor, newWorkers, pairBy } from './tablets.ts';
import { isKept, overWifi } from './wifi.ts';

const { direct, world, wifi, ...made } = await overWifi('tablets', {
  G1: 'Dock 01',
  G2: 'Dock 02',
  G3: 'Dock 03',
  G4: 'Dock 04',
});
let { dock, admin } = made;

const loaded = async (manifest: string): Promise<number> =>
  (await dock.must('GET', `/manifest/${manifest}`)).loadedAssetsCount;
const scannersOf = async (gate: string): Promise<string[]> =>
  (
    await dock.must(
      'GET',
      `/audit-log?action=SCANS_RECORDED&entityExternalId=${gate}&sort.sortBy=sequenceNumber`,
    )
  ).content
    .map(({ actor }: { actor: { displayName: string } }) => actor.displayName)
    .sort();
async function inProgress(manifest: string, gate: string, assets: string[]): Promise<void> {
  await dock.couple(...assets);
  await dock.manifest(manifest, assets, { gateExternalId: gate });
  await dock.must('POST', `/manifest/${manifest}/status/IN_PROGRESS`);
}

/** Pairs a new tablet with a gate by the link that an administrator has created. */
async function paired(office: Page, gate: string, name: string): Promise<Page> {
  const link = await linkFor(office, dock, gate, name);
  expect(await office.getByRole('img', { name: 'The link as a QR code' }).isVisible()).toBe(true);
  await expectGoodPage(office, `tablet-link-${name}`);
  return pairBy(world, link, (tablet) => expectGoodPage(tablet, `tablet-pair-${name}`));
}

describe('a tablet of a gate', () => {
  it('a tablet pairs by a link, works, and keeps unsent actions when it is revoked', async () => {
    await inProgress('T-1', 'G1', ['A-1', 'A-2', 'A-3', 'A-4']);
    const office = await signedIn(world, admin);
    const tablet = await paired(office, 'G1', 'North');
    await wedge(tablet, 'A-1');
    await tablet.getByText('1 / 4').waitFor(SOON);
    expect(await scannersOf('G1')).toEqual(['North']);
    await tablet.goto('/app/board');
    await tablet.waitForURL(`**${dock.gatePath('G1')}`);
    await expectGoodPage(tablet, 'tablet-working');
    expect(await smallTargets(tablet)).toEqual([]);
    // Two scans are not sent yet when the tablet is revoked.
    await tablet
      .context()
      .route('**/app/gate/*', (route) =>
        route.request().method() === 'POST' ? route.abort() : route.continue(),
      );
    await wedge(tablet, 'A-2');
    await wedge(tablet, 'A-3');
    await tablet.getByText('2 items wait on this tablet.').waitFor(SOON);
    await office.getByRole('link', { name: 'Done' }).click();
    await shot(office, 'tablet-list');
    await office.getByRole('link', { name: 'Revoke North' }).click();
    await office.getByRole('radio', { name: 'Lost' }).check();
    await office.getByRole('button', { name: 'Revoke', exact: true }).click();
    await tablet.getByText('This tablet was revoked and has no gate.').waitFor(SOON);
    await tablet.getByText('2 items were not sent and stay on this device').waitFor();
    await expectGoodPage(tablet, 'tablet-revoked');
    await office.getByText('The tablet was revoked.').waitFor();
    await expectGoodPage(office, 'tablet-list');
    expect(await loaded('T-1')).toBe(1);
    // Paired again, it counts as another tablet. It shows the queued scans of the former one, and sends them only
    // when a user agrees.
    await tablet.context().unrouteAll();
    await office.getByLabel('Name', { exact: true }).fill('North again');
    await office.getByRole('button', { name: 'Make a link' }).click();
    await tablet.goto(new URL((await office.locator('#link').textContent())!).pathname);
    await tablet.getByRole('button', { name: 'Pair this device' }).click();
    await tablet
      .getByText('2 unsent items by North. They are sent when North works here again.')
      .waitFor(SOON);
    await tablet.waitForTimeout(3_000);
    expect(await loaded('T-1')).toBe(1);
    await expectGoodPage(tablet, 'tablet-others');
    await tablet.getByRole('button', { name: 'Send in my name' }).click();
    const dialog = tablet.getByRole('dialog', { name: 'Send the 2 unsent items by North under your name?' });
    await dialog.getByText('A-3').waitFor();
    await shot(tablet, 'tablet-others-question');
    await dialog.getByRole('button', { name: 'Send in my name' }).click();
    await tablet.getByText('3 / 4').waitFor(SOON);
    expect(await scannersOf('G1')).toEqual(['North', 'North again', 'North again']);
  });
});

describe('where tablets ask who works there', () => {
  it('a badge identifies the worker, and offline scans belong to the worker of that moment', async () => {
    dock = await newDock(direct, 'badges', { G1: 'Dock 01' }, { gateWorkerIdentification: 'BADGE' });
    admin = await newPerson(direct, dock, 'ADMINISTRATOR');
    await inProgress('T-2', 'G1', ['B-1', 'B-2', 'B-3', 'B-4']);
    const office = await signedIn(world, admin);
    await newWorkers(office, { Ana: 'W-0001', Ben: 'W-0002' });
    await expectGoodPage(office, 'workers');
    const tablet = await paired(office, 'G1', 'South');
    await tablet.getByText('Who works here?').waitFor();
    await tablet.getByText('0 / 4').waitFor();
    expect(await tablet.getByRole('button', { name: /^Mark loaded/ }).count()).toBe(0);
    await expectGoodPage(tablet, 'tablet-who');
    expect(await smallTargets(tablet)).toEqual([]);
    await tablet.setViewportSize({ width: 1024, height: 768 });
    await wedge(tablet, 'nobody');
    await tablet.locator('#answer.bad', { hasText: 'Unknown badge or PIN. Try again.' }).waitFor(SOON);
    // A pallet in place of a badge is remembered, and scanned after the badge.
    await wedge(tablet, String(dock.codes['B-1']));
    await tablet
      .locator('#answer.bad', { hasText: 'That is a pallet. First scan your badge.' })
      .waitFor(SOON);
    await tablet.locator('#badge:focus').waitFor();
    await wedge(tablet, 'W-0001');
    await tablet.locator('#whose', { hasText: 'Ana' }).waitFor(SOON);
    await tablet.getByText('1 / 4').waitFor(SOON);
    await isKept(tablet);
    wifi.die();
    await tablet.locator('body:not([data-feed="live"]) #offline').waitFor();
    await wedge(tablet, 'B-2');
    await tablet.getByText('1 item waits on this tablet.').waitFor(SOON);
    await tablet.reload();
    await tablet.getByText('1 item waits on this tablet.').waitFor(SOON);
    await wedge(tablet, 'W-0002');
    await wedge(tablet, 'B-3');
    await tablet.getByText('3 items wait on this tablet.').waitFor(SOON);
    await expectGoodPage(tablet, 'tablet-offline');
    wifi.comeBack();
    await tablet.getByText('3 / 4').waitFor({ timeout: 30_000 });
    expect(await scannersOf('G1')).toEqual(['South, Ana', 'South, Ana', 'South, Ben']);
    await tablet.locator('#whose', { hasText: 'Ben' }).waitFor(SOON);
    await wedge(tablet, 'W-0001');
    await tablet.locator('#whose', { hasText: 'Ana' }).waitFor(SOON);
    await tablet.getByRole('button', { name: 'I am done: Ana' }).click();
    await tablet.getByText('Who works here?').waitFor(SOON);
  });

  it('queued actions of a deleted worker wait until another worker sends them in their own name', async () => {
    dock = await newDock(direct, 'left', { G1: 'Dock 01' }, { gateWorkerIdentification: 'BADGE' });
    admin = await newPerson(direct, dock, 'ADMINISTRATOR');
    await inProgress('T-3', 'G1', ['E-1', 'E-2', 'E-3']);
    const office = await signedIn(world, admin);
    await newWorkers(office, { Ana: 'W-0001', Ben: 'W-0002' });
    const tablet = await paired(office, 'G1', 'West');
    await tablet.getByText('Who works here?').waitFor();
    await wedge(tablet, 'W-0001');
    await tablet.locator('#whose', { hasText: 'Ana' }).waitFor(SOON);
    await isKept(tablet);
    await tablet
      .context()
      .route('**/app/gate/*', (route) =>
        route.request().method() === 'POST' ? route.abort() : route.continue(),
      );
    await wedge(tablet, 'E-1');
    await wedge(tablet, 'E-2');
    await tablet.getByText('2 items wait on this tablet.').waitFor(SOON);
    await deleteWorker(office, 'Ana');
    await tablet.context().unrouteAll();
    await tablet.getByText('2 unsent items by Ana').waitFor(SOON);
    await tablet.getByText('Who works here?').waitFor(SOON);
    expect(await loaded('T-3')).toBe(0);
    await wedge(tablet, 'W-0002');
    await tablet.locator('#whose', { hasText: 'Ben' }).waitFor(SOON);
    // The queued actions of the deleted worker do not block new ones.
    await wedge(tablet, 'E-3');
    await tablet.getByText('1 / 3').waitFor(SOON);
    await tablet.getByRole('button', { name: 'Send in my name' }).click();
    const dialog = tablet.getByRole('dialog', { name: 'Send the 2 unsent items by Ana under your name?' });
    await dialog.getByText('E-2').waitFor();
    await dialog.getByRole('button', { name: 'Send in my name' }).click();
    await tablet.getByText('3 / 3').waitFor(SOON);
    expect(await scannersOf('G1')).toEqual(['West, Ben', 'West, Ben', 'West, Ben']);
    const records = await dock.must('GET', '/audit-log?action=SCANS_RECORDED&sort.sortBy=sequenceNumber');
    const queued = records.content.map(({ changes }: { changes: { field: string }[] }) =>
      changes.some(({ field }) => field === 'keptDate'),
    );
    expect(queued.sort()).toEqual([false, true, true]);
  });
});

describe('a device that people share', () => {
  let gate: string;
  let one: Person;
  let other: Person;
  beforeAll(async () => {
    dock = await newDock(direct, 'shared', { G1: 'Dock 01', G2: 'Dock 02', G3: 'Dock 03' });
    gate = dock.gatePath('G1');
    one = await newPerson(direct, dock, 'ADMINISTRATOR', 'Ann One');
    other = await newPerson(direct, dock, 'ADMINISTRATOR', 'Bob Other');
  });

  it('a shared device sends no action of one person in the name of another, who decides about it', async () => {
    await inProgress('S-1', 'G1', ['C-1', 'C-2', 'C-3']);
    const page = await signedIn(world, one, { viewport: { width: 1024, height: 768 } });
    await page.goto(gate);
    await live(page);
    // Requests are blocked before they leave. A browser may repeat a request that it has begun to send, with the
    // cookie of that time.
    await page
      .context()
      .route('**/app/gate/*', (route) =>
        route.request().method() === 'POST' ? route.abort() : route.continue(),
      );
    await wedge(page, 'C-1');
    await wedge(page, 'C-2');
    await page.getByText('2 items wait on this tablet.').waitFor(SOON);
    await page.context().clearCookies();
    await page.goto('/app/login');
    await page.context().unrouteAll();
    await typeSignIn(page, other);
    await page.waitForURL(/\/app$/);
    await page.goto(gate);
    const said = page.getByText('2 unsent items by Ann One. They are sent when Ann One works here again.');
    await said.waitFor(SOON);
    await page.waitForTimeout(3_000);
    expect(await loaded('S-1')).toBe(0);
    await wedge(page, 'C-3');
    await page.getByText('1 / 3').waitFor(SOON);
    expect(await scannersOf('G1')).toEqual(['Bob Other']);
    // Discard asks first. Cancelling it changes nothing.
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('link', { name: 'Go back' }).click();
    await said.waitFor();
    await page.context().clearCookies();
    await typeSignIn(page, one);
    await page.waitForURL(/\/app$/);
    await page.goto(gate);
    await page.getByText('3 / 3').waitFor(SOON);
    expect(await scannersOf('G1')).toEqual(['Ann One', 'Ann One', 'Bob Other']);
    await said.waitFor({ state: 'detached' });
  });

  it('a shared device asks the second person even if a page of the first is still open', async () => {
    await inProgress('S-2', 'G2', ['D-1', 'D-2']);
    const page = await signedIn(world, one, {
      viewport: { width: 1024, height: 768 },
      serviceWorkers: 'block',
    });
    await page.goto(dock.gatePath('G2'));
    await live(page);
    let isAnswered = false;
    await page
      .context()
      .route('**/app/gate/*', (route) =>
        !isAnswered && route.request().method() === 'POST' ? route.abort() : route.continue(),
      );
    await wedge(page, 'D-1');
    await page.getByText('1 item waits on this tablet.').waitFor(SOON);
    const tab = await page.context().newPage();
    await tab.goto('/app');
    await tab.getByRole('button', { name: 'Sign out' }).click();
    await typeSignIn(tab, other);
    await tab.waitForURL(/\/app$/);
    isAnswered = true;
    await page.getByText('1 unsent item by Ann One').waitFor(SOON);
    await page.waitForTimeout(3_000);
    expect(await loaded('S-2')).toBe(0);
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('button', { name: 'Discard 1' }).click();
    await page.getByText('1 unsent item by Ann One').waitFor({ state: 'detached', ...SOON });
    expect(await loaded('S-2')).toBe(0);
  });

  it('two tabs of a device lose and double no undo of an item that the other tab is sending', async () => {
    await dock.manifest('S-3', ['E-1', 'E-2'], { gateExternalId: 'G3' });
    await dock.must('POST', '/manifest/S-3/status/IN_PROGRESS');
    const first = await signedIn(world, one, {
      viewport: { width: 1024, height: 768 },
      serviceWorkers: 'block',
    });
    const path = dock.gatePath('G3');
    await first.goto(path);
    await live(first);
    const second = await first.context().newPage();
    await second.goto(path);
    await live(second);
    // The first tab has begun to send, and its request stays under way.
    let held: (() => void) | undefined;
    await first.route('**/app/gate/*', async (route) => {
      if (route.request().postData()?.includes('status=LOADED')) {
        await new Promise<void>((go) => {
          held = go;
        });
      }
      await route.continue().catch(() => undefined);
    });
    await second.route('**/app/gate/*', (route) =>
      route.request().postData()?.includes('status=LOADED') ? route.abort() : route.continue(),
    );
    await first.getByRole('button', { name: 'Mark loaded: E-1' }).click();
    await expect.poll(() => held !== undefined, SOON).toBe(true);
    const undo = second.getByRole('button', { name: 'Undo E-1' });
    await undo.waitFor(SOON);
    await second.waitForTimeout(900);
    await undo.click();
    // The first request may have arrived, so the undo waits behind it. Both take effect.
    await second.waitForTimeout(1_500);
    held?.();
    await second.unrouteAll();
    await first.unrouteAll();
    const changes = async () =>
      (
        await dock.must('GET', '/audit-log?action=ASSET_LOADING_STATUS_CHANGED&entityExternalId=E-1')
      ).content.map((record: { changes: { newValue: unknown }[] }) => record.changes[0]!.newValue);
    await expect.poll(changes, { timeout: 30_000 }).toEqual(['NOT_LOADED', 'LOADED']);
    await second.waitForTimeout(3_000);
    expect(await changes()).toEqual(['NOT_LOADED', 'LOADED']);
    expect(await loaded('S-3')).toBe(0);
    // An action that no tab has begun to send is undone and never sent.
    await first.context().setOffline(true);
    await first.getByRole('button', { name: 'Mark loaded: E-1' }).click();
    await first.getByRole('button', { name: 'Mark loaded: E-2' }).click();
    await second.getByRole('button', { name: 'Undo E-2' }).waitFor(SOON);
    await second.waitForTimeout(900);
    await second.getByRole('button', { name: 'Undo E-2' }).click();
    await second.locator('#answer.told', { hasText: 'Undone' }).waitFor(SOON);
    await first.context().setOffline(false);
    await expect.poll(() => loaded('S-3'), { timeout: 30_000 }).toBe(1);
    await first.waitForTimeout(2_500);
    expect(await loaded('S-3')).toBe(1);
  });
});
