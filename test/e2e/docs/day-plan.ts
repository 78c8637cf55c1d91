import type { Document } from '../../contract/schema.ts';
import { FIRST, PALLETS, SECOND, TOMORROW, TRUCK } from './names.ts';
import type { Recorder } from './recorder.ts';

/** Marker codes by WMS id. */
export type Codes = Record<string, number>;

const finished = ({ finishDate }: Document): boolean => finishDate !== null;

/** Marker codes are allocated and coupled, at once and in the background. */
export async function couplePallets(day: Recorder): Promise<Codes> {
  day.at('07:00');
  await day.send('getHealth', 'The service is available');
  await day.send('createClient', 'A customer', {
    body: { displayName: 'Vins et alcools Chevalier', externalId: 'VINET' },
  });
  await day.send('createClient', 'Another customer', {
    body: { displayName: 'Toms Spezialitäten', externalId: 'TOMSP' },
  });
  await day.send('listClients', 'Clients with a word in a name', { query: { q: 'chevalier' } });
  await day.send('getClient', 'A client', { params: { clientId: 'VINET' } });
  await day.send('updateClient', 'Renamed', {
    params: { clientId: 'TOMSP' },
    body: { displayName: 'Toms Spezialitäten GmbH', externalId: 'TOMSP' },
  });
  await day.send('deleteClient', 'Deleted', { params: { clientId: 'TOMSP' } });

  const url = { imageDelivery: 'URL' };
  const { entries } = await day.send('allocateMarkers', 'A block, with links to the images', {
    query: { quantity: '3', ...url },
  });
  await day.send('allocateMarkers', 'One code with its image');
  const [first, second, torn] = entries.map(({ markerCode }: Document) => markerCode);
  await day.send('coupleTrack', 'At once', {
    body: {
      markerCode: first,
      wmsId: PALLETS.first,
      clientId: 'VINET',
      customFields: [{ fieldKey: 'lot', fieldValue: 'L-2026-47' }],
    },
  });
  const accepted = await day.send('coupleTrack', 'In the background', {
    query: { async: 'true' },
    body: { markerCode: torn, wmsId: PALLETS.torn },
  });
  const params = { operationId: accepted.operationId };
  await day.until('getOperation', { params }, finished);
  await day.send('getOperation', 'A coupling that succeeded', { params });
  await day.send('coupleTrack', 'At once, without fields', {
    body: { markerCode: second, wmsId: PALLETS.second },
  });
  await day.send('getMarker', 'A code that is coupled', { params: { code: String(first) } });
  await day.send('getMarkerImage', 'An image', { params: { code: String(first) } });

  const codes: Codes = { [PALLETS.first]: first, [PALLETS.second]: second, [PALLETS.torn]: torn };
  for (const [summary, wmsId, query] of [
    ['With its image', PALLETS.strays[0], undefined],
    ['With a link to its image', PALLETS.damaged, url],
  ] as const) {
    const { markerCode } = await day.send('getAndCoupleTrack', summary, {
      body: { wmsId },
      ...(query ? { query } : {}),
    });
    codes[wmsId] = markerCode;
  }
  const [, wmsId] = PALLETS.strays;
  const later = await day.send('getAndCoupleTrack', 'In the background', {
    query: { async: 'true', ...url },
    body: { wmsId },
  });
  codes[wmsId] = later.markerCode;
  await day.until('getOperation', { params: { operationId: later.operationId } }, finished);
  await day.send('listTracks', 'The first two tracks', {
    query: { pageSize: '2', 'sort.sortBy': 'createDate' },
  });
  await day.send('getTrack', 'By WMS id', { params: { trackId: PALLETS.first } });
  await day.send('getTrackLabel', 'The label of a pallet', { params: { trackId: PALLETS.first } });
  await damage(day);
  return codes;
}

async function damage(day: Recorder): Promise<void> {
  const params = { trackId: PALLETS.damaged };
  await day.send('flagTrack', 'Damaged', {
    params,
    body: { damaged: true, reason: 'Film torn, cartons wet' },
  });
  await day.send('createComment', 'With a photo', {
    params,
    body: {
      additionalInfo: 'Two cartons are wet; repack before it leaves.',
      attachments: [
        {
          link: 'https://photos.acme.example/4711.jpg',
          fileName: '4711.jpg',
          description: 'The wet cartons',
        },
      ],
    },
  });
  await day.send('listComments', 'All comments of a track', { params });
  await day.send('unflagTrack', 'Repacked', { params });
}

/** Orders become manifests, and the manifests become a shipment. */
export async function planTrucks(day: Recorder): Promise<void> {
  day.at('08:00');
  await day.send('createManifest', 'An order with two pallets', {
    body: {
      externalIdentifier: FIRST,
      assets: [PALLETS.first, PALLETS.second],
      customFields: [{ fieldKey: 'customer', fieldValue: 'Vins et alcools Chevalier' }],
    },
  });
  await day.send('createManifest', 'Another order', {
    body: { externalIdentifier: SECOND, assets: [PALLETS.damaged] },
  });
  await day.send('createManifest', 'An order for tomorrow', {
    body: { externalIdentifier: TOMORROW, assets: [...PALLETS.strays] },
  });
  await day.send('createManifest', 'An order by mistake', { body: { externalIdentifier: 'ORDER-10251' } });
  await day.send('deleteManifest', 'Deleted', { params: { manifestExternalId: 'ORDER-10251' } });
  const params = { manifestExternalId: SECOND };
  const assets = [PALLETS.torn, PALLETS.damaged];
  await day.send('replaceManifest', 'Another pallet, and a field', {
    params,
    body: { assets, customFields: [{ fieldKey: 'lane', fieldValue: 'B' }] },
  });
  await day.send('upsertAssets', 'The same assets again', { params, body: { assets } });
  await day.send('detachTrack', 'A damaged pallet stays here', {
    params: { ...params, trackIdentifier: PALLETS.damaged },
  });
  const field = {
    params: { manifestExternalId: FIRST },
    body: { fieldKey: 'sealNumber', fieldValue: 'S-4711' },
  };
  await day.send('putManifestField', 'A seal', field);
  await day.send('removeManifestField', 'No seal', {
    params: { manifestExternalId: FIRST, fieldKey: 'sealNumber' },
  });
  const later = { manifestExternalId: TOMORROW };
  await day.send('attachTrack', 'A pallet that leaves tomorrow', {
    params: { ...later, trackIdentifier: PALLETS.damaged },
  });
  await day.send('assignManifestGate', 'A gate', { params: { ...later, gateExternalId: 'GATE-2' } });
  await day.send('changeManifestStatus', 'Ready to be loaded', {
    params: { ...later, manifestStatus: 'TO_DO' },
  });
  await day.send('listManifests', 'Planned manifests', {
    query: { manifestStatus: 'PLANNED', pageSize: '2' },
  });
  await ship(day);
}

async function ship(day: Recorder): Promise<void> {
  const params = { shipmentExternalId: TRUCK };
  const first = { manifestExternalId: FIRST };
  const second = { manifestExternalId: SECOND };
  await day.send('createShipment', 'A truck with one manifest', {
    body: {
      identifier: TRUCK,
      gateIdentifier: 'GATE-2',
      notes: 'Call the driver when the last pallet is on',
      manifests: [first],
      customFields: [{ fieldKey: 'carrier', fieldValue: 'Speedy Express' }],
    },
  });
  await day.send('attachManifests', 'Another manifest', { params, body: { manifests: [second] } });
  await day.send('detachManifests', 'A detached manifest', { params, body: { manifests: [second] } });
  await day.send('attachManifests', 'The manifest again', { params, body: { manifests: [second] } });
  await day.send('detachManifestsByPost', 'A detached manifest', { params, body: { manifests: [second] } });
  await day.send('replaceShipment', 'All manifests of the shipment', {
    params,
    body: { manifests: [first, second] },
  });
  await day.send('assignShipmentGate', 'Another gate', { params: { ...params, gateExternalId: 'GATE-1' } });
  await day.send('putShipmentField', 'A temperature', {
    params,
    body: { fieldKey: 'temperature', fieldValue: '4.5' },
  });
  await day.send('removeShipmentField', 'No temperature', { params: { ...params, fieldKey: 'temperature' } });
  const { operationId } = await day.send('bulkUpsertShipments', 'Fields of many shipments', {
    body: {
      items: [
        { shipmentExternalId: TRUCK, customFields: [{ fieldKey: 'temperature', fieldValue: '5' }] },
        {
          shipmentExternalId: 'SHIP-UNKNOWN',
          customFields: [{ fieldKey: 'carrier', fieldValue: 'Speedy Express' }],
        },
      ],
      errorBehaviour: 'PROCEED',
    },
  });
  await day.until('getOperation', { params: { operationId } }, finished);
  await day.send('getOperation', 'A bulk upsert with an error', { params: { operationId } });
  await day.send('validateShipment', 'A shipment without problems', { params });
  await day.send('listShipments', 'Shipments to load', { query: { status: 'TO_DO' } });
}
