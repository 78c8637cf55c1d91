import { TEST_EVENT_TYPE } from '../../src/delivery/webhook/schema.ts';
import { sealSecret } from '../../src/delivery/webhook/secret.ts';
import type { Draw, Drawings, Seen, Sent } from './draw.ts';
import { Receivers } from './receiver.ts';
import type { Row } from './store.ts';

/** A reading may be reported up to this late. */
const LATE_MAXIMUM_MS = 60_000;

const markerOf = (draw: Draw, seen: Seen): number => Math.max(1, seen.nextCode + 1 - draw.between(0, 30));

/** A reading of a marker, or of the label of a pallet that may have none. */
const scanOf = (draw: Draw, seen: Seen) => ({
  // Sometimes an id that may have been sent before, for the same marker or another one.
  scanId: `scan-${draw.chance(85) ? `new-${++seen.count}` : draw.between(1, 20)}`,
  ...(draw.chance(70)
    ? { markerCode: markerOf(draw, seen), identifier: null, wmsId: null }
    : labelOf(draw.chance(90) ? draw.wmsId() : null)),
  direction: draw.of(['LOAD', 'LOAD', 'LOAD', 'UNLOAD', 'OFFLOAD'] as const),
  damaged: draw.chance(5),
  scanDate: draw.chance(70) ? null : Date.now() - draw.between(0, LATE_MAXIMUM_MS),
  cameraHardwareId: draw.of([null, 'CAM-1', 'CAM-2']),
});

/** A label with the id of a pallet, or another one. */
const labelOf = (wmsId: string | null) => ({ markerCode: null, identifier: wmsId ?? 'a place', wmsId });

const targetOf = async (draw: Draw, seen: Seen) => {
  if (draw.chance(50)) return { by: 'track', trackIdentifier: draw.wmsId() } as const;
  if (draw.chance(40)) return { by: 'marker', markerCode: markerOf(draw, seen) } as const;
  const recordUuid = await seen.any(draw, 'asset_loading');
  return recordUuid
    ? ({ by: 'record', recordUuid } as const)
    : ({ by: 'track', trackIdentifier: 'P1' } as const);
};

const holderOf = (draw: Draw) =>
  draw.chance(50) ? { manifestIdentifier: draw.manifest() } : { shipmentIdentifier: draw.shipment() };

const EVENT_TYPES = ['MANIFEST_STATUS_CHANGED', 'COUPLING_SUCCEEDED', 'GATE_STATUS_CHANGED', 'ALERT_RAISED'];

/** A webhook with its own address. */
export async function newWebhook(draw: Draw, seen: Seen, eventTypes: string[]) {
  seen.count += 1;
  const uuid = `${seen.organization.slice(0, 23)}-${seen.count.toString(16).padStart(12, '0')}`;
  const input = {
    uuid,
    name: `Hook ${draw.between(1, 3)}`,
    url: Receivers.url(uuid, 0),
    eventTypes,
    alertTypes: [],
    format: 'EVENT' as const,
    active: draw.chance(80),
    customHeaders: [],
    sealedSecret: await sealSecret(['local-sealing-key'], uuid, `whsec_${'A'.repeat(43)}=`),
    linkOrigin: 'https://acme.localhost',
  };
  return { name: 'createWebhook', input } as const;
}

/**
 * The commands that bring the next truck to a gate, in several calls. Once the truck is being loaded, the scans of its
 * cameras, all at once, or a change of its paper. Sometimes two trucks are there, with pallets that both expect.
 */
export async function loading(draw: Draw, seen: Seen): Promise<Sent[]> {
  const [tracks, trucks, planned] = [
    await seen.latest('track', 'deleted_date IS NULL'),
    await seen.latest(
      'shipment',
      "external_identifier LIKE 'L%' AND status IN ('TO_DO', 'IN_PROGRESS') AND deleted_date IS NULL",
    ),
    await seen.latest('manifest', "external_identifier LIKE 'L%' AND manifest_status = 'PLANNED'"),
  ];
  if (trucks.length > 1 || (trucks.length === 1 && draw.chance(70))) {
    const truck = draw.random.pick(trucks)!;
    const identifier = truck['external_identifier'] as string;
    const move = (status: 'IN_PROGRESS' | 'COMPLETED'): Sent => ({
      name: 'changeShipmentStatus',
      input: { identifier, status },
    });
    const expected = await seen.latest(
      'track',
      `deleted_date IS NULL AND wms_id IN (SELECT wms_id FROM asset_loading WHERE manifest_uuid IN (${membersOf(truck)}))`,
    );
    if (truck['status'] === 'TO_DO') {
      // People may mark pallets before the truck is started.
      const trackIdentifier = (draw.random.pick(expected)?.['wms_id'] ?? 'P1') as string;
      const target = { by: 'track', trackIdentifier } as const;
      const by = { shipmentIdentifier: identifier, gateIdentifier: null, comment: null };
      return draw.chance(50)
        ? [move('IN_PROGRESS')]
        : [{ name: 'markLoading', input: { ...by, target, status: 'LOADED' } }];
    }
    const known = draw.chance(75) && expected.length > 0 ? expected : tracks;
    const ids = known.map((track) => track['wms_id'] as string);
    if (draw.chance(35)) return [await paperOf(draw, seen, truck, ids)];
    const readings = Array.from({ length: draw.between(2, 8) }, (): Sent => {
      const markerCode = (draw.random.pick(known)?.['marker_code'] ?? 1) as number;
      const scans = [{ ...scanOf(draw, seen), markerCode, identifier: null, wmsId: null }];
      return { name: 'recordScans', input: { gateIdentifier: truck['gate_uuid'] as string, scans } };
    });
    return draw.chance(10) ? [...readings, move('COMPLETED')] : readings;
  }
  if (planned.length > 1 || (planned.length === 1 && draw.chance(30))) {
    const manifests = planned.slice(0, 2).map((manifest) => ({
      manifestExternalId: manifest['external_identifier'] as string,
      manifestUuid: null,
    }));
    const more = { gateIdentifier: draw.gate(), notes: null, manifests, customFields: [] };
    const identifier = `L${++seen.count}`;
    return [{ name: 'createShipment', input: { identifier, ...more } }];
  }
  const externalIdentifier = `L${++seen.count}`;
  const wmsIds = new Set(tracks.map((track) => track['wms_id'] as string));
  const more = { manifestStatus: 'PLANNED' as const, gateExternalId: null, customFields: [] };
  return [
    { name: 'createManifest', input: { externalIdentifier, ...more, assets: draw.some([...wmsIds], 60) } },
  ];
}

const membersOf = (truck: Row): string =>
  `SELECT manifest_uuid FROM shipment_manifest WHERE shipment_uuid = '${truck['uuid']}'`;

/** A command that changes the paper of a shipment while it is being loaded. */
async function paperOf(draw: Draw, seen: Seen, truck: Row, wmsIds: string[]): Promise<Sent> {
  const shipment = truck['external_identifier'] as string;
  const nameOf = (rows: Row[]) => (draw.random.pick(rows)?.['external_identifier'] ?? 'M1') as string;
  const identifier = nameOf(await seen.latest('manifest', `uuid IN (${membersOf(truck)})`));
  const other = nameOf(
    await seen.latest('manifest', "external_identifier LIKE 'L%' AND manifest_status = 'PLANNED'"),
  );
  const trackIdentifier = draw.random.pick(wmsIds) ?? 'P1';
  const manifests = (manifestExternalId: string) => [{ manifestExternalId, manifestUuid: null }];
  const kept = { ifMatch: null, customFields: null };
  return draw.of<Sent>([
    { name: 'detachTrack', input: { identifier, trackIdentifier } },
    { name: 'attachTrack', input: { identifier, trackIdentifier } },
    { name: 'replaceManifest', input: { identifier, ...kept, assets: draw.some([...new Set(wmsIds)], 50) } },
    { name: 'changeManifestStatus', input: { identifier, manifestStatus: 'CANCELLED' } },
    { name: 'detachManifests', input: { identifier: shipment, manifests: manifests(identifier) } },
    { name: 'attachManifests', input: { identifier: shipment, manifests: manifests(other) } },
    {
      name: 'replaceShipment',
      input: {
        ...{ identifier: shipment, newIdentifier: null, gateIdentifier: null, notes: null },
        ...{ ...kept, manifests: manifests(draw.of([identifier, other])) },
      },
    },
    {
      name: 'changeShipmentStatus',
      input: {
        identifier: shipment,
        status: 'CANCELLED',
        manifests: draw.of(['CANCEL', 'RELEASE'] as const),
      },
    },
    { name: 'deleteShipment', input: { identifier: shipment, ifMatch: null } },
  ]);
}

/** Commands about gates, scans, devices, webhooks and settings. */
export const FLOOR: Drawings = [
  [
    4,
    (draw) => ({
      name: 'putGate',
      input: {
        externalIdentifier: draw.gate(),
        name: `Gate ${draw.between(1, 5)}`,
        localManagerUuid: undefined,
      },
    }),
  ],
  [1, (draw) => ({ name: 'deleteGate', input: { externalIdentifier: draw.gate() } })],
  [
    12,
    (draw, seen) => ({
      name: 'recordScans',
      input: {
        gateIdentifier: draw.gate(),
        scans: Array.from({ length: draw.of([1, 1, 1, 4]) }, () => scanOf(draw, seen)),
      },
    }),
  ],
  [
    6,
    async (draw, seen) => ({
      name: 'markLoading',
      input: {
        ...holderOf(draw),
        target: await targetOf(draw, seen),
        status: draw.of(['LOADED', 'NOT_LOADED', 'UNLOADED'] as const),
        gateIdentifier: draw.chance(70) ? draw.gate() : null,
        comment: draw.of([null, 'by hand']),
      },
    }),
  ],
  [
    3,
    async (draw, seen) => ({
      name: 'removeInvalidLoading',
      input: { ...holderOf(draw), target: await targetOf(draw, seen) },
    }),
  ],
  [
    2,
    async (draw, seen) => {
      const uuid = await seen.any(draw, 'alert', "status = 'OPEN'");
      return uuid && { name: 'resolveAlert', input: { uuid } };
    },
  ],
  [
    1,
    (draw) => ({
      name: 'createDevice',
      input: { deviceType: 'SCANNER', name: `Scanner ${draw.between(1, 3)}` },
    }),
  ],
  [
    4,
    async (draw, seen) => {
      const uuid = await seen.any(draw, 'device');
      if (!uuid) return undefined;
      const status = draw.of(['ONLINE', 'ONLINE', 'OFFLINE'] as const);
      const input = { deviceType: 'SCANNER', uuid, status, softwareVersion: null, lastError: null } as const;
      return { name: 'reportDevice', input };
    },
  ],
  [
    2,
    async (draw, seen) =>
      (await seen.latest('webhook')).length > 3
        ? undefined
        : newWebhook(draw, seen, draw.chance(60) ? [] : draw.some(EVENT_TYPES, 50)),
  ],
  [
    3,
    async (draw, seen) => {
      const uuid = await seen.any(draw, 'webhook');
      return (
        uuid && {
          name: 'updateWebhook',
          input: {
            uuid,
            name: undefined,
            url: draw.chance(30) ? Receivers.url(uuid, draw.between(0, 3)) : undefined,
            eventTypes: draw.chance(10) ? draw.some(EVENT_TYPES, 50) : undefined,
            alertTypes: undefined,
            format: undefined,
            active: draw.of([undefined, true, true, false]),
            customHeaders: undefined,
          },
        }
      );
    },
  ],
  [
    1,
    async (draw, seen) => {
      const uuid = await seen.any(draw, 'webhook');
      const from = draw.between(1, 100);
      return (
        uuid && {
          name: 'replayWebhook',
          input: { uuid, sequenceNumberFrom: from, sequenceNumberTo: from + 5 },
        }
      );
    },
  ],
  [
    1,
    async (draw, seen) => {
      const uuid = await seen.any(draw, 'webhook');
      if (!uuid) return undefined;
      return draw.chance(80)
        ? { name: 'testWebhook', input: { uuid, eventType: TEST_EVENT_TYPE } }
        : { name: 'deleteWebhook', input: { uuid } };
    },
  ],
  [
    3,
    (draw, { organization }) => ({
      name: 'updateOrganization',
      input: {
        name: `Acme ${draw.between(1, 5)}`,
        requestsPerMinute: draw.between(100, 105),
        ...(draw.chance(30) ? { slug: `slug-${organization.slice(-8)}-${draw.between(1, 5)}` } : {}),
        ...(draw.chance(30) ? { markerAllocationMaximum: draw.of([4, 20, 100]) } : {}),
      },
    }),
  ],
];
