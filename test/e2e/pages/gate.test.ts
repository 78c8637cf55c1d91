import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectGoodPage, shot } from './browser.ts';
import { atDock, SOON, smallTargets, wedge } from './dock.ts';

const SSCC = ['395212349000000093', '395212349000000109', '395212349000000116'] as const;

const { dock, opened } = await atDock('scanning', {
  G1: 'Dock 01',
  G2: 'Dock 02',
  G3: 'Dock 03',
  G4: 'Dock 04',
  G5: 'Dock 05',
  G6: 'Dock 06',
  G7: 'Dock 07',
});

const answer = (page: Page, tone: string, text: string) =>
  page.locator(`#answer.${tone}`, { hasText: text }).waitFor(SOON);
const loaded = async (manifest: string): Promise<number> =>
  (await dock.must('GET', `/manifest/${manifest}`)).loadedAssetsCount;

describe('a shift by keyboard wedge alone', () => {
  it('a keyboard scanner loads pallets with every kind of code, sees answers in one place, and completes', async () => {
    await dock.couple(SSCC[0], SSCC[1], 'W-1');
    await dock.manifest('S-1', [...SSCC, 'W-1'], { gateExternalId: 'G1' });
    const page = await opened('G1');
    expect(await page.evaluate('document.activeElement.name')).toBe('scan');
    await page.getByRole('button', { name: 'Start: S-1' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('0 / 4').waitFor(SOON);
    expect(await page.evaluate('document.activeElement.name')).toBe('scan');
    await expectGoodPage(page, 'gate-scan-start');
    expect(await smallTargets(page)).toEqual([]);
    await wedge(page, `(00)${SSCC[0]}`);
    await answer(page, 'ok', 'Loaded');
    await page.getByText('1 / 4').waitFor(SOON);
    // Both scans count although the first is still unanswered. The third pallet has no marker.
    await wedge(page, `]C100${SSCC[1]}`);
    await page.waitForTimeout(500);
    await wedge(page, `00${SSCC[2]}`);
    await page.getByText('3 / 4').waitFor(SOON);
    await wedge(page, 'unknown-pallet');
    await answer(page, 'bad', 'No pallet has the name unknown-pallet.');
    await expectGoodPage(page, 'gate-refused');
    expect(await page.evaluate('document.activeElement.name')).toBe('scan');
    await wedge(page, String(dock.codes['W-1']));
    await page.getByText('4 / 4').waitFor(SOON);
    await page.getByText('All loaded').waitFor(SOON);
    await page.setViewportSize({ width: 1920, height: 1080 });
    await shot(page, 'gate-scan-done-1920');
    await expectGoodPage(page, 'gate-scan-done');
    await page.getByRole('link', { name: 'Complete: S-1' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Complete', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Nothing is being loaded here.').waitFor(SOON);
    const { content } = await dock.must('GET', '/audit-log?action=SCANS_RECORDED&entityExternalId=G1');
    expect(content).toHaveLength(4);
  });
});

describe('a hand scanner', () => {
  it('a hand scanner works with a dialog open, and its Enter confirms nothing', async () => {
    await dock.manifest('S-7', ['Q-1', 'Q-2', 'Q-3', 'Q-4'], { gateExternalId: 'G5' });
    await dock.must('POST', '/manifest/S-7/status/IN_PROGRESS');
    const page = await opened('G5');
    await page.getByRole('link', { name: 'Complete: S-7' }).click();
    const dialog = page.getByRole('dialog', { name: 'Complete with 4 missing?' });
    await dialog.getByLabel('Not found').check();
    await wedge(page, 'Q-1');
    await page.getByText('1 / 4').waitFor(SOON);
    expect(await dialog.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await wedge(page, 'Q-2');
    await page.getByText('2 / 4').waitFor(SOON);
    // Within a text field of the question, the scanned text stays in the field and is not sent.
    await page.getByRole('link', { name: 'Complete: S-7' }).click();
    await page.getByLabel('Comment (optional)').focus();
    await wedge(page, 'Q-3');
    await page.waitForTimeout(500);
    expect((await dock.must('GET', '/manifest/S-7')).manifestStatus).toBe('IN_PROGRESS');
  });
});

describe('alerts of other loads', () => {
  it('an alert of another load is a line above the work and covers nothing', async () => {
    await dock.couple('T-1');
    await dock.manifest('S-8', ['T-1'], { gateExternalId: 'G6' });
    const page = await opened('G6');
    await dock.scan('G6', 'T-1');
    const strip = page.locator('.strip.alerts', { hasText: 'T-1' });
    await strip.waitFor(SOON);
    expect(await page.locator('.count').textContent()).toContain('Ready');
    expect(await page.locator('#wrong').count()).toBe(0);
    await expectGoodPage(page, 'gate-trouble');
    await strip.click();
    await page.locator('#alerts').getByRole('button', { name: 'Done' }).click();
    await strip.waitFor({ state: 'detached', ...SOON });
  });
});

describe('a row that is marked', () => {
  it('a marked row does not move and has an undo, so a second tap marks no other pallet', async () => {
    await dock.manifest('S-2', ['R-1', 'R-2', 'R-3'], { gateExternalId: 'G2' });
    await dock.must('POST', '/manifest/S-2/status/IN_PROGRESS');
    const page = await opened('G2');
    const place = (await page.getByRole('button', { name: 'Mark loaded: R-1' }).boundingBox())!;
    const [x, y] = [place.x + place.width / 2, place.y + place.height / 2];
    await page.mouse.click(x, y);
    await page.mouse.click(x, y);
    await page.locator('#open li.done', { hasText: 'Loaded' }).waitFor(SOON);
    await page.getByText('1 / 3').waitFor(SOON);
    const order = () => page.locator('#open > li .d4').allTextContents();
    expect(await order()).toEqual(['R-1', 'R-2', 'R-3']);
    await shot(page, 'gate-undo');
    await page.waitForTimeout(800);
    await page.getByRole('button', { name: 'Undo R-1' }).click();
    await page.getByText('0 / 3').waitFor(SOON);
    await page.getByRole('button', { name: 'Mark loaded: R-1' }).waitFor(SOON);
    await page.getByRole('button', { name: 'Mark loaded: R-2' }).click();
    await page.getByRole('button', { name: 'Undo R-2' }).waitFor(SOON);
    expect(await order()).toEqual(['R-1', 'R-2', 'R-3']);
    await expectGoodPage(page, 'gate-loaded');
    await page.setViewportSize({ width: 360, height: 740 });
    // On a phone a row is one line.
    const { height } = (await page.locator('#open > li', { hasText: 'R-3' }).boundingBox())!;
    expect(height).toBeLessThanOrEqual(81);
    await page.setViewportSize({ width: 1024, height: 768 });
    await page.getByRole('button', { name: 'Undo R-2' }).waitFor({ state: 'detached', timeout: 15_000 });
    expect(await order()).toEqual(['R-1', 'R-3']);
    expect(await loaded('S-2')).toBe(1);
  });
});

describe('a row that is marked by mistake', () => {
  it('undo makes a pallet that was unloaded before UNLOADED again', async () => {
    await dock.couple('U-1');
    await dock.manifest('S-9', ['U-1', 'U-2'], { gateExternalId: 'G7' });
    await dock.must('POST', '/manifest/S-9/status/IN_PROGRESS');
    const statusOf = async (pallet: string): Promise<string> =>
      (await dock.must('GET', '/manifest/S-9/asset-loading')).find(
        ({ trackIdentifier }: { trackIdentifier: string }) => trackIdentifier === pallet,
      ).loadingStatus;
    const page = await opened('G7');
    for (const pallet of ['U-1', 'U-2']) {
      const mark = { status: 'UNLOADED', gateExternalId: 'G7' };
      await dock.must('PATCH', `/manifest/S-9/asset-loading/track/${pallet}/status`, mark);
    }
    await page.locator('#open li', { hasText: 'U-2' }).locator('.badge').waitFor(SOON);
    await wedge(page, 'U-1');
    await page.getByText('1 / 2').waitFor(SOON);
    await page.getByRole('button', { name: 'Mark loaded: U-2' }).click();
    await page.getByText('2 / 2').waitFor(SOON);
    await page.waitForTimeout(800);
    for (const pallet of ['U-1', 'U-2']) await page.getByRole('button', { name: `Undo ${pallet}` }).click();
    await page.getByText('0 / 2').waitFor(SOON);
    expect([await statusOf('U-1'), await statusOf('U-2')]).toEqual(['UNLOADED', 'UNLOADED']);
  });
});

describe('a wrong pallet', () => {
  it('a wrong pallet covers the screen until it is off the truck, and sounds until silenced', async () => {
    await dock.couple('X-1', 'Y-1');
    await dock.manifest('S-3', ['Y-1', 'Y-2'], { gateExternalId: 'G3' });
    await dock.must('POST', '/manifest/S-3/status/IN_PROGRESS');
    await dock.manifest('S-4', ['X-1'], { gateExternalId: 'G4' });
    const page = await opened('G3');
    const sound = page.locator('#sound');
    await page.mouse.click(500, 20);
    await sound.getByText('Sound on').waitFor(SOON);
    await page.evaluate(`globalThis.tones = 0;
      navigator.vibrate = (pattern) => { globalThis.shaken = pattern; };
      const start = OscillatorNode.prototype.start;
      OscillatorNode.prototype.start = function (...given) { globalThis.tones += 1; return start.apply(this, given); };`);
    await dock.scan('G3', 'X-1');
    const layer = page.locator('#wrong');
    await layer.waitFor(SOON);
    expect(await layer.textContent()).toContain('It belongs to S-4 (Dock 04).');
    expect(await page.title()).toBe('WRONG PALLET, Dock 03 · scanning');
    // It also covers a phone whose user has scrolled down.
    await page.setViewportSize({ width: 360, height: 740 });
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    expect(await page.evaluate('scrollY')).toBeGreaterThan(50);
    const covers = await page.evaluate(
      "[[5, 5], [180, 400], [350, 735]].every(([x, y]) => document.elementFromPoint(x, y).closest('#wrong'))",
    );
    expect(covers).toBe(true);
    expect(await page.evaluate('globalThis.shaken')).toEqual([400, 150, 400]);
    await page.setViewportSize({ width: 1920, height: 1080 });
    await shot(page, 'gate-hazard-1920');
    await expectGoodPage(page, 'gate-hazard');
    expect(await smallTargets(page)).toEqual([]);
    await expect.poll(() => page.evaluate<number>('globalThis.tones'), SOON).toBeGreaterThan(4);
    await page.getByRole('button', { name: 'Silence' }).click();
    const silenced = await page.evaluate('globalThis.tones');
    await page.waitForTimeout(3_000);
    expect(await page.evaluate('globalThis.tones')).toBe(silenced);
    expect(await layer.isVisible()).toBe(true);
    // The scanner still works, and its Enter takes nothing off the truck.
    await wedge(page, String(dock.codes['Y-1']));
    await expect.poll(() => loaded('S-3'), SOON).toBe(1);
    expect(await layer.isVisible()).toBe(true);
    await page.getByRole('button', { name: 'It is off the truck: X-1' }).click();
    await layer.waitFor({ state: 'detached', ...SOON });
    expect(await page.title()).toBe('1 / 2, Dock 03 · scanning');
  });

  it('the sound switch shows whether the sound can be heard', async () => {
    const page = await opened('G2');
    await page.locator('#sound', { hasText: 'Tap for sound' }).waitFor(SOON);
    await page.mouse.click(500, 20);
    await page.locator('#sound', { hasText: 'Sound on' }).waitFor(SOON);
    await page.locator('#sound').click();
    await page.locator('#sound', { hasText: 'Sound off' }).waitFor();
    await page.reload();
    await page.locator('#sound', { hasText: 'Sound off' }).waitFor();
  });
});
