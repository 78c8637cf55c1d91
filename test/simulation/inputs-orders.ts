import type { Draw, Drawings, Seen } from './draw.ts';

/** A name for each item, without repeats. */
const names = (count: number, name: () => string): string[] => [
  ...new Set(Array.from({ length: count }, name)),
];

/** Pallets of an order: some known ones, and some that have no marker yet. */
const palletsOf = (draw: Draw, seen: Seen): string[] => [
  ...names(draw.between(0, 2), draw.wmsId),
  ...names(draw.between(1, 4), () => `A${++seen.count}`),
];

/** The orders of a file. Some of their names are in use already. The trucks of `loading` are named L. */
function orders(draw: Draw, seen: Seen) {
  const gateIdentifier = draw.chance(60) ? draw.gate() : null;
  const truck = (): string =>
    gateIdentifier === null || draw.chance(30) ? draw.shipment() : `L${++seen.count}`;
  const shipments = names(draw.between(0, 2), truck);
  const manifests = names(draw.between(1, 3), () => (draw.chance(15) ? draw.manifest() : `O${++seen.count}`));
  return {
    gateIdentifier,
    orders: manifests.map((externalIdentifier) => ({
      externalIdentifier,
      assets: palletsOf(draw, seen),
      shipment: draw.chance(80) ? (draw.random.pick(shipments) ?? null) : null,
    })),
    shipments: shipments.map((externalIdentifier) => ({ externalIdentifier, customFields: draw.fields() })),
  };
}

/** Commands that make many things at once: loads from a file of orders, and markers for their pallets. */
export const ORDERS: Drawings = [
  [5, (draw, seen) => ({ name: 'createOrders', input: orders(draw, seen) })],
  [
    7,
    async (draw, seen) => {
      const of = draw.of(['manifest', 'manifest', 'shipment'] as const);
      const found = await seen.latest(of);
      const uuids = names(draw.between(1, 4), () => (draw.random.pick(found)?.['uuid'] ?? '') as string);
      return found.length === 0 ? undefined : { name: 'coupleAssets', input: { of, uuids } };
    },
  ],
];
