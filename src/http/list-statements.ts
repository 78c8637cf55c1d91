import { type SQL, sql } from 'drizzle-orm';
import type { Json } from '../lib/json.ts';
import type { Scope } from '../lib/scope.ts';
import { inList } from '../lib/sql.ts';
import { fold } from '../lib/text.ts';
import type { Cursor } from './cursor.ts';
import type { ListRows, ListTable, PageQuery, SortColumn, Sorting, Total } from './list.ts';

/** D1 takes so many parts of a compound statement. */
const PARTS_MAXIMUM = 5;

/** The order that a page is asked for in. */
export interface Order {
  sortBy: string;
  direction: 'ASC' | 'DESC';
  column: SortColumn;
}

/** A row of a page: what is shown, and its place in the order. */
export interface PageRow<V> {
  view: Json<V>;
  position: string | number;
  key: string | number;
}

/** A list whose rows are known: all that its pages are read by. */
export interface ListSource<V> extends ListTable, Omit<ListRows, 'from'> {
  view: SQL<V>;
  sorting: Sorting<string>;
}

/** The statements of a page: its rows and one more, and the number of all rows. */
export function pageAsks<V>(
  source: ListSource<V>,
  query: PageQuery,
  { sortBy, direction: sorted, column }: Order,
  cursor: Cursor | undefined,
): { rows: SQL<PageRow<V>>; counts: SQL<Total> } {
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
  // A column that stands twice in an order hides from SQLite that an index has that order.
  const byKey = column.expression === key;
  const order = byKey
    ? sql`${key} ${direction}`
    : sql`${column.expression} ${direction}, ${key} ${direction}`;
  const after = !cursor
    ? undefined
    : byKey
      ? sql`${key} ${beyond} ${cursor.key}`
      : sql`(${column.expression}, ${key}) ${beyond} (${cursor.value}, ${cursor.key})`;
  const parts = Object.values(source.parts ?? {});
  const matching = all([...source.conditions, parts.length > 0 ? either(parts) : undefined, ...filters]);
  const found = (where: SQL) => sql`SELECT ${key} AS page_key, ${column.expression} AS page_position
    FROM ${source.from} WHERE ${where}`;
  const inParts =
    parts.length > 0 &&
    parts.length <= PARTS_MAXIMUM &&
    filters.length === 0 &&
    sortBy === source.sorting.default.sortBy;
  // Of each part no more is read than the page takes; otherwise the plus keeps the order's index out of the choice.
  const search = inParts
    ? sql`${sql.join(
        parts.map((part) => found(all([...source.conditions, part, after]))),
        sql` UNION ALL `,
      )} ORDER BY page_position ${direction}, page_key ${direction}`
    : sql`${found(all([matching, after]))} ORDER BY ${
        source.narrow ? sql`+${column.expression} ${direction}, +${key} ${direction}` : order
      }`;
  const offset = cursor ? 0 : (query.pageNumber - 1) * query.pageSize;
  return {
    // A join from the page to its rows: asked for rows IN the page, SQLite may walk all rows and look each up there.
    rows: sql`SELECT ${source.view} AS view, ${column.expression} AS position, ${key} AS key
      FROM (${search} LIMIT ${query.pageSize + 1} OFFSET ${offset})
      CROSS JOIN ${source.from} WHERE ${key} = page_key AND ${source.conditions[0]} ORDER BY ${order}`,
    counts:
      (filters.length === 0 && source.count) ||
      sql`SELECT count(*) AS total FROM ${source.from} WHERE ${matching}`,
  };
}

/** How many rows a list has, or some parts of it, by the totals that triggers keep. */
export function totalOf(organization: string, list: string, parts?: Record<string, SQL>): SQL<Total> {
  return sql`SELECT coalesce(sum(total), 0) AS total FROM list_total
    WHERE organization_uuid = ${organization} AND list = ${list}
      ${parts ? sql`AND part ${inList(Object.keys(parts))}` : sql``}`;
}

/** The organization's rows of a table that keeps what is deleted, but for those; counted by the totals that triggers keep. */
export function liveRows(
  { organization }: Scope,
  table: string,
  { includeDeleted }: { includeDeleted?: boolean | undefined },
  parts?: Record<string, SQL>,
): Pick<ListRows, 'conditions' | 'count' | 'parts'> {
  const column = (name: string) => sql.raw(`${table}.${name}`);
  return {
    conditions: [
      sql`${column('organization_uuid')} = ${organization}`,
      includeDeleted ? undefined : sql`${column('deleted_date')} IS NULL`,
    ],
    parts,
    count: includeDeleted ? undefined : totalOf(organization, table, parts),
  };
}

/** The parts of a list that a filter by status asks for. */
export function partsOf(column: SQL, values: readonly string[] | undefined): Record<string, SQL> | undefined {
  return values && Object.fromEntries(values.map((value) => [value, sql`${column} = ${value}`]));
}

/** The condition of an After/Before pair: from the first instant on, before the second. */
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

/** The condition of a `q` filter on columns of folded text, each looked into by itself. */
export function searchCondition(columns: SQL[], q: string | undefined): SQL | undefined {
  return q === undefined || q === '' || q === '*' ? undefined : contains(columns, q);
}

/** Whether a text, as it is, is part of one of these columns of folded text. */
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
