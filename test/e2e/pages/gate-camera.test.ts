import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { expectGoodPage, signedIn, worldOn } from './browser.ts';
import { SOON } from './dock.ts';
import { film, label, marker } from './fake-camera.ts';
import { overWifi } from './wifi.ts';

const SSCC = '395212349000000123';
const OTHER_SSCC = '395212349000000130';

const home = mkdtempSync(join(tmpdir(), 'dispatch-camera-'));
const { direct, wifi, dock, admin } = await overWifi('camera', {
  G1: 'Dock 01',
  G2: 'Dock 02',
  G3: 'Dock 03',
});
await dock.couple('C-1', 'C-2', SSCC, OTHER_SSCC);
/** A marker of the organization that is on no pallet. */
const FREE = dock.codes[OTHER_SSCC]! + 1;
await dock.must('POST', '/marker-code/allocate?imageDelivery=URL');
const video = join(home, 'pallets.y4m');
const videoMs = film(video, [
  marker(dock.codes['C-1']!),
  marker(dock.codes['C-2']!),
  // A label of the service has both codes of a pallet.
  marker(dock.codes[SSCC]!),
  await label(`(00)${SSCC}`),
  await label(`(00)${OTHER_SSCC}`, 'DataMatrix'),
  // Labels also carry other numbers, which are not markers.
  await label('4712'),
  marker(FREE),
]);
const world = await worldOn(wifi, [
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream',
  `--use-file-for-fake-video-capture=${video}`,
]);
afterAll(async () => {
  await world.end();
  rmSync(home, { recursive: true });
});

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, permissions: ['camera'] };
/** A slow machine needs minutes to read the video. The clock of the page runs slower, so they are within the windows. */
const SLOW_CLOCK = `
  for (const clock of [Date, performance]) {
    const now = clock.now.bind(clock);
    const start = now();
    clock.now = () => Math.round(start + (now() - start) / 20);
  }`;
const scansAt = async (gate: string): Promise<number> =>
  (await dock.must('GET', `/audit-log?action=SCANS_RECORDED&entityExternalId=${gate}`)).totalElements;

describe('a shift by camera alone', () => {
  it('the camera page reads each marker and label once and shows the result', async () => {
    await dock.manifest('K-1', ['C-1', 'C-2', SSCC, OTHER_SSCC], { gateExternalId: 'G1' });
    const page = await signedIn(world, admin, PHONE);
    await page.addInitScript(SLOW_CLOCK);
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    await page.goto(dock.gatePath('G1'));
    await page.getByRole('button', { name: 'Start: K-1' }).tap();
    await page.getByText('0 / 4').waitFor(SOON);
    const opens = page.waitForResponse(`**${dock.gatePath('G1')}/scan`);
    await page.getByRole('link', { name: 'Camera' }).tap();
    expect((await opens).headers()['content-security-policy']).toContain(
      "script-src 'self' 'wasm-unsafe-eval'",
    );
    await page.locator('#reads .done', { hasText: 'C-1' }).waitFor({ timeout: 40_000 });
    await page.locator('#reads .done', { hasText: 'C-2' }).waitFor(SOON);
    await page.locator('#reads .done', { hasText: SSCC }).waitFor(SOON);
    await page.locator('#reads .done', { hasText: OTHER_SSCC }).waitFor(SOON);
    const line = page.locator('#reads .done', { hasText: OTHER_SSCC });
    expect(await line.locator('.m > *').allTextContents()).toEqual(['Loaded', OTHER_SSCC, 'K-1']);
    // No pallet has this marker, so the camera page shows the same layer as the gate page.
    const wrong = page.getByRole('alertdialog', { name: 'Unknown marker' });
    await wrong.waitFor(SOON);
    await expectGoodPage(page, 'camera-wrong');
    await page.setViewportSize(PHONE.viewport);
    await page.getByRole('button', { name: `It is off the truck: marker ${FREE}` }).click();
    await wrong.waitFor({ state: 'detached', ...SOON });
    await expectGoodPage(page, 'camera');
    // The video repeats. A code that is read again within the window is not a new reading.
    await page.waitForTimeout(videoMs + 500);
    expect(await scansAt('G1')).toBe(5);
    expect(await page.locator('#reads li', { hasText: SSCC }).count()).toBe(1);
    expect(await page.getByText('Already loaded').count()).toBe(0);
    expect(faults).toEqual([]);
    await page.setViewportSize(PHONE.viewport);
    await page.getByRole('link', { name: 'Done' }).tap();
    await page.getByText('All loaded').waitFor(SOON);
    await page.getByRole('link', { name: 'Complete: K-1' }).tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Complete', exact: true }).click();
    await page.getByText('Nothing is being loaded here.').waitFor(SOON);
    const { manifestStatus, loadedAssetsCount } = await dock.must('GET', '/manifest/K-1');
    expect([manifestStatus, loadedAssetsCount]).toEqual(['COMPLETED', 4]);
  });

  it('the camera page keeps offline readings and sends each once', async () => {
    await dock.manifest('K-2', ['C-1', 'C-2', SSCC], { gateExternalId: 'G2' });
    const page = await signedIn(world, admin, PHONE);
    await page.goto(`${dock.gatePath('G2')}/scan`);
    await page.locator('#reads li').first().waitFor({ timeout: 40_000 });
    await page.waitForTimeout(videoMs + 1_000);
    const before = await scansAt('G2');
    await dock.must('POST', '/manifest/K-2/status/IN_PROGRESS');
    await page.getByText('0 / 3').waitFor(SOON);
    wifi.die();
    await page.reload();
    // The list of the tablet names the pallets of markers.
    for (const pallet of ['C-1', 'C-2', SSCC]) {
      const line = page.locator('#reads .wait', { hasText: pallet });
      await line.getByText('On the list, waiting').waitFor({ timeout: 60_000 });
    }
    const wrong = page.locator('#reads .unlisted', { hasText: OTHER_SSCC });
    await wrong.getByText('Not on this list: set it aside').waitFor(SOON);
    // The keyboard scrolls the list. Some browsers need a tab stop for this.
    expect(await page.evaluate("document.getElementById('reads').tabIndex")).toBe(0);
    await expectGoodPage(page, 'camera-offline');
    expect(await scansAt('G2')).toBe(before);
    wifi.comeBack();
    await page.locator('#reads .done', { hasText: SSCC }).waitFor({ timeout: 40_000 });
    await expect
      .poll(async () => (await dock.must('GET', '/manifest/K-2')).loadedAssetsCount, { timeout: 20_000 })
      .toBe(3);
  });
});

it("the camera page lights its torch and uses the browser's own detector where it knows all codes", async () => {
  const page = await signedIn(world, admin, PHONE);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.addInitScript(`
    MediaStreamTrack.prototype.getCapabilities = () => ({ torch: true });
    globalThis.lit = [];
    MediaStreamTrack.prototype.applyConstraints = async ({ advanced }) => { lit.push(advanced[0].torch); };
    globalThis.BarcodeDetector = class {
      static getSupportedFormats = async () => ['qr_code', 'code_128', 'data_matrix'];
      detect = async () => [{ rawValue: '4713', format: 'qr_code' }, { rawValue: '4714', format: 'code_128' }];
    };`);
  await page.goto(`${dock.gatePath('G3')}/scan`);
  await page.locator('#reads .bad', { hasText: '4713' }).waitFor(SOON);
  const torch = page.getByRole('button', { name: 'Torch' });
  await torch.tap();
  await page.locator('#torch[aria-pressed="true"]').waitFor();
  // Two separate taps, not a double tap.
  await page.waitForTimeout(500);
  await torch.tap();
  await page.locator('#torch[aria-pressed="false"]').waitFor();
  expect(await page.evaluate('lit')).toEqual([true, false]);
  expect(await page.locator('#reads li').count()).toBe(1);
  expect(asked.filter((url) => url.includes('zxing'))).toEqual([]);
});

it('no page but the camera page may run WebAssembly', async () => {
  const page = await signedIn(direct, admin);
  for (const path of ['/app/board', dock.gatePath('G1')]) {
    const answer = await page.goto(path);
    expect(answer!.headers()['content-security-policy']).toContain("script-src 'self';");
  }
});

it('the camera page reads once the connection is back, if the reader could not be loaded', async () => {
  const page = await signedIn(world, admin, { ...PHONE, serviceWorkers: 'block' });
  let isOffline = true;
  await page.route(/\/(gate-reader\.js|zxing_reader\.wasm)(\?|$)/, (route) =>
    isOffline ? route.abort('internetdisconnected') : route.continue(),
  );
  await page.goto(`${dock.gatePath('G3')}/scan`);
  await page.getByText('No connection yet. The camera starts when there is a connection…').waitFor(SOON);
  isOffline = false;
  await page.locator('#reads .bad, #reads .wrong').first().waitFor({ timeout: 40_000 });
});
