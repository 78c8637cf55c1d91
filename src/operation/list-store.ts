import { sql } from 'drizzle-orm';
import { partsOf, type Sorting, totalOf } from '../http/list-statements.ts';
import { inList, type Scope } from '../lib/database.ts';
import { operationHeadView, updateDate } from './store.ts';

/** What the list can be sorted by. */
export const operationSorting: Sorting<'createDate'> = {
  columns: { createDate: { expression: sql`operation.create_date`, stable: true } },
  default: { sortBy: 'createDate', direction: 'DESC' },
};

/** What the list can be filtered by. */
export interface OperationFilters {
  status?: readonly string[] | undefined;
  operationType?: readonly string[] | undefined;
}

/** The organization's operations that meet the filters, without their results. */
export function operationSource({ organization }: Scope, { status, operationType }: OperationFilters) {
  const parts = partsOf(sql`operation.status`, status);
  return {
    from: sql`operation`,
    table: 'operation',
    columns: {
      key: sql`operation.uuid`,
      createDate: sql`operation.create_date`,
      updateDate,
    },
    conditions: [sql`operation.organization_uuid = ${organization}`],
    parts,
    count: totalOf(organization, 'operation', parts),
    filters: [operationType && sql`operation.operation_type ${inList(operationType)}`],
    view: operationHeadView,
    sorting: operationSorting,
  };
}
