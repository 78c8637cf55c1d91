import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../../core/lib/database.ts';
import { parseJson } from '../../../core/lib/json.ts';
import { inList } from '../../../core/lib/sql.ts';
import { parseViews, type ViewRow } from '../../../core/lib/view.ts';
import { endQuery } from '../../../core/writer/log.ts';
import { amongTypes, isAboutDeparture, stillAboardView } from '../../../dispatch/alert/store.ts';
import { alertTypes } from '../../../dispatch/alert/table.ts';
import { type GateReference, gatesInOrder } from '../../../dispatch/gate/rules.ts';
import { gateNamesQuery } from '../../../dispatch/gate/store.ts';
import { lastLoad } from '../../../dispatch/load/manifest/validation-store.ts';
import { recordTally } from '../../../dispatch/load/shared/asset-store.ts';
import { roleDate, roleValue } from '../../../dispatch/load/shipment/store.ts';
import {
  type BoardGate,
  type BoardLoad,
  byDeparture,
  type GateTotals,
  type Place,
  type WrongPallet,
} from './rules.ts';

/**
 * How many things of each kind a page shows. One more is read, so that the page can say that there are more.
 */
export const BOARD_LIMITS = {
  gates: 200,
  active: 4,
  waiting: 3,
  wrong: 3,
  alerts: 3,
  unassigned: 50,
} as const;

/** How many shipments of a status at a gate are read to find the first departures. */
const CONSIDERED = 60;

/** The sum of `recordTally` over the manifests of shipment `h` that are not cancelled. */
const shipmentCounts = sql`json((SELECT json_group_object(loading_status, number) FROM
  (SELECT loading_status, count(*) AS number FROM shipment_manifest s CROSS JOIN manifest m ON m.uuid = s.manifest_uuid
    CROSS JOIN asset_loading a ON a.organization_uuid = s.organization_uuid AND a.manifest_uuid = s.manifest_uuid
    WHERE s.organization_uuid = h.organization_uuid AND s.shipment_uuid = h.uuid AND m.manifest_status <> 'CANCELLED'
    GROUP BY loading_status)))`;

const manifestLoad = sql`json_object('kind', 'manifest', 'uuid', m.uuid, 'externalIdentifier', m.external_identifier,
  'status', m.manifest_status, 'activateDate', m.activate_date, 'createDate', m.create_date, 'departureDate', NULL, 'carrier', NULL, 'vehicle', NULL,
  'seal', NULL, 'notes', NULL, 'arrivalDate', NULL,
  'manifestsCount', NULL, 'counts', json(${recordTally}))`;

/** The members of `Leaving` in the JSON of the shipment of an alias with `uuid` and `organization_uuid`. */
export const leavingView = (of: SQL): SQL => sql`'departureDate', ${roleDate('PLANNED_DEPARTURE', of)},
  'carrier', ${roleValue('CARRIER', of)}, 'vehicle', ${roleValue('VEHICLE', of)}, 'seal', ${roleValue('SEAL', of)}`;

const shipmentLoad = sql`json_object('kind', 'shipment', 'uuid', h.uuid, 'externalIdentifier', h.external_identifier,
  'status', h.status, 'activateDate', h.activate_date, 'createDate', h.create_date, 'notes', h.notes,
  'arrivalDate', h.arrival_date,
  ${leavingView(sql`h`)},
  'manifestsCount', (SELECT count(*) FROM shipment_manifest s WHERE s.organization_uuid = h.organization_uuid
    AND s.shipment_uuid = h.uuid), 'counts', ${shipmentCounts})`;

/**
 * SQL: JSON array of the loads with a status at a gate, at most this many shipments and manifests. They are
 * sorted by departure, among the first ones in the order of creation (the order of the index). The others are
 * not read.
 */
const thingsAt = (
  organization: SQL,
  atGate: SQL,
  status: string,
  limit: number,
): SQL<BoardLoad[]> => sql`json((SELECT
  json_group_array(json(view)) FROM (
    SELECT view FROM (SELECT ${shipmentLoad} AS view FROM (SELECT * FROM shipment
        WHERE organization_uuid = ${organization} AND gate_uuid ${atGate} AND status = ${status}
          AND deleted_date IS NULL ORDER BY uuid LIMIT ${CONSIDERED}) h
      ORDER BY ${roleDate('PLANNED_DEPARTURE', sql`h`)} NULLS LAST LIMIT ${limit})
    UNION ALL
    SELECT view FROM (SELECT ${manifestLoad} AS view FROM manifest m
      WHERE m.organization_uuid = ${organization} AND m.gate_uuid ${atGate} AND m.manifest_status = ${status}
        AND m.deleted_date IS NULL AND NOT EXISTS (SELECT 1 FROM shipment_manifest s
          WHERE s.organization_uuid = m.organization_uuid AND s.manifest_uuid = m.uuid)
      ORDER BY m.uuid LIMIT ${limit}))))`;

/** SQL: the shipment of manifest `m`. */
export const shipmentOfManifest = sql`(SELECT s.shipment_uuid FROM shipment_manifest s
  WHERE s.organization_uuid = m.organization_uuid AND s.manifest_uuid = m.uuid)`;

/**
 * SQL: JSON with the places of the pallet of record `a`: open manifests that have it as an asset, with their
 * gates.
 */
const belongsTo = sql`json((SELECT json_group_array(json(view)) FROM (SELECT json_object(
    'externalIdentifier', o.external_identifier, 'status', o.manifest_status,
    'gate', (SELECT name FROM gate there WHERE there.uuid = o.gate_uuid)) AS view
  FROM asset_loading b CROSS JOIN manifest o ON o.uuid = b.manifest_uuid
  WHERE b.organization_uuid = a.organization_uuid AND b.wms_id = a.wms_id
    AND b.loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')
    AND o.manifest_status IN ('PLANNED', 'TO_DO', 'IN_PROGRESS') AND o.deleted_date IS NULL LIMIT 3)))`;

/** SQL: JSON of the wrong pallet of record `a` of manifest `m`. */
export const wrongView = sql<WrongPallet>`json_object('recordUuid', a.uuid, 'loadingStatus', a.loading_status, 'wmsId', a.wms_id,
  'markerCode', a.marker_code, 'date', a.create_date, 'manifestUuid', m.uuid,
  'manifestExternalId', m.external_identifier, 'shipmentUuid', ${shipmentOfManifest}, 'belongsTo', ${belongsTo}, 'left', json(${lastLoad}))`;

/** SQL: JSON of the `Place` of the pallet with each of these WMS ids. */
export const placesQuery = (
  { organization }: Database,
  wmsIds: readonly string[],
): SQL<ViewRow<SQL<Place>>> =>
  sql`SELECT json_object('belongsTo', ${belongsTo}, 'left', json(${lastLoad})) AS view
    FROM (SELECT ${organization} AS organization_uuid, value AS wms_id FROM json_each(${JSON.stringify(wmsIds)})) a`;

/** SQL: JSON array of the wrong pallets in progress at `gate`, the latest first. */
const wrongAt = (limit: number): SQL => sql`json((SELECT json_group_array(json(view)) FROM (
  SELECT ${wrongView} AS view FROM manifest m
    CROSS JOIN asset_loading a ON a.organization_uuid = m.organization_uuid AND a.manifest_uuid = m.uuid
      AND a.loading_status IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')
  WHERE m.organization_uuid = gate.organization_uuid AND m.gate_uuid = gate.uuid AND m.manifest_status = 'IN_PROGRESS'
    AND m.deleted_date IS NULL
  ORDER BY a.create_date DESC, a.uuid DESC LIMIT ${limit})))`;

/**
 * SQL: JSON array of the open alerts at `gate`, critical ones and then the latest first. Wrong pallets are shown by their records (`wrongAt`).
 * A load that has left is no longer at its gate, and neither are its wrong and its missing pallets. With `ownDepartures`,
 * alerts about departures are included only if the load is in progress at the gate. The plus keeps SQLite from reading all alerts of the
 * organization in that order.
 */
const alertsAt = (
  limit: number,
  ownDepartures = false,
): SQL => sql`json((SELECT json_group_array(json(view)) FROM (
  SELECT json_object('uuid', alert.uuid, 'alertType', alert.alert_type, 'severity', alert.severity, 'recordUuid', alert.record_uuid,
    'params', json(alert.params), 'trackIdentifier', alert.track_identifier, 'markerCode', alert.marker_code,
    'shipmentExternalId', alert.shipment_external_id, 'manifestExternalId', alert.manifest_external_id,
    'date', alert.create_date, 'count', alert.count, 'stillAboard', ${stillAboardView}) AS view FROM alert
  WHERE alert.organization_uuid = gate.organization_uuid AND alert.gate_uuid = gate.uuid AND alert.status = 'OPEN'
    AND ${isShownAtGate(sql`alert`)} ${ownDepartures ? OWN_DEPARTURES : sql``}
  ORDER BY +alert.severity = 'CRITICAL' DESC, +alert.create_date DESC, alert.uuid DESC LIMIT ${limit})))`;

/** The most loads or alerts of a gate that are counted. */
const COUNTED = 100;

/** SQL: JSON of the numbers of everything at `gate`, also of the things that are not shown. */
const totalsView = (): SQL<GateTotals> => {
  const counted = (rows: SQL): SQL => sql`(SELECT count(*) FROM (SELECT 1 FROM ${rows} LIMIT ${COUNTED}))`;
  const here = sql`= gate.organization_uuid AND o.gate_uuid = gate.uuid`;
  const loads = (status: string): SQL =>
    sql`${counted(sql`shipment o WHERE o.organization_uuid ${here}
      AND o.status = ${status} AND o.deleted_date IS NULL`)} + ${counted(sql`manifest o WHERE o.organization_uuid ${here}
      AND o.manifest_status = ${status} AND o.deleted_date IS NULL AND NOT EXISTS (SELECT 1 FROM shipment_manifest s
        WHERE s.organization_uuid = o.organization_uuid AND s.manifest_uuid = o.uuid)`)}`;
  return sql`json_object('active', ${loads('IN_PROGRESS')}, 'waiting', ${loads('TO_DO')},
    'wrong', ${counted(sql`manifest o CROSS JOIN asset_loading a ON a.organization_uuid = o.organization_uuid
      AND a.manifest_uuid = o.uuid AND a.loading_status IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')
      WHERE o.organization_uuid ${here} AND o.manifest_status = 'IN_PROGRESS' AND o.deleted_date IS NULL`)},
    'alerts', ${counted(sql`alert o WHERE o.organization_uuid ${here} AND o.status = 'OPEN' AND ${isShownAtGate(sql`o`)}`)})`;
};

/** SQL condition: an alert at a gate is shown there. */
const isShownAtGate = (of: SQL): SQL =>
  sql`${of}.alert_type NOT ${amongTypes(alertTypes(({ atGate }) => atGate === 'HIDDEN'))}`;

/** SQL: the alert is not about the departure of a truck that is not being loaded at `gate`. */
const OWN_DEPARTURES = sql`AND (alert.alert_type NOT ${isAboutDeparture}
  OR EXISTS (SELECT 1 FROM shipment h WHERE h.uuid = alert.record_uuid AND +h.organization_uuid = alert.organization_uuid
    AND h.gate_uuid = gate.uuid AND h.status = 'IN_PROGRESS'))`;

const gateView = (limits: {
  active: number;
  waiting: number;
  wrong: number;
  alerts: number;
  ownDepartures?: boolean;
}): SQL<BoardGate> => {
  const organization = sql`gate.organization_uuid`;
  const here = sql`= gate.uuid`;
  return sql`json_object('uuid', gate.uuid, 'externalIdentifier', gate.external_identifier, 'name', gate.name,
    'active', ${thingsAt(organization, here, 'IN_PROGRESS', limits.active + 1)},
    'waiting', ${thingsAt(organization, here, 'TO_DO', limits.waiting + 1)},
    'deleted', json(iif(gate.deleted_date IS NULL, 'false', 'true')), 'wrong', ${wrongAt(limits.wrong + 1)}, 'alerts', ${alertsAt(limits.alerts + 1, limits.ownDepartures)},
    'totals', ${totalsView()})`;
};

const gatesQuery = (
  database: Database,
): SQL<ViewRow<SQL<BoardGate>>> => sql`SELECT ${gateView(BOARD_LIMITS)} AS view FROM gate
  WHERE gate.organization_uuid = ${database.organization} AND gate.deleted_date IS NULL
  ORDER BY gate.external_identifier LIMIT ${BOARD_LIMITS.gates + 1}`;

/**
 * Read these gates, for a page or a part of the board. Deleted gates are included, because loads may still
 * refer to them.
 */
export const namedGatesQuery = (
  database: Database,
  uuids: readonly string[],
  limits: Parameters<typeof gateView>[0],
): SQL<
  ViewRow<SQL<BoardGate>>
> => sql`SELECT ${gateView(limits)} AS view FROM gate WHERE gate.uuid ${inList(uuids)}
  AND +gate.organization_uuid = ${database.organization}
  ORDER BY +gate.external_identifier`;

export const unassignedQuery = (database: Database): SQL<ViewRow<SQL<BoardLoad[]>>> =>
  sql`SELECT ${thingsAt(sql`${database.organization}`, sql`IS NULL`, 'TO_DO', BOARD_LIMITS.unassigned + 1)} AS view`;

/** Everything the board shows. */
export interface Board {
  /** Number of the last audit record when this was read. */
  sequenceNumber: number;
  gates: BoardGate[];
  /**
   * Loads without a gate, and the gates that they can be assigned to. May be undefined if only a part of the
   * board was read.
   */
  waiting: { things: BoardLoad[]; gates: GateReference[] } | undefined;
}

/** A part of the board: gates by uuid, and whether loads without a gate are included. */
interface BoardPart {
  gates: readonly string[];
  waiting: boolean;
}

/** Read the board or a part of it, in one round trip of at most four statements, for any number of gates. */
export async function readBoard(database: Database, part?: BoardPart): Promise<Board> {
  const waits = part?.waiting ?? true;
  const {
    heads: [head],
    gates,
    unassigned: [unassigned],
    names,
  } = await database.ask({
    heads: endQuery(database),
    gates: part ? namedGatesQuery(database, part.gates, BOARD_LIMITS) : gatesQuery(database),
    unassigned: waits ? unassignedQuery(database) : undefined,
    names: waits ? gateNamesQuery(database, BOARD_LIMITS.gates) : undefined,
  });
  return {
    sequenceNumber: head?.sequenceNumber ?? 0,
    gates: gatesInOrder(parseViews(gates)).map((gate) => ({
      ...gate,
      active: byDeparture(gate.active),
      waiting: byDeparture(gate.waiting),
    })),
    waiting: unassigned && { things: byDeparture(parseJson(unassigned.view)), gates: gatesInOrder(names) },
  };
}
