import { storedItems } from '../../src/dispatch/load/shipment/rules.ts';
import type { Draw, Drawings } from './draw.ts';

const STATUSES = ['PLANNED', 'TO_DO', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED'] as const;
const WMS_IDS = Array.from({ length: 14 }, (_, index) => `P${index + 1}`);

const references = (draw: Draw, percent: number) =>
  draw
    .some(['M1', 'M2', 'M3', 'M4', 'M5', 'M6', 'M7'], percent)
    .map((manifestExternalId) => ({ manifestExternalId, manifestUuid: null }));

/** At least one reference. */
const someReferences = (draw: Draw) => {
  const some = references(draw, 20);
  return some.length > 0 ? some : [{ manifestExternalId: draw.manifest(), manifestUuid: null }];
};

const field = (draw: Draw) => ({
  fieldKey: draw.of(['lane', 'weight', 'seal']),
  fieldValue: draw.of(['', '3', 'x']),
});

/** Commands about manifests and shipments. */
export const DISPATCH: Drawings = [
  [
    10,
    (draw) => ({
      name: 'createManifest',
      input: {
        externalIdentifier: draw.manifest(),
        manifestStatus: draw.of(['PLANNED', 'PLANNED', 'TO_DO'] as const),
        gateExternalId: draw.chance(50) ? draw.gate() : null,
        customFields: draw.fields(),
        assets: draw.some(WMS_IDS, 25),
      },
    }),
  ],
  [
    4,
    (draw) => ({
      name: 'createBackorder',
      input: { identifier: draw.manifest(), externalIdentifier: draw.manifest() },
    }),
  ],
  [
    3,
    (draw) => ({
      name: 'replaceManifest',
      input: {
        identifier: draw.manifest(),
        ifMatch: null,
        assets: draw.chance(70) ? draw.some(WMS_IDS, 25) : null,
        customFields: draw.chance(50) ? draw.fields() : null,
      },
    }),
  ],
  [
    5,
    (draw) => ({
      name: 'attachTrack',
      input: { identifier: draw.manifest(), trackIdentifier: draw.wmsId() },
    }),
  ],
  [
    5,
    (draw) => ({
      name: 'detachTrack',
      input: { identifier: draw.manifest(), trackIdentifier: draw.wmsId() },
    }),
  ],
  [
    12,
    (draw) => ({
      name: 'changeManifestStatus',
      input: { identifier: draw.manifest(), manifestStatus: draw.of(STATUSES) },
    }),
  ],
  [
    4,
    (draw) => ({
      name: 'assignManifestGate',
      input: { identifier: draw.manifest(), gateIdentifier: draw.gate() },
    }),
  ],
  [2, (draw) => ({ name: 'putManifestField', input: { identifier: draw.manifest(), field: field(draw) } })],
  [
    1,
    (draw) => ({
      name: 'removeManifestField',
      input: { identifier: draw.manifest(), fieldKey: field(draw).fieldKey },
    }),
  ],
  [6, (draw) => ({ name: 'deleteManifest', input: { identifier: draw.manifest(), ifMatch: null } })],
  [
    6,
    (draw) => ({
      name: 'createShipment',
      input: {
        identifier: draw.shipment(),
        gateIdentifier: draw.chance(60) ? draw.gate() : null,
        notes: draw.of([null, 'urgent']),
        manifests: someReferences(draw),
        customFields: draw.fields(),
      },
    }),
  ],
  [
    2,
    (draw) => ({
      name: 'replaceShipment',
      input: {
        identifier: draw.shipment(),
        ifMatch: null,
        newIdentifier: null,
        gateIdentifier: draw.of([null, '', 'G1', 'G2']),
        notes: draw.of([null, 'later']),
        manifests: draw.chance(40) ? references(draw, 20) : null,
        customFields: draw.chance(40) ? draw.fields() : null,
      },
    }),
  ],
  [
    4,
    (draw) => ({
      name: 'attachManifests',
      input: { identifier: draw.shipment(), manifests: someReferences(draw) },
    }),
  ],
  [
    3,
    (draw) => ({
      name: 'detachManifests',
      input: { identifier: draw.shipment(), manifests: someReferences(draw) },
    }),
  ],
  [
    3,
    (draw) => ({
      name: 'assignShipmentGate',
      input: { identifier: draw.shipment(), gateIdentifier: draw.gate() },
    }),
  ],
  [
    8,
    (draw) => ({
      name: 'changeShipmentStatus',
      input: {
        identifier: draw.shipment(),
        status: draw.of(STATUSES.slice(2)),
        manifests: draw.of(['CANCEL', 'RELEASE'] as const),
      },
    }),
  ],
  [
    2,
    (draw) => ({
      name: 'recordArrival',
      input: {
        identifier: draw.shipment(),
        arrivalDate: null,
        vehicle: draw.of(['AB 1', 'CD 2', null]),
        driverName: draw.of(['Ann', 'Ben', null]),
        onlyFirst: draw.of([true, false]),
      },
    }),
  ],
  [2, (draw) => ({ name: 'putShipmentField', input: { identifier: draw.shipment(), field: field(draw) } })],
  [3, (draw) => ({ name: 'deleteShipment', input: { identifier: draw.shipment(), ifMatch: null } })],
  [
    3,
    (draw) => ({
      name: 'acceptBulkUpsert',
      input: {
        items: storedItems(
          Array.from({ length: draw.between(1, 4) }, () => ({
            shipmentExternalId: draw.shipment(),
            customFields: draw.fields(),
          })),
        ),
        errorBehaviour: draw.of(['PROCEED', 'ROLLBACK'] as const),
        requestId: '',
      },
    }),
  ],
];
