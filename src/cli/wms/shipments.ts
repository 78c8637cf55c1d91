import type { CustomFieldValue } from '../demo/answers.ts';
import type { ConfiguredField } from '../demo/provision.ts';
import type { WmsOrder } from './export.ts';

/** Custom fields of the shipments of an export. */
export const SHIPMENT_FIELDS: readonly ConfiguredField[] = [
  { fieldKey: 'shipper', fieldType: 'TEXT' },
  { fieldKey: 'shippedDate', fieldType: 'TEXT' },
  { fieldKey: 'orders', fieldType: 'NUMBER' },
];

/** Maximum number of scans in one request. */
export const BATCH_MAXIMUM = 100;

/** One in this many shipments gets a pallet of the next shipment. Every second of these gets two. */
const WRONG_EVERY = 12;
/** One in this many shipments gets a pallet with an unknown marker. */
const UNKNOWN_EVERY = 20;

/** The orders that one shipper takes on one day. */
export interface WmsShipment {
  shipmentId: string;
  gateId: string;
  orders: WmsOrder[];
  fields: CustomFieldValue[];
}

/** A scan that a camera will send at the gate of a shipment, and its expected outcome. */
export interface PlannedScan {
  /** Equal in every run. */
  scanId: string;
  markerCode: number;
  /** The pallet with this marker; null if the marker is unknown. */
  sscc: string | null;
  outcome: 'LOADED' | 'WRONGLY_LOADED' | 'UNKNOWN_LOADING';
}

/** Group the shipped orders by day and shipper. @returns the groups in that order. */
export function shipmentsOf(orders: readonly WmsOrder[]): WmsShipment[] {
  const groups = new Map<string, WmsShipment>();
  for (const order of orders) {
    const { shippedDay, shipper, gateId } = order;
    if (shippedDay === undefined) continue;
    const shipmentId = `SHIP-${shippedDay}-${shipper.id}`;
    const group = groups.get(shipmentId);
    if (group) {
      group.orders.push(order);
      continue;
    }
    const fields = [
      { fieldKey: 'shipper', fieldValue: shipper.name },
      { fieldKey: 'shippedDate', fieldValue: shippedDay },
    ];
    groups.set(shipmentId, { shipmentId, gateId, orders: [order], fields });
  }
  for (const { orders: members, fields } of groups.values()) {
    fields.push({ fieldKey: 'orders', fieldValue: String(members.length) });
  }
  return [...groups.values()].sort((a, b) => (a.shipmentId < b.shipmentId ? -1 : 1));
}

/**
 * The scans at the gate of each shipment, by shipment id. They contain all pallets of its orders. Some
 * shipments get wrong pallets, too, chosen by their position in the list. A list of one shipment has no
 * pallet of another shipment to use. `codes` contains the marker of each pallet.
 */
export function scansOf(
  shipments: readonly WmsShipment[],
  codes: ReadonlyMap<string, number>,
): Map<string, PlannedScan[]> {
  return new Map(
    shipments.map((shipment, index) => {
      const own = palletsOf(shipment).map((sscc) => scanOf(`load:${sscc}`, sscc, codes, 'LOADED'));
      return [shipment.shipmentId, [...straysOf(shipments, index, codes), ...own]];
    }),
  );
}

/** Split items into batches for one request each. */
export function batchesOf<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / BATCH_MAXIMUM) }, (_, index) =>
    items.slice(index * BATCH_MAXIMUM, (index + 1) * BATCH_MAXIMUM),
  );
}

/** The SSCCs of all pallets of a shipment. */
export const palletsOf = (shipment: WmsShipment): string[] =>
  shipment.orders.flatMap((order) => order.pallets.map((pallet) => pallet.sscc));

function scanOf(
  scanId: string,
  sscc: string,
  codes: ReadonlyMap<string, number>,
  outcome: PlannedScan['outcome'],
): PlannedScan {
  const markerCode = codes.get(sscc);
  if (markerCode === undefined) throw new Error(`Pallet ${sscc} has no marker.`);
  return { scanId, markerCode, sscc, outcome };
}

function straysOf(
  shipments: readonly WmsShipment[],
  index: number,
  codes: ReadonlyMap<string, number>,
): PlannedScan[] {
  const { shipmentId } = shipments[index]!;
  const next = shipments[(index + 1) % shipments.length]!;
  const count =
    next.shipmentId === shipmentId || index % WRONG_EVERY > 0 ? 0 : 1 + ((index / WRONG_EVERY) % 2);
  const strays = palletsOf(next)
    .slice(0, count)
    .map((sscc) => scanOf(`wrong:${shipmentId}:${sscc}`, sscc, codes, 'WRONGLY_LOADED'));
  if (index % UNKNOWN_EVERY === 0) {
    // A code from the end of the possible range, which no organization reaches.
    const markerCode = Number.MAX_SAFE_INTEGER - index;
    strays.push({ scanId: `unknown:${shipmentId}`, markerCode, sscc: null, outcome: 'UNKNOWN_LOADING' });
  }
  return strays;
}
