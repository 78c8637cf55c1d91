import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import { list, type Total } from '../http/list.ts';
import { dateRange } from '../http/list-statements.ts';
import { dateFilter, several, text, uuid } from '../http/schema.ts';
import { inList } from '../lib/database.ts';
import { ACTOR_TYPES, ENTITY_TYPES } from '../writer/audit-table.ts';
import { positionFilter } from './schema.ts';
import { auditView } from './store.ts';

const place = sql`audit_log.sequence_number`;
const date = sql`audit_log.event_date`;

/** An audit log. */
export const auditList = list({
  table: 'audit_log',
  columns: { key: place, createDate: date, updateDate: date },
  view: auditView,
  sorting: {
    columns: {
      sequenceNumber: { expression: place, stable: true },
      eventDate: { expression: date, stable: true },
      createDate: { expression: date, stable: true },
    },
    default: { sortBy: 'sequenceNumber', direction: 'DESC' },
  },
  filters: {
    entityType: several(z.enum(ENTITY_TYPES)).optional(),
    entityUuid: uuid.optional(),
    entityExternalId: text(1, 255).optional().describe('Exactly this one'),
    action: several(text(1, 100)).optional(),
    actorType: several(z.enum(ACTOR_TYPES)).optional(),
    actorUuid: uuid.optional().describe('Of a credential or user'),
    requestId: text(1, 128).optional(),
    eventDateAfter: dateFilter.optional(),
    eventDateBefore: dateFilter.optional(),
    sequenceNumberFrom: positionFilter.optional().describe('This place and those after it'),
    sequenceNumberTo: positionFilter.optional().describe('This place and those before it'),
  },
  rows({ organization }, query) {
    const { entityType, action, actorType, sequenceNumberFrom: from, sequenceNumberTo: to } = query;
    const equal = (column: SQL, value: string | undefined) =>
      value === undefined ? undefined : sql`${column} = ${value}`;
    // By itself, so that whatever else is asked for, SQLite finds the thing's records by its index.
    const about = (column: SQL, value: string | undefined) =>
      value === undefined
        ? undefined
        : sql`${place} IN (SELECT about.sequence_number FROM audit_log about
          WHERE about.organization_uuid = ${organization} AND about.${column} = ${value})`;
    return {
      conditions: [
        sql`audit_log.organization_uuid = ${organization}`,
        from === undefined ? undefined : sql`${place} >= ${from}`,
        to === undefined ? undefined : sql`${place} <= ${to}`,
      ],
      count: countOfPlaces(organization, from, to),
      filtering: [
        entityType && sql`entity_type ${inList(entityType)}`,
        about(sql`entity_uuid`, query.entityUuid),
        about(sql`entity_external_id`, query.entityExternalId),
        action && sql`action ${inList(action)}`,
        actorType && sql`actor_type ${inList(actorType)}`,
        equal(sql`actor_uuid`, query.actorUuid),
        equal(sql`request_id`, query.requestId),
        dateRange(date, query.eventDateAfter, query.eventDateBefore),
      ],
      narrow: query.entityUuid !== undefined || query.entityExternalId !== undefined,
    };
  },
});

/**
 * How many records stand from one place to another: there are no gaps but those of `store_rewind`, so that nobody has to
 * count. With this a walk over the whole log reads each record once, and not once for every page.
 */
const countOfPlaces = (
  organization: string,
  from: number | undefined,
  to: number | undefined,
): SQL<Total> => sql`SELECT max(0, min(head, ${to ?? Number.MAX_SAFE_INTEGER}) - max(1, ${from ?? 1}) + 1)
    - coalesce((SELECT sum(max(0, min(sequence_number - 1, head, ${to ?? Number.MAX_SAFE_INTEGER})
        - max(sequence_number - skipped_count, ${from ?? 1}) + 1))
      FROM store_rewind WHERE organization_uuid = ${organization}), 0) AS total
  FROM (SELECT coalesce(max(sequence_number), 0) AS head FROM audit_log WHERE organization_uuid = ${organization})`;
