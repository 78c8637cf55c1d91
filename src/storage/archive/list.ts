import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import { dateFilter } from '../../core/http/dates.ts';
import { list, searchFilter } from '../../core/http/list.ts';
import { dateRange, listParts, searchCondition, totalOf } from '../../core/http/list-statements.ts';
import { several } from '../../core/http/schema.ts';
import { archiveView } from './store.ts';
import { ARCHIVED_TYPES } from './table.ts';

/** The organization's archive. */
export const archiveList = list({
  table: 'archive_entry',
  view: archiveView,
  sorting: {
    columns: {
      closeDate: { expression: sql`archive_entry.close_date`, stable: true },
      createDate: { expression: sql`archive_entry.create_date`, stable: true },
      updateDate: { expression: sql`archive_entry.update_date`, stable: true },
      externalIdentifier: { expression: sql`archive_entry.external_identifier`, stable: true },
    },
    default: { sortBy: 'closeDate', direction: 'DESC' },
  },
  filters: {
    entityType: several(z.enum(ARCHIVED_TYPES)).optional(),
    q: searchFilter,
    closeDateAfter: dateFilter.optional(),
    closeDateBefore: dateFilter.optional(),
  },
  rows({ organization }, query) {
    const parts = listParts(sql`archive_entry.entity_type`, query.entityType);
    return {
      conditions: [
        sql`archive_entry.organization_uuid = ${organization}`,
        sql`archive_entry.deleted_date IS NULL`,
      ],
      parts,
      count: totalOf(organization, 'archive_entry', parts),
      filtering: [
        searchCondition([sql`archive_entry.folded_identifier`], query.q),
        dateRange(sql`archive_entry.close_date`, query.closeDateAfter, query.closeDateBefore),
      ],
    };
  },
});
