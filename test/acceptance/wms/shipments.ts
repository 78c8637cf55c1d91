import type { Field } from '../../../src/cli/demo-answers.ts';
import type { ConfiguredField } from '../../../src/cli/demo-provision.ts';
import type { WmsOrder } from './export.ts';

/** Custom fields of the shipments of an export. */
export const SHIPMENT_FIELDS: readonly ConfiguredField[] = [
  { fieldKey: 'shipper', fieldType: 'TEXT' },
  { fieldKey: 'shippedDate', fieldType: 'TEXT' },
  { fieldKey: 'orders', fieldType: 'NUMBER' },
];

/** Scans that one request may carry. */
export const BATCH_MAXIMUM = 100;

/** Of so many shipments, one gets a pallet of the next, and every other of these gets two. */
const WRONG_EVERY = 12;
/** Of so many shipments, one gets a pallet whose marker nobody knows. */
const UNKNOWN_EVERY = 20;

/** What leaves by one shipper on one day. */
export interface WmsShipment {
  shipmentId: string;
  gateId: string;
  orders: WmsOrder[];
  fields: Field[];
}

/** What a camera is going to read at the gate of a shipment, and what is to come of it. */
export interface PlannedScan {
  /** The same in every run. */
  scanId: string;
  markerCode: number;
  /** The pallet that has the marker; null where nobody knows it. */
  sscc: string | null;
  outcome: 'LOADED' | 'WRONGLY_LOADED' | 'UNKNOWN_LOADING';
}

/** The orders that were shipped, by day and shipper, in the order of both. */
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
 * What is scanned at the gate while each shipment is loaded, by shipment id: all pallets of its orders, and with
 * some of them what does not belong there, chosen by their place in the list. In a list of one shipment nobody's
 * pallet can be wrong. `codes` has the marker of each pallet.
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

/** In portions that a request may carry. */
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
  if (markerCode === undefined) throw new Error(`Pallet ${sscc} has no marker`);
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
    // From the far end of all codes there can be: no organization gets there.
    const markerCode = Number.MAX_SAFE_INTEGER - index;
    strays.push({ scanId: `unknown:${shipmentId}`, markerCode, sscc: null, outcome: 'UNKNOWN_LOADING' });
  }
  return strays;
}
