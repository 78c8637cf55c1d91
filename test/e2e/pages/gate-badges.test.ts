import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectGoodPage, newPerson, shot, signedIn } from './browser.ts';
import { type Dock, newDock, SOON, smallTargets, wedge } from './dock.ts';
import { deleteWorker, linkFor, newWorkers, pairBy } from './tablets.ts';
import { disconnect, overWifi, reconnect } from './wifi.ts';

const { direct, world, wifi } = await overWifi('unused', { G1: 'Dock 01' });

let dock: Dock;
let office: Page;

/** A tablet where a manifest of pallets is being loaded. */
async function tabletAt(slug: string, asks: string, workers: Record<string, string>): Promise<Page> {
  dock = await newDock(direct, slug, { G1: 'Dock 01' }, { gateWorkerIdentification: asks });
  office = await signedIn(world, await newPerson(direct, dock, 'ADMINISTRATOR'));
  const pallets = ['B-1', 'B-2', 'B-3', 'B-4'];
  await dock.couple(...pallets);
  await dock.manifest('M-1', pallets, { gateExternalId: 'G1' });
  await dock.must('POST', '/manifest/M-1/status/IN_PROGRESS');
  await newWorkers(office, workers);
  const tablet = await pairBy(world, await linkFor(office, dock, 'G1', 'South'));
  await tablet.getByText('Who works here?').waitFor(SOON);
  return tablet;
}

const scanners = async (): Promise<string[]> =>
  (
    await dock.must('GET', '/audit-log?action=SCANS_RECORDED&sort.sortBy=sequenceNumber&sort.direction=ASC')
  ).content.map(({ actor }: { actor: { displayName: string } }) => actor.displayName);

const answer = (page: Page, tone: string, text: string) =>
  page.locator(`#answer.${tone}`, { hasText: text }).waitFor(SOON);
const worksHere = (page: Page, name: string) =>
  page.locator('#whose p', { hasText: `South, ${name}` }).waitFor(SOON);

/** Everything that the page shows and that the device has queued. */
const shownAndQueued = (page: Page) =>
  page.evaluate<string>(`new Promise((resolve) => {
    indexedDB.open('dispatch-gate').onsuccess = ({ target }) => {
      target.result.transaction('outbox').objectStore('outbox').getAll().onsuccess = (all) =>
        resolve(JSON.stringify([all.target.result, document.body.innerText, { ...localStorage },
          [...document.querySelectorAll('input')].map(({ value }) => value)]));
    };
  })`);

describe('where tablets ask for badges', () => {
  let tablet: Page;
  beforeAll(async () => {
    tablet = await tabletAt('offline-badges', 'BADGE', { Ana: 'W-0001', Ben: 'W-0002', Cleo: 'W-0003' });
  });

  it('workers identify without a connection, and their scans carry their names when they are sent', async () => {
    await disconnect(tablet, wifi);
    // A badge that the tablet does not know is refused, and is not shown.
    await wedge(tablet, 'W-9999');
    await answer(tablet, 'bad', 'This tablet does not know the badge. A new badge needs a connection first.');
    expect(await tablet.locator('#badge').inputValue()).toBe('');
    await shot(tablet, 'badge-unknown');
    // The scanner is faster than the comparison of the badge. Its input changes in the middle of a reading.
    await wedge(tablet, 'w-0001');
    await tablet.keyboard.type('B-');
    await worksHere(tablet, 'Ana');
    await wedge(tablet, '1');
    await tablet.getByText('2 items wait on this tablet.').waitFor(SOON);
    await tablet.locator('#scan:focus').waitFor(SOON);
    await tablet.getByRole('button', { name: 'Mark loaded: B-2' }).click();
    await wedge(tablet, 'W-0002');
    await worksHere(tablet, 'Ben');
    await tablet.reload();
    await worksHere(tablet, 'Ben');
    await tablet.locator('#scan:focus').waitFor(SOON);
    await wedge(tablet, 'B-3');
    await tablet.getByText('5 items wait on this tablet.').waitFor(SOON);
    await expectGoodPage(tablet, 'badge-offline');
    expect(await smallTargets(tablet)).toEqual([]);
    await tablet.setViewportSize({ width: 1024, height: 768 });
    await tablet.getByRole('button', { name: 'I am done: Ben' }).click();
    await tablet.getByText('Who works here?').waitFor(SOON);
    await tablet.locator('#badge:focus').waitFor(SOON);
    expect(await shownAndQueued(tablet)).not.toMatch(/W-(000\d|9999)/i);
    await reconnect(tablet, wifi);
    await tablet.getByText('3 / 4').waitFor({ timeout: 30_000 });
    expect(await scanners()).toEqual(['South, Ana', 'South, Ben']);
    const marked = await dock.must(
      'GET',
      '/audit-log?action=ASSET_LOADING_STATUS_CHANGED&entityExternalId=B-2',
    );
    expect(marked.content[0].actor.displayName).toBe('South, Ana');
    await tablet.getByText('Who works here?').waitFor(SOON);
  });

  it('a badge that was removed stops working without a connection after the next contact', async () => {
    await deleteWorker(office, 'Cleo');
    await tablet.locator('#held:not([data-badges*="Cleo"])').waitFor({ state: 'attached', ...SOON });
    await disconnect(tablet, wifi);
    await wedge(tablet, 'W-0003');
    await answer(tablet, 'bad', 'This tablet does not know the badge.');
    expect(await tablet.getByText('Who works here?').isVisible()).toBe(true);
    await reconnect(tablet, wifi);
    await tablet.locator('body[data-feed="live"]').waitFor(SOON);
  });

  it('scans of a worker who was removed before they were sent wait for another name', async () => {
    await disconnect(tablet, wifi);
    await wedge(tablet, 'W-0002');
    await worksHere(tablet, 'Ben');
    await wedge(tablet, 'B-4');
    await tablet.getByText('2 items wait on this tablet.').waitFor(SOON);
    await deleteWorker(await signedIn(direct, await newPerson(direct, dock, 'ADMINISTRATOR')), 'Ben');
    await reconnect(tablet, wifi);
    await tablet.getByText('1 unsent item by Ben').waitFor({ timeout: 30_000 });
    await tablet.getByText('Who works here?').waitFor(SOON);
    expect(await scanners()).toHaveLength(2);
    await wedge(tablet, 'W-0001');
    await worksHere(tablet, 'Ana');
    await tablet.getByRole('button', { name: 'Send in my name' }).click();
    await tablet.getByRole('dialog').getByRole('button', { name: 'Send in my name' }).click();
    await tablet.getByText('4 / 4').waitFor(SOON);
    expect((await scanners()).at(-1)).toBe('South, Ana');
  });

  it('the box is empty after each attempt, also if the service does not answer', async () => {
    await tablet.getByRole('button', { name: 'I am done: Ana' }).click();
    await tablet.getByText('Who works here?').waitFor(SOON);
    for (const [badge, said] of [
      ['W-8888', 'Unknown badge or PIN. Try again.'],
      [String(dock.codes['B-1']), 'That is a pallet. First scan your badge.'],
    ] as const) {
      await wedge(tablet, badge);
      await answer(tablet, 'bad', said);
      expect(await tablet.locator('#badge').inputValue()).toBe('');
    }
    await tablet
      .context()
      .route('**/app/gate/*', (route) =>
        route.request().method() === 'POST' ? route.abort() : route.continue(),
      );
    await wedge(tablet, 'W-7777');
    await tablet.getByText('The service did not confirm this action.').first().waitFor(SOON);
    expect(await tablet.locator('#badge').inputValue()).toBe('');
    await tablet.context().unrouteAll();
    await wedge(tablet, 'W-0001');
    await worksHere(tablet, 'Ana');
  });

  it('the result of a badge is shown, also if the page has heard of later changes', async () => {
    await tablet.getByRole('button', { name: 'I am done: Ana' }).click();
    await tablet.getByText('Who works here?').waitFor(SOON);
    await tablet.locator('#whose form button').waitFor({ state: 'hidden', ...SOON });
    const live = tablet.locator('#live');
    const sequence = async () => Number(await live.getAttribute('data-sequence'));
    await tablet.context().route('**/app/gate/*', async (route) => {
      const sent = new URLSearchParams(route.request().postData() ?? '');
      if (sent.get('workerSecret') !== 'W-6666') return route.continue();
      const answered = await route.fetch();
      const told = Number(/data-sequence="(\d+)"/.exec(await answered.text())![1]);
      await dock.couple(`B-${told}`);
      await expect.poll(sequence, { timeout: 20_000 }).toBeGreaterThan(told);
      return route.fulfill({ response: answered });
    });
    await wedge(tablet, 'W-6666');
    await answer(tablet, 'bad', 'Unknown badge or PIN. Try again.');
    await tablet.context().unrouteAll();
    await wedge(tablet, 'W-0001');
    await worksHere(tablet, 'Ana');
  });
});

describe('where tablets ask for PINs', () => {
  it('a PIN needs a connection, the page says so, and keeps pallets that are scanned before', async () => {
    const tablet = await tabletAt('offline-pins', 'PIN', { Ana: '482913' });
    await disconnect(tablet, wifi);
    await wedge(tablet, '482913');
    await answer(
      tablet,
      'bad',
      'A PIN can only be checked with a connection. Scanned pallets are kept until then.',
    );
    expect(await tablet.locator('#badge').inputValue()).toBe('');
    await wedge(tablet, 'B-1');
    await answer(tablet, 'bad', 'That is a pallet. First enter your PIN.');
    await shot(tablet, 'pin-offline');
    expect(await shownAndQueued(tablet)).not.toContain('482913');
    await reconnect(tablet, wifi);
    await tablet.locator('body[data-feed="live"]').waitFor(SOON);
    await wedge(tablet, '482913');
    await worksHere(tablet, 'Ana');
    await tablet.getByText('1 / 4').waitFor(SOON);
    // The worker who is known works on without a connection.
    await disconnect(tablet, wifi);
    await wedge(tablet, 'B-2');
    await tablet.getByText('1 item waits on this tablet.').waitFor(SOON);
    await reconnect(tablet, wifi);
    await tablet.getByText('2 / 4').waitFor({ timeout: 30_000 });
    expect(await scanners()).toEqual(['South, Ana', 'South, Ana']);
  });
});
