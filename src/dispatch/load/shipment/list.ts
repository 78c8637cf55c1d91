import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import { dateFilter } from '../../../core/http/dates.ts';
import { includeDeletedFilter, list, searchFilter } from '../../../core/http/list.ts';
import { dateRange, listParts, liveRows, searchCondition } from '../../../core/http/list-statements.ts';
import { several, text } from '../../../core/http/schema.ts';
import { gatesNamed } from '../../gate/store.ts';
import { changedSince } from '../shared/asset-store.ts';
import { LOAD_STATUSES } from '../shared/status-rules.ts';
import { BRIEF_EXTENT, shipmentUpdateDate, shipmentView } from './store.ts';

export const SHIPMENT_SORTING = {
  createDate: { expression: sql`shipment.create_date`, stable: true },
  updateDate: { expression: shipmentUpdateDate, stable: false },
  externalIdentifier: { expression: sql`shipment.external_identifier`, stable: true },
  status: { expression: sql`shipment.status`, stable: false },
  activateDate: { expression: sql`shipment.activate_date`, stable: false },
  closeDate: { expression: sql`shipment.close_date`, stable: false },
};

/** The columns of a list of shipments. */
export const SHIPMENT_COLUMNS = {
  key: sql`shipment.uuid`,
  createDate: sql`shipment.create_date`,
  updateDate: shipmentUpdateDate,
};

export const SHIPMENT_FILTERS = {
  status: several(z.enum(LOAD_STATUSES)).optional(),
  gate: several(text(1, 255)).optional().describe('Assigned to any of these gates, by external id or UUID'),
  q: searchFilter,
  activateDateAfter: dateFilter.optional(),
  activateDateBefore: dateFilter.optional(),
  closeDateAfter: dateFilter.optional(),
  closeDateBefore: dateFilter.optional(),
  includeDeleted: includeDeletedFilter,
};

export const shipmentList = list({
  table: 'shipment',
  columns: SHIPMENT_COLUMNS,
  view: shipmentView(BRIEF_EXTENT),
  sorting: {
    columns: SHIPMENT_SORTING,
    default: { sortBy: 'createDate', direction: 'DESC' },
  },
  filters: SHIPMENT_FILTERS,
  rows(scope, query) {
    const status = sql`shipment.status`;
    const every = listParts(status, LOAD_STATUSES);
    const live = liveRows(scope, 'shipment', query, listParts(status, query.status), every);
    const changed = query.includeDeleted ? undefined : query.updateDateAfter;
    const [ofOrganization, ...others] = live.conditions;
    return {
      ...live,
      // The plus makes SQLite look up shipments by the uuids that the filter gives.
      conditions: changed === undefined ? live.conditions : [sql`+${ofOrganization}`, ...others],
      filtering: [
        query.gate && sql`shipment.gate_uuid ${gatesNamed(scope.organization, query.gate)}`,
        searchCondition([sql`shipment.folded_identifier`, sql`shipment.folded_notes`], query.q),
        dateRange(sql`shipment.activate_date`, query.activateDateAfter, query.activateDateBefore),
        dateRange(sql`shipment.close_date`, query.closeDateAfter, query.closeDateBefore),
        changed === undefined
          ? undefined
          : sql`shipment.uuid IN ${changedSince(scope.organization, 'shipment', changed)}`,
      ],
      narrow: Boolean(
        query.status || query.gate || changed !== undefined || query.closeDateAfter || query.closeDateBefore,
      ),
    };
  },
});
