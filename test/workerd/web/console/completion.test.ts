import { describe, expect, it } from 'vitest';
import { signIn } from '../../delivery/live/listener.ts';
import { type Dock, newDock } from '../../dispatch/load/shipment/dock.ts';
import { gateUuid, type Pages, pagesOf } from './forms.ts';

const SSCC = '395212349000000093';
const ROLES = [
  { fieldKey: 'plate', fieldType: 'TEXT', role: 'VEHICLE' },
  { fieldKey: 'seal no', fieldType: 'NUMBER', role: 'SEAL' },
];

/** A shipment that is being loaded at the gate, with one of two pallets loaded. */
async function loading(shipmentCustomFields: object[]) {
  const dock = await newDock({ shipmentCustomFields });
  await dock.couple('A', 'B');
  await dock.manifest('M', 'A', 'B');
  const customFields = shipmentCustomFields.length > 0 ? [{ fieldKey: 'plate', fieldValue: 'WND 5521' }] : [];
  await dock.shipment('S', ['M'], { gateIdentifier: 'G', customFields });
  await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
  await dock.scan('A');
  const gate = `/app/gate/${await gateUuid(dock)}`;
  const thing = `shipment:${(await shipmentOf(dock)).uuid}`;
  return { dock, gate, thing, pages: pagesOf(await signIn(dock)) };
}

const shipmentOf = async (dock: Dock) => (await dock.must('GET', '/shipment/S')).body;
const valuesOf = async (dock: Dock): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await shipmentOf(dock)).customFields.map((field: { fieldKey: string; fieldValue: string }) => [
      field.fieldKey,
      field.fieldValue,
    ]),
  );
const input = (html: string, name: string): string =>
  new RegExp(`<input[^>]* name="${name}"[^>]*>`).exec(html)?.[0] ?? '';
const questionOf = async (pages: Pages, gate: string, thing: string): Promise<string> =>
  (await pages.get(`${gate}?${new URLSearchParams({ confirm: 'complete', thing })}`)).html;
const confirmedOf = (html: string): string => /name="confirmed" value="([^"]+)"/.exec(html)![1]!;

describe('vehicle and seal at the completion of a shipment', () => {
  it('the question at the gate asks for both, and one command stores them with the status, once', async () => {
    const { dock, gate, thing, pages } = await loading(ROLES);
    await dock.scan('B');
    const page = (await pages.get(gate)).html;
    expect(page).toContain(`href="${gate}?confirm=complete&amp;thing=${encodeURIComponent(thing)}"`);
    const html = await questionOf(pages, gate, thing);
    expect(html).toContain('Complete S?');
    expect(input(html, 'vehicle')).toContain('value="WND 5521"');
    expect(input(html, 'seal')).toContain('value=""');
    // A form of a page from before, which asked nothing, is asked first.
    expect((await pages.send(gate, 'complete', { thing })).html).toContain('Complete S?');
    const form = { thing, confirmed: confirmedOf(html), vehicle: ' WND 7 ', seal: '4711' };
    const key = crypto.randomUUID();
    for (const _ of [1, 2]) expect((await pages.send(gate, 'complete', form, key)).status).toBe(303);
    expect((await shipmentOf(dock)).status).toBe('COMPLETED');
    expect(await valuesOf(dock)).toEqual({ plate: 'WND 7', 'seal no': '4711' });
    const { content } = (await dock.must('GET', '/audit-log?action=SHIPMENT_STATUS_CHANGED')).body;
    const completed = content.filter(({ changes }: { changes: object[] }) =>
      changes.some((change) => (change as { newValue: unknown }).newValue === 'COMPLETED'),
    );
    expect(completed).toHaveLength(1);
    expect(completed[0].changes).toEqual(
      expect.arrayContaining([
        { field: 'customFields.plate', oldValue: 'WND 5521', newValue: 'WND 7' },
        { field: 'customFields.seal no', oldValue: null, newValue: '4711' },
      ]),
    );
  });

  it('a blank input leaves the field unchanged', async () => {
    const { dock, gate, thing, pages } = await loading(ROLES);
    const confirmed = confirmedOf(await questionOf(pages, gate, thing));
    const form = { thing, confirmed, vehicle: '', seal: ' ', why: 'Next truck' };
    expect((await pages.send(gate, 'complete', form)).status).toBe(303);
    expect(await valuesOf(dock)).toEqual({ plate: 'WND 5521' });
  });

  it('a pallet or a wrong value is refused at its input, and nothing changes', async () => {
    const { dock, gate, thing, pages } = await loading(ROLES);
    const confirmed = confirmedOf(await questionOf(pages, gate, thing));
    const whys = { why: 'Next truck', whyNote: 'dock 2' };
    for (const [seal, message] of [
      [SSCC, 'That is a pallet. Scan or type: Seal.'],
      ['B', 'That is a pallet. Scan or type: Seal.'],
      [String(dock.codes['A']), 'That is a pallet. Scan or type: Seal.'],
      ['red', 'Enter a number.'],
    ] as const) {
      const form = { thing, confirmed, vehicle: 'NEW 1', seal, ...whys };
      const { status, html } = await pages.send(gate, 'complete', form);
      expect([seal, status]).toEqual([seal, 400]);
      expect(html).toContain(`<p class="error" id="complete-seal-error">${message}</p>`);
      expect(input(html, 'seal')).toContain('aria-invalid="true"');
      expect(input(html, 'vehicle')).toContain('value="NEW 1"');
      expect(input(html, 'vehicle')).not.toContain('aria-invalid');
      expect(html).toContain('value="Next truck" checked=""');
      expect(input(html, 'whyNote')).toContain('value="dock 2"');
    }
    expect((await shipmentOf(dock)).status).toBe('IN_PROGRESS');
    expect(await valuesOf(dock)).toEqual({ plate: 'WND 5521' });
  });

  it('without such fields a full load is completed without a question', async () => {
    const { dock, gate, thing, pages } = await loading([]);
    await dock.scan('B');
    expect((await pages.send(gate, 'complete', { thing, seal: '1' })).status).toBe(303);
    expect((await shipmentOf(dock)).status).toBe('COMPLETED');
    expect(await valuesOf(dock)).toEqual({});
  });

  it('a manifest without a shipment has no such fields', async () => {
    const { dock, gate, pages } = await loading(ROLES);
    await dock.manifest('OWN', 'C');
    await dock.must('POST', '/manifest/OWN/gate/G');
    for (const status of ['TO_DO', 'IN_PROGRESS']) await dock.must('POST', `/manifest/OWN/status/${status}`);
    const { uuid } = (await dock.must('GET', '/manifest/OWN')).body;
    const html = await questionOf(pages, gate, `manifest:${uuid}`);
    expect([html.includes('Complete with 1 missing?'), input(html, 'seal')]).toEqual([true, '']);
  });
});
