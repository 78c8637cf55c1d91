import { describe, expect, it } from 'vitest';
import { expectGoodPage, signedIn } from './browser.ts';
import { atDock, live, SOON } from './dock.ts';

const { dock, world, admin, opened } = await atDock(
  'departed',
  { G1: 'Dock 01', G2: 'Dock 02' },
  { dispatchStrategy: 'SHIPMENT' },
);

/** Starts a shipment of one pallet at a gate. */
const start = async (identifier: string, gateIdentifier: string): Promise<void> => {
  const manifestExternalId = `M-${identifier}`;
  await dock.couple(`${identifier}-1`);
  await dock.manifest(manifestExternalId, [`${identifier}-1`], { manifestStatus: 'PLANNED' });
  await dock.must('POST', '/shipment', { identifier, gateIdentifier, manifests: [{ manifestExternalId }] });
  await dock.must('POST', `/shipment/${identifier}/status/IN_PROGRESS`);
};
/** The data of the proof of a shipment. */
const proofOf = async (identifier: string): Promise<{ revision: number; corrections: unknown[] }> => {
  const { proofOfShipmentUrl } = await dock.must('GET', `/shipment/${identifier}`);
  const { pathname } = new URL(proofOfShipmentUrl.replace(/pdf$/, 'json'));
  return (await fetch(`${world.service.origin}${pathname}`)).json() as never;
};
const recordsOf = async (identifier: string): Promise<string[]> =>
  (await dock.must('GET', `/shipment/${identifier}/asset-loading`)).map(
    (record: { trackIdentifier: string; loadingStatus: string }) =>
      `${record.trackIdentifier} ${record.loadingStatus}`,
  );
const alertsOf = async (pallet: string): Promise<string[]> =>
  (await dock.must('GET', `/alert-event?trackIdentifier=${pallet}`)).content.map(
    ({ alertType, status }: { alertType: string; status: string }) => `${alertType} ${status}`,
  );

describe('a truck that left with a wrong pallet', () => {
  it('the next truck at the gate has a clean screen, and the wrong pallet stays a fact of the truck that left', async () => {
    await dock.couple('STRAY-A');
    await start('A', 'G1');
    const page = await opened('G1');
    await dock.scan('G1', 'A-1', 'STRAY-A');
    await page.locator('#wrong', { hasText: 'STRAY-A' }).waitFor(SOON);
    await dock.must('POST', '/shipment/A/status/COMPLETED');
    await start('B', 'G1');
    await page.locator('.count', { hasText: '0 / 1' }).waitFor(SOON);
    await page.locator('#wrong').waitFor({ state: 'detached', ...SOON });
    expect(await page.locator('.strip:visible').count()).toBe(0);
    await expectGoodPage(page, 'gate-after-wrong');
    await dock.scan('G1', 'B-1');
    await page.getByText('All loaded').waitFor(SOON);
    await page.goto(`${dock.gatePath('G1')}/scan`);
    expect(await page.locator('#wrong').count()).toBe(0);
    const gate = page.locator(`#gate-${dock.gates['G1']}`);
    await page.goto('/app/board');
    await live(page);
    expect(await gate.getAttribute('data-state')).toBe('READY');
    expect(await page.getByText('STRAY-A').count()).toBe(0);
    await page.goto('/app/board?screen=wall');
    expect(await gate.getAttribute('data-state')).toBe('READY');
    expect(await recordsOf('A')).toEqual(['A-1 LOADED', 'STRAY-A WRONGLY_LOADED']);
    expect(await alertsOf('STRAY-A')).toEqual(['WRONGLY_LOADED OPEN']);
    expect((await proofOf('A')).revision).toBe(0);
  });

  it('the page of the truck asks before it removes the wrong pallet, because that corrects the proof', async () => {
    await dock.couple('STRAY-C');
    await start('C', 'G2');
    await dock.scan('G2', 'C-1', 'STRAY-C');
    await dock.must('POST', '/shipment/C/status/COMPLETED');
    const { uuid } = await dock.must('GET', '/shipment/C');
    const page = await signedIn(world, admin);
    await page.goto(`/app/shipment/${uuid}`);
    const remove = page.getByRole('link', { name: 'It is off the truck: STRAY-C' });
    const question = page.getByRole('dialog', { name: 'Was STRAY-C taken off before C left?' });
    await remove.click();
    await expectGoodPage(page, 'remove-after-departure');
    await question.getByRole('link', { name: 'Go back' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await recordsOf('C')).toEqual(['C-1 LOADED', 'STRAY-C WRONGLY_LOADED']);
    await remove.click();
    await question.getByLabel('Why? (optional)').fill('Seen in the lane');
    await question.getByRole('button', { name: 'It was taken off' }).click();
    await page.locator('#wrong-title').waitFor({ state: 'detached', ...SOON });
    expect(await recordsOf('C')).toEqual(['C-1 LOADED']);
    expect(await alertsOf('STRAY-C')).toEqual(['WRONGLY_LOADED RESOLVED']);
    const { revision, corrections } = await proofOf('C');
    expect([revision, corrections.length]).toEqual([1, 1]);
    const { content } = await dock.must('GET', '/audit-log?action=UNAUTHORIZED_LOADING_RESOLVED');
    expect(content[0].changes).toContainEqual({ field: 'afterClose', oldValue: null, newValue: true });
    const reason = { field: 'reason', oldValue: null, newValue: 'Seen in the lane' };
    expect(content[0].changes).toContainEqual(reason);
  });
});
