// A dispatch day with the client that is generated from the contract. It is compiled and run next to that
// client.
import { createClient } from './generated/client/index.ts';
import * as api from './generated/index.ts';

const [baseUrl, operatorKey, slug] = process.argv.slice(2) as [string, string, string];
const client = (headers: Record<string, string>) => createClient({ baseUrl, headers });

/** The data of an answer. @throws the problem of a refusal. */
async function dataOf<T, E>(
  request: Promise<{ data?: T | undefined; error?: E | undefined; response?: Response | undefined }>,
): Promise<NonNullable<T>> {
  const { data, error, response } = await request;
  if (data === undefined || data === null) throw new Error(`${response?.status}: ${JSON.stringify(error)}`);
  return data;
}

const operator = client({ 'X-OPERATOR-KEY': operatorKey });
const organization = await dataOf(
  api.createOrganization({
    client: operator,
    body: { name: 'Generated', slug, dispatchStrategy: 'SHIPMENT', clientFeatureEnabled: true },
  }),
);
const path = { organizationUuid: organization.uuid };
await dataOf(
  api.putGate({
    client: operator,
    path: { ...path, externalIdentifier: 'GATE-1' },
    body: { name: 'Gate 1' },
  }),
);
const key = await dataOf(api.createApiKey({ client: operator, path, body: { name: 'Day' } }));
const token = await dataOf(
  api.createAccessToken({ client: operator, path, body: { name: 'Camera', scopes: ['GATE_WRITE'] } }),
);
const wms = client({ 'X-AUTH-KEY': key.secret ?? '' });
const camera = client({ 'X-Auth-Token': token.secret ?? '' });

const { entries } = await dataOf(api.allocateMarkers({ client: wms, query: { quantity: 2 } }));
for (const [index, { markerCode }] of entries.entries()) {
  await dataOf(
    api.coupleTrack({ client: wms, query: { async: false }, body: { markerCode, wmsId: `PALLET-${index}` } }),
  );
}
await dataOf(
  api.createManifest({
    client: wms,
    body: { externalIdentifier: 'ORDER-1', assets: ['PALLET-0', 'PALLET-1'] },
  }),
);
await dataOf(
  api.createShipment({
    client: wms,
    body: { identifier: 'SHIP-1', gateIdentifier: 'GATE-1', manifests: [{ manifestExternalId: 'ORDER-1' }] },
  }),
);
const shipment = { shipmentExternalId: 'SHIP-1' };
const change = async (shipmentStatus: 'IN_PROGRESS' | 'COMPLETED') => {
  const { response } = await api.changeShipmentStatus({ client: wms, path: { ...shipment, shipmentStatus } });
  if (response?.status !== 204) throw new Error(`${shipmentStatus}: ${response?.status}`);
};
await change('IN_PROGRESS');
for (const { markerCode } of entries) {
  const { outcome } = await dataOf(
    api.recordScan({
      client: camera,
      path: { gateExternalId: 'GATE-1' },
      body: { scanId: `scan-${markerCode}`, markerCode, direction: 'LOAD' },
    }),
  );
  if (outcome !== 'LOADED') throw new Error(outcome);
}
await change('COMPLETED');

const left = await dataOf(api.getShipment({ client: wms, path: shipment }));
const damaged = await dataOf(api.listTracks({ client: wms, query: { damagedTracks: false } }));
const { content } = await dataOf(api.listEvents({ client: wms }));
// The type of an event determines the type of its data.
const loaded = content.flatMap((event) =>
  event.eventType === 'ASSET_LOADING_STATUS_CHANGED' ? [event.data.trackIdentifier] : [],
);
console.log(
  JSON.stringify({
    status: left.status,
    loaded: left.loadedAssetsCount,
    tracks: damaged.totalElements,
    events: loaded,
  }),
);
