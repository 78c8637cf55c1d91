import { type SQL, sql } from 'drizzle-orm';
import type { Scope } from '../../core/lib/scope.ts';
import type { AlertOfPallets } from './pallet-rules.ts';

/** A pallet or unknown marker that an open alert covers. */
export interface AlertPallet {
  alertUuid: string;
  alertType: AlertOfPallets;
  gateUuid: string | null;
  /** Null for an unknown marker. */
  wmsId: string | null;
  /** Null for a pallet without a marker. */
  markerCode: number | null;
  /**
   * The number of pallets that the alert covers. At most one more than the rows of the query, so that the read does
   * not grow with the alert.
   */
  remaining: number;
}

/** SQL: the rows of `AlertPallet` for the rows of `found`, which has the columns of `alert_pallet`. */
const rowsOf = ({
  organization,
}: Scope): SQL => sql`SELECT l.uuid AS "alertUuid", l.alert_type AS "alertType",
    l.gate_uuid AS "gateUuid", nullif(found.wms_id, '') AS "wmsId", nullif(found.marker_code, 0) AS "markerCode",
    (SELECT count(*) FROM (SELECT 1 FROM alert_pallet other WHERE other.organization_uuid = ${organization}
      AND other.alert_uuid = l.uuid LIMIT (SELECT count(*) + 1 FROM found))) AS remaining
  FROM found CROSS JOIN alert l ON l.uuid = found.alert_uuid AND +l.organization_uuid = ${organization}`;

/**
 * Read the open alerts that cover these pallets. `wmsIds` and `codes` are `IN` conditions. An unknown marker is found by
 * its code, a pallet also by its WMS id: it may have another marker since. The conditions are evaluated only if an open
 * alert covers any pallet.
 */
export function aboardQuery(scope: Scope, wmsIds: SQL, codes: SQL): SQL<AlertPallet> {
  const own = sql`organization_uuid = ${scope.organization}`;
  const part = (index: SQL, given: SQL): SQL => sql`SELECT alert_uuid, wms_id, marker_code
    FROM alert_pallet INDEXED BY ${index} WHERE EXISTS (SELECT 1 FROM alert_pallet WHERE ${own}) AND ${own} AND ${given}`;
  return sql`WITH found AS MATERIALIZED (
    ${part(sql`alert_pallet_wms_id`, sql`wms_id <> '' AND wms_id ${wmsIds}`)}
    UNION ${part(sql`alert_pallet_marker_code`, sql`marker_code <> 0 AND marker_code ${codes}`)})
  ${rowsOf(scope)}`;
}

/** A row of `readAtGateQuery`. Only the open alert about readings at the gate has no pallet. */
export type AlertAtGate = AlertPallet | (Omit<AlertPallet, 'remaining'> & { remaining: null });

/**
 * The same for readings at a gate. A further row is the open alert that counts readings at this gate without work, if
 * there is one.
 */
export const readAtGateQuery = (
  scope: Scope,
  gateUuid: SQL,
  wmsIds: SQL,
  codes: SQL,
): SQL<AlertAtGate> => sql`${aboardQuery(scope, wmsIds, codes)}
  UNION ALL SELECT uuid, alert_type, gate_uuid, NULL, NULL, NULL FROM alert
  WHERE organization_uuid = ${scope.organization} AND gate_uuid = ${gateUuid} AND status = 'OPEN'
    AND alert_type = 'SCAN_WITHOUT_ACTIVE_MANIFEST'`;

/**
 * Read the open alert about readings at a gate without work, if a load that starts there expects one of the pallets.
 * `manifests` is an `IN` condition on manifest uuids. The load is at the gate of its manifests.
 */
export const expectedHereQuery = (
  { organization }: Scope,
  manifests: SQL,
): SQL<{ uuid: string }> => sql`SELECT l.uuid
  FROM alert l INDEXED BY alert_open_gate WHERE l.organization_uuid = ${organization} AND l.status = 'OPEN'
    AND l.alert_type = 'SCAN_WITHOUT_ACTIVE_MANIFEST'
    AND l.gate_uuid IN (SELECT m.gate_uuid FROM manifest m
      WHERE m.uuid ${manifests} AND +m.organization_uuid = ${organization})
    AND EXISTS (SELECT 1 FROM alert_pallet p CROSS JOIN asset_loading a ON a.organization_uuid = p.organization_uuid
        AND a.wms_id = p.wms_id AND a.closed = 0 AND a.manifest_uuid ${manifests}
      WHERE p.organization_uuid = ${organization} AND p.alert_uuid = l.uuid AND p.wms_id <> ''
        AND a.loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING'))`;
