import { type SQL, sql } from 'drizzle-orm';
import type { Scope } from '../../core/lib/scope.ts';
import { inList } from '../../core/lib/sql.ts';
import { IS_ASSET, trackOfRecord } from '../load/shared/asset-store.ts';
import { latestManifest, trackUuidOf } from '../track/store.ts';

/** The texts of a label. */
export interface PalletLabel {
  wmsId: string;
  /** Null for a pallet without a marker. */
  markerCode: number | null;
  manifest: string | null;
  /** The name of the manifest's gate. */
  gate: string | null;
  consignee: string | null;
}

/** The custom field of a manifest with the consignee of its pallets. */
export const CONSIGNEE_KEY = 'consignee';

/** SQL: the consignee of a manifest, or NULL. */
export const consigneeOf = (organization: string, manifest: SQL): SQL<string | null> =>
  sql`(SELECT nullif(trim(f.field_value), '') FROM custom_field f WHERE f.organization_uuid = ${organization}
    AND f.owner_uuid = ${manifest} AND f.field_key = ${CONSIGNEE_KEY})`;

/**
 * The labels to read: at most `limit`. They are in the order of their marker codes. Labels without a marker come last, in the
 * order of their WMS ids.
 */
interface Part {
  /** The last label that was read has this marker. */
  after?: number | undefined;
  /** The last label that was read has no marker, and this WMS id. */
  afterPallet?: string | undefined;
  limit: number;
}

/** The maximum number of labels that a page prints at once. The API has its own limit. */
export const PRINT_MAXIMUM = 1_000;
/** One more is read, so that a longer list is noticed. */
const READ: Part = { limit: PRINT_MAXIMUM + 1 };

/** SQL: the open manifest that expects the pallet of `chosen`, which has no track. Of several, the latest one. */
const openManifest = (organization: string): SQL => sql`(SELECT a.manifest_uuid FROM asset_loading a
  WHERE a.organization_uuid = ${organization} AND a.wms_id = chosen.wms_id AND a.closed = 0 AND a.${IS_ASSET}
  ORDER BY a.manifest_uuid DESC LIMIT 1)`;

/**
 * Read labels. `chosen` selects the columns `track_uuid`, `manifest_uuid` and `wms_id`. If the manifest is null, the label
 * names the pallet's open manifest, or else the latest one. Deleted tracks are left out.
 */
const labelsQuery = (
  { organization }: Scope,
  chosen: SQL,
  { after = 0, afterPallet, limit }: Part = READ,
): SQL<PalletLabel> => sql`SELECT coalesce(track.wms_id, chosen.wms_id) AS "wmsId", track.marker_code AS "markerCode",
    manifest.external_identifier AS manifest,
    (SELECT gate.name FROM gate WHERE gate.uuid = manifest.gate_uuid
      AND gate.organization_uuid = ${organization}) AS gate,
    coalesce(
      ${consigneeOf(organization, sql`manifest.uuid`)},
      (SELECT client.display_name FROM client WHERE client.uuid = track.client_uuid
        AND client.organization_uuid = ${organization})) AS consignee
  FROM (${chosen}) chosen LEFT JOIN track ON track.uuid = chosen.track_uuid AND +track.organization_uuid = ${organization}
      AND track.deleted_date IS NULL
    LEFT JOIN manifest ON manifest.uuid = coalesce(chosen.manifest_uuid,
      iif(track.uuid IS NULL, ${openManifest(organization)}, ${latestManifest}))
  WHERE (chosen.track_uuid IS NULL OR track.uuid IS NOT NULL)
    AND ${afterPallet === undefined ? sql`coalesce(track.marker_code > ${after}, 1)` : sql`track.uuid IS NULL AND chosen.wms_id > ${afterPallet}`}
  ORDER BY track.marker_code IS NULL, track.marker_code, chosen.wms_id LIMIT ${limit}`;

/** The labels of tracks. `tracks` is SQL that follows `t.uuid`. */
export const labelsOfTracks = (scope: Scope, tracks: SQL): SQL<PalletLabel> =>
  labelsQuery(
    scope,
    sql`SELECT t.uuid AS track_uuid, NULL AS manifest_uuid, t.wms_id FROM track t
      WHERE t.uuid ${tracks} AND +t.organization_uuid = ${scope.organization}`,
  );

/** The label of a pallet: of its track, or without a track of the asset that an open manifest expects. */
export const labelsOfPallet = (scope: Scope, identifier: string): SQL<PalletLabel> => {
  const track = trackUuidOf(scope, identifier);
  return labelsQuery(
    scope,
    sql`SELECT t.uuid AS track_uuid, NULL AS manifest_uuid, t.wms_id FROM track t
      WHERE t.uuid = ${track} AND +t.organization_uuid = ${scope.organization}
      UNION ALL SELECT NULL, NULL, ${identifier} WHERE iif(${track} IS NULL, (SELECT 1 FROM asset_loading a
        WHERE a.organization_uuid = ${scope.organization} AND a.wms_id = ${identifier} AND a.closed = 0 AND a.${IS_ASSET}
        LIMIT 1), 0)`,
  );
};

/** The labels of the tracks that have these markers now. */
export const labelsOfMarkers = (scope: Scope, codes: readonly number[]): SQL<PalletLabel> =>
  labelsQuery(
    scope,
    sql`SELECT t.uuid AS track_uuid, NULL AS manifest_uuid, t.wms_id FROM track t
      WHERE t.organization_uuid = ${scope.organization} AND t.marker_code ${inList(codes)} AND t.deleted_date IS NULL`,
  );

/**
 * The labels of the pallets of manifests. `manifests` is a condition on the manifest uuid. A pallet on several of them has
 * one label.
 */
export const labelsOfManifests = (scope: Scope, manifests: SQL, part?: Part): SQL<PalletLabel> =>
  labelsQuery(
    scope,
    sql`SELECT ${trackOfRecord} AS track_uuid, a.wms_id, min(manifest.uuid) AS manifest_uuid
      FROM manifest CROSS JOIN asset_loading a ON a.organization_uuid = ${scope.organization}
        AND a.manifest_uuid = manifest.uuid AND ${IS_ASSET}
      WHERE manifest.uuid ${manifests} AND +manifest.organization_uuid = ${scope.organization} GROUP BY 1, 2`,
    part,
  );

export const labelsOfShipments = (scope: Scope, uuids: readonly string[]): SQL<PalletLabel> =>
  labelsOfManifests(
    scope,
    sql`IN (SELECT manifest_uuid FROM shipment_manifest
      WHERE organization_uuid = ${scope.organization} AND shipment_uuid ${inList(uuids)})`,
  );

/**
 * The labels of loading records. `records` is SQL that follows `a.uuid`. After this condition it may add others on
 * record `a` and its `manifest`. A pallet that does not belong on that manifest has the label of its own manifest.
 */
const labelsOfRecordsWhere = (scope: Scope, records: SQL): SQL<PalletLabel> =>
  labelsQuery(
    scope,
    sql`SELECT ${trackOfRecord} AS track_uuid, a.wms_id, min(iif(${IS_ASSET}, manifest.uuid, NULL)) AS manifest_uuid
      FROM asset_loading a CROSS JOIN manifest ON manifest.uuid = a.manifest_uuid
      WHERE a.uuid ${records} AND +a.organization_uuid = ${scope.organization} AND a.loading_status <> 'UNKNOWN_LOADING'
      GROUP BY 1, 2`,
  );

export const labelsOfRecords = (scope: Scope, uuids: readonly string[]): SQL<PalletLabel> =>
  labelsOfRecordsWhere(scope, inList(uuids));

/** The label of a loading record at a gate; no row if it is at another gate. */
export const labelsOfRecordAt = (scope: Scope, record: string, gateUuid: string): SQL<PalletLabel> =>
  labelsOfRecordsWhere(scope, sql`= ${record} AND ${gateUuid} IN (manifest.gate_uuid, a.gate_uuid)`);
