import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import type { RowsOf } from '../lib/asks.ts';
import type { Database } from '../lib/database.ts';
import { parseJson } from '../lib/json.ts';
import { ProblemError, type Refusal } from '../lib/problem.ts';
import type { Scope } from '../lib/scope.ts';
import { FIRST_BYTES, fitting, LARGE_ANSWER_BYTES, linkNext, PORTION_BYTES } from './bounded.ts';
import { badCursor, type Cursor, formatCursor, parseCursor } from './cursor.ts';
import { JsonParts } from './json-parts.ts';
import type { List, PageQuery, PageSchema, Sorting } from './list.ts';
import { type Order, type PageKey, pageAsks, type RestRow } from './list-statements.ts';
import { enter, inTurn } from './permit.ts';
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

/** The reads for a page of a list, and the functions that make the page from their rows. */
export interface AskedPage<V> {
  /** Reads the rows of the page, and the total number of rows. */
  asks: Omit<ReturnType<typeof pageAsks<V>>, 'rest'>;
  /** The page without its rows. */
  head(found: FoundRows<V>): Omit<ListedPage<V>, 'rows'>;
  /** The rows in portions. The first portion was found, further ones are read. A row that has been deleted since is left out. */
  portions(c: AppContext, database: Database, found: FoundRows<V>): AsyncGenerator<V[]>;
}

type FoundRows<V> = RowsOf<AskedPage<V>['asks']>;

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
  const { rest, ...asks } = pageAsks(source, query, { ...sort, column }, cursor);
  return {
    asks,
    head({ rows, counts: [count] }) {
      const last = rows.at(query.pageSize - 1);
      const hasNext = rows.length > query.pageSize && last && column.stable;
      return {
        total: count!.total,
        pageNumber,
        pageSize: query.pageSize,
        sort,
        next: hasNext
          ? formatCursor({ ...sort, value: last.position, key: last.key, pageNumber: pageNumber + 1 })
          : undefined,
      };
    },
    async *portions(c, database, { rows }) {
      const first = portionOf<V>(rows.slice(0, query.pageSize));
      yield first.read;
      // Ask for as many views as may fit, because D1 reads the rows of each.
      let count = first.read.length * (PORTION_BYTES / FIRST_BYTES);
      for (let open = first.keys; open.length > 0; ) {
        await enter(c, LARGE_ANSWER_BYTES);
        const asked = open.slice(0, count);
        const portion = await database.all(rest(asked));
        const { read, keys } = await inTurn(c, () => portionOf(portion));
        yield read;
        open = [...keys, ...open.slice(count)];
        count = Math.max(read.length, 1);
      }
    },
  };
}

/** The rows of a portion that were read, and the keys of the others. */
const portionOf = <V>(rows: readonly RestRow<V>[]): { read: V[]; keys: PageKey[] } => ({
  read: rows.flatMap(({ view }) => (view === null ? [] : [parseJson(view)])),
  keys: rows.filter(({ view }) => view === null).map(({ key }) => key),
});

/** Prepare the reads for the keys of a page of a list. `keysOf` are the keys of the rows that were found. */
export function askKeys<Z extends PageSchema, O extends unknown[]>(
  list: List<Z, unknown, O>,
  scope: Scope,
  query: z.output<Z>,
  ...of: O
) {
  const { asks } = askPage({ ...list, view: sql<string>`'""'` }, scope, query, ...of);
  const keysOf = (rows: readonly { key: PageKey }[]) => rows.slice(0, query.pageSize).map(({ key }) => key);
  return { asks, keysOf };
}

/** A page of a list with all its rows. */
export async function pageOf<V>(
  c: AppContext,
  database: Database,
  asked: AskedPage<V>,
  found: FoundRows<V>,
): Promise<ListedPage<V>> {
  const portions: V[][] = [];
  for await (const portion of asked.portions(c, database, found)) portions.push(portion);
  return { rows: portions.flat(), ...asked.head(found) };
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
  const { total, next, ...pageRequest } = asked.head(found);
  if (next !== undefined) linkNext(c, { name: 'cursor', value: next, instead: 'pageNumber' });
  const parts = new JsonParts();
  let separator = '{"content":[';
  for await (const portion of asked.portions(c, database, found)) {
    await inTurn(c, () => {
      for (const stored of portion) {
        parts.add(separator + fitting(present(origin(c), stored)));
        separator = ',';
      }
    });
  }
  const rest = JSON.stringify({ pageRequest, totalElements: total }).slice(1);
  parts.add(`${separator === ',' ? '' : separator}],${rest}`);
  return parts.answer(c);
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
