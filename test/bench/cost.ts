import { type Answer, type Send, type Shot, succeed } from './client.ts';
import { API, type Tenant } from './seed.ts';

/** The cost of one request. */
export interface Cost {
  name: string;
  roundTrips: number;
  rowsRead: number;
  rowsWritten: number;
  milliseconds: number;
  bytes: number;
}

/**
 * Send one request to each endpoint and read the cost from `Server-Timing`. The round trips and rows do not
 * depend on the machine. Writers are warm: each has done something before.
 */
export async function costs(small: Tenant, large: Tenant): Promise<Cost[]> {
  const rows: Cost[] = [];
  const measure = async (name: string, tenant: Tenant, shot: Shot): Promise<Answer> => {
    const { answer, cost } = await costOf(name, tenant.send, { ...shot, path: `${API}${shot.path}` });
    rows.push(cost);
    return answer;
  };
  const get = (name: string, path: string, tenant = small) => measure(name, tenant, { method: 'GET', path });
  const post = (name: string, path: string, json?: unknown, tenant = small) =>
    measure(name, tenant, { method: 'POST', path, ...(json === undefined ? {} : { json }) });
  const allocate = (name: string, query: string) => post(name, `/marker-code/allocate?${query}`);

  const manifest = `/manifest/${small.manifests.at(-1)}`;
  const allocated = await allocate('allocate 1, URL', 'quantity=1&imageDelivery=URL');
  const markerCode = firstCode(allocated);
  await get('get marker', `/marker-code/${markerCode}`);
  await post('couple', '/track/couple', { markerCode, wmsId: 'COST-1' });
  await get('get marker, coupled', `/marker-code/${markerCode}`);
  await post('get-and-couple, URL', '/track/get-and-couple?imageDelivery=URL', { wmsId: 'COST-2' });
  await get('get track', `/track/${small.tracks.at(-1)}`);
  await get('list tracks', '/track');
  await get('get manifest', manifest);
  await get('list manifests, 100', '/manifest');
  await get('list manifests, 5,000', '/manifest', large);
  await get('list assets (3)', `${manifest}/asset`);
  await get('list loading records (3)', `${manifest}/asset-loading`);
  await get('list gates', '/gate');
  // The same requests in a large organization. A cost that is higher here grows with the organization.
  const many = `/manifest/${large.manifests.at(-1)}`;
  await get('get manifest, of 5,000', many, large);
  await get('list assets, of 5,000', `${many}/asset`, large);
  await post(
    'get-and-couple, of 5,000',
    '/track/get-and-couple?imageDelivery=URL',
    { wmsId: 'COST-9' },
    large,
  );
  await post('status TO_DO, of 5,000', `${many}/status/TO_DO`, undefined, large);
  await post('status CANCELLED, of 5,000', `${many}/status/CANCELLED`, undefined, large);
  const assets = ['COST-1', 'COST-2', 'COST-3'];
  await post('create manifest, 3 assets', '/manifest', { externalIdentifier: 'COST', assets });
  await measure('put manifest', small, {
    method: 'PUT',
    path: '/manifest/COST',
    json: { assets: ['COST-1', 'COST-2', 'COST-4'], customFields: [{ fieldKey: 'dock', fieldValue: '7' }] },
  });
  await post('gate assign', '/manifest/COST/gate/G1');
  await post('status TO_DO', '/manifest/COST/status/TO_DO');
  await post('status IN_PROGRESS', '/manifest/COST/status/IN_PROGRESS');
  await post('status COMPLETED', '/manifest/COST/status/COMPLETED');
  await allocate('allocate 1,000, URL', 'quantity=1000&imageDelivery=URL');
  await allocate('allocate 1,000, BASE64', 'quantity=1000&imageDelivery=BASE64');
  return rows;
}

/** Send one request. @returns its cost and its answer. */
export async function costOf(name: string, send: Send, shot: Shot): Promise<{ cost: Cost; answer: Answer }> {
  const start = performance.now();
  const answer = await succeed(send, shot);
  const milliseconds = performance.now() - start;
  return { cost: { name, ...parseCost(answer), milliseconds, bytes: answer.body.length }, answer };
}

function parseCost({ headers }: Answer): Pick<Cost, 'roundTrips' | 'rowsRead' | 'rowsWritten'> {
  const header = String(headers['server-timing'] ?? '');
  const found = /(\d+) round trips, (\d+) rows read, (\d+) rows written/.exec(header);
  if (!found) throw new Error(`Server-Timing contains no cost: ${header}`);
  const [roundTrips, rowsRead, rowsWritten] = found.slice(1).map(Number) as [number, number, number];
  return { roundTrips, rowsRead, rowsWritten };
}

/** The first code of an allocation. */
export function firstCode(answer: Answer): number {
  return (JSON.parse(answer.body.toString()) as { entries: [{ markerCode: number }] }).entries[0].markerCode;
}
