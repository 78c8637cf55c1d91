import { type ApiClient, unlessDone } from '../../client/client.ts';
import type { ScanResult, Shipment, Validation } from '../demo/answers.ts';
import { API, DEVICE_API } from '../demo/provision.ts';
import { batchesOf, type PlannedScan, type WmsShipment } from './shipments.ts';

/*
 * As in the import, a key names the action. If the service has forgotten the key, its refusal says that the
 * result exists. A scan needs no key, because its scanId is one.
 */

/** Create a shipment with its manifests. */
export async function create(wms: ApiClient, shipment: WmsShipment): Promise<void> {
  const { shipmentId, gateId, orders, fields } = shipment;
  await unlessDone(
    wms.request('POST', `${API}/shipment`, {
      key: `wms:ship:${shipmentId}`,
      body: {
        identifier: shipmentId,
        gateIdentifier: gateId,
        manifests: orders.map(({ manifestId }) => ({ manifestExternalId: manifestId })),
        customFields: fields,
      },
    }),
    'externalIdentifierInUse',
  );
}

/**
 * Load a shipment at its gate and let it depart. The caller ensures that no other shipment is in progress
 * there, because a scan acts on all of them. @throws Error if a scan has another outcome than planned, or
 * if the shipment is not valid before it departs.
 */
export async function load(
  wms: ApiClient,
  scanners: ApiClient,
  { shipmentId, gateId }: WmsShipment,
  scans: readonly PlannedScan[],
): Promise<void> {
  const path = `${API}/shipment/${encodeURIComponent(shipmentId)}`;
  const move = (status: string) =>
    unlessDone(
      wms.request('POST', `${path}/status/${status}`, { key: `wms:${shipmentId}:${status}` }),
      'transitionNotAllowed',
    );
  if ((await move('IN_PROGRESS')) === undefined) {
    const { status } = (await wms.request<Shipment>('GET', path)).body;
    // It departed in an earlier run whose keys the service has forgotten.
    if (status !== 'IN_PROGRESS') return;
  }
  for (const batch of batchesOf(scans)) await scan(scanners, gateId, batch);
  for (const { outcome, scanId, sscc, markerCode } of scans) {
    if (outcome === 'LOADED') continue;
    const found = sscc === null ? `marker/${markerCode}` : `track/${sscc}`;
    await unlessDone(
      wms.request('DELETE', `${path}/asset-loading/${found}`, { key: `wms:remove:${scanId}` }),
      'assetLoadingNotFound',
    );
  }
  const { valid } = (await wms.request<Validation>('GET', `${path}/validate`)).body;
  if (!valid) throw new Error(`${shipmentId} is not valid: see ${path}/validate`);
  await move('COMPLETED');
}

async function scan(scanners: ApiClient, gateId: string, planned: readonly PlannedScan[]): Promise<void> {
  const scans = planned.map(({ scanId, markerCode }) => ({ scanId, markerCode, direction: 'LOAD' }));
  const { results } = (
    await scanners.request<{ results: ScanResult[] }>(
      'POST',
      `${DEVICE_API}/gate/${encodeURIComponent(gateId)}/scans`,
      { body: { scans } },
    )
  ).body;
  for (const [index, { scanId, sscc, outcome }] of planned.entries()) {
    const result = results[index];
    if (result?.scanId === scanId && result.outcome === outcome && result.trackIdentifier === sscc) continue;
    throw new Error(`Scan ${scanId} was to be ${outcome}, and is ${JSON.stringify(result)}`);
  }
}
