import { MINUTE_MS } from '../../../core/lib/time.ts';

/** The names of everything in the example day begin with this. */
export const EXAMPLE = 'EXAMPLE-';

/** A truck of the example day. Minutes are from now. */
interface Truck {
  shipment: string;
  carrier: string;
  departsIn: number;
  /** The index of its gate; null without a gate. */
  gate: number | null;
  /** The numbers of pallets of its manifests. */
  manifests: readonly number[];
  status: 'TO_DO' | 'IN_PROGRESS' | 'COMPLETED';
  /** The number of loaded pallets, from the first. */
  loaded: number;
}

/** The trucks of the example day. One has left, one is late, one is being loaded in time, and two wait. */
const TRUCKS: readonly Truck[] = [
  {
    shipment: 'S1',
    carrier: 'North Freight',
    departsIn: -90,
    gate: 3,
    manifests: [4],
    status: 'COMPLETED',
    loaded: 4,
  },
  {
    shipment: 'S2',
    carrier: 'Harbour Line',
    departsIn: -20,
    gate: 1,
    manifests: [6],
    status: 'IN_PROGRESS',
    loaded: 4,
  },
  {
    shipment: 'S3',
    carrier: 'Alpine Cargo',
    departsIn: 35,
    gate: 0,
    manifests: [5, 3],
    status: 'IN_PROGRESS',
    loaded: 5,
  },
  {
    shipment: 'S4',
    carrier: 'North Freight',
    departsIn: 95,
    gate: 2,
    manifests: [4],
    status: 'TO_DO',
    loaded: 0,
  },
  {
    shipment: 'S5',
    carrier: 'Harbour Line',
    departsIn: 150,
    gate: null,
    manifests: [5],
    status: 'TO_DO',
    loaded: 0,
  },
];

/** The gates that the example day needs. */
export const EXAMPLE_GATES = 4;
/** The shipment that is created last. */
export const EXAMPLE_LAST = `${EXAMPLE}S5`;
/** The numbers of shipments and pallets of the example day. */
export const EXAMPLE_SIZE = {
  shipments: TRUCKS.length,
  pallets: TRUCKS.flatMap(({ manifests }) => manifests).reduce((sum, count) => sum + count, 0),
};

/** A shipment of the example day, with its manifests. */
export interface ExampleShipment extends Omit<Truck, 'manifests' | 'departsIn' | 'loaded'> {
  departureDate: number;
  manifests: { externalIdentifier: string; pallets: string[] }[];
  /** The pallets that are loaded. */
  loaded: string[];
}

const QUARTER_MS = 15 * MINUTE_MS;

/** The example day at an instant. Departures are full quarters of an hour. */
export function exampleDay(now: number): ExampleShipment[] {
  return TRUCKS.map(({ departsIn, manifests, loaded, ...truck }, index) => {
    const lists = manifests.map((count, list) => ({
      externalIdentifier: `${EXAMPLE}M${index + 1}${list + 1}`,
      pallets: Array.from(
        { length: count },
        (_, pallet) => `${EXAMPLE}${index + 1}${list + 1}${String(pallet + 1).padStart(2, '0')}`,
      ),
    }));
    return {
      ...truck,
      shipment: `${EXAMPLE}${truck.shipment}`,
      departureDate: Math.round((now + departsIn * MINUTE_MS) / QUARTER_MS) * QUARTER_MS,
      manifests: lists,
      loaded: lists.flatMap(({ pallets }) => pallets).slice(0, loaded),
    };
  });
}

/** Names for gates with numbers: `Dock 01` with the id `D01`. */
export const numberedGates = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const number = String(index + 1).padStart(2, '0');
    return { externalIdentifier: `D${number}`, name: `${prefix} ${number}` };
  });
