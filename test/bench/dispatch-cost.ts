import { type Send, type Shot, succeed } from './client.ts';
import { type Cost, costOf } from './cost.ts';
import { API, couplePallets, DEVICE_API, inParallel, provision } from './seed.ts';

const GATE = 'COST';
/** Maximum number of scans in one request. */
const SCANS_MAXIMUM = 100;

/** Shipments to measure: number of manifests, and of pallets in each. */
const SIZES = [
  { manifests: 1, pallets: 1 },
  { manifests: 1, pallets: 20 },
  { manifests: 50, pallets: 100 },
];

/** The cost of each step for shipments of different sizes. */
export interface Scaled {
  /** Number of pallets of each shipment. */
  sizes: number[];
  steps: { name: string; costs: Cost[] }[];
}

/** Measure each step in the life of a shipment, for shipments of 1, 20 and 5,000 pallets. */
export async function dispatchCosts(service: string): Promise<Scaled> {
  const { send, device } = await provision(service, 'shipping', [GATE]);
  const lives: Cost[][] = [];
  for (const size of SIZES) lives.push(await life(send, device, size));
  return {
    sizes: SIZES.map(({ manifests, pallets }) => manifests * pallets),
    steps: lives[0]!.map(({ name }, index) => ({ name, costs: lives.map((costs) => costs[index]!) })),
  };
}

async function life(
  send: Send,
  device: Send,
  { manifests, pallets }: (typeof SIZES)[number],
): Promise<Cost[]> {
  const prefix = `${manifests}x${pallets}`;
  const shipment = `/shipment/${prefix}`;
  const names = Array.from({ length: manifests }, (_, index) => `${prefix}-M${index}`);
  const assetsOf = (name: string) => Array.from({ length: pallets }, (_, index) => `${name}-P${index}`);
  const wmsIds = names.flatMap(assetsOf);
  const codes = await couplePallets(send, wmsIds);
  const first = `${prefix}-FIRST`;
  await inParallel([first, ...names], (externalIdentifier) => {
    const assets = externalIdentifier === first ? [] : assetsOf(externalIdentifier);
    return succeed(send, { method: 'POST', path: `${API}/manifest`, json: { externalIdentifier, assets } });
  });
  const costs: Cost[] = [];
  const step = async (name: string, by: Send, shot: Shot) => costs.push((await costOf(name, by, shot)).cost);
  const post = (name: string, path: string, json?: unknown) =>
    step(name, send, { method: 'POST', path: `${API}${path}`, json });
  const get = (name: string, path: string) => step(name, send, { method: 'GET', path: `${API}${path}` });
  const references = (named: string[]) => ({
    manifests: named.map((manifestExternalId) => ({ manifestExternalId })),
  });
  const scan = (wmsId: string, direction: 'LOAD' | 'UNLOAD') => ({
    scanId: `${direction} ${wmsId}`,
    markerCode: codes.get(wmsId),
    direction,
  });
  const create = { identifier: prefix, gateIdentifier: GATE };

  await post('create, of all manifests', '/shipment', { ...create, ...references(names) });
  await step('delete', send, { method: 'DELETE', path: `${API}${shipment}` });
  await post('create, of one', '/shipment', { ...create, ...references([first]) });
  await post('attach all others', `${shipment}/manifest`, references(names));
  await post('start', `${shipment}/status/IN_PROGRESS`);
  await step('a scan', device, {
    method: 'POST',
    path: `${DEVICE_API}/gate/${GATE}/scan`,
    json: scan(wmsIds[0]!, 'LOAD'),
  });
  await step('a batch of scans (1, 20, 100)', device, {
    method: 'POST',
    path: `${DEVICE_API}/gate/${GATE}/scans`,
    json: { scans: wmsIds.slice(0, SCANS_MAXIMUM).map((wmsId) => scan(wmsId, 'UNLOAD')) },
  });
  await step('mark by track', send, {
    method: 'PATCH',
    path: `${API}${shipment}/asset-loading/track/${wmsIds[0]}/status`,
    json: { status: 'LOADED' },
  });
  await get('validate', `${shipment}/validate`);
  await get('get', shipment);
  await get('list assets', `${shipment}/asset`);
  await get('list loading records', `${shipment}/asset-loading`);
  await post('complete', `${shipment}/status/COMPLETED`);
  return costs;
}
