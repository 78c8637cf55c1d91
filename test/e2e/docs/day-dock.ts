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
  await correct(day, records);
}

async function correct(day: Recorder, records: Document[]): Promise<void> {
  const recordOf = (wmsId: string): string =>
    records.find((record) => record.trackIdentifier === wmsId).recordUuid;
  const [stray, other] = PALLETS.strays;
  await day.send('removeInvalidLoading', 'Taken off', { params: { ...params, recordUuid: recordOf(stray) } });
  await day.send('removeInvalidLoadingByTrack', 'Taken off', {
    params: { ...params, trackIdentifier: other },
  });
  await day.send('removeInvalidLoadingByMarker', 'Taken off', {
    params: { ...params, markerValue: String(UNKNOWN) },
  });
  const torn = { status: 'LOADED', comment: 'Label torn; counted by hand' };
  await day.send('markLoadingByTrack', 'Counted by hand', {
    params: { ...params, trackIdentifier: PALLETS.torn },
    body: torn,
  });
  const record = { ...params, recordUuid: recordOf(PALLETS.second) };
  const unloaded = { status: 'UNLOADED', gateExternalId: 'GATE-1', comment: 'Stands in the way' };
  await day.send('markLoading', 'Off for a moment', { params: record, body: unloaded });
  const { markerCode } = records.find(({ trackIdentifier }) => trackIdentifier === PALLETS.second);
  await day.send('markLoadingByMarker', 'On again', {
    params: { ...params, markerValue: String(markerCode) },
    body: { status: 'LOADED' },
  });
  await day.send('listShipmentAssets', 'The pallets of the truck', { params });
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
  await day.send('getManifest', 'It has left with its truck', { params: { manifestExternalId: FIRST } });
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

/** What did not leave today. */
export async function leaveOver(day: Recorder): Promise<void> {
  day.at('15:00');
  const [track] = (await day.until('listTracks', { query: { wmsId: PALLETS.first } }, () => true)).content;
  const retired = { trackId: track.uuid };
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
}
