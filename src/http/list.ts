import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../lib/database.ts';
import { fold } from '../lib/text.ts';
import { fitting, jsonText, linkNext } from './bounded.ts';
import { badCursor, type Cursor, formatCursor, parseCursor } from './cursor.ts';
import { type ListInput, type ListSource, pageStatements, type Sorting } from './list-statements.ts';
import { dateFilter, flag, text } from './schema.ts';
import type { AppContext } from './types.ts';

/** The largest page. */
const PAGE_SIZE_MAXIMUM = 100;
const PAGE_SIZE_DEFAULT = 20;
/** The last page that can be asked for by its number: an int32. */
const PAGE_NUMBER_MAXIMUM = 2_147_483_647;
const CURSOR_LENGTH_MAXIMUM = 2_000;

/** A whole number in the query. */
export const wholeNumber = (minimum: number, maximum: number, fallback: number) =>
  z
    .string()
    .regex(/^\d{1,16}$/, 'A whole number is needed.')
    .transform(Number)
    .pipe(z.number().min(minimum).max(maximum))
    .default(fallback)
    .openapi({ type: 'integer', minimum, maximum, default: fallback });

/** Query parameters of every list, with the list's own filters beside them. */
export function listQuery<S extends string, F extends z.ZodRawShape>(sorting: Sorting<S>, filters: F) {
  return z.object({
    pageNumber: wholeNumber(1, PAGE_NUMBER_MAXIMUM, 1).describe('1-based'),
    pageSize: wholeNumber(1, PAGE_SIZE_MAXIMUM, PAGE_SIZE_DEFAULT),
    'sort.sortBy': z.enum(Object.keys(sorting.columns) as [S, ...S[]]).optional(),
    'sort.direction': z.enum(['ASC', 'DESC']).optional(),
    cursor: z
      .string()
      .max(CURSOR_LENGTH_MAXIMUM)
      .optional()
      .describe(
        'Opaque, from the `Link: <…>; rel="next"` header. A walk along it sees every row that stayed present exactly once. ' +
          `Given for lists sorted by ${stableNames(sorting)}; a row that is updated keeps its place in those.`,
      ),
    createDateAfter: dateFilter.optional().describe('From this instant on: epoch milliseconds or ISO 8601'),
    createDateBefore: dateFilter.optional().describe('Before this instant: epoch milliseconds or ISO 8601'),
    updateDateAfter: dateFilter.optional().describe('From this instant on: epoch milliseconds or ISO 8601'),
    updateDateBefore: dateFilter.optional().describe('Before this instant: epoch milliseconds or ISO 8601'),
    ...filters,
  });
}

/** `q`: literal, case-insensitive contains-match; `*` alone is everything. */
export const searchFilter = text(0, 255)
  .optional()
  .describe('Contains-match, case-insensitive, literal; `*` is all');
/** `includeDeleted`: also list what is soft-deleted. */
export const includeDeletedFilter = flag.optional().describe('Also list what is deleted');

function stableNames(sorting: Sorting<string>): string {
  const names = Object.entries(sorting.columns).filter(([, { stable }]) => stable);
  return names.map(([name]) => `\`${name}\``).join(', ');
}

/** The envelope of a paginated list. */
export function envelope<T extends z.ZodType>(item: T) {
  return z.object({
    content: z.array(item),
    pageRequest: z.object({
      pageNumber: z.int(),
      pageSize: z.int(),
      sort: z.object({ sortBy: z.string(), direction: z.enum(['ASC', 'DESC']) }),
    }),
    totalElements: z.int(),
  });
}

/** The statements of a page of a list, for a batch, and what makes a page of their rows. */
export interface AskedPage<V> {
  /** The rows of the page, and their number in the whole list. */
  statements: [SQL, SQL];
  page(rows: unknown[], counts: unknown[]): ListedPage<V>;
}

/** A page of a list. */
export interface ListedPage<V> {
  rows: V[];
  total: number;
  pageNumber: number;
  pageSize: number;
  sort: { sortBy: string; direction: 'ASC' | 'DESC' };
  /** Where the next page begins, for orders that a walk can follow. */
  next: string | undefined;
}

/** Ask for a page of a list. */
export function askPage<S extends string, V>(source: ListSource<S>, query: ListInput): AskedPage<V> {
  const cursor = query.cursor === undefined ? undefined : parseCursor(query.cursor);
  const sort = sortOf(source.sorting, query, cursor);
  const column = source.sorting.columns[sort.sortBy];
  const pageNumber = cursor?.pageNumber ?? query.pageNumber;
  return {
    statements: pageStatements(source, query, sort, cursor),
    page(rows, counts) {
      const found = rows as { view: string; position: string | number; key: string | number }[];
      const page = found.slice(0, query.pageSize);
      const last = page.at(-1);
      const goesOn = found.length > query.pageSize && last && column.stable;
      return {
        rows: page.map(({ view }) => JSON.parse(view) as V),
        total: (counts as { total: number }[])[0]!.total,
        pageNumber,
        pageSize: query.pageSize,
        sort,
        next: goesOn
          ? formatCursor({ ...sort, value: last.position, key: last.key, pageNumber: pageNumber + 1 })
          : undefined,
      };
    },
  };
}

/** What a list belongs to, by the path: the statement that finds it, and what refuses where it finds nothing. */
export interface ListOwner {
  query: SQL;
  missing(): never;
}

/** Answer a page of a list: one D1 round trip for the page, the count, and what the list belongs to. */
export async function answerList<S extends string, V>(
  c: AppContext,
  database: Database,
  source: ListSource<S>,
  query: ListInput,
  present: (stored: V) => object,
  owner?: ListOwner,
): Promise<Response> {
  const asked = askPage<S, V>(source, query);
  const [rows, counts, owners] = await database.batch([...asked.statements, ...(owner ? [owner.query] : [])]);
  if (owners?.length === 0) owner!.missing();
  const { rows: listed, total, next, ...pageRequest } = asked.page(rows!, counts!);
  if (next !== undefined) linkNext(c, { name: 'cursor', value: next, instead: 'pageNumber' });
  const content = listed.map((stored) => fitting(present(stored)));
  const rest = JSON.stringify({ pageRequest, totalElements: total }).slice(1);
  return jsonText(c, `{"content":[${content.join(',')}],${rest}`);
}

/** The condition of a `q` filter on columns of folded text, each looked into by itself. */
export function searchCondition(columns: SQL[], q: string | undefined): SQL | undefined {
  if (q === undefined || q === '' || q === '*') return undefined;
  const folded = fold(q);
  return sql`(${sql.join(
    columns.map((column) => sql`instr(${column}, ${folded}) > 0`),
    sql` OR `,
  )})`;
}

function sortOf<S extends string>(sorting: Sorting<S>, query: ListInput, cursor: Cursor | undefined) {
  const sortBy = (query['sort.sortBy'] ?? cursor?.sortBy ?? sorting.default.sortBy) as S;
  const named = query['sort.sortBy'] !== undefined;
  const direction =
    query['sort.direction'] ?? cursor?.direction ?? (named ? ('ASC' as const) : sorting.default.direction);
  if (cursor) {
    if (!sorting.columns[sortBy]?.stable) throw badCursor('The cursor belongs to another list.');
    if (cursor.sortBy !== sortBy || cursor.direction !== direction) {
      throw badCursor('The cursor belongs to another order.');
    }
  }
  return { sortBy, direction };
}
