import { type SQL, sql } from 'drizzle-orm';
import type { Scope } from '../../core/lib/scope.ts';
import { inList } from '../../core/lib/sql.ts';
import { IS_ASSET, trackOfRecord } from './asset-store.ts';

/** The maximum number of labels that are read: one more than can be printed at once. */
const LABELS_READ = 1_001;

export interface MarkerOf {
  markerCode: number;
}

/** The markers of tracks that are not deleted, sorted by code. */
export const markersOfTracks = (
  { organization }: Scope,
  uuids: readonly string[],
): SQL<MarkerOf> => sql`SELECT
    marker_code AS "markerCode" FROM track
  WHERE uuid ${inList(uuids)} AND +organization_uuid = ${organization} AND deleted_date IS NULL
  ORDER BY +marker_code LIMIT ${LABELS_READ}`;

/** The markers of the pallets of manifests. `manifests` is a condition on the manifest uuid. */
export const markersOfManifests = (
  { organization }: Scope,
  manifests: SQL,
): SQL<MarkerOf> => sql`SELECT DISTINCT
    track.marker_code AS "markerCode"
  FROM manifest CROSS JOIN asset_loading a ON a.organization_uuid = ${organization}
      AND a.manifest_uuid = manifest.uuid AND ${IS_ASSET}
    CROSS JOIN track ON track.uuid = ${trackOfRecord}
  WHERE manifest.uuid ${manifests} AND +manifest.organization_uuid = ${organization}
    AND +track.organization_uuid = ${organization}
  ORDER BY track.marker_code LIMIT ${LABELS_READ}`;

export const markersOfShipments = (scope: Scope, uuids: readonly string[]): SQL<MarkerOf> =>
  markersOfManifests(
    scope,
    sql`IN (SELECT manifest_uuid FROM shipment_manifest
      WHERE organization_uuid = ${scope.organization} AND shipment_uuid ${inList(uuids)})`,
  );

export const markersOfRecords = (
  { organization }: Scope,
  uuids: readonly string[],
): SQL<MarkerOf> => sql`SELECT DISTINCT
    track.marker_code AS "markerCode"
  FROM asset_loading a CROSS JOIN manifest ON manifest.uuid = a.manifest_uuid
    CROSS JOIN track ON track.uuid = ${trackOfRecord}
  WHERE a.uuid ${inList(uuids)} AND +a.organization_uuid = ${organization}
    AND +track.organization_uuid = ${organization}
  ORDER BY track.marker_code LIMIT ${LABELS_READ}`;
