import { counting, type Found, matching, type Plan, type Row, sameCounts, sameFields } from './check-row.ts';
import type { WmsOrder } from './export.ts';

/** Compare orders with manifests. */
export function manifestRows({ orders }: Plan, { manifests }: Found): Row[] {
  const wanted = new Map(orders.map((order) => [order.manifestId, order]));
  const asExported = manifests.filter((manifest) => {
    const order = wanted.get(manifest.externalIdentifier);
    if (order === undefined) return false;
    const shipped = isShipped(order);
    return (
      manifest.manifestStatus === (shipped ? 'COMPLETED' : 'PLANNED') &&
      (manifest.gate?.externalIdentifier ?? null) === (shipped ? order.gateId : null) &&
      (manifest.activateDate !== null) === shipped &&
      (manifest.closeDate !== null) === shipped &&
      sameCounts(manifest, order.pallets.length, shipped ? order.pallets.length : 0) &&
      sameFields(manifest.customFields, order.fields) &&
      manifest.validationErrors === null
    );
  });
  return [
    counting('manifests', orders.length, manifests.length),
    matching(
      '  with status, gate, dates, counts, fields',
      wanted.keys(),
      asExported.map((manifest) => manifest.externalIdentifier),
    ),
  ];
}

/** Compare order lines with the assets of manifests. */
export function assetRows({ orders }: Plan, { assets }: Found): Row[] {
  const gates = new Map(orders.map((order) => [order.manifestId, isShipped(order) ? order.gateId : null]));
  const listed = [...assets].flatMap(([manifestId, found]) =>
    found.map((asset) => ({ ...asset, manifestId, place: `${manifestId} ${asset.trackIdentifier}` })),
  );
  const wanted = orders.flatMap((order) =>
    order.pallets.map(({ sscc }) => ({ place: `${order.manifestId} ${sscc}`, shipped: isShipped(order) })),
  );
  const places = wanted.map(({ place }) => place);
  const shipped = wanted.filter((pallet) => pallet.shipped).map(({ place }) => place);
  const linked = listed.filter((asset) => asset.track?.wmsId === asset.trackIdentifier);
  const loaded = listed.filter(
    ({ loadingStatus, gate, manifestId }) =>
      loadingStatus === 'LOADED' && gate?.externalIdentifier === gates.get(manifestId),
  );
  const placesOf = (found: readonly { place: string }[]): string[] => found.map(({ place }) => place);
  return [
    counting('assets', places.length, listed.length),
    matching('  on the manifest of their order', places, placesOf(listed)),
    matching('  linked to their track', places, placesOf(linked)),
    matching('  LOADED at the gate of the shipper', shipped, placesOf(loaded)),
    counting(
      '  NOT_LOADED',
      wanted.length - shipped.length,
      listed.filter((asset) => asset.loadingStatus === 'NOT_LOADED').length,
    ),
  ];
}

/** Compare order lines with tracks. */
export function trackRows({ orders }: Plan, { tracks }: Found): Row[] {
  const wanted = new Map(
    orders.flatMap((order) => order.pallets.map((pallet) => [pallet.sscc, { ...pallet, order }] as const)),
  );
  const asExported = tracks.filter((track) => {
    const pallet = wanted.get(track.wmsId);
    const [manifest, ...others] = track.manifests;
    return (
      pallet !== undefined &&
      track.trackStatus === 'ACTIVE' &&
      others.length === 0 &&
      manifest?.manifestExternalId === pallet.order.manifestId &&
      manifest.loadingStatus === (isShipped(pallet.order) ? 'LOADED' : 'NOT_LOADED') &&
      sameFields(track.customFields, pallet.fields)
    );
  });
  return [
    counting('tracks', wanted.size, tracks.length),
    matching(
      '  with the manifest and fields of the line',
      wanted.keys(),
      asExported.map((track) => track.wmsId),
    ),
  ];
}

/** Each pallet has a distinct code. The codes start at the first code of the organization and have no gap. */
export function codeRows({ orders, markerCodeStart: start }: Plan, { tracks }: Found): Row[] {
  const pallets = orders.reduce((total, order) => total + order.pallets.length, 0);
  const distinct = [...new Set(tracks.map((track) => track.markerCode))].sort((a, b) => a - b);
  const gaps = distinct.filter((code, index) => index > 0 && code !== distinct[index - 1]! + 1).length;
  return [
    counting('marker codes, distinct', pallets, distinct.length),
    counting('  first', start, distinct[0] ?? start),
    counting('  last', start + pallets - 1, distinct.at(-1) ?? start - 1),
    counting('  gaps', 0, gaps),
  ];
}

const isShipped = ({ shippedDay }: WmsOrder): boolean => shippedDay !== undefined;
