import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import { list } from '../../core/http/list.ts';
import { listParts, totalOf } from '../../core/http/list-statements.ts';
import { several } from '../../core/http/schema.ts';
import { inList } from '../../core/lib/sql.ts';
import { operationHeadView } from './store.ts';
import { OPERATION_STATUSES, OPERATION_TYPES } from './table.ts';

/** The organization's operations, without their results. */
export const operationList = list({
  table: 'operation',
  columns: {
    key: sql`operation.uuid`,
    createDate: sql`operation.create_date`,
    updateDate: sql`operation.update_date`,
  },
  view: operationHeadView,
  sorting: {
    columns: { createDate: { expression: sql`operation.create_date`, stable: true } },
    default: { sortBy: 'createDate', direction: 'DESC' },
  },
  filters: {
    status: several(z.enum(OPERATION_STATUSES)).optional(),
    operationType: several(z.enum(OPERATION_TYPES)).optional(),
  },
  rows({ organization }, { status, operationType }) {
    const parts = listParts(sql`operation.status`, status);
    return {
      conditions: [sql`operation.organization_uuid = ${organization}`],
      parts,
      count: totalOf(organization, 'operation', parts),
      filtering: [operationType && sql`operation.operation_type ${inList(operationType)}`],
    };
  },
});
