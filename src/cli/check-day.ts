import { type Probe, poll } from './check-probe.ts';
import type { Shipment, Track } from './demo/answers.ts';
import { API, DEVICE_API, OPERATOR_API } from './demo/provision.ts';

/** Pallets of the day: half of them with markers that were printed before. */
const PALLETS = 10;
const GATE = 'GATE-1';
/** The gate of the burst. */
export const BURST_GATE = 'GATE-2';
export const SHIPMENT = 'CHECK-SHIPMENT';
const MANIFEST = 'CHECK-MANIFEST';
const REQUESTS_PER_MINUTE = 6_000;
/** The least that the API allows, so that the check of the schedule is short. */
const OFFLINE_AFTER_S = 10;
/** How long the credentials of a run are valid, if it cannot erase the organization. */
const CREDENTIAL_LIFE_MS = 60 * 60 * 1_000;
const ERASE_MAXIMUM_MS = 120_000;
const ERASE_POLL_MS = 1_000;

/** An organization that exists for one run. */
export interface Organization {
  uuid: string;
  slug: string;
}

/** The organization of a run, with its credentials. */
export interface Site {
  organization: Organization;
  wms: Probe;
  devices: Probe;
  scannerUuid: string;
}

/** Create a sandbox for the run. */
export const createOrganization = (operator: Probe, slug: string): Promise<Organization> =>
  operator.call('create the organization', 'POST', `${OPERATOR_API}/organization`, {
    name: 'Deployment check',
    slug,
    sandbox: true,
    dispatchStrategy: 'SHIPMENT',
    requestsPerMinute: REQUESTS_PER_MINUTE,
    deviceOfflineAfterSeconds: OFFLINE_AFTER_S,
  });

/** Create the gate, the scanner and the credentials of the run. */
export async function provisionSite(operator: Probe, organization: Organization): Promise<Site> {
  const path = `${OPERATOR_API}/organization/${organization.uuid}`;
  const step = 'provision';
  await operator.call(step, 'PUT', `${path}/gate/${GATE}`, { name: 'Gate 1' });
  await operator.call(step, 'PUT', `${path}/gate/${BURST_GATE}`, { name: 'Gate 2' });
  const scanner = await operator.call<{ uuid: string }>(step, 'POST', `${path}/scanner`, {
    name: 'Scanner of the check',
    gateExternalId: GATE,
  });
  const issue = async (kind: string, scopes: object): Promise<string> => {
    const expiresDate = new Date(Date.now() + CREDENTIAL_LIFE_MS).toISOString();
    const body = { name: 'Deployment check', expiresDate, ...scopes };
    return (await operator.call<{ secret: string }>(step, 'POST', `${path}/${kind}`, body)).secret;
  };
  return {
    organization,
    wms: operator.as({ 'X-AUTH-KEY': await issue('api-key', {}) }),
    devices: operator.as({
      'X-Auth-Token': await issue('access-token', { scopes: ['GATE_WRITE', 'DEVICE_WRITE'] }),
    }),
    scannerUuid: scanner.uuid,
  };
}

/** A pallet of the day. */
export type Pallet = Pick<Track, 'uuid' | 'wmsId' | 'markerCode' | 'markerImageUrl'>;

/** Label the pallets of the day. */
export async function label({ wms }: Site): Promise<Pallet[]> {
  const ids = Array.from({ length: PALLETS }, (_, index) => `CHECK-${index + 1}`);
  const printed = ids.slice(0, PALLETS / 2);
  const { entries } = await wms.call<{ entries: { markerCode: number }[] }>(
    'allocate markers',
    'POST',
    `${API}/marker-code/allocate?quantity=${printed.length}&imageDelivery=URL`,
  );
  const pallets: Pallet[] = [];
  for (const [index, wmsId] of ids.entries()) {
    const entry = entries[index];
    const { track } = entry
      ? await wms.call<{ track: Pallet }>('couple', 'POST', `${API}/track/couple`, {
          markerCode: entry.markerCode,
          wmsId,
        })
      : await wms.call<{ track: Pallet }>(
          'get and couple',
          'POST',
          `${API}/track/get-and-couple?imageDelivery=URL`,
          { wmsId },
        );
    pallets.push(track);
  }
  return pallets;
}

/** Plan, load and complete the truck of the day. Returns a sentence about the result. @throws if the result is wrong */
export async function dispatch({ wms, devices }: Site, pallets: readonly Pallet[]): Promise<string> {
  const shipment = `${API}/shipment/${SHIPMENT}`;
  const assets = pallets.map(({ wmsId }) => wmsId);
  await wms.call('create a manifest', 'POST', `${API}/manifest`, { externalIdentifier: MANIFEST, assets });
  const manifests = [{ manifestExternalId: MANIFEST }];
  await wms.call('create a shipment', 'POST', `${API}/shipment`, {
    identifier: SHIPMENT,
    gateIdentifier: GATE,
    manifests,
  });
  await wms.call('change the status', 'POST', `${shipment}/status/IN_PROGRESS`);
  for (const { markerCode } of pallets) {
    const body = { scanId: `check-${markerCode}`, markerCode, direction: 'LOAD' };
    const path = `${DEVICE_API}/gate/${GATE}/scan`;
    const { outcome } = await devices.call<{ outcome: string }>('scan', 'POST', path, body);
    if (outcome !== 'LOADED') throw new Error(`The scan of marker ${markerCode} was answered ${outcome}.`);
  }
  const { valid } = await wms.call<{ valid: boolean }>('validate', 'GET', `${shipment}/validate`);
  if (!valid) throw new Error('The shipment is not valid, although each pallet was scanned.');
  await wms.call('change the status', 'POST', `${shipment}/status/COMPLETED`);
  const left = await wms.call<Shipment>('read the shipment', 'GET', shipment);
  if (left.status !== 'COMPLETED' || left.loadedAssetsCount !== pallets.length)
    throw new Error(`The shipment is ${left.status} with ${left.loadedAssetsCount} pallets loaded.`);
  await proof(wms, left.proofOfShipmentUrl ?? '');
  return `${pallets.length} pallets are loaded, and the proof of shipment is a PDF. ${await gapless(wms)}`;
}

/** The path of a link, which names the host that the service sees. */
export const pathOf = (url: string): string => new URL(url, 'http://localhost').pathname;

async function proof(wms: Probe, url: string): Promise<void> {
  const answer = await wms.as({}).send('create the proof of shipment', 'GET', pathOf(url));
  const start = (await answer.text()).slice(0, 5);
  if (start !== '%PDF-')
    throw new Error(`The proof of shipment was answered ${answer.status}, not as a PDF.`);
}

/** Check the numbers of the event log. @throws if one is missing */
async function gapless(wms: Probe): Promise<string> {
  const path = `${API}/event?afterSequence=0&limit=1000`;
  const { content } = await wms.call<{ content: { sequenceNumber: number }[] }>('read the log', 'GET', path);
  if (content.length === 0 || content.some(({ sequenceNumber }, index) => sequenceNumber !== index + 1))
    throw new Error(`The event log has a gap among its ${content.length} events.`);
  return `The log has ${content.length} events without a gap.`;
}

/** Suspend and erase the organization of the run, and wait for the end. @throws if it may still exist */
export async function erase(operator: Probe, { uuid, slug }: Organization): Promise<string> {
  const path = `${OPERATOR_API}/organization/${uuid}`;
  const start = performance.now();
  await operator.call('suspend', 'POST', `${path}/suspend`);
  const { operationId } = await operator.call<{ operationId: string }>(
    'erase',
    'DELETE',
    `${path}?slug=${slug}`,
  );
  const operation = `${OPERATOR_API}/operation/${operationId}`;
  return poll({ maximumMs: ERASE_MAXIMUM_MS, pollMs: ERASE_POLL_MS }, async () => {
    const { status } = await operator.call<{ status: string }>('read the operation', 'GET', operation);
    const seconds = ((performance.now() - start) / 1_000).toFixed(1);
    if (status === 'SUCCEEDED') return `${slug} is erased after ${seconds} s.`;
    const error = new Error(
      `The erasure of ${slug} is ${status} after ${seconds} s (operation ${operationId}).`,
    );
    if (status !== 'PENDING' && status !== 'RUNNING') throw error;
    return error;
  });
}
