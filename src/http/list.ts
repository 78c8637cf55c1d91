import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import type { Scope } from '../lib/scope.ts';
import { dateFilter, flag, text } from './schema.ts';

/** The largest page. */
const PAGE_SIZE_MAXIMUM = 100;
const PAGE_SIZE_DEFAULT = 20;
/** The last page that can be asked for by its number: an int32. */
const PAGE_NUMBER_MAXIMUM = 2_147_483_647;
const CURSOR_LENGTH_MAXIMUM = 2_000;

/** Something that a list can be sorted by: the expression, and whether a row keeps its value for life. */
export interface SortColumn {
  expression: SQL;
  stable: boolean;
}

/** What a list can be sorted by, and how. */
export interface Sorting<S extends string> {
  /** By name. */
  columns: Record<S, SortColumn>;
  default: { sortBy: NoInfer<S>; direction: 'ASC' | 'DESC' };
}

/** Where a list's rows are. */
export interface ListTable {
  /** The table's name. */
  table: string;
  /** The table, with what is joined to it; rows are picked by conditions alone. */
  from: SQL;
  /**
   * Columns of a table that names them otherwise than `uuid`, `create_date` and `update_date`. The key breaks ties:
   * no two rows of the organization have the same.
   */
  columns?: { key: SQL; createDate: SQL; updateDate: SQL };
}

/** A row of what counts rows. */
export interface Total {
  total: number;
}

/** Which rows a list has. */
export interface ListRows {
  /** Where the rows are, if they are in no table. */
  from?: SQL;
  /** What the list is of. The first one has to name the organization. */
  conditions: (SQL | undefined)[];
  /**
   * The parts that are asked for, where a filter by status asks for some: disjoint, the rows of each found by an index
   * in the order of creation. By what `list_total` calls them.
   */
  parts?: Record<string, SQL> | undefined;
  /** What else leaves rows out. */
  filtering?: (SQL | undefined)[];
  /** Whether a filter with an index leaves few rows: to find and sort those, not to walk all in the list's order. */
  narrow?: boolean;
  /** A cheaper way to count what no filter leaves out than to walk it. */
  count?: SQL<Total> | undefined;
}

/** A whole number in the query. */
export const wholeNumber = (minimum: number, maximum: number, fallback: number) =>
  z
    .string()
    .regex(/^\d{1,16}$/, 'A whole number is needed.')
    .transform(Number)
    .pipe(z.number().min(minimum).max(maximum))
    .default(fallback)
    .openapi({ type: 'integer', minimum, maximum, default: fallback });

/** `q`: literal, case-insensitive contains-match; `*` alone is everything. */
export const searchFilter = text(0, 255)
  .optional()
  .describe('Contains-match, case-insensitive, literal; `*` is all');
/** `includeDeleted`: also list what is soft-deleted. */
export const includeDeletedFilter = flag.optional().describe('Also list what is deleted');

/** Query parameters of every list. */
const pageShape = <S extends string>(sorting: Sorting<S>) => ({
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
  createDateAfter: dateFilter.optional(),
  createDateBefore: dateFilter.optional(),
  updateDateAfter: dateFilter.optional(),
  updateDateBefore: dateFilter.optional(),
});
type PageShape<S extends string> = ReturnType<typeof pageShape<S>>;

/** What any list is asked with; of a certain list, with its filters, too. */
export type PageSchema = z.ZodObject<PageShape<string>>;
export type PageQuery = z.output<PageSchema>;

function stableNames(sorting: Sorting<string>): string {
  const names = Object.entries(sorting.columns).filter(([, { stable }]) => stable);
  return names.map(([name]) => `\`${name}\``).join(', ');
}

/**
 * A list: what it shows, in which orders, and by what it can be filtered. Its API route and its page name it, so that
 * there is no filter but those that are declared here. `O` is what else decides what it is a list of, such as the track
 * of a timeline.
 */
export interface List<Z extends PageSchema, V, O extends unknown[] = []> extends ListTable {
  /** JSON text of a row, evaluated for the rows of the page only. */
  view: SQL<V> | ((scope: Scope, ...of: O) => SQL<V>);
  sorting: Sorting<string>;
  /** The list's own filters. */
  filters: z.ZodRawShape;
  /** All that it is asked with. */
  query: Z;
  /** The organization's rows that meet the filters. */
  rows(scope: Scope, query: z.output<Z>, ...of: O): ListRows;
}

/** A list as its module declares it. */
interface Declared<S extends string, F extends z.ZodRawShape, V, O extends unknown[]> {
  table: string;
  /** The table with what is joined to it; the table alone where it is left out. */
  from?: SQL;
  columns?: ListTable['columns'];
  view: SQL<V> | ((scope: Scope, ...of: O) => SQL<V>);
  sorting: Sorting<S>;
  filters: F;
  rows(scope: Scope, query: z.output<z.ZodObject<PageShape<S> & F>>, ...of: O): ListRows;
}

/** Declare a list. */
export function list<S extends string, F extends z.ZodRawShape, V, O extends unknown[] = []>(
  declared: Declared<S, F, V, O>,
): List<z.ZodObject<PageShape<S> & F>, V, O> {
  const query = z.object({ ...pageShape(declared.sorting), ...declared.filters });
  return { from: sql.raw(declared.table), ...declared, query };
}
