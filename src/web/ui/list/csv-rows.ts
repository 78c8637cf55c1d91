import { sql } from 'drizzle-orm';
import type { List, PageSchema } from '../../../core/http/list.ts';
import { askKeys, askPage, pageOf } from '../../../core/http/list-page.ts';
import type { PageKey } from '../../../core/http/list-statements.ts';
import type { PageContext } from '../confirm/action.ts';
import { keyOf, onlyRows } from './bulk-rows.ts';

/** The maximum number of rows of a file. A longer list has to be filtered. */
export const CSV_ROWS_MAXIMUM = 50_000;
/** Rows that are in memory at a time. */
const ROWS_A_READ = 200;

type Query<Z extends PageSchema, V, O extends unknown[]> = PageSchema['_output'] &
  Parameters<List<Z, V, O>['rows']>[1];

/** All rows of a list that match a query, in its order. */
interface Reading<V> {
  total: number;
  /** Reads the rows in pieces. */
  rows(): AsyncGenerator<V[]>;
}

/**
 * Read the rows of a list. If the list is sorted by values that never change, it is read with a cursor. Otherwise the
 * keys of all rows are read first, so that a row that moves during the download appears once.
 */
export function readingOf<Z extends PageSchema, V, O extends unknown[]>(
  at: Pick<PageContext, 'c' | 'database'>,
  list: List<Z, V, O>,
  query: Query<Z, V, O>,
  of: O,
): Promise<Reading<V>> {
  const sortBy = query['sort.sortBy'] ?? list.sorting.default.sortBy;
  const read = list.sorting.columns[sortBy]?.stable ? byCursor : byKeys;
  return read(at, list, { ...query, pageNumber: 1, pageSize: ROWS_A_READ, cursor: undefined }, of);
}

async function byCursor<Z extends PageSchema, V, O extends unknown[]>(
  { c, database }: Pick<PageContext, 'c' | 'database'>,
  list: List<Z, V, O>,
  query: Query<Z, V, O>,
  of: O,
): Promise<Reading<V>> {
  const first = askPage(list, database, query, ...of);
  const found = await database.ask(first.asks);
  const { total, next: second } = first.head(found);
  return {
    total,
    async *rows() {
      yield* first.portions(c, database, found);
      for (let next = second; next !== undefined; ) {
        const asked = askPage(list, database, { ...query, cursor: next }, ...of);
        const { rows } = await database.ask({ rows: asked.asks.rows });
        const read = { rows, counts: found.counts };
        yield* asked.portions(c, database, read);
        next = asked.head(read).next;
      }
    },
  };
}

async function byKeys<Z extends PageSchema, V, O extends unknown[]>(
  at: Pick<PageContext, 'c' | 'database'>,
  list: List<Z, V, O>,
  query: Query<Z, V, O>,
  of: O,
): Promise<Reading<V>> {
  const { database } = at;
  const asked = askKeys(list, database, { ...query, pageSize: CSV_ROWS_MAXIMUM }, ...of);
  const { counts } = await database.ask({ counts: asked.asks.counts });
  const total = counts[0]!.total;
  const isTooLong = total > CSV_ROWS_MAXIMUM;
  // The keys are read before the response begins. So an outage can still be answered with an error.
  const { rows } = isTooLong ? { rows: [] } : await database.ask({ rows: asked.asks.rows });
  const all = asked.keysOf(rows);
  return {
    total,
    async *rows() {
      for (let first = 0; first < all.length; first += ROWS_A_READ) {
        yield await withKeys(at, list, query, of, all.slice(first, first + ROWS_A_READ));
      }
    },
  };
}

/** The rows with these keys, in the order of the keys. A row that does not exist any more is left out. */
async function withKeys<Z extends PageSchema, V, O extends unknown[]>(
  { c, database }: Pick<PageContext, 'c' | 'database'>,
  list: List<Z, V, O>,
  query: Query<Z, V, O>,
  of: O,
  keys: readonly PageKey[],
): Promise<V[]> {
  const view = typeof list.view === 'function' ? list.view(database, ...of) : list.view;
  const keyed: List<Z, { key: PageKey; row: V }, O> = {
    ...list,
    view: sql<{ key: PageKey; row: V }>`json_object('key', ${keyOf(list)}, 'row', json(${view}))`,
  };
  const stable = Object.keys(list.sorting.columns).find((name) => list.sorting.columns[name]!.stable)!;
  const asked = askPage(onlyRows(keyed, keys), database, { ...query, 'sort.sortBy': stable }, ...of);
  const { rows } = await database.ask({ rows: asked.asks.rows });
  const page = await pageOf(c, database, asked, { rows, counts: [{ total: rows.length }] });
  const found = new Map(page.rows.map(({ key, row }) => [key, row]));
  return keys.flatMap((key) => (found.has(key) ? [found.get(key)!] : []));
}
