import { describe, expect, test } from 'vitest';
import { rowsOf } from '../../../../src/cli/wms/check.ts';
import type { Found } from '../../../../src/cli/wms/check-row.ts';
import { foundOf, orderOf, planOf } from './world.ts';

const plan = planOf([
  orderOf('1', '1996-07-16', '3', 2),
  orderOf('2', '1996-07-16', '3', 1),
  orderOf('3', '1996-07-17', '1', 3),
  orderOf('4', undefined, '1', 2),
]);

/** Change the data of a correct service. @returns the rows that then differ. */
function different(change: (found: Found) => void): string[] {
  const found = structuredClone(foundOf(plan));
  change(found);
  return rowsOf(plan, found)
    .filter((row) => row.expected !== row.found)
    .map((row) => row.what.trim());
}

describe('comparison of a service with an export', () => {
  test('the comparison of a service with an export finds no difference when all is as expected', () => {
    expect(different(() => {})).toEqual([]);
    const rows = rowsOf(plan, foundOf(plan));
    const expected = (what: string) => rows.find((row) => row.what.trim() === what)?.expected;
    expect(expected('shipments')).toBe(2);
    expect(expected('manifests')).toBe(4);
    expect(expected('pallets LOADED, as shipments count them')).toBe(6);
    expect(expected('NOT_LOADED')).toBe(2);
    expect(expected('alerts')).toBe(2);
  });

  test.each<[string, (found: Found) => void, string[]]>([
    ['a manifest too many', ({ manifests }) => manifests.push({ ...manifests[0]! }), ['manifests']],
    [
      'a manifest of another status',
      (f) => (f.manifests[0]!.manifestStatus = 'IN_PROGRESS'),
      ['with status,'],
    ],
    ['a manifest at another gate', (f) => (f.manifests[0]!.gate = null), ['with status,']],
    [
      'a planned manifest with a gate',
      (f) => (f.manifests[3]!.gate = f.manifests[0]!.gate),
      ['with status,'],
    ],
    ['a manifest that counts otherwise', (f) => (f.manifests[0]!.loadedAssetsCount = 1), ['with status,']],
    ['a manifest without its date', (f) => (f.manifests[0]!.closeDate = null), ['with status,']],
    ['a manifest with another field', (f) => (f.manifests[0]!.customFields = []), ['with status,']],
    [
      'a pallet that is not loaded',
      (f) => (f.assets.get('ORDER-1')![0]!.loadingStatus = 'UNLOADED'),
      ['LOADED at the gate of the shipper'],
    ],
    [
      'a pallet that was loaded elsewhere',
      (f) => (f.assets.get('ORDER-1')![0]!.gate = { externalIdentifier: 'GATE-1' }),
      ['LOADED at the gate of the shipper'],
    ],
    [
      'a pallet without its track',
      (f) => (f.assets.get('ORDER-1')![0]!.track = null),
      ['linked to their track'],
    ],
    [
      'a pallet too few',
      (f) => f.assets.get('ORDER-4')!.pop(),
      ['assets', 'on the manifest', 'linked', 'NOT_'],
    ],
    ['a track too few', (f) => f.tracks.pop(), ['tracks', 'with the manifest and', 'marker codes,', 'last']],
    [
      'a track on two manifests',
      (f) => f.tracks[0]!.manifests.push(f.tracks[1]!.manifests[0]!),
      ['with the man'],
    ],
    ['a code twice', (f) => (f.tracks[0]!.markerCode += 1), ['marker codes,', 'first']],
    ['a gap between codes', (f) => (f.tracks.at(-1)!.markerCode += 1), ['last', 'gaps']],
    [
      'a shipment too many',
      ({ shipments }) => shipments.push({ ...shipments[0]!, manifests: [] }),
      ['shipm', 'pa'],
    ],
    [
      'a shipment that has not left',
      (f) => (f.shipments[0]!.status = 'IN_PROGRESS'),
      ['COMPLETED with gate,'],
    ],
    [
      'a shipment that counts otherwise',
      (f) => (f.shipments[0]!.loadedAssetsCount -= 1),
      ['COMPLETED with', 'pa'],
    ],
    ['a shipment with another field', (f) => (f.shipments[0]!.customFields = []), ['COMPLETED with gate,']],
    [
      'a manifest in another shipment',
      (f) => f.shipments[1]!.manifests.push(f.shipments[0]!.manifests.pop()!),
      ['in the shipment of their day'],
    ],
    [
      'an invalid record that is left',
      (f) => {
        const [records] = f.records.values();
        records!.push({ ...records![0]!, loadingStatus: 'WRONGLY_LOADED' });
      },
      ['loading records of shipments'],
    ],
    [
      'a record of another manifest',
      (f) => {
        const [records] = f.records.values();
        records![0]!.manifest = { manifestExternalId: 'ORDER-2', manifestUuid: '' };
      },
      ['LOADED on their manifest'],
    ],
    ['an alert too many', ({ alerts }) => alerts.push({ ...alerts[0]!, status: 'OPEN' }), ['alerts']],
    ['an alert that is open', (f) => (f.alerts[0]!.status = 'OPEN'), ['RESOLVED, for each']],
    ['an alert of another shipment', (f) => (f.alerts[0]!.shipmentExternalId = null), ['RESOLVED, for each']],
    ['a gate that is loading', (f) => (f.gates[0]!.status = 'LOADING'), ['gates AVAILABLE']],
    ['a gate with an open alert', (f) => (f.gates[0]!.openAlertsCount = 1), ['gates AVAILABLE']],
    ['a total that differs', (f) => f.totals.set('alert-event?status=OPEN', 1), ['total of /alert-event']],
    ['a total that is not there', (f) => f.totals.clear(), Array(6).fill('total of /')],
  ])('the comparison of a service with an export reports %s', (_, change, rows) => {
    const differences = different(change);
    expect(differences).toHaveLength(rows.length);
    for (const [index, row] of rows.entries()) expect(differences[index]).toContain(row);
  });

  test('the comparison of a service with an export names some unexpected items', () => {
    const found = foundOf(plan);
    found.manifests[1]!.manifestStatus = 'TO_DO';
    const row = rowsOf(plan, found).find(({ what }) => what.includes('status, gate'));
    expect(row).toMatchObject({ expected: 4, found: 3, odd: ['ORDER-2'] });
  });
});
