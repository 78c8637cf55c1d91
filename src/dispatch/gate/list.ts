import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import { includeDeletedFilter, list, searchFilter } from '../../core/http/list.ts';
import { liveRows, searchCondition } from '../../core/http/list-statements.ts';
import { several, uuid } from '../../core/http/schema.ts';
import { inList } from '../../core/lib/sql.ts';
import { GATE_STATUSES } from './schema.ts';
import { gateStatus, gateView } from './store.ts';

export const gateList = list({
  table: 'gate',
  view: gateView,
  sorting: {
    columns: {
      createDate: { expression: sql`gate.create_date`, stable: true },
      updateDate: { expression: sql`gate.update_date`, stable: false },
      externalIdentifier: { expression: sql`gate.external_identifier`, stable: true },
      name: { expression: sql`gate.name`, stable: false },
    },
    default: { sortBy: 'createDate', direction: 'DESC' },
  },
  filters: {
    status: several(z.enum(GATE_STATUSES))
      .optional()
      .describe(
        'Any of these statuses. A gate that is OUT_OF_SERVICE is deleted; add `includeDeleted` to find it',
      ),
    localManagerUuid: several(uuid).optional().describe('With any of these local managers'),
    q: searchFilter,
    includeDeleted: includeDeletedFilter,
  },
  rows(scope, query) {
    return {
      ...liveRows(scope, 'gate', query),
      filtering: [
        query.status && sql`${gateStatus} ${inList(query.status)}`,
        query.localManagerUuid && sql`gate.local_manager_uuid ${inList(query.localManagerUuid)}`,
        searchCondition([sql`gate.folded_identifier`, sql`gate.folded_name`], query.q),
      ],
    };
  },
});
