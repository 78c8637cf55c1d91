import { describe, expect, it } from 'vitest';
import { expectGoodPage } from './browser.ts';
import { SOON, smallTargets } from './dock.ts';
import { isKept, overWifi } from './wifi.ts';

const { wifi, dock, opened } = await overWifi('notes', { G1: 'Dock 01', G2: 'Dock 02' });

const totalOf = async (action: string, pallet: string): Promise<number> =>
  (await dock.must('GET', `/audit-log?action=${action}&entityExternalId=${pallet}`)).totalElements;

describe('damage and comments at a gate', () => {
  it('a worker reports damage and a comment by keyboard, and rows and desk show both', async () => {
    await dock.couple('N-1', 'N-2');
    await dock.manifest('M-1', ['N-1', 'N-2', 'N-3'], { gateExternalId: 'G1' });
    await dock.must('POST', '/manifest/M-1/status/IN_PROGRESS');
    const page = await opened('G1');
    const row = page.locator('#open > li', { hasText: 'N-1' });
    await row.locator('summary').focus();
    await page.keyboard.press('Enter');
    await row.getByRole('link', { name: 'Damaged: N-1' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Damaged: N-1' });
    await dialog.getByLabel('What is damaged? (optional)').and(page.locator(':focus')).waitFor();
    await expectGoodPage(page, 'gate-damage');
    expect(await smallTargets(page)).toEqual([]);
    await page.keyboard.type('Foil torn');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('#answer.told', { hasText: 'The pallet is marked as damaged.' }).waitFor(SOON);
    await row.getByText('Foil torn').waitFor(SOON);
    await row.locator('.badge', { hasText: 'Damaged' }).waitFor(SOON);
    // After the dialog, the next scan goes to its input.
    await page.locator('#scan:focus').waitFor();
    await row.locator('summary').click();
    await row.getByRole('link', { name: 'Comment: N-1' }).click();
    await page.getByRole('dialog').getByLabel('Comment').fill('Taped by Ana');
    await page.getByRole('button', { name: 'Add comment' }).click();
    await row.getByText('Taped by Ana').waitFor(SOON);
    // A comment of another user appears by itself.
    await dock.must('POST', '/track/N-2/comments', { additionalInfo: 'From the office' });
    await page.locator('#open > li', { hasText: 'N-2' }).getByText('From the office').waitFor(SOON);
    await page.locator('#open > li', { hasText: 'N-3' }).locator('summary').click();
    expect(await page.getByRole('link', { name: 'Comment: N-3' }).count()).toBe(0);
    await page.goto(`/app/track/${(await dock.must('GET', '/track/N-1')).uuid}`);
    await page.getByText('Taped by Ana').first().waitFor();
    await page.getByText('Foil torn').first().waitFor();
  });

  it('damage and comments wait without a connection, survive a reload and are sent once', async () => {
    await dock.couple('O-1', 'O-2');
    await dock.manifest('M-2', ['O-1', 'O-2'], { gateExternalId: 'G2' });
    await dock.must('POST', '/manifest/M-2/status/IN_PROGRESS');
    const page = await opened('G2');
    await isKept(page);
    const note = async (pallet: string, link: string, text: string, button: string) => {
      await page.locator('#open > li', { hasText: pallet }).locator('summary').click();
      await page.getByRole('link', { name: `${link}: ${pallet}` }).click();
      await page.locator('dialog textarea').fill(text);
      await page.getByRole('button', { name: button }).click();
    };
    // The service has handled the first one, but its answer is lost.
    wifi.dieAfter('comment=Corner');
    await note('O-1', 'Damaged', 'Corner broken', 'Mark as damaged');
    await page.locator('body[data-feed="lost"] #offline').waitFor();
    await note('O-2', 'Comment', 'Two labels', 'Add comment');
    await page.getByText('2 items wait on this tablet.').waitFor(SOON);
    await page.getByText('Damaged: Corner broken (Waiting to be sent)').waitFor();
    await expectGoodPage(page, 'gate-notes-offline');
    await page.reload();
    await page.getByText('2 items wait on this tablet.').waitFor(SOON);
    await page.getByText('Comment: Two labels (Waiting to be sent)').waitFor(SOON);
    wifi.comeBack();
    await page.locator('#offline').waitFor({ state: 'hidden', timeout: 30_000 });
    await page.locator('.said', { hasText: 'Two labels' }).waitFor(SOON);
    await expect.poll(() => page.getByText('(Waiting to be sent)').count(), SOON).toBe(0);
    expect(await totalOf('TRACK_FLAGGED', 'O-1')).toBe(1);
    expect(await totalOf('TRACK_COMMENTED', 'O-2')).toBe(1);
  });
});
