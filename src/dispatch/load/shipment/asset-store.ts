import { type SQL, sql } from 'drizzle-orm';
import type { WholeRow } from '../../../core/http/whole.ts';
import type { Scope } from '../../../core/lib/scope.ts';
import { LISTED } from '../../track/store.ts';
import {
  behind,
  IS_ASSET,
  type RecordPlace,
  recordView,
  type StoredRecord,
  type WantedRecords,
} from '../shared/asset-store.ts';

/** The records of a shipment, sorted by manifest. */
export const recordsOfShipment = (
  database: Scope,
  shipmentUuid: SQL,
  { onlyAssets, after }: WantedRecords,
) => sql<
  WholeRow<StoredRecord, RecordPlace>
>`SELECT ${recordView(LISTED)} AS view, json_array(s.rowid, a.create_date, a.uuid) AS position
  FROM shipment_manifest s
  CROSS JOIN manifest ON manifest.uuid = s.manifest_uuid
  CROSS JOIN asset_loading a ON a.organization_uuid = s.organization_uuid AND a.manifest_uuid = s.manifest_uuid
  WHERE s.organization_uuid = ${database.organization} AND s.shipment_uuid = ${shipmentUuid}
    AND ${onlyAssets ? sql`${IS_ASSET} AND manifest.manifest_status <> 'CANCELLED'` : sql`TRUE`}
    AND ${after === undefined ? sql`TRUE` : sql`s.rowid >= ${after[0]} AND (s.rowid > ${after[0]} OR ${behind(after)})`}
  ORDER BY s.rowid, a.create_date, a.uuid`;
