import { sql } from 'drizzle-orm';
import { searchCondition } from '../http/list.ts';
import { partsOf, type Sorting, totalOf } from '../http/list-statements.ts';
import type { Scope } from '../lib/database.ts';
import { printingBatchView } from './store.ts';

/** What the list can be sorted by. */
export const batchSorting: Sorting<'createDate' | 'updateDate' | 'firstMarkerCode' | 'status'> = {
  columns: {
    createDate: { expression: sql`printing_batch.create_date`, stable: true },
    updateDate: { expression: sql`printing_batch.update_date`, stable: false },
    firstMarkerCode: { expression: sql`printing_batch.first_marker_code`, stable: true },
    status: { expression: sql`printing_batch.status`, stable: false },
  },
  default: { sortBy: 'createDate', direction: 'DESC' },
};

/** What the list can be filtered by. */
export interface BatchFilters {
  /** Of this scanner alone. */
  scannerUuid?: string | undefined;
  status?: readonly string[] | undefined;
  q?: string | undefined;
  includeDeleted?: boolean | undefined;
}

/** The organization's rows that meet the filters. */
export function batchSource(database: Scope, query: BatchFilters) {
  const { organization } = database;
  const { scannerUuid } = query;
  const parts = partsOf(sql`printing_batch.status`, query.status);
  return {
    from: sql`printing_batch`,
    table: 'printing_batch',
    conditions: [
      sql`printing_batch.organization_uuid = ${organization}`,
      scannerUuid === undefined ? undefined : sql`printing_batch.scanner_uuid = ${scannerUuid}`,
      query.includeDeleted ? undefined : sql`printing_batch.deleted_date IS NULL`,
    ],
    parts,
    count:
      query.includeDeleted || scannerUuid === undefined
        ? undefined
        : totalOf(organization, `printing_batch:${scannerUuid}`, parts),
    filters: [searchCondition([sql`printing_batch.folded_identifier`], query.q)],
    view: printingBatchView,
    sorting: batchSorting,
  };
}
