import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import { BASE_PATH } from '../../core/http/endpoint.ts';
import { deepLink } from '../../core/http/link.ts';
import { list } from '../../core/http/list.ts';
import { listParts, totalOf } from '../../core/http/list-statements.ts';
import { several } from '../../core/http/schema.ts';
import type { Database } from '../../core/lib/database.ts';
import { type Json, parseJson } from '../../core/lib/json.ts';
import { pruneRows, pruneWalking } from '../../core/lib/prune.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { inList } from '../../core/lib/sql.ts';
import { DAY_MS, isoDate, isoDateOrNull } from '../../core/lib/time.ts';
import { parseViews, type ViewRow } from '../../core/lib/view.ts';
import type { Actor } from '../../core/writer/chain.ts';
import type { EntityKind } from '../event/store.ts';
import { PART_ITEMS_MAXIMUM } from './rules.ts';
import { type ITEM_STATUSES, OPERATION_STATUSES, OPERATION_TYPES } from './table.ts';

export type OperationType = (typeof OPERATION_TYPES)[number];
type OperationStatus = (typeof OPERATION_STATUSES)[number];
type ItemStatus = (typeof ITEM_STATUSES)[number];

/** The maximum number of results in an event. More might not fit its row. */
const EVENT_RESULTS_MAXIMUM = 500;

/** The members of an operation in its views. */
const columns = sql`'operationId', operation.uuid, 'operationType', operation.operation_type, 'status', operation.status,
  'totalCount', total_count, 'succeededCount', succeeded_count, 'failedCount', failed_count,
  'createDate', operation.create_date, 'updateDate', operation.update_date, 'finishDate', finish_date`;

/** The result of an item `i` of a part `p`. */
const resultView = sql<StoredResult>`json_object('index', p.first_index + i.key, 'identifier', i.value ->> 'identifier',
  'status', CASE WHEN i.value -> 'input' IS NOT NULL THEN 'PENDING' WHEN i.value ->> 'error' IS NULL THEN 'SUCCEEDED'
    ELSE 'FAILED' END, 'error', coalesce(i.value -> 'error', json('null')))`;

/** All items `i` of an operation, in their parts `p`. */
const itemsOf = (
  organization: SQL,
  operationUuid: SQL,
): SQL => sql`FROM operation_part p CROSS JOIN json_each(p.items) i
  WHERE p.organization_uuid = ${organization} AND p.operation_uuid = ${operationUuid}`;

/** JSON of an operation without its results. */
const operationHeadView = sql<Omit<StoredOperation, 'results'>>`json_object(${columns})`;

/** JSON of an operation in events. `results` is null if there are more than an event can hold. */
const operationView = sql`json_object(${columns}, 'results', json(CASE
  WHEN total_count > ${sql.raw(String(EVENT_RESULTS_MAXIMUM))} THEN 'null'
  ELSE (SELECT json_group_array(json(view)) FROM (SELECT ${resultView} AS view
    ${itemsOf(sql`operation.organization_uuid`, sql`operation.uuid`)}
      ORDER BY p.first_index, i.key)) END))`;

/** The result of an item. */
interface StoredResult {
  index: number;
  identifier: string;
  status: ItemStatus;
  error: { code: string; message: string } | null;
}

/** A row of `operationView`. Dates in epoch milliseconds. */
interface StoredOperation {
  operationId: string;
  operationType: OperationType;
  status: OperationStatus;
  totalCount: number;
  succeededCount: number;
  failedCount: number;
  results: StoredResult[] | null;
  createDate: number;
  /** Missing in events that are older than this field. */
  updateDate: number;
  finishDate: number | null;
}

/** An operation as the API shows it. */
export function presentOperation(links: string, stored: StoredOperation) {
  return {
    ...stored,
    uuid: stored.operationId,
    createDate: isoDate(stored.createDate),
    updateDate: isoDate(stored.updateDate),
    deepLink: deepLink(links, 'operation', stored.operationId),
    finishDate: isoDateOrNull(stored.finishDate),
  };
}

/** Path of an operation in the API. */
export const operationPath = (operationUuid: string): string => `${BASE_PATH}/operation/${operationUuid}`;

/** An operation with all its results. Each result is a row of the answer, because together they may be too large for one. */
export async function readOperation(
  database: Database,
  operationUuid: string,
): Promise<StoredOperation | undefined> {
  const {
    operations: [row],
    results,
  } = await database.ask({
    operations: sql<ViewRow<typeof operationHeadView>>`SELECT ${operationHeadView} AS view FROM operation
      WHERE operation.uuid = ${operationUuid} AND operation.organization_uuid = ${database.organization}`,
    results: sql<ViewRow<typeof resultView>>`SELECT ${resultView} AS view
      ${itemsOf(sql`${database.organization}`, sql`${operationUuid}`)}`,
  });
  // A sort in the database would read each row twice.
  return (
    row && {
      ...parseJson(row.view),
      results: parseViews(results).sort((one, other) => one.index - other.index),
    }
  );
}

/** The state of an operation that commands need; for a batch. */
export const operationStateQuery = <I>(
  database: Scope,
  operationUuid: string,
): SQL<OperationState<I>> => sql`SELECT uuid,
  operation_type AS "operationType", status, input, total_count AS "totalCount",
  succeeded_count AS "succeededCount", failed_count AS "failedCount" FROM operation
  WHERE uuid = ${operationUuid} AND organization_uuid = ${database.organization}`;

/** A row of `operationStateQuery`. `I` is the accepted input of all its items. */
export interface OperationState<I = unknown> {
  uuid: string;
  operationType: OperationType;
  status: OperationStatus;
  input: Json<I>;
  totalCount: number;
  succeededCount: number;
  failedCount: number;
}

/** An item with its input `I`. It is null once the item is done. */
export interface ItemRow<I> {
  index: number;
  identifier: string;
  input: Json<I> | null;
}

/** Read so many items from an index on, in their order. */
export const itemsQuery = <I>(
  { organization }: Scope,
  operationUuid: string,
  start: number | SQL,
  count: number,
): SQL<ItemRow<I>> => sql`SELECT p.first_index + i.key AS "index", i.value ->> 'identifier' AS identifier,
    i.value -> 'input' AS input
  ${itemsOf(sql`${organization}`, sql`${operationUuid}`)}
    AND p.first_index BETWEEN ${start} - ${PART_ITEMS_MAXIMUM - 1} AND ${start} + ${count - 1}
    AND p.first_index + i.key BETWEEN ${start} AND ${start} + ${count - 1}
  ORDER BY p.first_index, i.key`;

/** The index of the next item of an operation. Its items are done in their order. */
export const nextIndex = ({ organization }: Scope, operationUuid: string): SQL =>
  sql`(SELECT succeeded_count + failed_count FROM operation
    WHERE uuid = ${operationUuid} AND organization_uuid = ${organization})`;

/** An unfinished operation that is to be carried out. */
export interface OpenOperation {
  uuid: string;
  operationType: OperationType;
  actor: Actor;
  requestId: string;
}

/** The unfinished operations among the given operations. */
export async function openOperations(
  database: Database,
  operationUuids: readonly string[],
): Promise<OpenOperation[]> {
  const rows = await database.all(sql<
    Omit<OpenOperation, 'actor'> & { actor: Json<Actor> }
  >`SELECT operation.uuid,
      operation_type AS "operationType", actor, request_id AS "requestId"
    FROM json_each(${JSON.stringify(operationUuids)}) named CROSS JOIN operation ON operation.uuid = named.value
    WHERE operation.organization_uuid = ${database.organization} AND finish_date IS NULL`);
  return rows.map((row) => ({ ...row, actor: parseJson(row.actor) }));
}

/** How long finished operations can be read. */
const OPERATIONS_KEPT_MS = 90 * DAY_MS;

/** Delete operations of all organizations that were finished long ago. For the scheduled handler. */
export async function pruneOperations(db: D1Database, now: number): Promise<number> {
  const before = now - OPERATIONS_KEPT_MS;
  const pruned = await pruneRows(db, 'operation', 'finish_date', before);
  await pruneWalking(db, 'operation_part', {
    column: 'create_date',
    before,
    condition: 'NOT EXISTS (SELECT 1 FROM operation WHERE operation.uuid = operation_part.operation_uuid)',
  });
  return pruned;
}

/** How events show operations. */
export const operationEntity: EntityKind = {
  type: 'OPERATION',
  data: (uuid) => sql`(SELECT ${operationView} FROM operation WHERE operation.uuid = ${uuid})`,
};

/** An operation with one item, an organization. Dates in epoch milliseconds. */
export interface OneItemOperation<T extends string> {
  operationId: string;
  operationType: T;
  status: OperationStatus;
  totalCount: number;
  succeededCount: number;
  failedCount: number;
  results: StoredResult[];
  createDate: number;
  updateDate: number;
  finishDate: number | null;
}

interface Stored<T extends string> {
  organization: string;
  operationType: T;
  errorCode: string | null;
  errorMessage: string | null;
  createDate: number;
  updateDate: number;
  finishDate: number | null;
}

/** A background operation on an organization, in the form of the API. */
export function oneItemOperation<T extends string>(
  uuid: string,
  { organization, operationType, errorCode, errorMessage, ...dates }: Stored<T>,
): OneItemOperation<T> {
  const ended = dates.finishDate !== null;
  const failed = ended && errorCode !== null;
  const done = ended && !failed;
  const status = done ? 'SUCCEEDED' : failed ? 'FAILED' : 'PENDING';
  return {
    operationId: uuid,
    operationType,
    status: status === 'PENDING' ? 'RUNNING' : status,
    totalCount: 1,
    succeededCount: Number(done),
    failedCount: Number(failed),
    results: [
      {
        index: 0,
        identifier: organization,
        status,
        error: failed ? { code: errorCode, message: errorMessage! } : null,
      },
    ],
    ...dates,
  };
}

/** The organization's operations, without their results. */
export const operationList = list({
  table: 'operation',
  columns: {
    key: sql`operation.uuid`,
    createDate: sql`operation.create_date`,
    updateDate: sql`operation.update_date`,
  },
  view: operationHeadView,
  sorting: {
    columns: { createDate: { expression: sql`operation.create_date`, stable: true } },
    default: { sortBy: 'createDate', direction: 'DESC' },
  },
  filters: {
    status: several(z.enum(OPERATION_STATUSES)).optional(),
    operationType: several(z.enum(OPERATION_TYPES)).optional(),
  },
  rows({ organization }, { status, operationType }) {
    const parts = listParts(sql`operation.status`, status);
    return {
      conditions: [sql`operation.organization_uuid = ${organization}`],
      parts,
      count: totalOf(organization, 'operation', parts),
      filtering: [operationType && sql`operation.operation_type ${inList(operationType)}`],
    };
  },
});
