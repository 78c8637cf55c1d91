import { type SQL, sql } from 'drizzle-orm';
import type { Json } from '../lib/json.ts';
import type { Scope } from '../lib/scope.ts';
import { inList, seeking } from '../lib/sql.ts';
import { fold } from '../lib/text.ts';
import { FIRST_BYTES, PORTION_BYTES } from './bounded.ts';
import type { Cursor } from './cursor.ts';
import type { ListRows, ListTable, PageQuery, Section, SortColumn, Sorting, Total } from './list.ts';
import { LIST_TOTALS, type ListName } from './totals.ts';

/** The maximum number of parts of a compound SELECT in D1. */
const PARTS_MAXIMUM = 5;

/** The order of a page. */
export interface Order {
  sortBy: string;
  direction: 'ASC' | 'DESC';
  column: SortColumn;
}

/** A row of a page: its view if it fits the portion, and its position in the order. */
export interface PageRow<V> {
  view: Json<V> | null;
  position: string | number;
  key: string | number;
}

export type PageKey = string | number;

/** A row of a page that is read later. */
export type RestRow<V> = Pick<PageRow<V>, 'view' | 'key'>;

/**
 * The rows of a query with the bytes `before` the view of each: the bytes of the views of the rows before it. The rows are
 * materialised, because SQLite would make each view twice.
 */
export const measured = (rows: SQL): SQL => sql`(WITH found AS MATERIALIZED (${rows})
  SELECT *, coalesce(sum(octet_length(view)) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
  FROM found)`;

/** Rows with their views. From the row on with which the views exceed the bytes, a view is null. The first view is always there. */
const portionOf = <R>(columns: SQL, rows: SQL, bytes: number): SQL<R> =>
  sql<R>`SELECT iif(before < ${bytes}, view, NULL) AS view, ${columns} FROM ${measured(rows)}`;

/** Everything that reading pages of a list needs. */
export interface ListSource<V> extends ListTable, Omit<ListRows, 'from'> {
  view: SQL<V>;
  sorting: Sorting<string>;
}

/** The statements of a page: its rows and one more, and the total number of rows. */
export function pageAsks<V>(
  source: ListSource<V>,
  query: PageQuery,
  { sortBy, direction: sorted, column }: Order,
  cursor: Cursor | undefined,
): { rows: SQL<PageRow<V>>; counts: SQL<Total>; rest(keys: readonly PageKey[]): SQL<RestRow<V>> } {
  const named = (name: string): SQL => sql`${sql.identifier(source.table)}.${sql.identifier(name)}`;
  const { key, createDate, updateDate } = source.columns ?? {
    key: named('uuid'),
    createDate: named('create_date'),
    updateDate: named('update_date'),
  };
  const filters = [
    ...(source.filtering ?? []),
    dateRange(createDate, query.createDateAfter, query.createDateBefore),
    dateRange(updateDate, query.updateDateAfter, query.updateDateBefore),
  ].filter((filter) => filter !== undefined);
  const direction = sql.raw(sorted);
  const beyond = sql.raw(sorted === 'ASC' ? '>' : '<');
  // If a column appeared twice in the order, SQLite would not see that an index provides it.
  const byKey = column.expression === key;
  const along = byKey ? source.along : undefined;
  const order = byKey
    ? sql`${along ? sql`${along.column} ${direction}, ` : sql``}${key} ${direction}`
    : sql`${column.expression} ${direction}, ${key} ${direction}`;
  const after = !cursor
    ? undefined
    : byKey
      ? sql`${key} ${beyond} ${cursor.key}${along ? sql` AND ${seeking(sql`${along.column} ${beyond}= ${along.at(cursor.key)}`)}` : sql``}`
      : sql`(${column.expression}, ${key}) ${beyond} (${cursor.value}, ${cursor.key})`;
  const parts = Object.values(source.parts ?? {});
  const matching = all([...source.conditions, parts.length > 0 ? either(parts) : undefined, ...filters]);
  const offset = cursor ? 0 : (query.pageNumber - 1) * query.pageSize;
  const found = (where: SQL) => sql`SELECT ${key} AS page_key, ${column.expression} AS page_position
    FROM ${source.from} WHERE ${where}`;
  const every = Object.values(source.every ?? {});
  const walked = parts.length === 0 && !source.narrow ? every : filters.length === 0 ? parts : [];
  const inParts = walked.length > 0 && walked.length <= PARTS_MAXIMUM && sortBy === 'createDate';
  // With parts, each one is read only as far as the page needs. With `narrow`, the plus keeps SQLite from choosing the
  // index of the order.
  const searchOrder = source.narrow ? sql`+${column.expression} ${direction}, +${key} ${direction}` : order;
  const limit = sql`LIMIT ${query.pageSize + 1} OFFSET ${offset}`;
  const search = source.sections
    ? sql`${sql.join(
        source.sections.map(
          ({ where, order: by }) =>
            sql`SELECT * FROM (${found(all([matching, where]))} ORDER BY ${sectionOrder(by, sorted)}, ${key} ${direction}
              LIMIT ${offset + query.pageSize + 1})`,
        ),
        sql` UNION ALL `,
      )} ORDER BY page_position ${direction}, page_key ${direction}`
    : inParts
      ? sql`${sql.join(
          walked.map((part) => found(all([...source.conditions, part, ...filters, after]))),
          sql` UNION ALL `,
        )} ORDER BY page_position ${direction}, page_key ${direction}`
      : sql`${found(all([matching, after]))} ORDER BY ${searchOrder}`;
  const { rowOf } = source;
  return {
    // Joined from the page to its rows. With `IN (page)`, SQLite may scan all rows and look each one up in the page.
    rows: portionOf<PageRow<V>>(
      sql`position, key`,
      rowOf
        ? sql`SELECT ${source.view} AS view, ${column.expression} AS position, ${key} AS key
      FROM (SELECT * FROM ${source.from} WHERE ${all([matching, after])} ORDER BY ${searchOrder} ${limit})
        AS ${sql.identifier(source.table)} ORDER BY ${order}`
        : sql`SELECT ${source.view} AS view, ${column.expression} AS position, ${key} AS key
      FROM (${search} ${limit})
      CROSS JOIN ${source.from} WHERE ${key} = page_key AND ${source.conditions[0]} ORDER BY ${order}`,
      FIRST_BYTES,
    ),
    rest: (keys) =>
      portionOf<RestRow<V>>(
        sql`key`,
        rowOf
          ? sql`SELECT view, key FROM (SELECT (SELECT ${source.view} FROM ${rowOf(sql`page.value`)}) AS view,
          page.value AS key, page.key AS place FROM json_each(${JSON.stringify(keys)}) AS page)
        WHERE view IS NOT NULL ORDER BY place`
          : sql`SELECT ${source.view} AS view, ${key} AS key
        FROM json_each(${JSON.stringify(keys)}) AS page CROSS JOIN ${source.from}
        WHERE ${key} = page.value AND ${source.conditions[0]} ORDER BY page.key`,
        PORTION_BYTES,
      ),
    counts:
      (filters.length === 0 && source.count) ||
      sql`SELECT count(*) AS total FROM ${source.from} WHERE ${matching}`,
  };
}

/** The order of a section. In a descending list, its rows come in the reverse order. */
const sectionOrder = ({ by, direction }: Section['order'], sorted: Order['direction']): SQL =>
  sql`${by} ${sql.raw((direction === 'ASC') === (sorted === 'ASC') ? 'ASC' : 'DESC')}`;

const hasTotal = (table: string): table is ListName => table in LIST_TOTALS;

/** The number of rows of a list, or of some of its parts, from the totals that triggers maintain. */
export function totalOf(
  organization: string,
  list: ListName | `${ListName}:${string}`,
  parts?: Record<string, SQL>,
): SQL<Total> {
  return sql`SELECT coalesce(sum(total), 0) AS total FROM list_total
    WHERE organization_uuid = ${organization} AND list = ${list}
      ${parts ? sql`AND part ${inList(Object.keys(parts))}` : sql``}`;
}

/** The organization's rows of a table with soft deletion; deleted rows only on request. */
export function liveRows(
  { organization }: Scope,
  table: string,
  { includeDeleted }: { includeDeleted?: boolean | undefined },
  parts?: Record<string, SQL>,
  every?: Record<string, SQL>,
): Pick<ListRows, 'conditions' | 'count' | 'parts' | 'every'> {
  const column = (name: string) => sql.raw(`${table}.${name}`);
  return {
    conditions: [
      sql`${column('organization_uuid')} = ${organization}`,
      includeDeleted ? undefined : sql`${column('deleted_date')} IS NULL`,
    ],
    parts,
    every: includeDeleted ? undefined : every,
    count: includeDeleted || !hasTotal(table) ? undefined : totalOf(organization, table, parts),
  };
}

/** The parts of a list with these statuses. */
export function listParts(
  column: SQL,
  values: readonly string[] | undefined,
): Record<string, SQL> | undefined {
  return values && Object.fromEntries(values.map((value) => [value, sql`${column} = ${value}`]));
}

/**
 * The rows of a table with these statuses that are not deleted, the latest first, for a LIMIT behind it. An index has the
 * rows of each status in the order of creation. Each is read only as far as the limit needs.
 */
export function latestRows(
  table: 'track' | 'manifest' | 'shipment',
  organization: string,
  statuses: readonly string[],
): SQL {
  const [status] = LIST_TOTALS[table].parts;
  const rows = statuses.map(
    (value) => sql`SELECT * FROM ${sql.identifier(table)}
      WHERE organization_uuid = ${organization} AND ${sql.identifier(status)} = ${value} AND deleted_date IS NULL`,
  );
  return sql`${sql.join(rows, sql` UNION ALL `)} ORDER BY create_date DESC, uuid DESC`;
}

/** The condition of an After/Before pair of filters: `after` is inclusive, `before` is exclusive. */
export function dateRange(
  column: SQL,
  after: number | undefined,
  before: number | undefined,
): SQL | undefined {
  if (after === undefined && before === undefined) return undefined;
  return all([
    after === undefined ? undefined : sql`${column} >= ${after}`,
    before === undefined ? undefined : sql`${column} < ${before}`,
  ]);
}

/** The condition of a `q` filter on columns of folded text. Each column is searched separately. */
export function searchCondition(columns: SQL[], q: string | undefined): SQL | undefined {
  return q === undefined || q === '' || q === '*' ? undefined : contains(columns, q);
}

/** An SQL condition: one of these columns of folded text contains this text literally. */
export function contains(columns: SQL[], text: string): SQL {
  const folded = fold(text);
  return either(columns.map((column) => sql`instr(${column}, ${folded}) > 0`));
}

const all = (conditions: (SQL | undefined)[]): SQL =>
  sql.join(
    conditions.filter((condition) => condition !== undefined),
    sql` AND `,
  );

const either = (conditions: SQL[]): SQL => sql`(${sql.join(conditions, sql` OR `)})`;
