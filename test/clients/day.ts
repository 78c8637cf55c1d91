// A dispatch day by the client that is generated from the contract; compiled and run beside it.
import { createClient } from './generated/client/index.ts';
import * as api from './generated/index.ts';

const [baseUrl, operatorKey, slug] = process.argv.slice(2) as [string, string, string];
const client = (headers: Record<string, string>) => createClient({ baseUrl, headers });

/** What was answered, or the problem that was. */
async function told<T, E>(
  asked: Promise<{ data?: T | undefined; error?: E | undefined; response?: Response | undefined }>,
): Promise<NonNullable<T>> {
  const { data, error, response } = await asked;
  if (data === undefined || data === null) throw new Error(`${response?.status}: ${JSON.stringify(error)}`);
  return data;
}

const operator = client({ 'X-OPERATOR-KEY': operatorKey });
const organization = await told(
  api.createOrganization({
    client: operator,
    body: { name: 'Generated', slug, dispatchStrategy: 'SHIPMENT', clientFeatureEnabled: true },
  }),
);
const path = { organizationUuid: organization.uuid };
await told(
  api.putGate({
    client: operator,
    path: { ...path, externalIdentifier: 'GATE-1' },
    body: { name: 'Gate 1' },
  }),
);
const key = await told(api.createApiKey({ client: operator, path, body: { name: 'Day' } }));
const token = await told(
  api.createAccessToken({ client: operator, path, body: { name: 'Camera', scopes: ['GATE_WRITE'] } }),
);
const wms = client({ 'X-AUTH-KEY': key.secret ?? '' });
const camera = client({ 'X-Auth-Token': token.secret ?? '' });

const { entries } = await told(api.allocateMarkers({ client: wms, query: { quantity: 2 } }));
for (const [index, { markerCode }] of entries.entries()) {
  await told(
    api.coupleTrack({ client: wms, query: { async: false }, body: { markerCode, wmsId: `PALLET-${index}` } }),
  );
}
await told(
  api.createManifest({
    client: wms,
    body: { externalIdentifier: 'ORDER-1', assets: ['PALLET-0', 'PALLET-1'] },
  }),
);
await told(
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
  const { outcome } = await told(
    api.recordScan({
      client: camera,
      path: { gateExternalId: 'GATE-1' },
      body: { scanId: `scan-${markerCode}`, markerCode, direction: 'LOAD' },
    }),
  );
  if (outcome !== 'LOADED') throw new Error(outcome);
}
await change('COMPLETED');

const left = await told(api.getShipment({ client: wms, path: shipment }));
const damaged = await told(api.listTracks({ client: wms, query: { damagedTracks: false } }));
const { content } = await told(api.listEvents({ client: wms }));
// An event is known by its type: what it is about has that type, too.
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
