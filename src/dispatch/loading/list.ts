import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import { list, searchFilter } from '../../core/http/list.ts';
import { searchCondition } from '../../core/http/list-statements.ts';
import { several } from '../../core/http/schema.ts';
import { inList } from '../../core/lib/sql.ts';
import { recordView, trackOfRecord } from '../load/shared/asset-store.ts';
import { ASSET_STATUSES, INVALID_STATUSES } from '../load/shared/asset-table.ts';
import { LISTED } from '../track/store.ts';

export const RECORD_STATUSES = [...ASSET_STATUSES, ...INVALID_STATUSES] as const;

/**
 * The folded WMS id of a record, from its track. A record without a track uses `lower` of SQLite,
 * which folds a to z only.
 */
const foldedWmsId = sql`coalesce((SELECT folded_wms_id FROM track WHERE track.uuid = ${trackOfRecord}), lower(a.wms_id))`;

/**
 * The search condition of records. It finds the text `q` in the folded WMS id, the marker code, and
 * the WMS id as written.
 */
function foundBy(q: string | undefined): SQL | undefined {
  const found = searchCondition([foldedWmsId, sql`CAST(a.marker_code AS TEXT)`], q);
  return found && sql`(${found} OR instr(a.wms_id, ${q}) > 0)`;
}

/**
 * The loading records of manifests, in the order of creation. `manifests` is a condition on the
 * manifest uuid. `q` searches WMS id and marker code.
 */
export const recordList = list({
  table: 'a',
  from: sql`asset_loading a JOIN manifest ON manifest.uuid = a.manifest_uuid`,
  view: recordView(LISTED),
  sorting: {
    columns: { createDate: { expression: sql`a.create_date`, stable: true } },
    default: { sortBy: 'createDate', direction: 'ASC' },
  },
  filters: { loadingStatus: several(z.enum(RECORD_STATUSES)).optional(), q: searchFilter },
  rows: ({ organization }, { loadingStatus, q }, manifests: SQL) => ({
    conditions: [
      sql`a.organization_uuid = ${organization}`,
      sql`a.manifest_uuid ${manifests}`,
      loadingStatus && sql`a.loading_status ${inList(loadingStatus)}`,
      foundBy(q),
    ],
  }),
});
