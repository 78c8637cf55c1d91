import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../../core/lib/database.ts';
import { parseJson } from '../../../core/lib/json.ts';
import { DAY_MS, HOUR_MS } from '../../../core/lib/time.ts';
import { parseViews, type ViewRow } from '../../../core/lib/view.ts';
import { alertView, type StoredAlert } from '../../../dispatch/alert/store.ts';
import { changedSince } from '../../../dispatch/manifest/changed-store.ts';
import { type Started, startedQuery } from '../start/store.ts';

/** How many open alerts the dashboard shows. */
const ALERTS_SHOWN = 8;
/** Hours in the chart, including the current one. */
const HOURS = 24;

/** Everything that the dashboard shows. */
export interface Dashboard {
  /** Numbers of open shipments and manifests, by status. */
  open: { manifests: Record<string, number>; shipments: Record<string, number> };
  /** Completed in the last 24 hours. */
  day: { loaded: number; manifestsCompleted: number; shipmentsCompleted: number; alertsRaised: number };
  /** Loaded pallets by hour, the current hour last. */
  hours: { begin: number; loaded: number }[];
  openAlerts: number;
  alerts: StoredAlert[];
}

const openOf = (organization: string, table: 'manifest' | 'shipment', status: SQL): SQL => sql`json((SELECT
  json_group_object(status, number) FROM (SELECT ${status} AS status, count(*) AS number FROM ${sql.identifier(table)}
    WHERE organization_uuid = ${organization} AND ${status} IN ('PLANNED', 'TO_DO', 'IN_PROGRESS')
      AND deleted_date IS NULL GROUP BY ${status})))`;

/** Completed since an instant. */
const completedOf = (
  organization: string,
  table: 'manifest' | 'shipment',
  status: SQL,
  since: number,
): SQL => sql`(SELECT
  count(*) FROM ${sql.identifier(table)} WHERE organization_uuid = ${organization} AND deleted_date IS NULL
    AND +${status} = 'COMPLETED' AND close_date >= ${since})`;

const countsQuery = (
  organization: string,
  since: number,
): SQL<
  ViewRow<SQL<Pick<Dashboard, 'open' | 'openAlerts'> & Omit<Dashboard['day'], 'loaded'>>>
> => sql`SELECT json_object(
  'open', json_object('manifests', ${openOf(organization, 'manifest', sql`manifest_status`)},
    'shipments', ${openOf(organization, 'shipment', sql`status`)}),
  'manifestsCompleted', ${completedOf(organization, 'manifest', sql`manifest_status`, since)},
  'shipmentsCompleted', ${completedOf(organization, 'shipment', sql`status`, since)},
  'alertsRaised', (SELECT count(*) FROM alert WHERE organization_uuid = ${organization} AND create_date >= ${since}),
  'openAlerts', (SELECT count(*) FROM alert WHERE organization_uuid = ${organization} AND status = 'OPEN')) AS view`;

/** Not a parameter: D1 binds numbers as doubles, and their division does not round down. */
const hour = sql.raw(String(HOUR_MS));

/** Loaded pallets by hour. Loading a pallet updates its manifest, so only manifests updated since then are searched. */
const loadedQuery = (organization: string, since: number): SQL<Dashboard['hours'][number]> => sql`SELECT
    a.loading_date / ${hour} * ${hour} AS begin, count(DISTINCT a.wms_id) AS loaded
  FROM ${changedSince(organization, 'manifest', since)} m CROSS JOIN asset_loading a
    ON a.organization_uuid = ${organization} AND a.manifest_uuid = m.uuid AND a.loading_status = 'LOADED'
  WHERE a.loading_date >= ${since}
  GROUP BY begin`;

const alertsQuery = (organization: string) => sql<
  ViewRow<typeof alertView>
>`SELECT ${alertView} AS view FROM alert
  WHERE organization_uuid = ${organization} AND status = 'OPEN' ORDER BY +create_date DESC, uuid LIMIT ${ALERTS_SHOWN}`;

/** Read the dashboard in one round trip. With `setsUp`, also the parts that the organization has so far. */
export async function readDashboard(
  database: Database,
  now: number,
  setsUp = false,
): Promise<Dashboard & { started: Started | undefined }> {
  const { organization } = database;
  const current = Math.floor(now / HOUR_MS) * HOUR_MS;
  const {
    counts: [counts],
    loaded,
    alerts,
    started: [started],
  } = await database.ask({
    counts: countsQuery(organization, now - DAY_MS),
    loaded: loadedQuery(organization, current - (HOURS - 1) * HOUR_MS),
    alerts: alertsQuery(organization),
    started: setsUp ? startedQuery(database) : undefined,
  });
  const { open, openAlerts, ...day } = parseJson(counts!.view);
  const byHour = new Map(loaded.map((hour) => [hour.begin, hour.loaded]));
  const hours = Array.from({ length: HOURS }, (_, index) => {
    const begin = current - (HOURS - 1 - index) * HOUR_MS;
    return { begin, loaded: byHour.get(begin) ?? 0 };
  });
  return {
    open,
    openAlerts,
    day: { ...day, loaded: hours.reduce((sum, hour) => sum + hour.loaded, 0) },
    hours,
    alerts: parseViews(alerts),
    started: started && parseJson(started.view),
  };
}
