import { type SQL, sql } from 'drizzle-orm';
import type { Scope } from '../../core/lib/scope.ts';
import { inList } from '../../core/lib/sql.ts';
import { type PlacedRow, placedColumns } from '../load/shared/asset-store.ts';
import { KEPT_MAXIMUM, type KeptMember, type KeptRecord, type Present } from './rules.ts';

/** A row of `recordsQuery`. */
export type KeptRow = Omit<KeptRecord, 'alertUuids'> & Pick<PlacedRow, 'alertUuids'>;

/** The records of an `IN` condition on uuids. One more than the maximum, so that a caller sees that there are more. */
export const recordsQuery = (
  { organization }: Scope,
  uuids: SQL,
): SQL<KeptRow> => sql`SELECT ${placedColumns},
    a.marker_code AS "ownMarkerCode", a.track_uuid AS "ownTrackUuid", a.create_date AS "createDate", a.closed
  FROM asset_loading a CROSS JOIN manifest m ON m.uuid = a.manifest_uuid
  WHERE a.uuid ${uuids} AND +a.organization_uuid = ${organization} LIMIT ${KEPT_MAXIMUM + 1}`;

/** `IN (…)` over the records of pallets, and these records. Both are `IN` conditions. */
export const recordsOfPallets = ({ organization }: Scope, wmsIds: SQL, uuids: SQL): SQL =>
  sql`IN (SELECT uuid FROM asset_loading WHERE organization_uuid = ${organization} AND wms_id ${wmsIds} AND closed IN (0, 1)
    UNION SELECT uuid FROM asset_loading WHERE uuid ${uuids} AND +organization_uuid = ${organization})`;

/** `IN (…)` over the records of a manifest that detaching it from its shipment changes. */
export const markedRecords = ({ organization }: Scope, manifestUuid: string): SQL =>
  sql`IN (SELECT uuid FROM asset_loading WHERE organization_uuid = ${organization} AND manifest_uuid = ${manifestUuid}
    AND +loading_status <> 'NOT_LOADED')`;

/** The open alerts about records or their loads. `records` is an `IN` condition on records. */
export const alertsQuery = ({ organization }: Scope, records: SQL): SQL<{ uuid: string }> => sql`
  SELECT uuid FROM alert WHERE organization_uuid = ${organization} AND +status = 'OPEN' AND record_uuid IN (
    SELECT a.uuid FROM asset_loading a WHERE a.uuid ${records}
    UNION SELECT a.manifest_uuid FROM asset_loading a WHERE a.uuid ${records}
    UNION SELECT s.shipment_uuid FROM asset_loading a CROSS JOIN shipment_manifest s ON s.organization_uuid = a.organization_uuid
      AND s.manifest_uuid = a.manifest_uuid WHERE a.uuid ${records})`;

/** The membership of a manifest. */
export const memberQuery = ({ organization }: Scope, manifestUuid: string): SQL<KeptMember> => sql`SELECT
    manifest_uuid AS "manifestUuid", shipment_uuid AS "shipmentUuid", rowid AS place FROM shipment_manifest
  WHERE organization_uuid = ${organization} AND manifest_uuid = ${manifestUuid}`;

/** The rows that `presentView` shows. */
export interface Looked {
  uuids: readonly string[];
  wmsIds: readonly string[];
  manifests: readonly string[];
}

/** SQL: JSON of `Present`. */
export function presentView(scope: Scope, { uuids, wmsIds, manifests }: Looked): SQL<Present> {
  const { organization } = scope;
  const records = recordsOfPallets(scope, inList(wmsIds), inList(uuids));
  const own = sql`m.uuid ${inList(manifests)} AND +m.organization_uuid = ${organization}`;
  return sql<Present>`json_object(
    'records', json((SELECT json_group_object(a.uuid, a.update_date) FROM asset_loading a WHERE a.uuid ${records})),
    'manifests', json((SELECT json_group_object(m.uuid, m.manifest_status || coalesce((SELECT s.shipment_uuid
      FROM shipment_manifest s WHERE s.organization_uuid = ${organization} AND s.manifest_uuid = m.uuid), '')
      || coalesce(m.gate_uuid, '')) FROM manifest m WHERE ${own})))`;
}

/** The answer of the command that had this idempotency key. */
export const answerQuery = (
  { organization }: Scope,
  key: string,
): SQL<{ body: string | null }> => sql`SELECT body
  FROM idempotency WHERE organization_uuid = ${organization} AND key = ${key}`;

/** The alerts among these that were resolved at this time. */
export const resolvedThenQuery = (
  { organization }: Scope,
  uuids: readonly string[],
  date: number,
): SQL<{ uuid: string }> => sql`SELECT uuid FROM alert WHERE uuid ${inList(uuids)}
  AND +organization_uuid = ${organization} AND status = 'RESOLVED' AND resolved_date = ${date}`;

/** The tracks among these that were retired at this time. */
export const retiredThenQuery = (
  { organization }: Scope,
  uuids: readonly string[],
  date: number,
): SQL<{
  uuid: string;
  wmsId: string;
}> => sql`SELECT uuid, wms_id AS "wmsId" FROM track WHERE uuid ${inList(uuids)}
  AND +organization_uuid = ${organization} AND retirement = 'RETIRED' AND retire_date = ${date} AND deleted_date IS NULL`;
