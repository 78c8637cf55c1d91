import type { Document } from '../../contract/schema.ts';
import type { Codes } from './day-plan.ts';
import { FIRST, PALLETS, TOMORROW, TRUCK } from './names.ts';
import type { Recorder } from './recorder.ts';

const params = { shipmentExternalId: TRUCK };
/** A marker that nobody has allocated. */
const UNKNOWN = 4_711;

/** Cameras read what passes the gate; two pallets should not have. */
export async function loadTruck(day: Recorder, codes: Codes): Promise<void> {
  day.at('09:00');
  await day.send('changeShipmentStatus', 'Loading begins', {
    params: { ...params, shipmentStatus: 'IN_PROGRESS' },
  });
  await day.send('listGates', 'A truck is at one', { query: { pageSize: '2' } });
  const gate = { gateExternalId: 'GATE-1' };
  await day.send('getGate', 'The truck is at it', { params: gate });
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
  await day.send('recordScans', 'One that belongs here, two of tomorrow, one of nobody', {
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
  const alerts = await day.send('listAlertEvents', 'What somebody has to look at', {
    query: { status: 'OPEN' },
  });
  await day.send('getAlertEvent', 'A pallet of tomorrow', { params: { uuid: alerts.content.at(-1).uuid } });
  const records: Document[] = await day.send(
    'listShipmentAssetLoadings',
    'What is on the truck, and what is not',
    { params },
  );
  const [stray, other] = PALLETS.strays;
  await correct(day, '', params, records, { stray, other, asset: PALLETS.second });
  await day.send('listShipmentAssets', 'The pallets of the truck', { params });
}

/** What is wrong on a shipment or (`of` Manifest) on a manifest is taken off, and an asset marked by hand. */
async function correct(
  day: Recorder,
  of: '' | 'Manifest',
  holder: Record<string, string>,
  records: Document[],
  pallets: { stray: string; other: string; asset: string },
): Promise<void> {
  const recordOf = (wmsId: string) => records.find(({ trackIdentifier }) => trackIdentifier === wmsId);
  await day.send(`removeInvalid${of}Loading`, 'Taken off', {
    params: { ...holder, recordUuid: recordOf(pallets.stray).recordUuid },
  });
  await day.send(`removeInvalid${of}LoadingByTrack`, 'Taken off', {
    params: { ...holder, trackIdentifier: pallets.other },
  });
  await day.send(`removeInvalid${of}LoadingByMarker`, 'Taken off', {
    params: { ...holder, markerValue: String(UNKNOWN) },
  });
  const byHand = of === '' ? PALLETS.torn : pallets.asset;
  await day.send(`mark${of}LoadingByTrack`, 'Counted by hand', {
    params: { ...holder, trackIdentifier: byHand },
    body: { status: 'LOADED', comment: 'Label torn; counted by hand' },
  });
  const { recordUuid, markerCode } = recordOf(pallets.asset);
  await day.send(`mark${of}Loading`, 'Off for a moment', {
    params: { ...holder, recordUuid },
    body: { status: 'UNLOADED', gateExternalId: 'GATE-1', comment: 'Stands in the way' },
  });
  await day.send(`mark${of}LoadingByMarker`, 'On again', {
    params: { ...holder, markerValue: String(markerCode) },
    body: { status: 'LOADED' },
  });
}

/** The truck leaves, and a pallet comes off at the customer's. */
export async function closeTruck(day: Recorder, codes: Codes): Promise<void> {
  day.at('10:30');
  await day.send('changeShipmentStatus', 'The truck leaves', {
    params: { ...params, shipmentStatus: 'COMPLETED' },
  });
  const { shipmentSummaryUrl } = await day.send('getShipment', 'It has left', { params });
  const token = { params: { token: new URL(shipmentSummaryUrl).pathname.split('/').at(-1)! } };
  await day.send('getShipmentSummary', 'The page of the truck', token);
  await day.send('getProofOfShipment', 'The document of the truck', token);
  await day.send('getProofOfShipmentData', 'The data of the document', token);
  archive(
    day,
    await day.send('getManifest', 'It has left with its truck', { params: { manifestExternalId: FIRST } }),
  );
  await day.send('listAssets', 'The pallets of a manifest', { params: { manifestExternalId: FIRST } });
  await day.send('listAssetLoadings', 'The records of a manifest', { params: { manifestExternalId: FIRST } });
  day.at('14:00');
  const markerCode = codes[PALLETS.first]!;
  await day.send('recordScan', 'At the customer’s', {
    params: { gateExternalId: 'GATE-1' },
    body: { scanId: 'cam-7-6', markerCode, direction: 'OFFLOAD' },
  });
  const track = { trackId: PALLETS.first };
  await day.send('listActivity', 'All that happened to a pallet', { params: track });
  await day.send('retireTrack', 'It came back empty', { params: track });
}

/** Nothing is old enough on this day; in a year the manifest is shown like this. */
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
  day.byHand('listArchive', { summary: 'A year later', params: {}, query, status: 200, answer });
  day.byHand('getArchived', {
    summary: 'The manifest as it was',
    params: { archiveUuid: uuid },
    query: {},
    status: 200,
    answer: manifest,
  });
}

/** What did not leave today. */
export async function leaveOver(day: Recorder, codes: Codes): Promise<void> {
  day.at('15:00');
  const retired = { trackId: PALLETS.first };
  await day.send('revertRetirement', 'It is needed again', { params: retired });
  await day.send('deleteTrack', 'Gone', { params: retired });
  await day.send('createManifest', 'Without pallets yet', { body: { externalIdentifier: 'ORDER-10252' } });
  await day.send('createShipment', 'For tomorrow', {
    body: { identifier: 'SHIP-20261122-1', manifests: [{ manifestExternalId: 'ORDER-10252' }] },
  });
  await day.send('deleteShipment', 'Not tomorrow either', {
    params: { shipmentExternalId: 'SHIP-20261122-1' },
  });
  await day.send('changeManifestStatus', 'Loading begins', {
    params: { manifestExternalId: TOMORROW, manifestStatus: 'IN_PROGRESS' },
  });
  await loadAlone(day, codes);
}

/** A manifest that is in no shipment; what has left already is read once more. */
async function loadAlone(day: Recorder, codes: Codes): Promise<void> {
  const [stray, other] = [PALLETS.second, PALLETS.torn];
  const scans = [codes[stray]!, codes[other]!, UNKNOWN].map((markerCode, index) => ({
    scanId: `cam-8-${index}`,
    markerCode,
    direction: 'LOAD',
  }));
  const gate = { gateExternalId: 'GATE-2' };
  await day.send('recordScans', 'What does not belong on tomorrow’s order', {
    params: gate,
    body: { scans },
  });
  const params = { manifestExternalId: TOMORROW };
  const records: Document[] = await day.send('listAssetLoadings', 'What is on it', {
    params,
  });
  await correct(day, 'Manifest', params, records, { stray, other, asset: PALLETS.damaged });
}
