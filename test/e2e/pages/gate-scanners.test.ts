import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { checkDigit } from '../../../src/pallet/gs1.ts';
import { expectGoodPage, shot, signedIn } from './browser.ts';
import { atDock, listen, SOON, smallTargets, wedge } from './dock.ts';

const sscc = (start: string) => start + checkDigit(start);
const numbers = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => sscc(`3401234500000${1000 + from + index}`));

const { world, admin, dock, opened } = await atDock('scanners', {
  G1: 'Dock 01',
  G2: 'Dock 02',
  G3: 'Dock 03',
  G4: 'Dock 04',
  G5: 'Dock 05',
  G6: 'Dock 06',
  G7: 'Dock 07',
  G8: 'Dock 08',
  G9: 'Dock 09',
  G10: 'Dock 10',
});
await dock.couple('GLUED');

/** Opens a gate that loads these pallets. */
async function loading(gate: string, manifest: string, pallets: string[]): Promise<Page> {
  await dock.manifest(manifest, pallets, { gateExternalId: gate });
  await dock.must('POST', `/manifest/${manifest}/status/IN_PROGRESS`);
  return opened(gate);
}
const answer = (page: Page, tone: string, text: string | RegExp) =>
  page.locator(`#answer.${tone}`, { hasText: text }).waitFor(SOON);
const SIZES = [
  [360, 780],
  [1024, 768],
  [1280, 800],
  [1920, 1080],
] as const;
/** Whether a whole element is in the window with all of its text, and nothing covers its middle. */
async function isWhole(element: Locator): Promise<boolean> {
  const { x, y, width, height } = (await element.boundingBox())!;
  const view = element.page().viewportSize()!;
  const isCovered = await element.evaluate(
    (one, [left, top]) => !one.contains(one.ownerDocument.elementFromPoint(left!, top!)),
    [x + width / 2, y + height / 2],
  );
  const isCut = await element.evaluate((one) =>
    [one, ...one.querySelectorAll('*')].some(
      ({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1,
    ),
  );
  if (isCut || isCovered) return false;
  return x >= 0 && y >= 0 && x + width <= view.width && y + height <= view.height;
}
const isFocused = (page: Page) => page.evaluate("document.activeElement.id === 'scan'");
const loadedOf = async (manifest: string): Promise<number> =>
  (await dock.must('GET', `/manifest/${manifest}`)).loadedAssetsCount;

describe('readings in a row', () => {
  it('Tab, Enter and pasted lines each end a reading, and the focus stays in the input', async () => {
    const pallets = numbers(0, 8);
    const page = await loading('G1', 'R-1', pallets);
    // A scanner types all keys within milliseconds.
    for (const pallet of pallets.slice(0, 2)) {
      await page.keyboard.type(pallet);
      await page.keyboard.press('Tab');
    }
    expect(await isFocused(page)).toBe(true);
    expect(await page.locator('#scan').inputValue()).toBe('');
    await page.keyboard.type(`${pallets[2]}\n${pallets[3]}\n`);
    await page.getByText('4 / 8').waitFor(SOON);
    await page.evaluate(
      `(() => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text', ${JSON.stringify(`00${pallets[4]}\r\n(00)${pallets[5]}`)});
        document.getElementById('scan').dispatchEvent(
          new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      })()`,
    );
    await page.getByText('6 / 8').waitFor(SOON);
    // Some programs insert a text with its Tab at once, without pressing keys.
    await page.keyboard.insertText(`${pallets[6]}\t${pallets[7]}\t`);
    await page.getByText('8 / 8').waitFor(SOON);
    expect(await loadedOf('R-1')).toBe(8);
    expect(await isFocused(page)).toBe(true);
    // In the empty input, Tab moves the focus as on every page.
    await page.keyboard.press('Tab');
    expect(await isFocused(page)).toBe(false);
  });

  it('a second Enter of a scanner is ignored, and no message covers the answer', async () => {
    const [pallet] = numbers(25, 1);
    const page = await loading('G9', 'R-9', [pallet!, 'R-9-2']);
    await page.evaluate(`globalThis.refused = 0;
      document.addEventListener('invalid', () => { globalThis.refused += 1; }, true);`);
    await page.keyboard.type(`${pallet}\r\n\r`);
    await answer(page, 'ok', 'Loaded');
    await page.keyboard.press('Enter');
    await page.keyboard.type('  \r');
    expect(await page.evaluate('globalThis.refused')).toBe(0);
    expect(await loadedOf('R-9')).toBe(1);
    expect(await page.locator('#answer').innerText()).toContain('Loaded');
  });

  it('the button beside the input sends a scan and returns the focus to the input', async () => {
    const [pallet] = numbers(20, 1);
    const page = await loading('G2', 'R-2', [pallet!, 'R-2-2']);
    // The text is no complete SSCC, so that a slow machine does not send it before the button is pressed.
    await page.locator('#scan').fill('R-2-2');
    await page.getByRole('button', { name: 'Enter', exact: true }).click();
    await answer(page, 'ok', 'Loaded');
    expect(await isFocused(page)).toBe(true);
  });
});

describe('scanners without Enter', () => {
  it('an SSCC typed at once counts after a pause, and a text typed by hand waits for Enter', async () => {
    const pallets = numbers(80, 4);
    const page = await loading('G5', 'R-5', [...pallets, 'PAL-77777']);
    await page.keyboard.type(pallets[0]!);
    await page.getByText('1 / 5').waitFor(SOON);
    await answer(page, 'ok', 'Loaded');
    expect(await page.locator('#scan').inputValue()).toBe('');
    // A scanner may insert the text without pressing keys, and type the end as text.
    await page.keyboard.insertText(`]C100${pallets[1]}{ENTER}`);
    await page.getByText('2 / 5').waitFor(SOON);
    await page.keyboard.type(pallets[2]!, { delay: 90 });
    await page.waitForTimeout(1_200);
    expect(await page.locator('#scan').inputValue()).toBe(pallets[2]);
    expect(await loadedOf('R-5')).toBe(2);
    await page.keyboard.press('Enter');
    await page.getByText('3 / 5').waitFor(SOON);
    // Any other text could be incomplete, so the page says how to set up the scanner.
    await page.keyboard.insertText('PAL-77777');
    await answer(page, 'doubt', 'Set the scanner to send Enter after each scan.');
    expect(await page.locator('#scan').inputValue()).toBe('PAL-77777');
    await page.keyboard.press('Enter');
    await page.getByText('4 / 5').waitFor(SOON);
  });

  it('two SSCCs that a scanner has glued are named and not counted, with and without a connection', async () => {
    const [one, other, third] = numbers(90, 3);
    const page = await loading('G6', 'R-6', [one!, other!, third!]);
    const named = new RegExp(
      `Several pallets in one scan: ${one!.slice(-4)}, ${other!.slice(-4)}.*again.*send Enter`,
    );
    await page.keyboard.insertText(`00${one}00${other}`);
    await answer(page, 'bad', named);
    // The answer is whole, and has no last digits of a single pallet.
    expect(await page.locator('#answer .last').textContent()).toBe('');
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      expect([width, await isWhole(page.locator('#answer'))]).toEqual([width, true]);
    }
    await shotAt(page, 'gate-glued');
    await page.context().setOffline(true);
    await page.locator('body[data-feed="lost"] #offline').waitFor(SOON);
    await wedge(page, `${third}${dock.codes['GLUED']}`);
    await answer(page, 'bad', `: ${third!.slice(-4)}, ${String(dock.codes['GLUED']).slice(-4)}`);
    await wedge(page, `${one}\\n`);
    await answer(page, 'hold', 'On the list, waiting');
    await page.context().setOffline(false);
    await page.getByText('1 / 3').waitFor({ timeout: 30_000 });
    expect(await loadedOf('R-6')).toBe(1);
  });
});

describe('a scan before Start', () => {
  it('a pallet of the load that is ready asks for Start, and counts after it, with and without a connection', async () => {
    await dock.manifest('R-7', ['READY-1', 'READY-2', 'READY-3'], { gateExternalId: 'G7' });
    const page = await opened('G7');
    await wedge(page, 'READY-1');
    await answer(page, 'hold', 'Press Start first');
    await shotAt(page, 'gate-start-first');
    await page.context().setOffline(true);
    await page.locator('body[data-feed="lost"] #offline').waitFor(SOON);
    await wedge(page, 'READY-2');
    await answer(page, 'hold', 'Press Start first');
    await wedge(page, 'STRAY');
    await answer(page, 'doubt', 'Cannot be checked without a connection');
    await page.getByRole('button', { name: 'Start: R-7' }).click();
    // After Start the reading counts at once, though the same pallet was read just before.
    await wedge(page, 'READY-2');
    await answer(page, 'hold', 'On the list, waiting');
    await page.context().setOffline(false);
    // The pallet that was scanned less than a minute before Start counts without another scan.
    await page.getByText('2 / 3').waitFor({ timeout: 30_000 });
    expect(await loadedOf('R-7')).toBe(2);
  });
});

describe('the search box of a page', () => {
  it('Tab searches after a scan, and moves the focus after typing', async () => {
    await dock.couple('SEARCH-4711');
    const page = await opened('G4');
    await page.goto(new URL('/app/shipment', page.url()).href);
    const box = page.locator('#search');
    await box.focus();
    await page.keyboard.type('SEARCH-4711', { delay: 120 });
    await page.keyboard.press('Tab');
    expect(await page.evaluate("document.activeElement.id === 'search'")).toBe(false);
    expect(new URL(page.url()).pathname).toBe('/app/shipment');
    await box.fill('');
    await box.focus();
    await page.evaluate(
      `(() => {
        const box = document.getElementById('search');
        const press = (key) =>
          box.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
        for (const key of 'SEARCH-4711') {
          press(key);
          box.value += key;
        }
        press('Tab');
      })()`,
    );
    await page.waitForURL(/\/app\/track\//, SOON);
    expect(await page.getByRole('heading', { name: 'SEARCH-4711' }).count()).toBeGreaterThan(0);
  });
});

describe('results of scans', () => {
  it('each outcome has its own sound, until the sound is switched off', async () => {
    const [first, ...others] = numbers(40, 3);
    await dock.couple('WRONG-1');
    const page = await loading('G3', 'R-3', [first!, ...others]);
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (line) => line.type() === 'error' && faults.push(line.text()));
    const heard = await listen(page);
    await wedge(page, first!);
    await answer(page, 'ok', 'Loaded');
    const sounds = [await heard()];
    // Readings of a pallet within five seconds are one.
    await wedge(page, first!);
    await page.waitForTimeout(5_500);
    expect(await heard()).toBe('[]');
    await answer(page, 'ok', 'Loaded');
    await wedge(page, `(00)${first}`);
    await answer(page, 'again', 'Already loaded');
    sounds.push(await heard());
    await wedge(page, 'nothing-has-this-name');
    await answer(page, 'bad', 'No pallet has the name');
    sounds.push(await heard());
    await wedge(page, 'WRONG-1');
    await answer(page, 'bad', 'Wrong pallet');
    sounds.push((await heard()).slice(0, 8));
    expect(new Set(sounds).size).toBe(4);
    expect(sounds).not.toContain('[]');
    await page.getByRole('button', { name: 'It is off the truck: WRONG-1' }).click();
    await page.locator('#wrong').waitFor({ state: 'detached', ...SOON });
    await page.locator('#sound').click();
    await heard();
    await wedge(page, others[0]!);
    await answer(page, 'ok', 'Loaded');
    expect(await heard()).toBe('[]');
    // The browser itself logs the 404 of the unknown text.
    expect(faults.filter((fault) => !fault.includes('404'))).toEqual([]);
  });

  it('a scan that means two pallets asks for one, with and without scripts', async () => {
    const [twice, single] = numbers(60, 2);
    await dock.couple(`00${twice}`, `(00)${twice}`, 'PAL-1');
    const page = await loading('G4', 'R-4', [`00${twice}`, `(00)${twice}`, 'PAL-1', single!]);
    await wedge(page, twice!);
    await answer(page, 'hold', 'Which pallet is it?');
    await shotAt(page, 'gate-choice');
    await expectGoodPage(page, 'gate-choice');
    expect(await smallTargets(page)).toEqual([]);
    await page.locator('#choices').getByRole('button', { name: 'Back' }).click();
    expect(await isFocused(page)).toBe(true);
    await wedge(page, twice!);
    await page.locator('#choices button', { hasText: `(00)${twice}` }).click();
    await answer(page, 'ok', 'Loaded');
    expect(await page.locator('#choices fieldset').count()).toBe(0);
    expect(await isFocused(page)).toBe(true);
    const plain = await signedIn(world, admin, { javaScriptEnabled: false });
    await plain.goto(dock.gatePath('G4'));
    await plain.locator('#scan').fill(twice!);
    await plain.locator('#scan').press('Enter');
    await plain.locator('#choices', { hasText: 'Which pallet is it?' }).waitFor(SOON);
    await shotAt(plain, 'gate-choice-plain');
    await plain.locator('#choices button', { hasText: /^00/ }).click();
    await expect.poll(() => loadedOf('R-4'), SOON).toBe(2);
    await wedge(page, 'PQL)&');
    await answer(page, 'ok', /PAL-1.*another keyboard layout/);
    await shotAt(page, 'gate-keyboard');
    await wedge(page, 'XQL)&');
    await answer(page, 'bad', 'another keyboard layout');
    await shotAt(page, 'gate-keyboard-unknown');
  });
});

describe('before Start', () => {
  it('the last digits of a pallet of a truck that is ready offer the pallet, and the offer stays until it is answered', async () => {
    const [pallet] = numbers(300, 1);
    await dock.manifest('BEFORE', [pallet!], { gateExternalId: 'G10' });
    const page = await opened('G10');
    await wedge(page, pallet!.slice(-4));
    await answer(page, 'hold', 'Which pallet is it?');
    const choice = page.locator('#choices button', { hasText: pallet!.slice(-4) });
    await choice.waitFor(SOON);
    // The page is updated because of another truck.
    await dock.manifest('ANOTHER', numbers(301, 1), { gateExternalId: 'G10' });
    await page
      .getByText('ANOTHER')
      .first()
      .waitFor({ state: 'attached', ...SOON });
    await shotAt(page, 'gate-choice-before-start');
    await choice.click();
    await answer(page, 'hold', 'Press Start first');
  });
});

describe('several trucks that are ready', () => {
  it('with several trucks that are ready, the answer starts the truck of the pallet', async () => {
    const names = ['SH-2026-0105-07', 'SH-2026-0105-08', 'SH-2026-0105-09', 'SH-2026-0105-10'];
    for (const [at, name] of names.entries())
      await dock.manifest(name, numbers(200 + at * 10, 2), { gateExternalId: 'G8' });
    const page = await opened('G8');
    for (const name of names.slice(0, 3))
      await page.getByRole('button', { name: `Start ${name}`, exact: true }).waitFor();
    const [pallet] = numbers(230, 1);
    await wedge(page, pallet!);
    await answer(page, 'hold', 'Press Start first');
    const start = page.locator('#answer').getByRole('button', { name: 'Start SH-2026-0105-10' });
    await start.waitFor();
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      await shot(page, `gate-start-several-${width}`);
      const buttons = page.locator('#answer button, .gfoot .next button').filter({ visible: true });
      expect([width, await buttons.count()]).toEqual([width, width === 360 ? 2 : 4]);
      for (const button of await buttons.all()) await expect.poll(() => isWhole(button), SOON).toBe(true);
    }
    expect(await smallTargets(page)).toEqual([]);
    await page.setViewportSize({ width: 1024, height: 768 });
    await start.click();
    // The pallet counts by itself, if it was scanned within a minute before.
    await page.locator('.count:not(.idle)').waitFor(SOON);
    await wedge(page, pallet!);
    await page.getByText('1 / 2').waitFor(SOON);
    // Another person starts the truck: the answer no longer offers it.
    await dock.must('POST', '/manifest/SH-2026-0105-10/status/COMPLETED');
    await page.locator('.count.idle').waitFor(SOON);
    await wedge(page, numbers(200, 1)[0]!);
    await page.locator('#answer button', { hasText: 'SH-2026-0105-07' }).waitFor(SOON);
    await dock.must('POST', '/manifest/SH-2026-0105-07/status/IN_PROGRESS');
    await page.locator('#answer button').waitFor({ state: 'detached', ...SOON });
  });
});

async function shotAt(page: Page, name: string): Promise<void> {
  for (const width of [360, 1024, 1920]) {
    await page.setViewportSize({ width, height: width === 360 ? 740 : 900 });
    await shot(page, `${name}-${width}`);
  }
}
