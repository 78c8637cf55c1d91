import type {
  AlertEvent,
  Asset,
  CustomFieldValue,
  GateListing,
  LoadingRecord,
  Manifest,
  Shipment,
  Track,
} from '../demo/answers.ts';
import type { WmsExport } from './export.ts';
import type { PlannedScan, WmsShipment } from './shipments.ts';

/** The data that the service must hold. */
export interface Plan extends WmsExport {
  shipments: readonly WmsShipment[];
  /** The scans at the gates, by shipment id. */
  scans: ReadonlyMap<string, readonly PlannedScan[]>;
  markerCodeStart: number;
}

/** The data that the organization holds. */
export interface Found {
  manifests: Manifest[];
  tracks: Track[];
  shipments: Shipment[];
  alerts: AlertEvent[];
  gates: GateListing[];
  /** By manifest. */
  assets: Map<string, Asset[]>;
  /** By shipment. */
  records: Map<string, LoadingRecord[]>;
  /** Totals that the service returns, by query. */
  totals: Map<string, number>;
}

/** One line of the summary. It is right if both numbers are equal. */
export interface Row {
  what: string;
  expected: number;
  found: number;
  /** Some names of items that differ. */
  odd: string[];
}

const ODD_MAXIMUM = 3;

/** A row that counts how many wanted names are among the right ones. A name counts once. */
export function matching(what: string, wanted: Iterable<string>, right: Iterable<string>): Row {
  const names = new Set(wanted);
  const good = new Set(right);
  const odd = [...names].filter((name) => !good.has(name));
  return { what, expected: names.size, found: names.size - odd.length, odd: odd.slice(0, ODD_MAXIMUM) };
}

/** A row of two numbers. */
export const counting = (what: string, expected: number, found: number): Row => ({
  what,
  expected,
  found,
  odd: [],
});

/** Whether two lists have the same custom fields, in any order. */
export function sameFields(found: readonly CustomFieldValue[], wanted: readonly CustomFieldValue[]): boolean {
  const text = (fields: readonly CustomFieldValue[]): string =>
    JSON.stringify(fields.map(({ fieldKey, fieldValue }) => [fieldKey, fieldValue]).sort());
  return text(found) === text(wanted);
}

/** Whether the counts equal the number of pallets and of loaded pallets. */
export function sameCounts(
  found: { tracksCount: number; totalAssetsCount: number; loadedAssetsCount: number },
  pallets: number,
  loaded: number,
): boolean {
  const { tracksCount, totalAssetsCount, loadedAssetsCount } = found;
  return tracksCount === pallets && totalAssetsCount === pallets && loadedAssetsCount === loaded;
}
