import { type SQL, sql } from 'drizzle-orm';
import { searchCondition } from '../http/list.ts';
import type { Sorting } from '../http/list-statements.ts';
import { inList, type Scope } from '../lib/database.ts';
import { recordView } from '../manifest/asset-store.ts';
import { LISTED } from '../track/store.ts';

/** What records can be sorted by: the order in which they came to their manifest. */
export const recordSorting: Sorting<'createDate'> = {
  columns: { createDate: { expression: sql`a.create_date`, stable: true } },
  default: { sortBy: 'createDate', direction: 'ASC' },
};

/** What the records of a manifest or shipment can be filtered by. */
export interface RecordFilters {
  /** `IN (…)` over manifests. */
  manifests: SQL;
  loadingStatus?: readonly string[] | undefined;
  /** In the WMS id or the marker code, whatever the case of its ASCII letters. */
  q?: string | undefined;
}

/** The loading records of manifests that meet the filters. */
export function recordSource({ organization }: Scope, { manifests, loadingStatus, q }: RecordFilters) {
  return {
    from: sql`asset_loading a JOIN manifest ON manifest.uuid = a.manifest_uuid`,
    table: 'a',
    conditions: [
      sql`a.organization_uuid = ${organization}`,
      sql`a.manifest_uuid ${manifests}`,
      loadingStatus && sql`a.loading_status ${inList(loadingStatus)}`,
      searchCondition([sql`lower(a.wms_id)`, sql`CAST(a.marker_code AS TEXT)`], q),
    ],
    view: recordView(LISTED),
    sorting: recordSorting,
  };
}
