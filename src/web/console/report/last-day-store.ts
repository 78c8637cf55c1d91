import { type SQL, sql } from 'drizzle-orm';
import type { RowsOf } from '../../../core/lib/asks.ts';
import type { Scope } from '../../../core/lib/scope.ts';
import { DAY_MS, HOUR_MS } from '../../../core/lib/time.ts';
import { changedSince } from '../../../dispatch/load/shared/asset-store.ts';

/** Hours in the chart, including the current one. */
const HOURS = 24;

/** The last 24 hours. Loaded pallets: the current hour and the 23 hours before it. */
export interface LastDay {
  /** Its beginning, in epoch milliseconds. */
  since: number;
  loaded: number;
  shipments: number;
  manifests: number;
  alerts: number;
  /** Loaded pallets by hour, the current hour last. */
  hours: { begin: number; loaded: number }[];
}

type Counts = Pick<LastDay, 'shipments' | 'manifests' | 'alerts'>;

/** Completed since an instant. */
const completedOf = (
  organization: string,
  table: 'manifest' | 'shipment',
  status: SQL,
  since: number,
): SQL => sql`(SELECT count(*) FROM ${sql.identifier(table)} WHERE organization_uuid = ${organization}
    AND deleted_date IS NULL AND +${status} = 'COMPLETED' AND close_date >= ${since})`;

/** Not a parameter: D1 binds numbers as doubles, and their division does not round down. */
const hour = sql.raw(String(HOUR_MS));

const beginOfHour = (at: number): number => Math.floor(at / HOUR_MS) * HOUR_MS;
const firstHour = (now: number): number => beginOfHour(now) - (HOURS - 1) * HOUR_MS;

/** The reads of the last 24 hours. Loading a pallet updates its manifest, so only these manifests are searched. */
export function askLastDay({ organization }: Scope, now: number): { counts: SQL<Counts>; loaded: SQL<Hour> } {
  const since = now - DAY_MS;
  return {
    counts: sql<Counts>`SELECT
      ${completedOf(organization, 'shipment', sql`status`, since)} AS shipments,
      ${completedOf(organization, 'manifest', sql`manifest_status`, since)} AS manifests,
      (SELECT count(*) FROM alert WHERE organization_uuid = ${organization} AND create_date >= ${since}) AS alerts`,
    loaded: sql<Hour>`SELECT a.loading_date / ${hour} * ${hour} AS begin, count(DISTINCT a.wms_id) AS loaded
      FROM ${changedSince(organization, 'manifest', firstHour(now))} m CROSS JOIN asset_loading a
        ON a.organization_uuid = ${organization} AND a.manifest_uuid = m.uuid AND a.loading_status = 'LOADED'
      WHERE a.loading_date >= ${firstHour(now)} GROUP BY begin`,
  };
}

type Hour = LastDay['hours'][number];

/** The last 24 hours from their rows. */
export function lastDayOf({ counts, loaded }: RowsOf<ReturnType<typeof askLastDay>>, now: number): LastDay {
  const byHour = new Map(loaded.map((row) => [row.begin, row.loaded]));
  const hours = Array.from({ length: HOURS }, (_, index) => {
    const begin = firstHour(now) + index * HOUR_MS;
    return { begin, loaded: byHour.get(begin) ?? 0 };
  });
  return {
    since: now - DAY_MS,
    ...counts[0]!,
    hours,
    loaded: hours.reduce((sum, { loaded: pallets }) => sum + pallets, 0),
  };
}
