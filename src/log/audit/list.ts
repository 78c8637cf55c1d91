import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import { dateFilter } from '../../core/http/dates.ts';
import { list, type Sorting, type Total } from '../../core/http/list.ts';
import { dateRange } from '../../core/http/list-statements.ts';
import { several, text, uuid } from '../../core/http/schema.ts';
import { compactUuid } from '../../core/lib/compact.ts';
import { numberedIn } from '../../core/lib/date-search.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { inList, seeking } from '../../core/lib/sql.ts';
import type { Viewed } from '../../core/lib/view.ts';
import {
  ACTOR_TYPES,
  ENTITY_TYPES,
  isAbout,
  isNamed,
  isRecord,
  rowAt,
  rowsByDate,
} from '../../core/writer/audit-table.ts';
import { auditView } from '../../core/writer/audit-view.ts';
import { endQuery } from '../../core/writer/log.ts';
import { numberOf, rowIdOf } from '../../core/writer/numbers.ts';
import { positionFilter } from './schema.ts';

const sequenceNumber = sql`audit_log.sequence_number`;
const date = sql`audit_log.event_date`;
const row = sql`audit_log.log_id`;

const defined = (dates: (number | undefined)[]): number[] => dates.filter((given) => given !== undefined);
const latest = (dates: (number | undefined)[]): number | undefined =>
  defined(dates).toSorted((one, other) => other - one)[0];
const earliest = (dates: (number | undefined)[]): number | undefined =>
  defined(dates).toSorted((one, other) => one - other)[0];

const given = <T>(value: T | undefined, condition: (value: T) => SQL): SQL | undefined =>
  value === undefined ? undefined : condition(value);

export const AUDIT_SORTING = {
  columns: {
    sequenceNumber: { expression: sequenceNumber, stable: true },
    // Dates ascend with numbers.
    eventDate: { expression: sequenceNumber, stable: true },
    createDate: { expression: sequenceNumber, stable: true },
  },
  default: { sortBy: 'sequenceNumber', direction: 'DESC' },
} as const satisfies Sorting<string>;

export const AUDIT_FILTERS = {
  entityType: several(z.enum(ENTITY_TYPES)).optional(),
  entityUuid: uuid.optional(),
  entityExternalId: text(1, 255).optional().describe('Exactly this identifier'),
  action: several(text(1, 100)).optional(),
  actorType: several(z.enum(ACTOR_TYPES)).optional(),
  actorUuid: uuid.optional().describe('UUID of a credential, user or tablet'),
  requestId: text(1, 128).optional(),
  eventDateAfter: dateFilter.optional(),
  eventDateBefore: dateFilter.optional(),
  sequenceNumberFrom: positionFilter.optional().describe('This position and later ones'),
  sequenceNumberTo: positionFilter.optional().describe('This position and earlier ones'),
};

/** An audit log. */
export const auditList = list({
  table: 'audit_log',
  columns: { key: sequenceNumber, createDate: date, updateDate: date },
  view: auditView as SQL<Viewed<typeof auditView>>,
  sorting: AUDIT_SORTING,
  filters: AUDIT_FILTERS,
  /** Whether a record about a user is found by the user's e-mail address. */
  rows(scope, query, ...[persons = true]: [persons?: boolean]) {
    const { entityType, entityUuid, entityExternalId, action, actorType } = query;
    const { sequenceNumberFrom: from, sequenceNumberTo: to } = query;
    const number = numberOf(scope);
    const by = (condition: SQL) => sql`audit_log.actor_number IN
      (SELECT number FROM audit_actor WHERE organization_number = ${number} AND ${condition})`;
    return {
      conditions: [
        sql`audit_log.organization_uuid = ${scope.organization}`,
        given(
          from,
          (number) =>
            sql`${sequenceNumber} >= ${number} AND ${seeking(sql`${row} >= coalesce(${rowAt(scope, number)}, 0)`)}`,
        ),
        given(
          to,
          (number) =>
            sql`${sequenceNumber} <= ${number} AND ${seeking(sql`${row} <= ${rowIdOf(scope, number)}`)}`,
        ),
      ],
      along: { column: row, at: (key) => rowAt(scope, Number(key)) },
      rowOf: (key) => sql`audit_log WHERE ${isRecord(scope, key)}`,
      count: countOfPlaces(scope, from, to),
      filtering: [
        entityType && sql`audit_log.entity_type ${inList(entityType)}`,
        // A condition of its own, so that SQLite finds the records of a thing by index with any other filters.
        given(entityUuid, (value) => isAbout(scope, value)),
        given(entityExternalId, (value) => isNamed(scope, value)),
        entityExternalId !== undefined && !persons ? sql`audit_log.entity_type <> 'USER'` : undefined,
        action && sql`audit_log.action ${inList(action)}`,
        actorType && by(sql`actor_type ${inList(actorType)}`),
        given(query.actorUuid, (value) => by(sql`actor_uuid = ${value}`)),
        given(query.requestId, (value) => sql`audit_log.request_key = ${compactUuid(value)}`),
        dateRange(date, query.eventDateAfter, query.eventDateBefore),
        numberedIn(
          rowsByDate(scope),
          {
            after: latest([query.eventDateAfter, query.createDateAfter, query.updateDateAfter]),
            before: earliest([query.eventDateBefore, query.createDateBefore, query.updateDateBefore]),
          },
          row,
        ),
      ],
      narrow: entityUuid !== undefined || entityExternalId !== undefined,
    };
  },
});

/**
 * Count the records between two numbers. `store_rewind` has all gaps, so the count does not walk the log. Reading the
 * whole log then reads each record once, instead of once for every page.
 */
const countOfPlaces = (
  scope: Scope,
  from: number | undefined,
  to: number | undefined,
): SQL<Total> => sql`SELECT max(0, min(head, ${to ?? Number.MAX_SAFE_INTEGER}) - max(1, ${from ?? 1}) + 1)
    - coalesce((SELECT sum(max(0, min(sequence_number - 1, head, ${to ?? Number.MAX_SAFE_INTEGER})
        - max(sequence_number - skipped_count, ${from ?? 1}) + 1))
      FROM store_rewind WHERE organization_uuid = ${scope.organization}), 0) AS total
  FROM (SELECT coalesce((SELECT "sequenceNumber" FROM (${endQuery(scope)})), 0) AS head)`;
