import { z } from '@hono/zod-openapi';
import type { SQL } from 'drizzle-orm';
import type { RowsOf } from '../lib/asks.ts';
import type { Database } from '../lib/database.ts';
import { parseJson } from '../lib/json.ts';
import { ProblemError, type Refusal } from '../lib/problem.ts';
import type { Scope } from '../lib/scope.ts';
import { fitting, jsonText, linkNext } from './bounded.ts';
import { badCursor, type Cursor, formatCursor, parseCursor } from './cursor.ts';
import type { List, PageQuery, PageSchema, Sorting } from './list.ts';
import { type Order, pageAsks } from './list-statements.ts';
import { reads } from './read.ts';
import { int32 } from './schema.ts';
import { type AppContext, origin } from './types.ts';

const pageRequestSchema = z
  .object({
    pageNumber: int32,
    pageSize: int32,
    sort: z.object({ sortBy: z.string(), direction: z.enum(['ASC', 'DESC']) }),
  })
  .openapi('PageRequest');

/** The schema of a page of a list, with its name in the contract. */
export function envelope<T extends z.ZodType>(name: string, item: T) {
  return z
    .object({ content: z.array(item), pageRequest: pageRequestSchema, totalElements: int32 })
    .openapi(name);
}

/** The reads for a page of a list, and the function that makes the page from their rows. */
export interface AskedPage<V> {
  /** Reads the rows of the page, and the total number of rows. */
  asks: ReturnType<typeof pageAsks<V>>;
  page(found: RowsOf<ReturnType<typeof pageAsks<V>>>): ListedPage<V>;
}

/** A page of a list. */
export interface ListedPage<V> {
  rows: V[];
  total: number;
  pageNumber: number;
  pageSize: number;
  sort: { sortBy: string; direction: 'ASC' | 'DESC' };
  /** The cursor of the next page; undefined on the last page, and for orders without a cursor. */
  next: string | undefined;
}

/** Prepare the reads for a page of a list. `of` identifies the parent of the list. */
export function askPage<Z extends PageSchema, V, O extends unknown[]>(
  list: List<Z, V, O>,
  scope: Scope,
  query: z.output<Z>,
  ...of: O
): AskedPage<V> {
  const cursor = query.cursor === undefined ? undefined : parseCursor(query.cursor);
  const { column, ...sort } = orderOf(list.sorting, query, cursor);
  const pageNumber = cursor?.pageNumber ?? query.pageNumber;
  const view = typeof list.view === 'function' ? list.view(scope, ...of) : list.view;
  const rows = list.rows(scope, query, ...of);
  const source = { ...list, ...rows, view };
  return {
    asks: pageAsks(source, query, { ...sort, column }, cursor),
    page({ rows, counts: [count] }) {
      const page = rows.slice(0, query.pageSize);
      const last = page.at(-1);
      const hasNext = rows.length > query.pageSize && last && column.stable;
      return {
        rows: page.map((row) => parseJson(row.view)),
        total: count!.total,
        pageNumber,
        pageSize: query.pageSize,
        sort,
        next: hasNext
          ? formatCursor({ ...sort, value: last.position, key: last.key, pageNumber: pageNumber + 1 })
          : undefined,
      };
    },
  };
}

/** The parent of a list, from the path: the statement that finds it, and the refusal if it does not exist. */
export interface ListOwner {
  query: SQL;
  missing: Refusal;
}

/** Answer with a page of a list of the caller's organization. */
export function answerList<Z extends PageSchema, V>(
  c: AppContext,
  list: List<Z, V>,
  query: z.output<Z>,
  present: (links: string, stored: V) => object,
): Promise<Response> {
  const database = reads(c);
  return answerPage(c, database, askPage(list, database, query), present);
}

/** Answer with a prepared page. One D1 round trip reads the page, the total and the parent of the list. */
export async function answerPage<V>(
  c: AppContext,
  database: Database,
  asked: AskedPage<V>,
  present: (links: string, stored: V) => object,
  owner?: ListOwner,
): Promise<Response> {
  const { owners, ...found } = await database.ask({ ...asked.asks, owners: owner?.query });
  if (owner && owners.length === 0) throw new ProblemError(owner.missing);
  const { rows: listed, total, next, ...pageRequest } = asked.page(found);
  if (next !== undefined) linkNext(c, { name: 'cursor', value: next, instead: 'pageNumber' });
  const content = listed.map((stored) => fitting(present(origin(c), stored)));
  const rest = JSON.stringify({ pageRequest, totalElements: total }).slice(1);
  return jsonText(c, `{"content":[${content.join(',')}],${rest}`);
}

/** The order of a page: from the query, else from the cursor, else the default of the list. */
function orderOf(sorting: Sorting<string>, query: PageQuery, cursor: Cursor | undefined): Order {
  const named = query['sort.sortBy'];
  const sortBy = named ?? cursor?.sortBy ?? sorting.default.sortBy;
  const direction =
    query['sort.direction'] ?? cursor?.direction ?? (named === undefined ? sorting.default.direction : 'ASC');
  const column = sorting.columns[sortBy];
  if (!column || (cursor && !column.stable)) throw badCursor('The cursor belongs to another list.');
  if (cursor && (cursor.sortBy !== sortBy || cursor.direction !== direction)) {
    throw badCursor('The cursor belongs to another sort order.');
  }
  return { sortBy, direction, column };
}
