import { type SQL, sql } from 'drizzle-orm';
import { type Json, parseJson } from '../../../core/lib/json.ts';
import type { Scope } from '../../../core/lib/scope.ts';
import { rendered } from '../../../core/lib/sql.ts';
import { gateExternalIdOf } from '../../gate/store.ts';
import { linkedTrack } from '../../track/store.ts';
import type { PlacedRecord } from './place-rules.ts';

/** A row of a query for placed records. */
export type PlacedRow = Omit<PlacedRecord, 'alertUuids'> & { alertUuids: Json<string[]> };

/** The records of rows. */
export const placedOf = (rows: readonly PlacedRow[]): PlacedRecord[] =>
  rows.map(({ alertUuids, ...record }) => ({ ...record, alertUuids: parseJson(alertUuids) }));

const trackOf = sql`coalesce(a.track_uuid, ${linkedTrack(sql`a.organization_uuid`, sql`a.wms_id`)})`;
const shipmentOf = (column: SQL): SQL => sql`(SELECT ${column} FROM shipment_manifest s
  CROSS JOIN shipment ON shipment.uuid = s.shipment_uuid
  WHERE s.organization_uuid = m.organization_uuid AND s.manifest_uuid = m.uuid)`;

/** The columns of `PlacedRow` for a record `a` of a manifest `m`. */
export const placedColumns = rendered(sql`a.uuid AS "recordUuid", a.wms_id AS "wmsId",
  coalesce(a.marker_code, (SELECT t.marker_code FROM track t WHERE t.uuid = ${trackOf})) AS "markerCode",
  ${trackOf} AS "trackUuid", a.loading_status AS "loadingStatus", a.loading_date AS "loadingDate",
  a.gate_uuid AS "gateUuid", ${gateExternalIdOf(sql`a.organization_uuid`, sql`a.gate_uuid`)} AS "gateExternalId",
  m.uuid AS "manifestUuid", m.external_identifier AS "manifestExternalId", m.manifest_status AS "manifestStatus",
  m.gate_uuid AS "manifestGateUuid",
  ${shipmentOf(sql`shipment.external_identifier`)} AS "shipmentExternalId",
  coalesce(${shipmentOf(sql`shipment.uuid`)}, m.uuid) AS "loadUuid",
  (SELECT json_group_array(alert.uuid) FROM alert WHERE alert.organization_uuid = a.organization_uuid
    AND alert.record_uuid = a.uuid AND +alert.status = 'OPEN') AS "alertUuids"`);

/**
 * The records of these manifests that are not NOT_LOADED. `manifests` is an `IN` condition on manifest uuids, and `which` a
 * condition on records `a` and manifests `m`.
 */
export const placedQuery = (
  { organization }: Scope,
  manifests: SQL,
  which: SQL = sql`TRUE`,
): SQL<PlacedRow> => sql`SELECT ${placedColumns} FROM manifest m
  CROSS JOIN asset_loading a ON a.organization_uuid = m.organization_uuid AND a.manifest_uuid = m.uuid
  WHERE m.uuid ${manifests} AND +m.organization_uuid = ${organization} AND +a.loading_status <> 'NOT_LOADED' AND ${which}
  ORDER BY a.create_date, a.uuid`;

/** `IN (…)` over the manifests of the load that a manifest belongs to: itself, and the members of its shipment. */
export const loadOf = ({ organization }: Scope, manifestUuid: SQL): SQL => sql`IN (SELECT ${manifestUuid}
  UNION SELECT other.manifest_uuid FROM shipment_manifest own
    CROSS JOIN shipment_manifest other INDEXED BY shipment_manifest_shipment ON other.organization_uuid = own.organization_uuid
      AND other.shipment_uuid = own.shipment_uuid
    WHERE own.organization_uuid = ${organization} AND own.manifest_uuid = ${manifestUuid})`;

/**
 * The records that say where pallets are: LOADED records of loads in progress, and invalid records of all loads.
 * `wmsIds` is an `IN` condition.
 */
export const whereQuery = (
  { organization }: Scope,
  wmsIds: SQL,
): SQL<PlacedRow> => sql`SELECT ${placedColumns}
  FROM asset_loading a CROSS JOIN manifest m ON m.uuid = a.manifest_uuid
  WHERE a.organization_uuid = ${organization} AND a.wms_id ${wmsIds} AND a.closed IN (0, 1)
    AND m.deleted_date IS NULL
    AND (a.loading_status IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING') OR (a.loading_status = 'LOADED' AND m.manifest_status = 'IN_PROGRESS'))
  ORDER BY a.create_date, a.uuid`;

/**
 * SQL: the WMS ids that are known without a track, among these. An open manifest expects the pallet. Or it is on a load
 * whose paper has changed, so that its label takes it off: WRONGLY_LOADED, or on a load that was cancelled or deleted. If
 * `arriving` has the WMS id, the pallet is also known after it has left with a completed load. Both are `IN` conditions.
 */
export const knownQuery = (
  organization: SQL,
  wmsIds: SQL,
  arriving: SQL,
): SQL<{ wmsId: string }> => sql`SELECT a.wms_id AS "wmsId"
  FROM asset_loading a CROSS JOIN manifest m ON m.uuid = a.manifest_uuid
  WHERE a.organization_uuid = ${organization} AND a.wms_id ${wmsIds} AND a.closed IN (0, 1) AND m.deleted_date IS NULL
    AND (a.loading_status = 'WRONGLY_LOADED'
      OR (a.closed = 0 AND a.loading_status <> 'UNKNOWN_LOADING')
      OR (a.loading_status = 'LOADED' AND m.manifest_status = 'CANCELLED')
      OR (a.loading_status IN ('LOADED', 'OFFLOADED') AND a.wms_id ${arriving}))
  UNION SELECT p.wms_id FROM alert_pallet p CROSS JOIN alert l ON l.uuid = p.alert_uuid
    WHERE p.organization_uuid = ${organization} AND p.wms_id <> '' AND p.wms_id ${wmsIds} AND l.alert_type = 'PALLETS_ABOARD'`;

/**
 * The records of assets that come to a load in progress with these manifests, if they matter. Either they are LOADED, or a
 * record of another manifest says where their pallets are. `comes` is a condition that is false if the load is not in
 * progress, so that nothing is read.
 */
export const comingQuery = ({ organization }: Scope, manifests: SQL, comes: SQL): SQL<PlacedRow> => sql`SELECT
    ${placedColumns} FROM manifest m
  CROSS JOIN asset_loading a ON a.organization_uuid = m.organization_uuid AND a.manifest_uuid = m.uuid
  WHERE ${comes} AND m.uuid ${manifests} AND +m.organization_uuid = ${organization}
    AND a.loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')
    AND (+a.loading_status = 'LOADED' OR EXISTS (SELECT 1 FROM asset_loading w CROSS JOIN manifest o ON o.uuid = w.manifest_uuid
      WHERE w.organization_uuid = ${organization} AND w.wms_id = a.wms_id AND w.closed IN (0, 1) AND o.deleted_date IS NULL
        AND o.manifest_status = 'IN_PROGRESS' AND w.loading_status IN ('LOADED', 'WRONGLY_LOADED', 'UNKNOWN_LOADING')))
  ORDER BY a.create_date, a.uuid`;

/** `IN (…)` over the WMS ids of the records of `comingQuery`. */
export const comingIds = (scope: Scope, manifests: SQL, comes: SQL): SQL =>
  sql`IN (SELECT "wmsId" FROM (${comingQuery(scope, manifests, comes)}))`;

/** Read the records of a load that starts with these manifests, and where their pallets are. */
export const askStarting = (scope: Scope, manifests: SQL) => ({
  coming: comingQuery(scope, manifests, sql`TRUE`),
  where: whereQuery(scope, comingIds(scope, manifests, sql`TRUE`)),
});
