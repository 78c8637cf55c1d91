import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectGoodPage, shot, signedIn } from './browser.ts';
import { atDock, live, SOON, smallTargets, wedge } from './dock.ts';

const { world, dock, admin, opened } = await atDock('questions', {
  G1: 'Dock 01',
  G2: 'Dock 02',
  G3: 'Dock 03',
  G4: 'Dock 04',
});

/** Waits until the input for scans has the focus, as after each question. */
const isInScanBox = (page: Page) => page.locator('#scan:focus').waitFor(SOON);

describe('actions that cannot be undone', () => {
  it('a dialog with numbers asks before an action that cannot be undone', async () => {
    await dock.couple('Z-1');
    await dock.manifest('S-5', ['Z-1', 'Z-2', 'Z-3'], { gateExternalId: 'G1' });
    await dock.must('POST', '/manifest/S-5/status/IN_PROGRESS');
    await dock.scan('G1', 'Z-1');
    const page = await opened('G1');
    const posts: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));
    await page.getByRole('link', { name: 'Complete: S-5' }).click();
    const dialog = page.getByRole('dialog', { name: 'Complete with 2 missing?' });
    await dialog.waitFor();
    await dialog.getByText('Z-2, S-5').waitFor();
    await expectGoodPage(page, 'gate-ask');
    expect(await smallTargets(page)).toEqual([]);
    await dialog.getByRole('link', { name: 'Back to loading' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(posts).toEqual([]);
    await isInScanBox(page);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await expectGoodPage(page, 'gate-more');
    expect(await smallTargets(page)).toEqual([]);
    await page.getByRole('link', { name: 'Cancel manifest S-5' }).click();
    const cancel = page.getByRole('dialog', { name: 'Cancel manifest S-5?' });
    await cancel.getByText('1 loaded pallet').waitFor();
    expect(posts).toEqual([]);
    await page.keyboard.press('Escape');
    await page.goto(`/app/manifest/${(await dock.must('GET', '/manifest/S-5')).uuid}`);
    await page.getByRole('link', { name: 'Complete', exact: true }).click();
    // No reason is preselected. The button asks for one, and sends nothing without it.
    expect(await dialog.locator('input[name="why"]:checked').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Choose why' }).click();
    expect((await dock.must('GET', '/manifest/S-5')).manifestStatus).toBe('IN_PROGRESS');
    await dialog.getByLabel('Not found').check();
    expect(await dialog.getByRole('button', { name: 'Choose why' }).count()).toBe(0);
    await expectGoodPage(page, 'desk-ask');
    await dialog.getByRole('button', { name: 'Complete with 2 missing' }).click();
    await page.locator('.stands .badge', { hasText: 'Completed' }).waitFor();
    const { content } = await dock.must(
      'GET',
      '/audit-log?entityExternalId=S-5&action=MANIFEST_STATUS_CHANGED',
    );
    const said = content.flatMap(({ changes }: { changes: unknown[] }) => changes);
    expect(said).toContainEqual({ field: 'reason', oldValue: null, newValue: 'Not found' });
  });

  it('a second truck starts at a gate only after a question, and then each button and count names its truck', async () => {
    for (const name of ['FIRST', 'NEXT'])
      await dock.manifest(name, [`${name}-1`, `${name}-2`], { gateExternalId: 'G4' });
    await dock.must('POST', '/manifest/FIRST/status/IN_PROGRESS');
    const page = await opened('G4');
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('link', { name: 'Start: NEXT' }).click();
    const question = page.getByRole('dialog', { name: 'Still loading here: FIRST. Start NEXT, too?' });
    await question.getByText('FIRST: 0 of 2 loaded').waitFor();
    await expectGoodPage(page, 'gate-second');
    await question.getByRole('link', { name: 'Back to loading' }).click();
    expect((await dock.must('GET', '/manifest/NEXT')).manifestStatus).toBe('TO_DO');
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('link', { name: 'Start: NEXT' }).click();
    await question.getByRole('button', { name: 'Start NEXT' }).click();
    await page.getByText('0 / 4').waitFor(SOON);
    const texts = (places: string) => page.locator(places).allInnerTexts();
    expect((await texts('.gfoot .next a')).map((text) => text.split(/\s+/))).toEqual([
      ['Complete', 'FIRST'],
      ['Complete', 'NEXT'],
    ]);
    expect(await texts('.mans li')).toEqual(['FIRST 0 / 2', 'NEXT 0 / 2']);
    await page.getByText('Manifest FIRST, NEXT').waitFor();
    await expectGoodPage(page, 'gate-two');
    expect(await smallTargets(page)).toEqual([]);
  });

  it('a question opens at its beginning with its buttons in view, however many pallets it names', async () => {
    const assets = Array.from({ length: 20 }, (_, index) => `N-${index}`);
    await dock.manifest('S-20', assets, { gateExternalId: 'G1' });
    await dock.must('POST', '/manifest/S-20/status/IN_PROGRESS');
    const page = await opened('G1');
    await page.getByRole('link', { name: 'Complete: S-20' }).click();
    const dialog = page.getByRole('dialog', { name: 'Complete with 20 missing?' });
    const parts = [
      dialog.getByRole('heading', { name: 'Complete with 20 missing?' }),
      dialog.getByRole('radio', { name: 'Next truck' }),
      dialog.getByRole('button', { name: 'Choose why' }),
    ];
    for (const part of parts) {
      const { y, height } = (await part.boundingBox())!;
      expect([y >= 0, y + height <= 768]).toEqual([true, true]);
    }
    await dock.must('POST', '/manifest/S-20/status/CANCELLED');
  });

  it('a press that is held confirms a question on a touch screen', async () => {
    await dock.manifest('S-6', ['Z-9'], { gateExternalId: 'G2' });
    await dock.must('POST', '/manifest/S-6/status/IN_PROGRESS');
    const page = await signedIn(world, admin, { hasTouch: true, viewport: { width: 820, height: 1180 } });
    await page.goto(dock.gatePath('G2'));
    await live(page);
    await page.getByRole('link', { name: 'Complete: S-6' }).tap();
    await page.getByRole('radio', { name: 'Next truck' }).tap();
    const yes = page.getByRole('button', { name: 'Complete with 1 missing' });
    await yes.tap();
    await page.getByText('Hold the button until it is full.').waitFor(SOON);
    await page.waitForTimeout(1_200);
    expect((await dock.must('GET', '/manifest/S-6')).manifestStatus).toBe('IN_PROGRESS');
    const { x, y, width, height } = (await yes.boundingBox())!;
    const touch = await page.context().newCDPSession(page);
    const touchPoints = [{ x: x + width / 2, y: y + height / 2 }];
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
    await page.getByText('Free').or(page.getByText('Ready to start')).first().waitFor(SOON);
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    expect((await dock.must('GET', '/manifest/S-6')).manifestStatus).toBe('COMPLETED');
    await isInScanBox(page);
  });
});

it('the question which pallet was scanned ends with the loading', async () => {
  await dock.manifest('S-8', ['340123450000000017'], { gateExternalId: 'G2' });
  await dock.must('POST', '/manifest/S-8/status/IN_PROGRESS');
  const page = await opened('G2');
  await page.getByText('0 / 1').waitFor(SOON);
  await wedge(page, '0017');
  await page.locator('#choices fieldset', { hasText: 'Which pallet is it?' }).waitFor(SOON);
  await dock.must('POST', '/manifest/S-8/status/COMPLETED');
  await page.locator('#choices fieldset').waitFor({ state: 'detached', ...SOON });
});

describe('the question which pallet was scanned', () => {
  const PALLETS = ['340123450000000017', '395212349000000017', '340123450000100017', '340123450000000024'];

  it('the question is whole beside the count, with numbers in groups, and later answers are read before it', async () => {
    await dock.manifest('S-9', PALLETS, { gateExternalId: 'G3' });
    await dock.must('POST', '/manifest/S-9/status/IN_PROGRESS');
    const page = await opened('G3');
    await page.getByText('0 / 4').waitFor(SOON);
    const question = page.locator('#choices fieldset');
    const isSeen = (selector: string) =>
      page.evaluate<boolean>(`(() => {
        const element = document.querySelector(${JSON.stringify(selector)});
        const { top, bottom, left, right } = element.getBoundingClientRect();
        return [top, (top + bottom) / 2, bottom].every((y) => {
          const over = document.elementFromPoint((left + right) / 2, Math.min(Math.max(y, top + 2), bottom - 2));
          return over && (element.contains(over) || over.contains(element));
        });
      })()`);
    for (const [width, height] of [
      [1024, 768],
      [1280, 800],
      [1920, 1080],
      [360, 780],
    ] as const) {
      await page.setViewportSize({ width, height });
      await wedge(page, '0017');
      await question.waitFor(SOON);
      await shot(page, `gate-which-${width}`);
      for (const part of ['#choices legend', '#choices button:nth-of-type(3)', '#answer'])
        expect([width, part, await isSeen(part)]).toEqual([width, part, true]);
      if (width !== 360) await question.getByRole('button', { name: 'Back' }).click();
    }
    // The groups of an SSCC are elements, so that a copy has its 18 digits.
    expect(await question.locator('button').first().locator('.sscc > *').allTextContents()).toHaveLength(5);
    await page.setViewportSize({ width: 1024, height: 768 });
    await wedge(page, PALLETS[3]!);
    await page.locator('#answer.ok', { hasText: 'Loaded' }).waitFor(SOON);
    const isAfter = await page.evaluate(
      'document.querySelector("#answer").compareDocumentPosition(document.querySelector("#choices")) === 4',
    );
    expect([isAfter, await isSeen('#answer'), await isSeen('#choices legend')]).toEqual([true, true, true]);
    await shot(page, 'gate-which-later');
    await question.getByRole('button').first().click();
    await page.getByText('2 / 4').waitFor(SOON);
    expect(await question.count()).toBe(0);
  });
});
