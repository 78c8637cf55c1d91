import { sql } from 'drizzle-orm';
import { list } from '../../core/http/list.ts';
import { text, uuid } from '../../core/http/schema.ts';
import { deadLetterView, ofAnyOrganization } from './store.ts';

/** Messages that queues gave up on, of all organizations. */
export const deadLetterList = list({
  table: 'dead_letter',
  view: deadLetterView,
  sorting: {
    columns: {
      createDate: { expression: sql`dead_letter.create_date`, stable: true },
      updateDate: { expression: sql`dead_letter.update_date`, stable: false },
    },
    default: { sortBy: 'createDate', direction: 'DESC' },
  },
  filters: {
    organizationUuid: uuid.optional().describe('Only dead letters of this organization'),
    queue: text(1, 100).optional().describe('Only dead letters of this queue, such as `operation`'),
  },
  rows: (_, { organizationUuid, queue }) => ({
    conditions: [
      ofAnyOrganization,
      organizationUuid === undefined ? undefined : sql`dead_letter.organization_uuid = ${organizationUuid}`,
      queue === undefined ? undefined : sql`dead_letter.queue = ${queue}`,
    ],
  }),
});
