import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../../core/lib/database.ts';
import { parseViews, type ViewRow } from '../../../core/lib/view.ts';
import { endQuery } from '../../../core/writer/log.ts';
import type { ShipmentCustomField } from '../../../core/writer/settings.ts';
import type { GateReference } from '../../../dispatch/gate/rules.ts';
import { gateNamesQuery } from '../../../dispatch/gate/store.ts';
import { roleKey } from '../../../dispatch/load/shipment/rules.ts';
import { roleValue } from '../../../dispatch/load/shipment/store.ts';
import type { Departure } from './rules.ts';

/**
 * The maximum number of shipments and gates on the page of a day. One more is read, so that the page can say that there
 * are more.
 */
export const DAY_LIMITS = { shipments: 300, gates: 100 } as const;

/** Everything that a day shows. */
interface DayRead {
  /** Number of the last audit record when this was read. */
  sequenceNumber: number;
  departures: Departure[];
  gates: GateReference[];
}

/**
 * Read the departures of a day, sorted by time. `begin` and `end` are epoch milliseconds. Today also includes late
 * departures of earlier days. One round trip.
 */
export async function readDay(
  database: Database,
  fields: readonly ShipmentCustomField[],
  { begin, end, late }: { begin: number; end: number; late: boolean },
): Promise<DayRead> {
  const {
    heads: [head],
    leaving,
    open,
    gates,
  } = await database.ask({
    heads: endQuery(database),
    leaving: leavingQuery(database, fields, begin, end),
    open: late ? lateQuery(database, fields, begin) : undefined,
    gates: gateNamesQuery(database, DAY_LIMITS.gates + 1),
  });
  return {
    sequenceNumber: head?.sequenceNumber ?? 0,
    departures: [...parseViews(open), ...parseViews(leaving)],
    gates,
  };
}

/** SQL: the counts of shipment `h`, as sums over its manifests that are not cancelled. */
const sumOf = (column: SQL): SQL => sql`(SELECT coalesce(sum(${column}), 0) FROM shipment_manifest s
  CROSS JOIN manifest m ON m.uuid = s.manifest_uuid WHERE s.organization_uuid = h.organization_uuid
    AND s.shipment_uuid = h.uuid AND m.manifest_status <> 'CANCELLED')`;

const wrongAboard = sql`iif(h.status = 'IN_PROGRESS', (SELECT count(*) FROM shipment_manifest s
  CROSS JOIN asset_loading a ON a.organization_uuid = s.organization_uuid AND a.manifest_uuid = s.manifest_uuid
    AND a.loading_status IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')
  WHERE s.organization_uuid = h.organization_uuid AND s.shipment_uuid = h.uuid), 0)`;

const departureView: SQL<Departure> = sql`json_object(
  'uuid', h.uuid, 'externalIdentifier', h.external_identifier, 'status', h.status,
  'departureDate', c.field_date, 'activateDate', h.activate_date, 'closeDate', h.close_date, 'arrivalDate', h.arrival_date,
  'gate', json((SELECT json_object('uuid', g.uuid, 'externalIdentifier', g.external_identifier, 'name', g.name)
    FROM gate g WHERE g.uuid = h.gate_uuid)),
  'carrier', ${roleValue('CARRIER', sql`h`)}, 'vehicle', ${roleValue('VEHICLE', sql`h`)},
  'pallets', ${sumOf(sql`m.assets_count`)}, 'loaded', ${sumOf(sql`m.loaded_count`)}, 'wrong', ${wrongAboard})`;

/** Shipments with a planned departure between two instants. The query uses the index of the dates of custom fields. */
const leavingQuery = (
  { organization }: Database,
  fields: readonly ShipmentCustomField[],
  begin: number,
  end: number,
): SQL<ViewRow<SQL<Departure>>> => sql`SELECT ${departureView} AS view
  FROM custom_field c CROSS JOIN shipment h ON h.uuid = c.owner_uuid
  WHERE c.organization_uuid = ${organization} AND c.field_key = ${roleKey(fields, 'PLANNED_DEPARTURE')}
    AND c.field_date >= ${begin} AND c.field_date < ${end}
    AND h.deleted_date IS NULL AND h.status IN ('TO_DO', 'IN_PROGRESS', 'COMPLETED')
  ORDER BY c.field_date LIMIT ${DAY_LIMITS.shipments + 1}`;

/**
 * Shipments that have not left, with a departure before an instant. Searches open shipments, which are few.
 */
const lateQuery = (
  { organization }: Database,
  fields: readonly ShipmentCustomField[],
  before: number,
): SQL<ViewRow<SQL<Departure>>> => sql`SELECT ${departureView} AS view
  FROM (SELECT * FROM shipment WHERE organization_uuid = ${organization} AND status IN ('IN_PROGRESS', 'TO_DO')
      AND deleted_date IS NULL LIMIT ${OPEN_MAXIMUM}) h
    CROSS JOIN custom_field c ON c.organization_uuid = h.organization_uuid AND c.owner_uuid = h.uuid
      AND c.field_key = ${roleKey(fields, 'PLANNED_DEPARTURE')} AND c.field_date < ${before}
  ORDER BY c.field_date LIMIT ${DAY_LIMITS.shipments + 1}`;

/** How many open shipments are searched for late shipments. */
const OPEN_MAXIMUM = 2_000;
