import { type SQL, sql } from 'drizzle-orm';
import type { Scope } from '../../core/lib/scope.ts';

/** A pallet that a camera may read. */
export interface Readable {
  markerCode: number;
  wmsId: string;
}

/** Manifests `m` in progress at a gate, with their assets `a`. */
const inProgress = (
  organization: string,
  gateUuid: SQL,
): SQL => sql`FROM manifest m CROSS JOIN asset_loading a
    ON a.organization_uuid = m.organization_uuid AND a.manifest_uuid = m.uuid
  WHERE m.organization_uuid = ${organization} AND m.gate_uuid = ${gateUuid} AND m.manifest_status = 'IN_PROGRESS'
    AND m.deleted_date IS NULL`;

/**
 * Pallets that a manifest in progress at a gate expects and that are not loaded yet, up to a limit.
 */
export const expectedQuery = ({ organization }: Scope, gateUuid: SQL, limit: number): SQL<Readable> =>
  sql`SELECT DISTINCT t.marker_code AS "markerCode", t.wms_id AS "wmsId"
    FROM (SELECT a.wms_id ${inProgress(organization, gateUuid)} AND a.loading_status = 'NOT_LOADED') e
    CROSS JOIN track t ON t.organization_uuid = ${organization} AND t.wms_id = e.wms_id
    WHERE t.deleted_date IS NULL AND t.retirement <> 'RETIRED' LIMIT ${limit}`;

/** Pallets that no manifest in progress at a gate expects, latest first. */
export const othersQuery = ({ organization }: Scope, gateUuid: SQL, limit: number): SQL<Readable> =>
  sql`SELECT t.marker_code AS "markerCode", t.wms_id AS "wmsId" FROM track t
    WHERE t.organization_uuid = ${organization} AND t.deleted_date IS NULL AND t.retirement <> 'RETIRED'
      AND t.wms_id NOT IN (SELECT coalesce(a.wms_id, '') ${inProgress(organization, gateUuid)})
    ORDER BY t.create_date DESC, t.uuid DESC LIMIT ${limit}`;
