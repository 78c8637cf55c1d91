import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import { includeDeletedFilter, list, searchFilter } from '../../core/http/list.ts';
import { listParts, searchCondition, totalOf } from '../../core/http/list-statements.ts';
import { several, uuid } from '../../core/http/schema.ts';
import { printingBatchView } from './store.ts';
import { BATCH_STATUSES } from './table.ts';

/** The organization's printing batches, or only the batches of the scanner `scannerUuid`. */
export const batchList = list({
  table: 'printing_batch',
  view: printingBatchView,
  sorting: {
    columns: {
      createDate: { expression: sql`printing_batch.create_date`, stable: true },
      updateDate: { expression: sql`printing_batch.update_date`, stable: false },
      firstMarkerCode: { expression: sql`printing_batch.first_marker_code`, stable: true },
      status: { expression: sql`printing_batch.status`, stable: false },
    },
    default: { sortBy: 'createDate', direction: 'DESC' },
  },
  filters: {
    scannerUuid: uuid.optional(),
    status: several(z.enum(BATCH_STATUSES)).optional(),
    q: searchFilter,
    includeDeleted: includeDeletedFilter,
  },
  rows({ organization }, query) {
    const { scannerUuid } = query;
    const parts = listParts(sql`printing_batch.status`, query.status);
    return {
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
      filtering: [searchCondition([sql`printing_batch.folded_identifier`], query.q)],
    };
  },
});
