import type { ApiClient } from '../../client/client.ts';
import type { Manifest, Shipment } from '../demo/answers.ts';
import { API } from '../demo/provision.ts';
import { assetRows, codeRows, manifestRows, trackRows } from './check-orders.ts';
import { counting, type Found, type Plan, type Row } from './check-row.ts';
import { alertRows, gateRows, recordRows, shipmentRows } from './check-shipments.ts';
import { eachAtOnce } from './phases.ts';

/** Read all data of the organization and compare it with the export. */
export async function compare(client: ApiClient, plan: Plan, atOnce: number): Promise<Row[]> {
  const manifests = await all<Manifest>(client, 'manifest');
  const shipments = await all<Shipment>(client, 'shipment');
  return rowsOf(plan, {
    manifests,
    shipments,
    tracks: await all(client, 'track'),
    alerts: await all(client, 'alert-event'),
    gates: await all(client, 'gate'),
    assets: await ofEach(client, 'manifest', 'asset', manifests, atOnce),
    records: await ofEach(client, 'shipment', 'asset-loading', shipments, atOnce),
    totals: await totalsOf(client, [...expectedTotals(plan).keys()]),
  });
}

/** The rows of all comparisons. */
export function rowsOf(plan: Plan, found: Found): Row[] {
  return [
    ...manifestRows(plan, found),
    ...assetRows(plan, found),
    ...trackRows(plan, found),
    ...codeRows(plan, found),
    ...shipmentRows(plan, found),
    ...recordRows(plan, found),
    ...alertRows(plan, found),
    ...gateRows(plan, found),
    ...[...expectedTotals(plan)].map(([query, expected]) =>
      counting(`total of /${query}`, expected, found.totals.get(query) ?? Number.NaN),
    ),
  ];
}

/** The totals that the service must return, by query. */
export function expectedTotals({ orders, shipments }: Plan): Map<string, number> {
  const shipped = orders.filter((order) => order.shippedDay !== undefined).length;
  return new Map([
    ['manifest?manifestStatus=COMPLETED', shipped],
    ['manifest?manifestStatus=PLANNED', orders.length - shipped],
    ['manifest?manifestStatus=TO_DO,IN_PROGRESS,CANCELLED', 0],
    ['shipment?status=COMPLETED', shipments.length],
    ['shipment?status=PLANNED,TO_DO,IN_PROGRESS,CANCELLED', 0],
    ['alert-event?status=OPEN', 0],
  ]);
}

async function all<T>(client: ApiClient, resource: string): Promise<T[]> {
  const items: T[] = [];
  for await (const item of client.walk<T>(`${API}/${resource}?pageSize=100`)) items.push(item);
  return items;
}

/** Read a list of each resource. @returns the lists by the resource's identifier. */
async function ofEach<T>(
  client: ApiClient,
  resource: string,
  list: string,
  owners: readonly { externalIdentifier: string }[],
  atOnce: number,
): Promise<Map<string, T[]>> {
  const found = new Map<string, T[]>();
  await eachAtOnce(owners, atOnce, async ({ externalIdentifier }) => {
    const path = `${API}/${resource}/${encodeURIComponent(externalIdentifier)}/${list}`;
    found.set(externalIdentifier, (await client.request<T[]>('GET', path)).body);
  });
  return found;
}

async function totalsOf(client: ApiClient, queries: readonly string[]): Promise<Map<string, number>> {
  const totals = new Map<string, number>();
  for (const query of queries) {
    const path = `${API}/${query}&pageSize=1`;
    totals.set(query, (await client.request<{ totalElements: number }>('GET', path)).body.totalElements);
  }
  return totals;
}
