import { sql } from 'drizzle-orm';
import { searchCondition } from '../http/list.ts';
import { dateRange, partsOf, type Sorting, totalOf } from '../http/list-statements.ts';
import type { Scope } from '../lib/database.ts';
import { gatesNamed } from '../site/store.ts';
import { BRIEF, shipmentView } from './store.ts';

/** What the list can be sorted by. */
export const shipmentSorting: Sorting<
  'createDate' | 'updateDate' | 'externalIdentifier' | 'status' | 'activateDate' | 'closeDate'
> = {
  columns: {
    createDate: { expression: sql`shipment.create_date`, stable: true },
    updateDate: { expression: sql`shipment.update_date`, stable: false },
    externalIdentifier: { expression: sql`shipment.external_identifier`, stable: true },
    status: { expression: sql`shipment.status`, stable: false },
    activateDate: { expression: sql`shipment.activate_date`, stable: false },
    closeDate: { expression: sql`shipment.close_date`, stable: false },
  },
  default: { sortBy: 'createDate', direction: 'DESC' },
};

/** What the list can be filtered by. */
export interface ShipmentFilters {
  status?: readonly string[] | undefined;
  gate?: readonly string[] | undefined;
  q?: string | undefined;
  activateDateAfter?: number | undefined;
  activateDateBefore?: number | undefined;
  closeDateAfter?: number | undefined;
  closeDateBefore?: number | undefined;
  includeDeleted?: boolean | undefined;
}

/** The organization's rows that meet the filters. */
export function shipmentSource(database: Scope, query: ShipmentFilters) {
  const { organization } = database;
  const parts = partsOf(sql`shipment.status`, query.status);
  return {
    from: sql`shipment`,
    table: 'shipment',
    conditions: [
      sql`shipment.organization_uuid = ${organization}`,
      query.includeDeleted ? undefined : sql`shipment.deleted_date IS NULL`,
    ],
    parts,
    count: query.includeDeleted ? undefined : totalOf(organization, 'shipment', parts),
    filters: [
      query.gate && sql`shipment.gate_uuid ${gatesNamed(organization, query.gate)}`,
      searchCondition([sql`shipment.folded_identifier`, sql`shipment.folded_notes`], query.q),
      dateRange(sql`shipment.activate_date`, query.activateDateAfter, query.activateDateBefore),
      dateRange(sql`shipment.close_date`, query.closeDateAfter, query.closeDateBefore),
    ],
    view: shipmentView(BRIEF),
    sorting: shipmentSorting,
    narrow: Boolean(query.status || query.gate),
  };
}
