import { sql } from 'drizzle-orm';
import { ownersOf } from '../custom-field/store.ts';
import { searchCondition } from '../http/list.ts';
import { dateRange, partsOf, type Sorting, totalOf } from '../http/list-statements.ts';
import type { Scope } from '../lib/database.ts';
import { gatesNamed } from '../site/store.ts';
import { BRIEF, manifestView } from './store.ts';

/** What the list can be sorted by. */
export const manifestSorting: Sorting<
  'createDate' | 'updateDate' | 'externalIdentifier' | 'manifestStatus' | 'activateDate' | 'closeDate'
> = {
  columns: {
    createDate: { expression: sql`manifest.create_date`, stable: true },
    updateDate: { expression: sql`manifest.update_date`, stable: false },
    externalIdentifier: { expression: sql`manifest.external_identifier`, stable: true },
    manifestStatus: { expression: sql`manifest.manifest_status`, stable: false },
    activateDate: { expression: sql`manifest.activate_date`, stable: false },
    closeDate: { expression: sql`manifest.close_date`, stable: false },
  },
  default: { sortBy: 'createDate', direction: 'DESC' },
};

/** What the list can be filtered by. */
export interface ManifestFilters {
  manifestStatus?: readonly string[] | undefined;
  gateExternalId?: readonly string[] | undefined;
  q?: string | undefined;
  activateDateAfter?: number | undefined;
  activateDateBefore?: number | undefined;
  closeDateAfter?: number | undefined;
  closeDateBefore?: number | undefined;
  /** All of them. */
  customField?: readonly { key: string; value: string }[] | undefined;
  includeDeleted?: boolean | undefined;
}

/** The organization's rows that meet the filters. */
export function manifestSource(database: Scope, query: ManifestFilters) {
  const { organization } = database;
  const parts = partsOf(sql`manifest.manifest_status`, query.manifestStatus);
  return {
    from: sql`manifest`,
    table: 'manifest',
    conditions: [
      // The plus leaves manifests to be found by the uuids that their fields give.
      sql`${query.customField ? sql`+` : sql``}manifest.organization_uuid = ${organization}`,
      query.includeDeleted ? undefined : sql`manifest.deleted_date IS NULL`,
    ],
    parts,
    count: query.includeDeleted ? undefined : totalOf(organization, 'manifest', parts),
    filters: [
      query.gateExternalId && sql`manifest.gate_uuid ${gatesNamed(organization, query.gateExternalId)}`,
      searchCondition([sql`manifest.folded_identifier`], query.q),
      dateRange(sql`manifest.activate_date`, query.activateDateAfter, query.activateDateBefore),
      dateRange(sql`manifest.close_date`, query.closeDateAfter, query.closeDateBefore),
      query.customField && sql`manifest.uuid ${ownersOf(organization, query.customField)}`,
    ],
    view: manifestView(BRIEF),
    sorting: manifestSorting,
    narrow: Boolean(query.manifestStatus || query.gateExternalId || query.customField),
  };
}
