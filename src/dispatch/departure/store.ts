import { type SQL, sql } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Json } from '../../core/lib/json.ts';
import { livesHere } from '../../core/lib/look-up.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { DAY_MS } from '../../core/lib/time.ts';
import type { Overdue } from '../../core/writer/each.ts';
import { isAboutDeparture, isAboutLoad } from '../alert/store.ts';
import { gateExternalIdOf } from '../gate/store.ts';
import type { Loaded } from './rules.ts';

/** The maximum number of late alerts that one check raises, and of alerts that it resolves. The next check takes the others. */
export const ALERTS_MAXIMUM = 200;
/** A shipment that is later than this is forgotten rather than late: no alert is raised. */
const LATE_MS = 14 * DAY_MS;
/**
 * The maximum number of shipments for which one part of a check forecasts the end of loading, first departures first.
 * Another part takes the others.
 */
export const LOADING_MAXIMUM = 500;
/** The due date between two parts of a check. A departure that changes in this time sets 0. */
export const UNFINISHED = 1;

/** When the departures of the organization are checked next. No row if there is nothing to check. */
export const dueQuery = ({
  organization,
}: Scope): SQL<{ dueDate: number }> => sql`SELECT due_date AS "dueDate"
  FROM departure_due WHERE organization_uuid = ${organization}`;

/** Store when to check next, unless a commit has brought the date forward since `seen`. Null: nothing is left. */
export const writeDue = ({ organization }: Scope, seen: number, next: number | null): SQL =>
  next === null
    ? sql`DELETE FROM departure_due WHERE organization_uuid = ${organization} AND due_date = ${seen}`
    : sql`UPDATE departure_due SET due_date = ${next}
        WHERE organization_uuid = ${organization} AND due_date = ${seen} AND due_date <> ${next}`;

/** Finds organizations with a departure that is due. */
export const overdueDepartures: Overdue = (before) => sql`SELECT organization_uuid AS uuid FROM departure_due
  CROSS JOIN organization ON organization.uuid = organization_uuid WHERE due_date <= ${before} AND ${livesHere}`;

const isOpen = sql`h.status IN ('TO_DO', 'IN_PROGRESS') AND h.deleted_date IS NULL`;

/** The departure `c` of shipment `h`: its custom field with this key. */
const departure = (key: string): SQL => sql`custom_field c ON c.organization_uuid = h.organization_uuid
  AND c.owner_uuid = h.uuid AND c.field_key = ${key}`;

/** SQL condition: an alert `a` is about shipment `h` and its current departure `c`. */
const aboutDeparture = sql`a.organization_uuid = h.organization_uuid AND a.record_uuid = h.uuid
  AND a.planned_date = c.field_date`;

const columns = sql`h.uuid, h.external_identifier AS "externalIdentifier", h.gate_uuid AS "gateUuid",
  ${gateExternalIdOf(sql`h.organization_uuid`, sql`h.gate_uuid`)} AS "gateExternalId", c.field_date AS "plannedDate"`;

/** A shipment with a planned departure. */
export interface DepartingShipment {
  uuid: string;
  externalIdentifier: string;
  gateUuid: string | null;
  gateExternalId: string | null;
  plannedDate: number;
}

/** The open shipments with a departure in the last `LATE_MS` for which no alert was raised. One more than `ALERTS_MAXIMUM` is read. */
export const lateQuery = (
  { organization }: Scope,
  key: string,
  now: number,
): SQL<DepartingShipment> => sql`SELECT ${columns} FROM shipment h CROSS JOIN ${departure(key)}
  WHERE h.organization_uuid = ${organization} AND ${isOpen} AND c.field_date BETWEEN ${now - LATE_MS} AND ${now}
    AND NOT EXISTS (SELECT 1 FROM alert a WHERE ${aboutDeparture} AND a.alert_type = 'DEPARTURE_LATE')
  ORDER BY c.field_date, h.uuid LIMIT ${ALERTS_MAXIMUM + 1}`;

/** A shipment that is being loaded before its departure. */
export interface LoadingShipment extends DepartingShipment {
  /** The loaded pallets, and the number of pallets that are not loaded. */
  pallets: Json<{ [K in keyof Loaded]: Loaded[K] | null } & { missing: number }>;
  /** The uuid of the open alert DEPARTURE_AT_RISK; null for none. */
  alertUuid: string | null;
}

const isLoaded = sql`l.loading_status = 'LOADED' AND l.loading_date IS NOT NULL`;

/** JSON of the pallets of shipment `h`. Pallets of cancelled manifests do not count. */
const palletsView = sql`(SELECT json_object('count', count(*) FILTER (WHERE ${isLoaded}),
    'firstDate', min(l.loading_date) FILTER (WHERE ${isLoaded}), 'lastDate', max(l.loading_date) FILTER (WHERE ${isLoaded}),
    'missing', count(*) FILTER (WHERE l.loading_status IN ('NOT_LOADED', 'UNLOADED')))
  FROM shipment_manifest s CROSS JOIN manifest m ON m.uuid = s.manifest_uuid
    AND m.manifest_status <> 'CANCELLED'
  CROSS JOIN asset_loading l ON l.organization_uuid = s.organization_uuid AND l.manifest_uuid = s.manifest_uuid
  WHERE s.organization_uuid = h.organization_uuid AND s.shipment_uuid = h.uuid)`;

/** The position of a shipment in the order of departures. */
export type Position = Pick<DepartingShipment, 'plannedDate' | 'uuid'>;

/**
 * The shipments that are being loaded before their departure, after a position if there is one. A shipment is left out if
 * a person has resolved the alert for this departure, or if it counts as late already because the clock went back.
 */
export const loadingQuery = (
  { organization }: Scope,
  key: string,
  now: number,
  after: Position | null,
): SQL<LoadingShipment> => sql`SELECT ${columns}, ${palletsView} AS pallets,
    (SELECT a.uuid FROM alert a WHERE ${aboutDeparture} AND a.alert_type = 'DEPARTURE_AT_RISK') AS "alertUuid"
  FROM shipment h CROSS JOIN ${departure(key)}
  WHERE h.organization_uuid = ${organization} AND h.status = 'IN_PROGRESS' AND h.deleted_date IS NULL
    AND c.field_date > ${now} ${after ? sql`AND (c.field_date, h.uuid) > (${after.plannedDate}, ${after.uuid})` : sql``}
    AND NOT EXISTS (SELECT 1 FROM alert a
      WHERE ${aboutDeparture} AND (a.alert_type = 'DEPARTURE_LATE' OR a.status = 'RESOLVED'))
  ORDER BY c.field_date, h.uuid LIMIT ${LOADING_MAXIMUM}`;

/**
 * The open alerts about departures that no longer apply: the shipment is closed or deleted, its departure has another
 * date, or the shipment at risk is late now. Without a key, no custom field is the departure. The list of types repeats the
 * condition of the index, which also has alerts about other things.
 */
export const settledQuery = (
  { organization }: Scope,
  key: string | null,
  now: number,
): SQL<{ uuid: string }> => sql`SELECT a.uuid FROM alert a INDEXED BY alert_open_load
  LEFT JOIN shipment h ON h.uuid = a.record_uuid AND ${isOpen}
  LEFT JOIN ${departure(key ?? '')}
  WHERE a.organization_uuid = ${organization} AND a.status = 'OPEN'
    AND a.alert_type ${isAboutLoad} AND a.alert_type ${isAboutDeparture}
    AND (c.field_date IS NULL OR a.planned_date IS NOT c.field_date
      OR (a.alert_type = 'DEPARTURE_AT_RISK' AND c.field_date <= ${now}))
  LIMIT ${ALERTS_MAXIMUM + 1}`;

/** The first departure of an open shipment after a date. */
export const nextDepartureQuery = (
  { organization }: Scope,
  key: string,
  now: number,
): SQL<{ plannedDate: number }> => sql`SELECT c.field_date AS "plannedDate"
  FROM custom_field c CROSS JOIN shipment h ON h.uuid = c.owner_uuid
  WHERE c.organization_uuid = ${organization} AND c.field_key = ${key} AND c.field_date > ${now} AND ${isOpen}
  ORDER BY c.field_date LIMIT 1`;

/**
 * When the departures of an organization are checked next (epoch milliseconds; 0 means at once). Changes bring the date
 * forward in their commit.
 */
export const departureDue = sqliteTable('departure_due', {
  organizationUuid: text('organization_uuid').primaryKey(),
  dueDate: integer('due_date').notNull(),
});
