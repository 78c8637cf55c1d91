import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import type { Scope } from '../lib/scope.ts';
import { dateFilter } from './dates.ts';
import { flag, text } from './schema.ts';

const PAGE_SIZE_MAXIMUM = 100;
const PAGE_SIZE_DEFAULT = 20;
/** The highest page number, an int32. */
const PAGE_NUMBER_MAXIMUM = 2_147_483_647;
const CURSOR_LENGTH_MAXIMUM = 2_000;

/** A sort column: its expression, and whether its value in a row never changes. */
export interface SortColumn {
  expression: SQL;
  stable: boolean;
}

/** The orders of a list. */
export interface Sorting<S extends string> {
  /** The sort columns by name. */
  columns: Record<S, SortColumn>;
  default: { sortBy: NoInfer<S>; direction: 'ASC' | 'DESC' };
}

/** The table of a list. */
export interface ListTable {
  /** The table's name. */
  table: string;
  /** The table with its joins. Joins must not filter rows; only conditions do. */
  from: SQL;
  /**
   * Columns of a table with other names for `uuid`, `create_date` and `update_date`. The key breaks ties, so it must be
   * unique within the organization.
   */
  columns?: { key: SQL; createDate: SQL; updateDate: SQL };
}

/** A row of a statement that counts rows. */
export interface Total {
  total: number;
}

/**
 * A section of a list: some of its rows, in the order of the list. SQLite finds them in this order by an index, or they
 * are few.
 */
export interface Section {
  where: SQL;
  order: { by: SQL; direction: 'ASC' | 'DESC' };
}

/** The rows of a list. */
export interface ListRows {
  /** A subquery for the rows, if they are not in a table. */
  from?: SQL;
  /**
   * For rows of a subquery or view: a subquery for the row with a key. A page reads such rows with their places, and only rows
   * that do not fit its first portion are found by their keys. Finding a row may read the rows beside it.
   */
  rowOf?: (key: SQL) => SQL;
  /** A column that ascends with the key. An index finds the rows in its order. `at` returns its value for a key. */
  along?: { column: SQL; at: (key: string | number) => SQL };
  /** Conditions that define the list. The first one must name the organization. */
  conditions: (SQL | undefined)[];
  /**
   * The parts that a filter by status selects, by their names in `list_total`. Parts are disjoint, and an index finds
   * the rows of each in the order of creation.
   */
  parts?: Record<string, SQL> | undefined;
  /**
   * Disjoint parts that contain all rows, if only their indexes provide the order of creation. Each is read only as far as
   * the page needs.
   */
  every?: Record<string, SQL> | undefined;
  /**
   * Disjoint sections that contain all rows, for an order that no single index provides. Each is read only as far as the
   * page needs.
   */
  sections?: readonly Section[] | undefined;
  /** Conditions of other filters. */
  filtering?: (SQL | undefined)[];
  /**
   * Whether an indexed filter leaves so few rows that SQLite should find and sort them, instead of scanning all rows in
   * order.
   */
  narrow?: boolean;
  /** A statement that counts the rows without scanning them, if no filter is set. */
  count?: SQL<Total> | undefined;
}

/** A query parameter that is a whole number. */
export const wholeNumber = (minimum: number, maximum: number, fallback: number) =>
  z
    .string()
    .regex(/^\d{1,16}$/, 'Use a whole number, in digits only.')
    .transform(Number)
    .pipe(z.number().min(minimum).max(maximum))
    .default(fallback)
    .openapi({ type: 'integer', minimum, maximum, default: fallback });

/** `q`: a literal, case-insensitive search within values; `*` alone matches everything. */
export const searchFilter = text(0, 255)
  .optional()
  .describe('Case-insensitive, literal search anywhere in the values; `*` matches everything');
/** `includeDeleted`: also list soft-deleted rows. */
export const includeDeletedFilter = flag.optional().describe('Also list deleted items');

/** Query parameters of every list. */
const pageShape = <S extends string>(sorting: Sorting<S>) => ({
  pageNumber: wholeNumber(1, PAGE_NUMBER_MAXIMUM, 1).describe('Number of the page, from 1'),
  pageSize: wholeNumber(1, PAGE_SIZE_MAXIMUM, PAGE_SIZE_DEFAULT),
  'sort.sortBy': z.enum(Object.keys(sorting.columns) as [S, ...S[]]).optional(),
  'sort.direction': z.enum(['ASC', 'DESC']).optional(),
  cursor: z
    .string()
    .max(CURSOR_LENGTH_MAXIMUM)
    .optional()
    .describe(
      'Opaque, from the `Link: <…>; rel="next"` header. Follow it to the end to get each row that ' +
        `exists the whole time exactly once. The header is given for lists sorted by ${stableNames(sorting)}; an ` +
        'updated row keeps its place in them.',
    ),
  createDateAfter: dateFilter.optional(),
  createDateBefore: dateFilter.optional(),
  updateDateAfter: dateFilter.optional(),
  updateDateBefore: dateFilter.optional(),
});
type PageShape<S extends string> = ReturnType<typeof pageShape<S>>;

/** The query parameters of any list. Each list adds its filters. */
export type PageSchema = z.ZodObject<PageShape<string>>;
export type PageQuery = z.output<PageSchema>;

function stableNames(sorting: Sorting<string>): string {
  const names = Object.entries(sorting.columns).filter(([, { stable }]) => stable);
  return names.map(([name]) => `\`${name}\``).join(', ');
}

/**
 * A list: its view, orders and filters. Its API route and its page both name it, so only declared filters exist. `O` is
 * the parent of the list, such as the track of a timeline.
 */
export interface List<Z extends PageSchema, V, O extends unknown[] = []> extends ListTable {
  /** JSON text of a row, evaluated for the rows of the page only. */
  view: SQL<V> | ((scope: Scope, ...of: O) => SQL<V>);
  sorting: Sorting<string>;
  /** The list's own filters. */
  filters: z.ZodRawShape;
  /** All its query parameters. */
  query: Z;
  /** The organization's rows that match the filters. */
  rows(scope: Scope, query: z.output<Z>, ...of: O): ListRows;
}

/** The declaration of a list by its module. */
interface Declared<S extends string, F extends z.ZodRawShape, V, O extends unknown[]> {
  table: string;
  /** The table with its joins; by default the table alone. */
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
