import { describe, expect, it } from 'vitest';
import { type Dock, newDock } from '../load/shipment/dock.ts';
import { told } from './departures.ts';

/** Shipment S of M (A, B) and N (C) is completed. Only these pallets are loaded. */
async function completed(...loaded: string[]): Promise<Dock> {
  const dock = await newDock();
  await dock.manifest('M', 'A', 'B');
  await dock.manifest('N', 'C');
  await dock.shipment('S', ['M', 'N'], { gateIdentifier: 'G' });
  await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
  for (const wmsId of loaded) await mark(dock, wmsId);
  await dock.must('POST', '/shipment/S/status/COMPLETED');
  return dock;
}

const mark = (dock: Dock, wmsId: string, of = 'shipment/S') =>
  dock.must('PATCH', `/${of}/asset-loading/track/${wmsId}/status`, { status: 'LOADED' });
const backorder = (dock: Dock, of: string) =>
  dock.must('POST', `/manifest/${of}/backorder`, { externalIdentifier: `${of}-2` });

describe('a load that is completed without all of its pallets', () => {
  it('a complete shipment and a cancelled one raise no alert', async () => {
    const dock = await completed('A', 'B', 'C');
    expect(await told(dock)).toEqual([]);
    await dock.manifest('O', 'D');
    await dock.shipment('T', ['O'], { gateIdentifier: 'H' });
    await dock.must('POST', '/shipment/T/status/CANCELLED');
    expect(await told(dock)).toEqual([]);
  });

  it('an alert about missing pallets names the shipment, and the manifest if only one is short', async () => {
    const dock = await completed('A', 'C');
    const { content } = (await dock.must('GET', '/alert-event')).body;
    expect(content).toMatchObject([
      {
        alertType: 'COMPLETED_SHORT',
        severity: 'WARNING',
        message: 'S was completed without 1 of 3 pallets.',
        gate: { externalIdentifier: 'G' },
        shipmentExternalId: 'S',
        manifestExternalId: 'M',
        recordUuid: (await dock.must('GET', '/shipment/S')).body.uuid,
      },
    ]);
    const both = await completed('A');
    expect((await both.must('GET', '/alert-event')).body.content).toMatchObject([
      { message: 'S was completed without 2 of 3 pallets.', manifestExternalId: null },
    ]);
  });

  it('an alert about missing pallets is resolved when the last one is set LOADED', async () => {
    const dock = await completed('A');
    await mark(dock, 'B');
    expect(await told(dock)).toEqual(['COMPLETED_SHORT OPEN S']);
    await mark(dock, 'C');
    expect(await told(dock)).toEqual(['COMPLETED_SHORT RESOLVED S']);
  });

  it('an alert about missing pallets is resolved when all are in back orders or set LOADED', async () => {
    const dock = await completed('A');
    await backorder(dock, 'M');
    expect(await told(dock)).toEqual(['COMPLETED_SHORT OPEN S']);
    await backorder(dock, 'N');
    expect(await told(dock)).toEqual(['COMPLETED_SHORT RESOLVED S']);
    const mixed = await completed('A');
    await backorder(mixed, 'M');
    await mark(mixed, 'C');
    expect(await told(mixed)).toEqual(['COMPLETED_SHORT RESOLVED S']);
  });

  it.each([
    ['set LOADED', (dock: Dock) => mark(dock, 'B', 'manifest/M')],
    ['in a back order', (dock: Dock) => backorder(dock, 'M')],
    ['of a deleted manifest', (dock: Dock) => dock.must('DELETE', '/manifest/M')],
  ])('a manifest in no shipment has its alert resolved when its pallets are %s', async (_, act) => {
    const dock = await newDock({ dispatchStrategy: 'MANIFEST' });
    await dock.must('POST', '/manifest', {
      externalIdentifier: 'M',
      manifestStatus: 'TO_DO',
      gateExternalId: 'G',
      assets: ['A', 'B'],
    });
    await dock.must('POST', '/manifest/M/status/IN_PROGRESS');
    await mark(dock, 'A', 'manifest/M');
    await dock.must('POST', '/manifest/M/status/COMPLETED');
    expect(await told(dock)).toEqual(['COMPLETED_SHORT OPEN M']);
    expect((await dock.must('GET', '/alert-event')).body.content[0]).toMatchObject({
      message: 'M was completed without 1 of 2 pallets.',
      shipmentExternalId: null,
    });
    await act(dock);
    expect(await told(dock)).toEqual(['COMPLETED_SHORT RESOLVED M']);
  });
});
