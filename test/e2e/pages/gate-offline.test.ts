import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { checkDigit } from '../../../src/pallet/gs1.ts';
import { expectGoodPage, signedIn } from './browser.ts';
import { listen, live, SOON, smallTargets, wedge } from './dock.ts';
import { isKept, overWifi } from './wifi.ts';

const { world, wifi, dock, admin, opened } = await overWifi('offline', {
  G1: 'Dock 01',
  G2: 'Dock 02',
  G3: 'Dock 03',
  G4: 'Dock 04',
  G5: 'Dock 05',
});
const FOREIGN = `34012345600000777${checkDigit('34012345600000777')}`;

beforeEach(() => wifi.comeBack());

async function loading(gate: string, manifest: string, assets: string[]): Promise<Page> {
  await dock.manifest(manifest, assets, { gateExternalId: gate });
  await dock.must('POST', `/manifest/${manifest}/status/IN_PROGRESS`);
  const page = await opened(gate);
  await page.getByText(`0 / ${assets.length}`).waitFor(SOON);
  return page;
}
const isLost = (page: Page) => page.locator('body[data-feed="lost"] #offline').waitFor(SOON);
const answer = (page: Page, tone: string, text: string) =>
  page.locator(`#answer.${tone}`, { hasText: text }).waitFor(SOON);
const dashedCells = async (page: Page): Promise<number> =>
  (
    await page
      .locator('.load .wait')
      .evaluateAll((paths) => paths.map((path) => path.getAttribute('d')).join(''))
  ).split('z').length - 1;

describe('a scan without a connection', () => {
  it('the end of an id offers the pallets of the list, and the chosen one waits', async () => {
    const page = await loading('G5', 'M-9', ['PAL-90017', 'PAL-80017', 'PAL-1']);
    wifi.die();
    await isLost(page);
    await wedge(page, '0017');
    const question = page.getByRole('group', { name: 'Pallets on the list that end with 0017.' });
    await question.waitFor();
    await expectGoodPage(page, 'gate-ending');
    await question.getByRole('button', { name: 'PAL-80017' }).click();
    await answer(page, 'hold', 'On the list, waiting');
    await wedge(page, '777');
    wifi.comeBack();
    await page.getByText('1 / 3').waitFor(SOON);
    const records = await dock.must('GET', '/manifest/M-9/asset-loading');
    const loaded = records.filter(
      ({ loadingStatus }: { loadingStatus: string }) => loadingStatus === 'LOADED',
    );
    expect(loaded.map(({ trackIdentifier }: { trackIdentifier: string }) => trackIdentifier)).toEqual([
      'PAL-80017',
    ]);
  });

  it('a pallet that is not on the list is brown, has its own sound and no cell, and can be undone', async () => {
    await dock.couple('A-1', 'A-2', 'X-1');
    const page = await loading('G1', 'M-1', ['A-1', 'A-2', 'A-3']);
    await wedge(page, 'A-2');
    await page.getByText('1 / 3').waitFor(SOON);
    const heard = await listen(page);
    wifi.die();
    await isLost(page);
    await wedge(page, String(dock.codes['A-1']));
    await answer(page, 'hold', 'On the list, waiting');
    const sounds = [await heard()];
    expect(await dashedCells(page)).toBe(1);
    // Within five seconds it would be the same reading.
    await page.waitForTimeout(5_100);
    // The URI of a pallet in EPCIS events is read, too.
    await wedge(page, `${world.service.origin}/epc/${dock.uuid}/pallet/A-2`);
    await answer(page, 'again', 'Already loaded');
    sounds.push(await heard());
    await wedge(page, 'X-1');
    await answer(page, 'warn', 'Not on this list: set it aside');
    sounds.push(await heard());
    expect(new Set(sounds).size).toBe(3);
    expect(sounds).not.toContain('[]');
    await wedge(page, `(00)${FOREIGN}`);
    await answer(page, 'warn', 'Not on this list: set it aside');
    expect(await dashedCells(page)).toBe(1);
    await page.getByText('4 items wait on this tablet.').waitFor();
    // The former scan keeps its button, in the list that its number opens.
    const number = page.locator('#open-aside', { hasText: '1' });
    await number.click();
    await page.getByRole('button', { name: 'Undo X-1' }).waitFor();
    await expectGoodPage(page, 'gate-not-listed');
    expect(await smallTargets(page)).toEqual([]);
    await page.locator('#set-aside').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: `Undo ${FOREIGN}` }).click();
    await answer(page, 'told', 'Undone');
    expect(await page.evaluate("document.activeElement.id === 'scan'")).toBe(true);
    await number.click();
    await page.getByRole('button', { name: 'Undo X-1' }).click();
    // The list closes with its last scan, and the next scan reaches its input.
    await number.waitFor({ state: 'hidden' });
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('scan');
    await page.getByText('2 items wait on this tablet.').waitFor();
    wifi.comeBack();
    await page.getByText('2 / 3').waitFor({ timeout: 30_000 });
    await page.locator('#offline').waitFor({ state: 'hidden', timeout: 30_000 });
    const records = await dock.must('GET', '/manifest/M-1/asset-loading');
    expect(records.map(({ trackIdentifier }: { trackIdentifier: string }) => trackIdentifier).sort()).toEqual(
      ['A-1', 'A-2', 'A-3'],
    );
  });

  it('undo of a pallet that is not on the list takes it off again, if its scan may have been sent', async () => {
    await dock.couple('X-2');
    const page = await loading('G2', 'M-2', ['B-1', 'B-2']);
    wifi.dieAfter('scan=X-2');
    await wedge(page, 'X-2');
    await answer(page, 'warn', 'Not on this list: set it aside');
    await isLost(page);
    await page.getByRole('button', { name: 'Undo X-2' }).click();
    await page.getByText('2 items wait on this tablet.').waitFor(SOON);
    wifi.comeBack();
    await page.locator('#offline').waitFor({ state: 'hidden', timeout: 30_000 });
    await page.locator('#answer.told', { hasText: 'Taken off again' }).waitFor(SOON);
    await page.locator('#wrong').waitFor({ state: 'detached', ...SOON });
    const alerts = await dock.must('GET', '/alert-event?status=OPEN');
    expect(alerts.content).toEqual([]);
  });

  it('a page without the whole list does not judge a pallet', async () => {
    const assets = Array.from({ length: 51 }, (_, index) => `C-${index}`);
    const page = await loading('G3', 'M-3', assets);
    wifi.die();
    await isLost(page);
    await wedge(page, 'nothing-here');
    await answer(page, 'doubt', 'Cannot be checked without a connection');
    expect(await dashedCells(page)).toBe(0);
    await page.getByRole('button', { name: 'Undo nothing-here' }).waitFor();
  });
});

describe('a page that is loaded without a connection', () => {
  it('it shows the last live page with its time, and Start works again with the connection', async () => {
    await dock.manifest('M-4', ['D-1', 'D-2'], { gateExternalId: 'G4' });
    await dock.manifest('M-4b', ['D-3'], { gateExternalId: 'G4' });
    const page = await opened('G4');
    await isKept(page);
    await page.getByText('Ready to start').waitFor();
    // Changes after the page was opened.
    await dock.must('POST', '/manifest/M-4/status/IN_PROGRESS');
    await page.getByRole('button', { name: 'Mark loaded: D-1' }).click();
    await page.getByText('1 / 2').waitFor(SOON);
    await page.waitForTimeout(1_500);
    const minute = await page.evaluate('new Date().toISOString().slice(11, 14)');
    wifi.die();
    await page.reload();
    await page.getByText('1 / 2').waitFor(SOON);
    await page.locator('#offline', { hasText: `As of ${minute}` }).waitFor({ timeout: 1_000 });
    await expectGoodPage(page, 'gate-cached');
    wifi.comeBack();
    await live(page);
    // A page from the memory of the device does not know whether the next truck has been started.
    await dock.must('POST', '/manifest/M-4/status/COMPLETED');
    const start = page.getByRole('button', { name: 'Start: M-4b' });
    await start.waitFor(SOON);
    expect(await start.isDisabled()).toBe(false);
    await page.waitForTimeout(1_500);
    wifi.die();
    await page.reload();
    await start.waitFor(SOON);
    expect(await start.isDisabled()).toBe(true);
    wifi.comeBack();
    await live(page);
    await expect.poll(() => start.isDisabled(), SOON).toBe(false);
  });
});

describe('the state of the connection', () => {
  it('a short outage that the connection survives is over with the next answer of the server', async () => {
    const page = await opened('G5');
    await page.evaluate("dispatchEvent(new Event('offline'))");
    await page.locator('body[data-feed="lost"]').waitFor();
    const began = performance.now();
    await live(page);
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it('the offline banner stays in sight when a phone shows the end of the page', async () => {
    await dock.manifest(
      'M-5',
      Array.from({ length: 20 }, (_, index) => `E-${index}`),
      { gateExternalId: 'G5' },
    );
    await dock.must('POST', '/manifest/M-5/status/IN_PROGRESS');
    const page = await signedIn(world, admin, { viewport: { width: 360, height: 640 } });
    await page.goto(dock.gatePath('G5'));
    await live(page);
    wifi.die();
    await isLost(page);
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    expect(await page.evaluate('scrollY')).toBeGreaterThan(500);
    const { y, height } = (await page.locator('#offline').boundingBox())!;
    expect([y >= 0, y + height < 640]).toEqual([true, true]);
  });
});
