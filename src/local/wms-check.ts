import type { ApiClient } from './demo-client.ts';
import { eachAtOnce } from './demo-output.ts';
import { API } from './demo-provision.ts';
import type { Field, WmsExport, WmsOrder } from './wms-export.ts';

/** One line of the summary: adds up where both are the same. */
export interface Row {
  what: string;
  expected: number;
  found: number;
}

interface Manifest {
  externalIdentifier: string;
  manifestStatus: string;
  tracksCount: number;
  gate: { externalIdentifier: string } | null;
  customFields: Field[];
  validationErrors: unknown;
}

interface Track {
  wmsId: string;
  markerCode: number;
  trackStatus: string;
  customFields: Field[];
  manifests: { manifestExternalId: string }[];
}

interface Asset {
  trackIdentifier: string;
  track: { wmsId: string; markerCode: number } | null;
}

/** Read all that the organization holds and set it against the export. */
export async function compare(
  client: ApiClient,
  wms: WmsExport,
  markerCodeStart: number,
  atOnce: number,
): Promise<Row[]> {
  const manifests = await all<Manifest>(client, `${API}/manifest?pageSize=100`);
  const tracks = await all<Track>(client, `${API}/track?pageSize=100`);
  const assets = await assetsOf(client, manifests, atOnce);
  return [
    ...manifestRows(wms.orders, manifests),
    ...assetRows(wms.orders, assets),
    ...trackRows(wms.orders, tracks),
    ...codeRows(
      tracks.map((track) => track.markerCode),
      markerCodeStart,
      wms.orders.reduce((total, order) => total + order.pallets.length, 0),
    ),
  ];
}

async function all<T>(client: ApiClient, path: string): Promise<T[]> {
  const items: T[] = [];
  for await (const item of client.walk<T>(path)) items.push(item);
  return items;
}

async function assetsOf(
  client: ApiClient,
  manifests: readonly Manifest[],
  atOnce: number,
): Promise<Map<string, Asset[]>> {
  const found = new Map<string, Asset[]>();
  await eachAtOnce(manifests, atOnce, async ({ externalIdentifier }) => {
    const path = `${API}/manifest/${encodeURIComponent(externalIdentifier)}/asset`;
    found.set(externalIdentifier, (await client.request<Asset[]>('GET', path)).body);
  });
  return found;
}

function manifestRows(orders: readonly WmsOrder[], manifests: readonly Manifest[]): Row[] {
  const wanted = new Map(orders.map((order) => [order.manifestId, order]));
  const asExported = manifests.filter((manifest) => {
    const order = wanted.get(manifest.externalIdentifier);
    return (
      order !== undefined &&
      manifest.manifestStatus === statusOf(order) &&
      (manifest.gate?.externalIdentifier ?? null) === (order.shipped ? order.gateId : null) &&
      manifest.tracksCount === order.pallets.length &&
      sameFields(manifest.customFields, order.fields) &&
      manifest.validationErrors === null
    );
  });
  const inStatus = (status: string): Row => ({
    what: `  ${status}`,
    expected: orders.filter((order) => statusOf(order) === status).length,
    found: manifests.filter((manifest) => manifest.manifestStatus === status).length,
  });
  return [
    { what: 'manifests', expected: orders.length, found: manifests.length },
    inStatus('COMPLETED'),
    inStatus('PLANNED'),
    {
      what: '  with the status, gate, fields of the order',
      expected: orders.length,
      found: count(asExported, (manifest) => manifest.externalIdentifier),
    },
  ];
}

function assetRows(orders: readonly WmsOrder[], assets: ReadonlyMap<string, Asset[]>): Row[] {
  const listed = [...assets].flatMap(([manifestId, found]) =>
    found.map((asset) => ({ ...asset, place: `${manifestId} ${asset.trackIdentifier}` })),
  );
  const places = new Set(
    orders.flatMap(({ manifestId, pallets }) => pallets.map((p) => `${manifestId} ${p.sscc}`)),
  );
  const asExported = listed.filter((asset) => places.has(asset.place));
  const linked = asExported.filter((asset) => asset.track?.wmsId === asset.trackIdentifier);
  return [
    { what: 'assets', expected: places.size, found: listed.length },
    {
      what: '  on the manifest of their order',
      expected: places.size,
      found: count(asExported, (a) => a.place),
    },
    { what: '  linked to their track', expected: places.size, found: count(linked, (a) => a.place) },
  ];
}

function trackRows(orders: readonly WmsOrder[], tracks: readonly Track[]): Row[] {
  const wanted = new Map(
    orders.flatMap(({ manifestId, pallets }) =>
      pallets.map(({ sscc, fields }) => [sscc, { manifestId, fields }] as const),
    ),
  );
  const asExported = tracks.filter((track) => {
    const pallet = wanted.get(track.wmsId);
    return (
      pallet !== undefined &&
      track.trackStatus === 'ACTIVE' &&
      track.manifests.length === 1 &&
      track.manifests[0]!.manifestExternalId === pallet.manifestId &&
      sameFields(track.customFields, pallet.fields)
    );
  });
  return [
    { what: 'tracks', expected: wanted.size, found: tracks.length },
    {
      what: '  with the manifest and fields of the line',
      expected: wanted.size,
      found: count(asExported, (track) => track.wmsId),
    },
  ];
}

/** A distinct code for each pallet, from the first code of the organization on, without a gap. */
function codeRows(codes: readonly number[], start: number, pallets: number): Row[] {
  const distinct = [...new Set(codes)].sort((a, b) => a - b);
  const gaps = distinct.filter((code, index) => index > 0 && code !== distinct[index - 1]! + 1).length;
  return [
    { what: 'marker codes, distinct', expected: pallets, found: distinct.length },
    { what: '  first', expected: start, found: distinct[0] ?? start },
    { what: '  last', expected: start + pallets - 1, found: distinct.at(-1) ?? start - 1 },
    { what: '  gaps', expected: 0, found: gaps },
  ];
}

const statusOf = ({ shipped }: WmsOrder): string => (shipped ? 'COMPLETED' : 'PLANNED');

/** How many different ones. */
const count = <T>(items: readonly T[], identity: (item: T) => string): number =>
  new Set(items.map(identity)).size;

function sameFields(found: readonly Field[], wanted: readonly Field[]): boolean {
  const text = (fields: readonly Field[]): string =>
    JSON.stringify(fields.map(({ fieldKey, fieldValue }) => [fieldKey, fieldValue]).sort());
  return text(found) === text(wanted);
}
