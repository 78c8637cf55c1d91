import { sql } from 'drizzle-orm';
import type { FieldChange } from '../../core/lib/changes.ts';
import { newUuid } from '../../core/lib/id.ts';
import { auditing } from '../../core/writer/audited.ts';
import type { ChangePart, Context } from '../../core/writer/command.ts';
import { emit } from '../event/store.ts';
import { outcomeStatus, PART_ITEMS_MAXIMUM, type Parts, RESEND_MS } from './rules.ts';
import { type OperationState, type OperationType, operationEntity } from './store.ts';
import { operation } from './table.ts';

/** An operation to be accepted. */
interface Accepted {
  operationType: OperationType;
  /** The parameters besides its items. */
  input: object;
  items: Parts;
  /** The request that started it; audit records of its effects name it. */
  requestId: string;
}

/** Accept an operation, which is due at once. The accepting command must set `jobs`. */
export function acceptedOperationChange(
  { scope, actor, now }: Context,
  { operationType, input, items, requestId }: Accepted,
): ChangePart & { operationUuid: string } {
  const operationUuid = newUuid();
  const writes = [
    ...scope.insert(operation, [
      {
        uuid: operationUuid,
        operationType,
        status: 'PENDING' as const,
        input: JSON.stringify(input),
        totalCount: items.totalCount,
        succeededCount: 0,
        failedCount: 0,
        actor: JSON.stringify(actor),
        requestId,
        dueDate: now,
        sentCount: 0,
        createDate: now,
        updateDate: now,
      },
    ]),
    // Each part is a parameter of its own. As a row in JSON, its items would be escaped and parsed twice.
    ...items.parts.map(
      (
        part,
      ) => sql`INSERT INTO operation_part (organization_uuid, operation_uuid, first_index, items, create_date)
        VALUES (${scope.organization}, ${operationUuid}, ${part.firstIndex}, ${part.items}, ${now})`,
    ),
  ];
  const audit = [
    audited(
      'OPERATION_ACCEPTED',
      { uuid: operationUuid },
      nowIs({ operationType, totalCount: items.totalCount }),
    ),
  ];
  return { operationUuid, writes, audit };
}

/** The operation from rows of `operationStateQuery`; undefined if it has nothing left to do. */
export const openOperation = <I>([found]: readonly OperationState<I>[]): OperationState<I> | undefined =>
  found && (found.status === 'PENDING' || found.status === 'RUNNING') ? found : undefined;

/** The result of an item. */
interface OperationItem {
  index: number;
  /** Null if the item succeeded. */
  error: { code: string; message: string } | null;
}

/**
 * Store the results of the next items, and finish the operation if none is left. This must be part of the commit with the
 * effects. Together with the fence of the log, it makes an item take effect only once. An unfinished operation then
 * pauses for `pauseMs`.
 */
export function operationProgressChange(
  context: Context,
  state: OperationState,
  results: readonly OperationItem[],
  pauseMs = 0,
): ChangePart {
  const { scope, now } = context;
  const failed = results.filter(({ error }) => error !== null).length;
  const counts = {
    succeededCount: state.succeededCount + results.length - failed,
    failedCount: state.failedCount + failed,
  };
  const done = counts.succeededCount + counts.failedCount === state.totalCount;
  const status = done ? outcomeStatus(counts) : 'RUNNING';
  const next = state.succeededCount + state.failedCount;
  const writes = [
    // Materialized, because SQLite would otherwise walk all results for each item.
    sql`WITH result AS MATERIALIZED (SELECT value ->> 'index' AS item_index, value -> 'error' AS error
        FROM json_each(${JSON.stringify(results)}))
      UPDATE operation_part SET items = (SELECT json_group_array(json(CASE WHEN result.item_index IS NULL THEN i.value
          ELSE json_object('identifier', i.value ->> 'identifier', 'error', json(result.error)) END) ORDER BY i.key)
        FROM json_each(items) i LEFT JOIN result ON result.item_index = first_index + i.key)
      WHERE organization_uuid = ${scope.organization} AND operation_uuid = ${state.uuid}
        AND first_index BETWEEN ${next - PART_ITEMS_MAXIMUM + 1} AND ${next + results.length - 1}`,
    scope.update(
      operation,
      {
        ...counts,
        status,
        updateDate: now,
        sentCount: 0,
        dueDate: done ? null : now + pauseMs + RESEND_MS,
        ...(done ? { finishDate: now } : {}),
      },
      sql`uuid = ${state.uuid}`,
    ),
  ];
  const audit = [
    audited(done ? 'OPERATION_COMPLETED' : 'OPERATION_PROGRESSED', state, nowIs({ status, ...counts })),
  ];
  const entity = { uuid: state.uuid, externalIdentifier: null };
  const events = done
    ? emit(context, 'OPERATION_COMPLETED', operationEntity, [entity], { operationUuid: state.uuid })
    : [];
  return { writes, audit, events };
}

/** An audit entry about an operation. */
const audited = auditing<{ uuid: string }>('OPERATION', () => null);
/** The current state of an operation. */
const nowIs = (values: Record<string, unknown>): FieldChange[] =>
  Object.entries(values).map(([field, newValue]) => ({ field, oldValue: null, newValue }));
