import { describe, expect, it } from 'vitest';
import { type Dock, loadingDock, newDock } from './dock.ts';

const by = (...ids: string[]) => ({ manifests: ids.map((manifestExternalId) => ({ manifestExternalId })) });
const read = async (dock: Dock, path: string) => (await dock.must('GET', path)).body;
const gateOf = async (dock: Dock, id: string) =>
  (await read(dock, `/manifest/${id}`)).gate?.externalIdentifier ?? null;

describe('the gate of a manifest that is attached', () => {
  it.each([null, 'H'])(
    'an attached manifest has the gate of its shipment (%s), and none after detaching',
    async (gate) => {
      const dock = await newDock();
      for (const id of ['M', 'N', 'O']) {
        await dock.manifest(id);
        await dock.must('POST', `/manifest/${id}/gate/G`);
      }
      await dock.shipment('S', ['M'], { gateIdentifier: gate });
      await dock.must('POST', '/shipment/S/manifest', by('N'));
      await dock.must('PUT', '/shipment/S', by('M', 'N', 'O'));
      for (const id of ['M', 'N', 'O']) expect([id, await gateOf(dock, id)]).toEqual([id, gate]);
      await dock.must('POST', '/shipment/S/gate/G');
      expect(await gateOf(dock, 'O')).toBe('G');
      await dock.must('DELETE', '/shipment/S/manifest', by('M'));
      await dock.must('PUT', '/shipment/S', by('N'));
      await dock.must('DELETE', '/shipment/S');
      for (const id of ['M', 'N', 'O']) {
        expect(await read(dock, `/manifest/${id}`)).toMatchObject({ manifestStatus: 'PLANNED', gate: null });
      }
    },
  );

  it('a cancelled member keeps its gate after every change of the shipment', async () => {
    const dock = await newDock();
    for (const id of ['M', 'N']) await dock.manifest(id);
    await dock.shipment('S', ['M', 'N'], { gateIdentifier: 'G' });
    for (const id of ['M', 'N']) await dock.must('POST', `/manifest/${id}/status/CANCELLED`);
    await dock.must('POST', '/shipment/S/gate/H');
    await dock.must('DELETE', '/shipment/S/manifest', by('M'));
    await dock.must('DELETE', '/shipment/S');
    for (const id of ['M', 'N']) {
      const manifest = await read(dock, `/manifest/${id}`);
      expect(manifest).toMatchObject({ manifestStatus: 'CANCELLED', gate: { externalIdentifier: 'G' } });
    }
  });
});

describe('a shipment that is deleted while it is loaded', () => {
  it('deleting a shipment in loading lets its manifests start again, and keeps no wrong pallet', async () => {
    const dock = await loadingDock();
    await dock.scan('A');
    const wrong = (await dock.scan('X')).body;
    expect(wrong.outcome).toBe('WRONGLY_LOADED');
    await dock.must('DELETE', '/shipment/S');
    for (const id of ['M', 'N'])
      expect(await read(dock, `/manifest/${id}`)).toMatchObject({
        manifestStatus: 'PLANNED',
        loadedAssetsCount: 0,
      });
    const records = await read(dock, '/manifest/M/asset-loading');
    expect(records).toMatchObject([{ loadingStatus: 'NOT_LOADED' }, { loadingStatus: 'NOT_LOADED' }]);
    const alerts = (await read(dock, '/alert-event')).content;
    expect(alerts).toContainEqual(
      expect.objectContaining({ recordUuid: wrong.recordUuid, status: 'RESOLVED' }),
    );
  });
});
