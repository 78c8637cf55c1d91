import { sql } from 'drizzle-orm';
import { searchCondition } from '../http/list.ts';
import { type Sorting, totalOf } from '../http/list-statements.ts';
import { inList, type Scope } from '../lib/database.ts';
import { gateStatus, gateView } from './store.ts';

/** What the list can be sorted by. */
export const gateSorting: Sorting<'createDate' | 'updateDate' | 'externalIdentifier' | 'name'> = {
  columns: {
    createDate: { expression: sql`gate.create_date`, stable: true },
    updateDate: { expression: sql`gate.update_date`, stable: false },
    externalIdentifier: { expression: sql`gate.external_identifier`, stable: true },
    name: { expression: sql`gate.name`, stable: false },
  },
  default: { sortBy: 'createDate', direction: 'DESC' },
};

/** What the list can be filtered by. */
export interface GateFilters {
  status?: readonly string[] | undefined;
  localManagerUuid?: readonly string[] | undefined;
  q?: string | undefined;
  includeDeleted?: boolean | undefined;
}

/** The organization's rows that meet the filters. */
export function gateSource(database: Scope, query: GateFilters) {
  const { organization } = database;
  return {
    from: sql`gate`,
    table: 'gate',
    conditions: [
      sql`gate.organization_uuid = ${organization}`,
      query.includeDeleted ? undefined : sql`gate.deleted_date IS NULL`,
    ],
    count: query.includeDeleted ? undefined : totalOf(organization, 'gate'),
    filters: [
      query.status && sql`${gateStatus} ${inList(query.status)}`,
      query.localManagerUuid && sql`gate.local_manager_uuid ${inList(query.localManagerUuid)}`,
      searchCondition([sql`gate.folded_identifier`, sql`gate.folded_name`], query.q),
    ],
    view: gateView,
    sorting: gateSorting,
  };
}
