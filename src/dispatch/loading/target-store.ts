import { type SQL, sql } from 'drizzle-orm';
import type { Scope } from '../../core/lib/scope.ts';
import { gateExternalIdOf } from '../gate/store.ts';
import { trackOfRecord } from '../load/shared/asset-store.ts';
import type { assetLoading } from '../load/shared/asset-table.ts';
import type { LoadStatus } from '../load/shared/status-rules.ts';

/** A selection of records of a shipment or manifest. */
export type Target =
  | { by: 'record'; recordUuid: string }
  | { by: 'track'; trackIdentifier: string }
  /**
   * The assets with the WMS id of the marker's track, and the invalid loading records of this code.
   * `markerValue` is the text that the caller sent.
   */
  | { by: 'marker'; markerCode: number; markerValue?: string };

/** A record that a `Target` selects. */
export interface TargetRecord {
  recordUuid: string;
  wmsId: string | null;
  markerCode: number | null;
  loadingStatus: (typeof assetLoading.$inferSelect)['loadingStatus'];
  gateUuid: string | null;
  gateExternalId: string | null;
  trackUuid: string | null;
  manifestUuid: string;
  manifestExternalId: string;
  manifestStatus: LoadStatus;
}

/**
 * The records that a target selects in a manifest or shipment. Records of a shipment are sorted by
 * manifest.
 */
export function targetsQuery(
  database: Scope,
  target: Target,
  load: { shipmentUuid: SQL } | { manifestUuid: SQL },
): SQL<TargetRecord> {
  const organization = sql`${database.organization}`;
  const meant = {
    record: () => sql`SELECT ${(target as { recordUuid: string }).recordUuid} AS uuid`,
    track: () => ofWmsId(organization, sql`${(target as { trackIdentifier: string }).trackIdentifier}`),
    marker: () => {
      const code = sql`${(target as { markerCode: number }).markerCode}`;
      const wmsId = sql`(SELECT wms_id FROM track WHERE organization_uuid = ${organization}
        AND marker_code = ${code} AND deleted_date IS NULL)`;
      return sql`${ofWmsId(organization, wmsId)} UNION SELECT uuid FROM asset_loading
        WHERE organization_uuid = ${organization} AND marker_code = ${code}`;
    },
  }[target.by]();
  return sql`SELECT a.uuid AS "recordUuid", a.wms_id AS "wmsId", a.marker_code AS "markerCode",
      a.loading_status AS "loadingStatus", a.gate_uuid AS "gateUuid",
      ${gateExternalIdOf(organization, sql`a.gate_uuid`)} AS "gateExternalId", ${trackOfRecord} AS "trackUuid",
      manifest.uuid AS "manifestUuid", manifest.external_identifier AS "manifestExternalId",
      manifest.manifest_status AS "manifestStatus"
    FROM (${meant}) meant
    CROSS JOIN asset_loading a ON a.uuid = meant.uuid AND +a.organization_uuid = ${organization}
    LEFT JOIN shipment_manifest s ON s.organization_uuid = ${organization} AND s.manifest_uuid = a.manifest_uuid
    CROSS JOIN manifest ON manifest.uuid = a.manifest_uuid
    WHERE ${'manifestUuid' in load ? sql`a.manifest_uuid = ${load.manifestUuid}` : sql`s.shipment_uuid = ${load.shipmentUuid}`}
    ORDER BY s.rowid, a.create_date, a.uuid`;
}

const ofWmsId = (organization: SQL, wmsId: SQL): SQL => sql`SELECT uuid FROM asset_loading
  WHERE organization_uuid = ${organization} AND wms_id = ${wmsId}`;
