import { describe, expect, it } from 'vitest';
import { request, writerOf } from '../../core/writer/requests.ts';
import { recorded } from '../../statements.ts';
import { type Dock, loadingDock } from '../load/shipment/dock.ts';
import { covered, leaveAboard } from './aboard.ts';

const alertOf = async (dock: Dock) => {
  const { body } = await dock.must('GET', '/alert-event?alertType=PALLETS_ABOARD');
  expect(body.content).toHaveLength(1);
  return body.content[0];
};
const pallet = (dock: Dock, wmsId: string) => ({ wmsId, markerCode: dock.codes[wmsId] ?? null });
let readings = 0;
const scanAtH = (dock: Dock, markerCode: number, direction: string, more: object = {}) => {
  readings += 1;
  return dock.device('POST', '/gate/H/scan', { scanId: `at-h-${readings}`, markerCode, direction, ...more });
};

/** A dock with S in progress at G, where pallets of the load T are aboard. */
async function leftAboard(...pallets: (string | number)[]): Promise<Dock> {
  const dock = await loadingDock();
  await dock.manifest('O', ...new Set(pallets.filter((one) => typeof one === 'string')));
  await dock.shipment('T', ['O'], { gateIdentifier: 'H' });
  const aboard = pallets.map((one) =>
    typeof one === 'string' ? pallet(dock, one) : { wmsId: null, markerCode: one },
  );
  await leaveAboard(dock, { load: 'T', gate: 'H', pallets: aboard });
  return dock;
}

describe('pallets that are aboard a load that ended', () => {
  it('pallets that are aboard a load that ended are one critical alert with the load, its gate, their number and the first ten WMS ids, and one event', async () => {
    const pallets = Array.from({ length: 12 }, (_, at) => `P${at}`);
    const dock = await leftAboard(...pallets, 901, 'P0');
    const { uuid } = (await dock.must('GET', '/shipment/T')).body;
    const named = pallets.slice(0, 10).join(', ');
    expect(await alertOf(dock)).toMatchObject({
      severity: 'CRITICAL',
      status: 'OPEN',
      count: 1,
      gate: { externalIdentifier: 'H' },
      shipmentExternalId: 'T',
      manifestExternalId: null,
      trackIdentifier: null,
      recordUuid: uuid,
      message: `T is no longer being loaded, but 13 pallets are still aboard. Take them off: ${named} and 3 more.`,
    });
    const { body } = await dock.must('GET', '/event?limit=1000');
    const raised = body.content.filter(
      ({ eventType }: { eventType: string }) => eventType === 'ALERT_RAISED',
    );
    expect(raised.map(({ data }: { data: { alertType: string } }) => data.alertType)).toEqual([
      'PALLETS_ABOARD',
    ]);
    expect(raised[0].data).not.toHaveProperty('stillAboard');
    expect(await covered(dock)).toHaveLength(13);
  });

  it('pallets that are aboard a manifest without a shipment are named by the manifest', async () => {
    const dock = await loadingDock();
    await dock.manifest('O', 'A');
    await leaveAboard(dock, { kind: 'Manifest', load: 'O', gate: 'G', pallets: [pallet(dock, 'A')] });
    expect(await alertOf(dock)).toMatchObject({
      shipmentExternalId: null,
      manifestExternalId: 'O',
      message: 'O is no longer being loaded, but 1 pallet is still aboard. Take it off: A.',
    });
  });

  it('an empty load that ended raises no alert', async () => {
    const dock = await loadingDock();
    await leaveAboard(dock, { load: 'S', gate: 'G', pallets: [] });
    expect((await dock.must('GET', '/alert-event')).body.content).toEqual([]);
  });

  it('pallets that are aboard a load that ended are accounted for one by one: UNLOAD at any gate, LOAD on a load, a mark by hand', async () => {
    const dock = await leftAboard('A', 'B', 'X', 901, 902);
    const steps: [string, () => Promise<unknown>, (string | number)[]][] = [
      // A reading at a gate without work says nothing about the truck.
      ['LOAD without work', () => scanAtH(dock, 901, 'LOAD'), [901, 902, 'A', 'B', 'X']],
      ['UNLOAD without work', () => scanAtH(dock, 901, 'UNLOAD'), [902, 'A', 'B', 'X']],
      ['LOAD of a wrong pallet', () => dock.scan('X'), [902, 'A', 'B']],
      ['LOAD of an unknown marker', () => dock.scan(902), ['A', 'B']],
      ['LOAD of an expected pallet', () => dock.scan('A'), ['B']],
    ];
    for (const [step, take, left] of steps) {
      await take();
      // The alert about the reading without work covers its marker, too.
      const remaining = (await covered(dock)).filter((one) => left.includes(901) || one !== 901);
      expect([step, [...new Set(remaining)]]).toEqual([step, left]);
      expect((await alertOf(dock)).status).toBe('OPEN');
    }
    await dock.must('PATCH', '/shipment/S/asset-loading/track/B/status', {
      status: 'UNLOADED',
      gateExternalId: 'G',
    });
    expect((await alertOf(dock)).status).toBe('RESOLVED');
    const { body } = await dock.must('GET', '/audit-log?action=ALERT_RESOLVED');
    expect(body.content).toHaveLength(1);
  });

  it('pallets that are aboard a load that ended are found by their WMS id after a new label, and by their code if it has a pallet since', async () => {
    const dock = await leftAboard('A', 'X');
    await dock.must('PATCH', '/track/A/retire?force=true');
    await dock.couple('A');
    await scanAtH(dock, dock.codes['A']!, 'UNLOAD');
    expect(await covered(dock)).toEqual(['X']);
    await scanAtH(dock, dock.codes['X']!, 'OFFLOAD');
    expect((await alertOf(dock)).status).toBe('RESOLVED');
  });

  it('pallets that are aboard a load that ended stay aboard after a late reading', async () => {
    const dock = await leftAboard('A');
    const camera = { cameraHardwareId: 'CAM' };
    const [earlier, later] = [2, 1].map((hours) => new Date(Date.now() - hours * 3_600_000).toISOString());
    await dock.scan('A', 'LOAD', { ...camera, scanDate: later });
    expect((await alertOf(dock)).status).toBe('RESOLVED');
    await dock.must('DELETE', '/shipment/T');
    await leaveAboard(dock, { load: 'S', gate: 'G', pallets: [pallet(dock, 'A')] });
    const late = await dock.scan('A', 'UNLOAD', { ...camera, scanDate: earlier });
    expect(late.body.outcome).toBe('SUPERSEDED');
    expect(await covered(dock)).toEqual(['A']);
  });

  it('pallets that are aboard a load that ended are forgotten when a person resolves the alert', async () => {
    const dock = await leftAboard('A', 'B');
    const { uuid } = await alertOf(dock);
    expect(await writerOf(dock).execute(request('resolveAlert', { uuid }))).toMatchObject({ kind: 'done' });
    expect([(await alertOf(dock)).status, await covered(dock)]).toEqual(['RESOLVED', []]);
  });

  it('pallets that are aboard a load that ended resolve the alert although the last two are read at the same instant', async () => {
    const dock = await leftAboard('A', 'B', 'X');
    const writer = writerOf(dock);
    const unload = (code: number) =>
      request('recordScans', {
        gateIdentifier: 'H',
        scans: [
          {
            scanId: crypto.randomUUID(),
            markerCode: code,
            direction: 'UNLOAD',
            damaged: false,
            scanDate: null,
            cameraHardwareId: null,
          },
        ],
      });
    // The first one reads alone, and the writer takes the others together.
    await Promise.all(['X', 'A', 'B'].map((name) => writer.execute(unload(dock.codes[name]!))));
    expect([(await alertOf(dock)).status, await covered(dock)]).toEqual(['RESOLVED', []]);
  });

  it('pallets that are aboard a load that ended cost a scan as many rows as one pallet does, however many are aboard', async () => {
    const rowsFor = async (count: number): Promise<number> => {
      const dock = await loadingDock();
      const further = Array.from({ length: count }, (_, at) => ({ wmsId: `P${at}`, markerCode: null }));
      await leaveAboard(dock, { load: 'S', gate: 'G', pallets: [pallet(dock, 'X'), ...further] });
      const trips = await recorded(async () => scanAtH(dock, dock.codes['X']!, 'UNLOAD'));
      expect(await covered(dock)).not.toContain('X');
      return trips.reduce((total, { rowsRead }) => total + rowsRead, 0);
    };
    expect(await rowsFor(600)).toBe(await rowsFor(3));
  });
});
