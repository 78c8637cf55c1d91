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
  it('deleting a shipment in loading leaves records and open alerts to its manifests', async () => {
    const dock = await loadingDock();
    await dock.scan('A');
    const wrong = (await dock.scan('X')).body;
    expect(wrong.outcome).toBe('WRONGLY_LOADED');
    const records = () => read(dock, '/manifest/M/asset-loading');
    const alerts = async () => (await read(dock, '/alert-event')).content;
    const holder = wrong.manifestExternalId;
    const [before, raised] = [await records(), await alerts()];
    expect(raised).toMatchObject([{ status: 'OPEN', shipmentExternalId: 'S', recordUuid: wrong.recordUuid }]);
    await dock.must('DELETE', '/shipment/S');
    expect(await alerts()).toEqual(raised);
    expect(
      (await records()).map(({ gate: _, track: __, ...record }: Record<string, unknown>) => record),
    ).toEqual(before.map(({ gate: _, track: __, ...record }: Record<string, unknown>) => record));
    expect(await read(dock, '/manifest/M')).toMatchObject({
      manifestStatus: 'PLANNED',
      loadedAssetsCount: 1,
    });
    const unloaded = { status: 'NOT_LOADED', gateExternalId: 'G' };
    await dock.must('PATCH', '/manifest/M/asset-loading/track/A/status', unloaded);
    await dock.must('DELETE', `/manifest/${holder}/asset-loading/${wrong.recordUuid}`);
    expect(await alerts()).toMatchObject([{ status: 'RESOLVED' }]);
    expect(await read(dock, '/manifest/M')).toMatchObject({ loadedAssetsCount: 0 });
  });
});
