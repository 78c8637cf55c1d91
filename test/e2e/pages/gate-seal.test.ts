import { describe, expect, it } from 'vitest';
import { checkDigit } from '../../../src/pallet/gs1.ts';
import { expectGoodPage } from './browser.ts';
import { atDock, SOON, smallTargets, wedge } from './dock.ts';

const { dock, opened } = await atDock(
  'seals',
  { G1: 'Dock 01', G2: 'Dock 02', G3: 'Dock 03' },
  {
    dispatchStrategy: 'SHIPMENT',
    shipmentCustomFields: [
      { fieldKey: 'plate', fieldType: 'TEXT', role: 'VEHICLE' },
      { fieldKey: 'seal', fieldType: 'TEXT', role: 'SEAL' },
    ],
  },
);

const PALLET = `34012345000007${'001'}`;
const SSCC = PALLET + checkDigit(PALLET);

/** Loads a shipment of these pallets at a gate. */
async function loading(gate: string, shipment: string, pallets: string[]): Promise<void> {
  await dock.couple(...pallets);
  await dock.must('POST', '/manifest', { externalIdentifier: `M-${shipment}`, assets: pallets });
  await dock.must('POST', '/shipment', {
    identifier: shipment,
    manifests: [{ manifestExternalId: `M-${shipment}` }],
    gateIdentifier: gate,
    customFields: [{ fieldKey: 'plate', fieldValue: 'WND 5521' }],
  });
  await dock.must('POST', `/shipment/${shipment}/status/IN_PROGRESS`);
}
const shipmentOf = (name: string) => dock.must('GET', `/shipment/${name}`);

describe('the question before a truck leaves', () => {
  it('vehicle and seal are scanned without pointer, and a pallet is no seal', async () => {
    await loading('G1', 'S-1', [SSCC, 'B-1']);
    const page = await opened('G1');
    await page.getByRole('link', { name: 'Complete: S-1' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Complete with 2 missing?' });
    const [vehicle, seal] = [dialog.getByLabel('Vehicle'), dialog.getByRole('textbox', { name: 'Seal' })];
    await seal.and(page.locator(':focus')).waitFor();
    expect(await vehicle.inputValue()).toBe('WND 5521');
    await expectGoodPage(page, 'gate-seal');
    expect(await smallTargets(page)).toEqual([]);
    await page.setViewportSize({ width: 1024, height: 768 });
    // The label of a pallet is refused at the input, and loads nothing.
    await wedge(page, `00${SSCC}`);
    await dialog.getByRole('alert').getByText('That is a pallet. Scan or type: Seal.').waitFor();
    expect(await seal.inputValue()).toBe('');
    await wedge(page, 'B-1');
    expect(await seal.inputValue()).toBe('');
    await expectGoodPage(page, 'gate-seal-pallet');
    await page.setViewportSize({ width: 1024, height: 768 });
    // A seal is no pallet, even if another element has the focus. It comes into the empty input.
    await dialog.getByRole('link', { name: 'Back to loading' }).focus();
    await wedge(page, 'SEAL-4711');
    expect(await seal.inputValue()).toBe('SEAL-4711');
    expect(await dialog.getByRole('alert').count()).toBe(0);
    // A second scan replaces the first, and Shift+Tab leads to the vehicle.
    await wedge(page, 'SEAL-4712');
    expect(await seal.inputValue()).toBe('SEAL-4712');
    // The label of a pallet does not remove the seal.
    await wedge(page, `00${SSCC}`);
    await dialog.getByRole('alert').getByText('That is a pallet. Scan or type: Seal.').waitFor();
    expect(await seal.inputValue()).toBe('SEAL-4712');
    await page.keyboard.press('Shift+Tab');
    await wedge(page, 'WND 7');
    expect(await vehicle.inputValue()).toBe('WND 7');
    expect((await shipmentOf('S-1')).status).toBe('IN_PROGRESS');
    await dialog.getByRole('radio', { name: 'Next truck' }).focus();
    await page.keyboard.press('Space');
    await dialog.getByRole('button', { name: 'Complete with 2 missing' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Free').first().waitFor(SOON);
    const { status, customFields } = await shipmentOf('S-1');
    expect([status, customFields]).toEqual([
      'COMPLETED',
      [
        expect.objectContaining({ fieldKey: 'plate', fieldValue: 'WND 7' }),
        expect.objectContaining({ fieldKey: 'seal', fieldValue: 'SEAL-4712' }),
      ],
    ]);
    const scans = await dock.must('GET', '/audit-log?action=SCANS_RECORDED');
    expect(scans.totalElements).toBe(0);
  });

  it('a pallet that is missing on the truck is offered for loading, and the seal stays', async () => {
    await loading('G3', 'S-3', ['D-1017', 'D-1018']);
    await dock.couple('STRAY-1');
    const page = await opened('G3');
    await page.getByRole('link', { name: 'Complete: S-3' }).click();
    const dialog = page.getByRole('dialog');
    const seal = dialog.getByRole('textbox', { name: 'Seal' });
    await seal.and(page.locator(':focus')).waitFor();
    await wedge(page, 'SEAL-1');
    // A pallet of another truck is not offered.
    await wedge(page, String(dock.codes['STRAY-1']));
    await dialog.getByRole('alert').waitFor();
    expect(await dialog.getByRole('button', { name: /^Load / }).count()).toBe(0);
    await wedge(page, 'D-1018');
    await expectGoodPage(page, 'gate-seal-missing');
    expect(await smallTargets(page)).toEqual([]);
    await page.setViewportSize({ width: 1024, height: 768 });
    await dialog.getByRole('button', { name: 'Load 1018' }).click();
    await page.locator('#answer.ok', { hasText: 'Loaded' }).waitFor(SOON);
    await page.getByText('1 / 2').waitFor(SOON);
    await page.getByRole('link', { name: 'Complete: S-3' }).click();
    await page.getByRole('dialog', { name: 'Complete with 1 missing?' }).waitFor(SOON);
    expect(await seal.inputValue()).toBe('SEAL-1');
  });

  it('a refused value is shown at its input in the question, and the reason stays', async () => {
    await loading('G2', 'S-2', ['C-1']);
    await dock.couple('ELSEWHERE');
    const page = await opened('G2');
    await page.getByRole('link', { name: 'Complete: S-2' }).click();
    const dialog = page.getByRole('dialog');
    const seal = dialog.getByRole('textbox', { name: 'Seal' });
    await dialog.getByRole('radio', { name: 'Not found' }).check();
    // Only the service knows this pallet.
    await seal.fill('ELSEWHERE');
    await dialog.getByRole('button', { name: 'Complete with 1 missing' }).click();
    await dialog.getByText('That is a pallet. Scan or type: Seal.').waitFor(SOON);
    await seal.and(page.locator(':focus')).waitFor();
    expect(await dialog.getByRole('radio', { name: 'Not found' }).isChecked()).toBe(true);
    await page.keyboard.type('S-99');
    await dialog.getByRole('button', { name: 'Complete with 1 missing' }).click();
    await dialog.waitFor({ state: 'detached', ...SOON });
    const { customFields, shipmentSummaryUrl } = await shipmentOf('S-2');
    expect(customFields.map(({ fieldValue }: { fieldValue: string }) => fieldValue)).toEqual([
      'WND 5521',
      'S-99',
    ]);
    // The public summary shows both.
    await page.goto(shipmentSummaryUrl);
    await page.getByText('S-99').waitFor();
    await page.getByText('WND 5521').waitFor();
  });
});
