import fc from 'fast-check';
import * as loading from './commands-loading.ts';
import * as manifest from './commands-manifest.ts';
import * as photo from './commands-photo.ts';
import * as shipment from './commands-shipment.ts';
import * as track from './commands-track.ts';
import type { Step } from './step.ts';

const marked = (status: string) =>
  loading.mark('S', { by: 'track', wmsId: 'Q' }, { status, gateExternalId: 'G' }, false);
const scanned = (scanId: string, markerCode: number, direction: 'LOAD' | 'UNLOAD' | 'OFFLOAD') =>
  loading.scan('G', { scanId, markerCode, direction });

/** Groups of requests that compete for one thing. Mostly, not all of them can succeed. */
const CONTENDED: Step[][] = [
  // The status of shipment S.
  [
    shipment.status('S', 'IN_PROGRESS'),
    shipment.status('S', 'COMPLETED'),
    shipment.status('S', 'CANCELLED'),
    shipment.remove('S'),
    shipment.put('S', { gateIdentifier: '' }),
    shipment.gate('S', 'H'),
    shipment.membership('POST', 'S', ['O']),
    shipment.membership('DELETE', 'S', ['M']),
    manifest.status('M', 'CANCELLED'),
  ],
  // The shipment of manifest O.
  [
    shipment.membership('POST', 'S', ['O']),
    shipment.put('S', { manifests: ['N', 'O'] }),
    shipment.create('M', { manifests: ['O'], gateIdentifier: 'G' }),
    shipment.create('T', { manifests: ['O'] }),
    manifest.status('O', 'TO_DO'),
    manifest.status('O', 'CANCELLED'),
    manifest.remove('O'),
    manifest.put('O', ['Q', 'X'], null),
    shipment.remove('S'),
  ],
  // The place of pallets Q and X.
  [
    scanned('one', 2, 'LOAD'),
    scanned('two', 2, 'UNLOAD'),
    scanned('two', 2, 'LOAD'),
    scanned('three', 3, 'LOAD'),
    scanned('four', 3, 'LOAD'),
    scanned('five', 2, 'OFFLOAD'),
    scanned('three', 3, 'UNLOAD'),
    scanned('three', 2, 'LOAD'),
    marked('LOADED'),
    marked('UNLOADED'),
    loading.removeInvalid('S', { by: 'marker', code: 3 }),
    shipment.status('S', 'COMPLETED'),
    manifest.put('M', ['P'], null),
    track.retire('Q', true),
  ],
  // The damage flag of pallet Q, and the gate at which it is photographed.
  [
    photo.photograph('DAMAGE', { name: 'trackIdentifier', identifier: 'Q' }, 'G'),
    photo.photograph('DAMAGE', { name: 'trackIdentifier', identifier: 'Q' }),
    photo.photograph('LOAD', { name: 'shipmentExternalId', identifier: 'S' }, 'G'),
    photo.removePhoto(0),
    track.unflag('Q'),
    track.flag('Q', false),
    track.retire('Q', true),
    track.remove('Q'),
    shipment.status('S', 'COMPLETED'),
    shipment.gate('S', 'H'),
  ],
  // The owner of a name, a marker or a WMS id.
  [
    track.couple(4, 'R'),
    track.couple(4, 'Y'),
    track.getAndCouple('R'),
    track.getAndCouple('R'),
    track.remove('X'),
    track.couple(3, 'Y'),
    manifest.create('L', ['R']),
    manifest.create('L', ['X']),
    shipment.create('M', { manifests: ['O'] }),
    shipment.create('M', { manifests: ['O'], gateIdentifier: 'G' }),
    track.allocate(2),
  ],
];

/** Several requests of one group. */
export const contended: fc.Arbitrary<Step[]> = fc.oneof(
  ...CONTENDED.map((steps) => fc.array(fc.constantFrom(...steps), { minLength: 2, maxLength: 4 })),
);
