import type { Document } from '../../contract/schema.ts';
import { JPEG } from '../../images.ts';
import type { Codes } from './day-plan.ts';
import { recordReport } from './day-report.ts';
import { FIRST, PALLETS, TOMORROW, TRUCK } from './names.ts';
import type { Recorder } from './recorder.ts';

const params = { shipmentExternalId: TRUCK };
/** A marker code that was never allocated. */
const UNKNOWN = 4_711;

/** Cameras read the pallets that pass the gate. Two of them do not belong on the truck. */
export async function loadTruck(day: Recorder, codes: Codes): Promise<void> {
  day.at('08:50');
  const { driverUrl } = await day.send('recordShipmentArrival', 'The truck is here', {
    params,
    body: { arrivalDate: new Date().toISOString(), driverName: 'Joan Doe' },
  });
  await day.send('getDriverPage', 'The page of the driver', {
    params: { token: new URL(driverUrl).pathname.split('/').at(-1)! },
  });
  day.at('09:00');
  await day.send('changeShipmentStatus', 'Loading begins', {
    params: { ...params, shipmentStatus: 'IN_PROGRESS' },
  });
  await day.send('listGates', 'Gates, one with a truck', { query: { pageSize: '2' } });
  const gate = { gateExternalId: 'GATE-1' };
  await day.send('getGate', 'A gate with a truck', { params: gate });
  const scan = (number: number, markerCode: number) => ({
    scanId: `cam-7-${number}`,
    markerCode,
    direction: 'LOAD',
  });
  await day.send('recordScan', 'A pallet is loaded', {
    params: gate,
    body: {
      ...scan(1, codes[PALLETS.first]!),
      scanDate: new Date().toISOString(),
      cameraHardwareId: 'CAM-0007:left',
    },
  });
  await day.send('recordScans', 'One expected pallet, two for tomorrow, one unknown marker', {
    params: gate,
    body: {
      scans: [
        scan(2, codes[PALLETS.second]!),
        scan(3, codes[PALLETS.strays[0]]!),
        scan(4, codes[PALLETS.strays[1]]!),
        scan(5, UNKNOWN),
      ],
    },
  });
  const alerts = await day.send('listAlertEvents', 'Open alerts', {
    query: { status: 'OPEN' },
  });
  await day.send('getAlertEvent', 'A pallet for tomorrow', { params: { uuid: alerts.content.at(-1).uuid } });
  const records: Document[] = await day.send(
    'listShipmentAssetLoadings',
    'Loaded and missing pallets of the truck',
    { params },
  );
  const [stray, other] = PALLETS.strays;
  await correct(day, '', params, records, { stray, other, asset: PALLETS.second });
  await day.send('listShipmentAssets', 'The pallets of the truck', { params });
  await photograph(day);
}

/** Photos of the load and of a damaged pallet. The examples do not contain the bytes. */
async function photograph(day: Recorder): Promise<void> {
  const raw = Uint8Array.from(JPEG);
  await day.send('addPhotoAtGate', 'The load before the doors close', {
    params: { gateExternalId: 'GATE-1' },
    query: { kind: 'LOAD', ...params },
    raw,
  });
  const taken = { kind: 'DAMAGE', trackIdentifier: PALLETS.damaged, takenDate: new Date().toISOString() };
  const { uuid, link } = await day.send('addPhoto', 'Damage of a pallet', { query: taken, raw });
  await day.send('listPhotos', 'The photos of a shipment', { query: params });
  await day.send('getPhoto', 'One photo', { params: { uuid } });
  await day.send('getPhotoBytes', 'The image of a photo', {
    params: { token: new URL(link).pathname.split('/').at(-1)! },
  });
  await day.send('deletePhoto', 'A photo that is not needed', { params: { uuid } });
}

/** Takes wrong pallets off and marks an asset by hand, on a shipment or (`of` is `Manifest`) on a manifest. */
async function correct(
  day: Recorder,
  of: '' | 'Manifest',
  holder: Record<string, string>,
  records: Document[],
  pallets: { stray: string; other: string; asset: string },
): Promise<void> {
  const recordOf = (wmsId: string) => records.find(({ trackIdentifier }) => trackIdentifier === wmsId);
  await day.send(`removeInvalid${of}Loading`, 'A pallet taken off the truck', {
    params: { ...holder, recordUuid: recordOf(pallets.stray).recordUuid },
  });
  await day.send(`removeInvalid${of}LoadingByTrack`, 'A pallet taken off the truck', {
    params: { ...holder, trackIdentifier: pallets.other },
  });
  await day.send(`removeInvalid${of}LoadingByMarker`, 'A pallet taken off the truck', {
    params: { ...holder, markerValue: String(UNKNOWN) },
  });
  const byHand = of === '' ? PALLETS.torn : pallets.asset;
  await day.send(`mark${of}LoadingByTrack`, 'Counted by hand', {
    params: { ...holder, trackIdentifier: byHand },
    body: { status: 'LOADED', comment: 'Label torn; counted by hand' },
  });
  const { recordUuid, markerCode } = recordOf(pallets.asset);
  await day.send(`mark${of}Loading`, 'Unloaded for a moment', {
    params: { ...holder, recordUuid },
    body: { status: 'UNLOADED', gateExternalId: 'GATE-1', comment: 'Blocks the way' },
  });
  await day.send(`mark${of}LoadingByMarker`, 'Loaded again', {
    params: { ...holder, markerValue: String(markerCode) },
    body: { status: 'LOADED' },
  });
}

/** A person signs a load. */
async function sign(day: Recorder, of: '' | 'Manifest', load: Record<string, string>, role: string) {
  await day.send(`add${of}Signature`, 'A signature', {
    params: load,
    body: {
      role,
      name: 'Ben Kraft',
      strokes: [
        [
          [80, 210],
          [240, 90],
          [310, 300],
        ],
        [
          [420, 200],
          [900, 180],
        ],
      ],
      signDate: new Date().toISOString(),
    },
  });
  await day.send(`list${of}Signatures`, 'The signatures', { params: load });
}

/** The truck leaves, and a pallet is offloaded at the customer. */
export async function closeTruck(day: Recorder, codes: Codes): Promise<void> {
  day.at('10:30');
  await sign(day, '', params, 'DRIVER');
  await day.send('changeShipmentStatus', 'The truck leaves', {
    params: { ...params, shipmentStatus: 'COMPLETED' },
  });
  const { shipmentSummaryUrl } = await day.send('getShipment', 'A shipment that has left', { params });
  const token = { params: { token: new URL(shipmentSummaryUrl).pathname.split('/').at(-1)! } };
  await day.send('getShipmentSummary', 'The summary page of the truck', token);
  await day.send('getProofOfShipment', 'The proof of shipment of the truck', token);
  await day.send('getProofOfShipmentData', 'The data of the proof of shipment', token);
  await recordReport(day, 'The figures of the month', { from: '2026-11-01', to: '2026-11-30' });
  await day.send('getManifestLabels', 'The labels for a label printer', {
    params: { manifestExternalId: FIRST },
    query: { format: 'ZPL' },
  });
  archive(
    day,
    await day.send('getManifest', 'A manifest that has left with its truck', {
      params: { manifestExternalId: FIRST },
    }),
  );
  await day.send('listAssets', 'The pallets of a manifest', { params: { manifestExternalId: FIRST } });
  await day.send('listAssetLoadings', 'The records of a manifest', { params: { manifestExternalId: FIRST } });
  day.at('14:00');
  const markerCode = codes[PALLETS.first]!;
  await day.send('recordScan', 'Offloaded at the customer', {
    params: { gateExternalId: 'GATE-1' },
    body: { scanId: 'cam-7-6', markerCode, direction: 'OFFLOAD' },
  });
  const track = { trackId: PALLETS.first };
  await day.send('listActivity', 'The history of a pallet', { params: track });
  await day.send('retireTrack', 'A pallet that came back empty', { params: track });
}

/** On this day no manifest is old enough for the archive. This is how it looks a year later. */
function archive(day: Recorder, left: Document): void {
  const manifest = day.shown(left);
  const { uuid, createDate, updateDate, externalIdentifier, closeDate } = manifest;
  const entry = {
    uuid,
    createDate,
    updateDate,
    deepLink: `https://dispatch.example.com/app/archive/${uuid}`,
    entityType: 'MANIFEST',
    externalIdentifier,
    closeDate,
    archiveDate: '2027-11-22T03:18:00.000Z',
  };
  const sort = { sortBy: 'closeDate', direction: 'DESC' };
  const answer = {
    content: [entry],
    pageRequest: { pageNumber: 1, pageSize: 20, sort },
    totalElements: 1,
  };
  const query = { q: externalIdentifier };
  day.byHand('listArchive', { summary: 'The archive a year later', params: {}, query, status: 200, answer });
  day.byHand('getArchived', {
    summary: 'An archived manifest',
    params: { archiveUuid: uuid },
    query: {},
    status: 200,
    answer: manifest,
  });
}

/** The work that did not leave today. */
export async function leaveOver(day: Recorder, codes: Codes): Promise<void> {
  day.at('15:00');
  const retired = { trackId: PALLETS.first };
  await day.send('revertRetirement', 'A pallet that is needed again', { params: retired });
  await day.send('deleteTrack', 'Deleted', { params: retired });
  await day.send('createManifest', 'An order without pallets', {
    body: { externalIdentifier: 'ORDER-10252' },
  });
  await day.send('createShipment', 'A shipment for tomorrow', {
    body: { identifier: 'SHIP-20261122-1', manifests: [{ manifestExternalId: 'ORDER-10252' }] },
  });
  await day.send('deleteShipment', 'A shipment that is not needed', {
    params: { shipmentExternalId: 'SHIP-20261122-1' },
  });
  await makeBackorder(day);
  await day.send('changeManifestStatus', 'Loading begins', {
    params: { manifestExternalId: TOMORROW, manifestStatus: 'IN_PROGRESS' },
  });
  await loadAlone(day, codes);
}

/** The truck for an order does not come. The order is released, then cancelled, and its pallet is ordered again. */
async function makeBackorder(day: Recorder): Promise<void> {
  const manifestExternalId = 'ORDER-10253';
  await day.send('createManifest', 'An order for a truck that does not come', {
    body: { externalIdentifier: manifestExternalId, assets: ['340123450000000093'] },
  });
  const identifier = 'SHIP-20261121-9';
  await day.send('createShipment', 'A truck that does not come', {
    body: { identifier, manifests: [{ manifestExternalId }] },
  });
  await day.send('changeShipmentStatus', 'The truck does not come, and its orders are planned again', {
    params: { shipmentExternalId: identifier, shipmentStatus: 'CANCELLED' },
    query: { manifests: 'RELEASE' },
  });
  await day.send('changeManifestStatus', 'The order is withdrawn', {
    params: { manifestExternalId, manifestStatus: 'CANCELLED' },
  });
  await day.send('createBackorder', 'A new order for the pallets that stayed', {
    params: { manifestExternalId },
    body: { externalIdentifier: `${manifestExternalId}-2` },
  });
}

/** Loads a manifest that is in no shipment. The cameras also read pallets that have already left. */
async function loadAlone(day: Recorder, codes: Codes): Promise<void> {
  const [stray, other] = [PALLETS.second, PALLETS.torn];
  const scans = [codes[stray]!, codes[other]!, UNKNOWN].map((markerCode, index) => ({
    scanId: `cam-8-${index}`,
    markerCode,
    direction: 'LOAD',
  }));
  const gate = { gateExternalId: 'GATE-2' };
  await day.send('recordScans', 'Pallets that do not belong on tomorrow’s order', {
    params: gate,
    body: { scans },
  });
  const params = { manifestExternalId: TOMORROW };
  await sign(day, 'Manifest', params, 'LOADER');
  const records: Document[] = await day.send('listAssetLoadings', 'The records of tomorrow’s order', {
    params,
  });
  await correct(day, 'Manifest', params, records, { stray, other, asset: PALLETS.damaged });
}
