import { newPerson, startWorld } from '../pages/browser.ts';
import { type Dock, newDock } from '../pages/dock.ts';
import type { ManualLanguage } from './reader.ts';

/** The names of the warehouse in each language. */
export const NAMES = {
  en: { gates: ['Dock 01', 'Dock 02', 'Dock 03'], carriers: ['Federal Shipping', 'United Package'] },
  de: { gates: ['Tor 01', 'Tor 02', 'Tor 03'], carriers: ['Spedition Nord', 'Spedition Süd'] },
};

const FIELDS = [
  { fieldKey: 'departure', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' },
  { fieldKey: 'carrier', fieldType: 'TEXT', role: 'CARRIER' },
  { fieldKey: 'vehicle', fieldType: 'TEXT', role: 'VEHICLE' },
  { fieldKey: 'seal', fieldType: 'TEXT', role: 'SEAL' },
];

/** A truck of the day. */
interface Truck {
  name: string;
  /** The external id of its gate. */
  gate?: string;
  /** Minutes from now to the planned departure. */
  departs?: number;
  carrier?: 0 | 1;
  /** WMS ids of pallets by manifest. */
  orders: Record<string, readonly string[]>;
}

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;

/** The service and browser of a walk. A test file awaits them at its top. */
export const world = await startWorld();

/** The warehouse of a manual, with its administrator. */
export interface Warehouse {
  dock: Dock;
  admin: Awaited<ReturnType<typeof newPerson>>;
  /** Plans a truck. */
  ship(truck: Truck): Promise<{ uuid: string }>;
  /** Starts loading a truck, and loads pallets. */
  load(name: string, pallets: readonly string[]): Promise<void>;
}

/** Creates the warehouse of a manual in a language. */
export async function warehouse(
  manual: string,
  language: ManualLanguage,
  settings: Record<string, unknown> = {},
): Promise<Warehouse> {
  const { gates, carriers } = NAMES[language];
  const dock = await newDock(
    world,
    `manual-${manual}-${language}`,
    { G1: gates[0]!, G2: gates[1]!, G3: gates[2]! },
    {
      name: 'Northwind',
      dispatchStrategy: 'SHIPMENT',
      shipmentCustomFields: FIELDS,
      timeZone: 'Europe/Berlin',
      ...settings,
    },
  );
  return {
    dock,
    admin: await newPerson(world, dock, 'ADMINISTRATOR', 'Robin Field'),
    async ship({ name, gate, departs, carrier = 0, orders }) {
      for (const [externalIdentifier, assets] of Object.entries(orders))
        await dock.must('POST', '/manifest', { externalIdentifier, assets });
      const at = new Date(Math.floor(Date.now() / QUARTER_MS) * QUARTER_MS + (departs ?? 0) * MINUTE_MS);
      return dock.must('POST', '/shipment', {
        identifier: name,
        gateIdentifier: gate,
        manifests: Object.keys(orders).map((manifestExternalId) => ({ manifestExternalId })),
        customFields: [
          ...(departs === undefined ? [] : [{ fieldKey: 'departure', fieldValue: at.toISOString() }]),
          { fieldKey: 'carrier', fieldValue: carriers[carrier] },
          { fieldKey: 'vehicle', fieldValue: 'WND 5521' },
        ],
      });
    },
    async load(name, pallets) {
      await dock.must('POST', `/shipment/${name}/status/IN_PROGRESS`);
      for (const pallet of pallets)
        await dock.must('PATCH', `/shipment/${name}/asset-loading/track/${pallet}/status`, {
          status: 'LOADED',
        });
    },
  };
}
