import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../lib/database.ts';
import { parseViews, type ViewRow } from '../../lib/view.ts';
import { roleValue } from '../../shipment/role-store.ts';
import { roleKey } from '../../shipment/rules.ts';
import type { GateReference } from '../../site/rules.ts';
import { gateNamesQuery } from '../../site/store.ts';
import { headQuery } from '../../writer/commit.ts';
import type { ShipmentCustomField } from '../../writer/settings.ts';
import type { Departure } from './rules.ts';

/** Shipments and gates that a day shows; one more is read, so that it can say that there is more. */
export const DAY_LIMITS = { shipments: 300, gates: 100 } as const;

/** Everything of a day. */
export interface DayRead {
  /** The number of the log that all of it is of. */
  sequenceNumber: number;
  departures: Departure[];
  gates: GateReference[];
}

/**
 * Read what is to leave on a day, in the order in which it is to, with what is late from the days before where the day is
 * today; epoch milliseconds. One round trip.
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
    heads: headQuery(database),
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

/** The members of shipment `h` that were not cancelled: a sum over their manifests. */
const sumOf = (column: SQL): SQL => sql`(SELECT coalesce(sum(${column}), 0) FROM shipment_manifest s
  CROSS JOIN manifest m ON m.uuid = s.manifest_uuid WHERE s.organization_uuid = h.organization_uuid
    AND s.shipment_uuid = h.uuid AND m.manifest_status <> 'CANCELLED')`;

const wrongAboard = sql`iif(h.status = 'IN_PROGRESS', (SELECT count(*) FROM shipment_manifest s
  CROSS JOIN asset_loading a ON a.organization_uuid = s.organization_uuid AND a.manifest_uuid = s.manifest_uuid
    AND a.loading_status IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')
  WHERE s.organization_uuid = h.organization_uuid AND s.shipment_uuid = h.uuid), 0)`;

const departureView: SQL<Departure> = sql`json_object(
  'uuid', h.uuid, 'externalIdentifier', h.external_identifier, 'status', h.status,
  'departureDate', c.field_date, 'activateDate', h.activate_date, 'closeDate', h.close_date,
  'gate', json((SELECT json_object('uuid', g.uuid, 'externalIdentifier', g.external_identifier, 'name', g.name)
    FROM gate g WHERE g.uuid = h.gate_uuid)),
  'carrier', ${roleValue('CARRIER', sql`h`)}, 'vehicle', ${roleValue('VEHICLE', sql`h`)},
  'pallets', ${sumOf(sql`m.assets_count`)}, 'loaded', ${sumOf(sql`m.loaded_count`)}, 'wrong', ${wrongAboard})`;

/** Shipments that are to leave within two instants, along the index of the field's dates. */
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

/** Shipments that were to leave before an instant and have not, found among those that are open: these are few. */
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

/** Open shipments that are looked through for such as are late. */
const OPEN_MAXIMUM = 2_000;
