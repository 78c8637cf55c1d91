import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../../../core/lib/database.ts';
import type { ViewRow } from '../../../../core/lib/view.ts';
import { trackOfRecord } from '../../../../dispatch/load/shared/asset-store.ts';

/** The maximum number of pallets on the paper of a load's page, and of its loading list. */
export const PAPER_LIMITS = { page: 300, list: 5_000 } as const;

/** A pallet on paper. */
export interface PaperPallet {
  manifestUuid: string;
  /** Null for an unknown marker. */
  wmsId: string | null;
  markerCode: number | null;
  loadingStatus: string;
}

/**
 * All pallets of a load, also wrong ones, without cancelled manifests. `manifests` is a condition on the manifest
 * uuid. It reads one row more than the limit.
 */
export const paperQuery = (
  { organization }: Database,
  manifests: SQL,
  limit: number,
): SQL<ViewRow<SQL<PaperPallet>>> => sql`SELECT json_object('manifestUuid', manifest.uuid, 'wmsId', a.wms_id,
    'loadingStatus', a.loading_status, 'markerCode', coalesce(a.marker_code, (SELECT track.marker_code FROM track
      WHERE track.uuid = ${trackOfRecord} AND track.organization_uuid = a.organization_uuid))) AS view
  FROM (SELECT * FROM manifest WHERE uuid ${manifests} AND +organization_uuid = ${organization}
    AND manifest_status <> 'CANCELLED' ORDER BY create_date, uuid) manifest
  CROSS JOIN asset_loading a ON a.organization_uuid = manifest.organization_uuid AND a.manifest_uuid = manifest.uuid
  LIMIT ${limit + 1}`;
