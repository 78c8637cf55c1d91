import { sql } from 'drizzle-orm';
import type { List, PageSchema } from '../../../core/http/list.ts';
import { askKeys, askPage, pageOf } from '../../../core/http/list-page.ts';
import type { PageKey } from '../../../core/http/list-statements.ts';
import { enter, FILE_BYTES, streamed, type Work } from '../../../core/http/permit.ts';
import type { AppContext } from '../../../core/http/types.ts';
import { csvLine, type Plain } from '../../../core/lib/csv.ts';
import { dayIn } from '../../../core/lib/zone.ts';
import type { PageContext } from '../confirm/action.ts';
import { statusIn } from '../parts/components.tsx';
import { refuseInWords } from '../parts/language.ts';
import { keyOf, onlyRows } from './bulk-rows.ts';
import type { Column } from './rows.tsx';

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
function readingOf<Z extends PageSchema, V, O extends unknown[]>(
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

/** A file of so many rows is made at once. */
const FEW_ROWS = 200;

/** The byte order mark. Spreadsheets use it to recognize UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

/**
 * Answer with a CSV file of all rows of a list that match a query, in the order of the list. It is written while the
 * client reads it. A row that exists during the whole download appears once.
 * @throws 400 if there are more rows than a file accepts
 */
export async function answerCsv<Z extends PageSchema, V, O extends unknown[]>(
  { c, database, session, words }: PageContext,
  list: List<Z, V, O>,
  query: PageSchema['_output'] & Parameters<List<Z, V, O>['rows']>[1],
  of: O,
  { name, columns }: { name: string; columns: readonly Column<V>[] },
): Promise<Response> {
  const zone = session.organization.timeZone;
  const filed = columns.flatMap(({ label, plain, status }) => {
    const of = plain ?? (status && ((row: V) => statusIn(words, status(row))));
    return of ? [{ label, plain: of }] : [];
  });
  const reading = await readingOf({ c, database }, list, query, of);
  if (reading.total > CSV_ROWS_MAXIMUM) {
    const said = { rows: CSV_ROWS_MAXIMUM, total: reading.total };
    refuseInWords('validationFailed', words.t('list.fileTooLong', said));
  }
  const linesOf = (rows: readonly V[]): string =>
    rows
      .map((row) =>
        csvLine(
          filed.map(({ plain }) => plain(row)),
          zone,
        ),
      )
      .join('');

  async function* lines(work: Work): AsyncGenerator<string> {
    yield BYTE_ORDER_MARK +
      csvLine(
        filed.map(({ label }) => label),
        zone,
      );
    for await (const rows of reading.rows()) yield await work(() => linesOf(rows));
  }
  if (reading.total > FEW_ROWS) await enter(c, FILE_BYTES);
  return fileOf(c, name, zone, await streamed(c, lines));
}

/** Answer with a CSV file of a few rows. The first row has the names of the columns. */
export function csvFile(
  { c, session }: PageContext,
  name: string,
  rows: readonly (readonly Plain[])[],
): Response {
  const zone = session.organization.timeZone;
  return fileOf(c, name, zone, BYTE_ORDER_MARK + rows.map((row) => csvLine(row, zone)).join(''));
}

const fileOf = (c: AppContext, name: string, zone: string, body: string | ReadableStream): Response =>
  c.body(body as string, 200, {
    'Content-Type': 'text/csv; charset=utf-8; header=present',
    'Content-Disposition': `attachment; filename="${name}-${dayIn(zone, Date.now())}.csv"`,
    'Cache-Control': 'no-store',
  });
