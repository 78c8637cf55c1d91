import { sql } from 'drizzle-orm';
import type { List, PageSchema } from '../../../core/http/list.ts';
import { askKeys, askPage, pageOf } from '../../../core/http/list-page.ts';
import type { PageKey } from '../../../core/http/list-statements.ts';
import { enter, FILE_BYTES, streamed, type Work } from '../../../core/http/permit.ts';
import { CsvFile, type Plain, type TableFile } from '../../../core/lib/csv.ts';
import { dayIn } from '../../../core/lib/zone.ts';
import type { PageContext } from '../confirm/action.ts';
import { statusIn } from '../parts/components.tsx';
import { refuseInWords } from '../parts/language.ts';
import { keyOf, onlyRows } from './bulk-rows.ts';
import type { Column } from './rows.tsx';

/** The maximum number of rows of a file. A longer list has to be filtered. */
export const FILE_ROWS_MAXIMUM = 50_000;
/** Rows that are in memory at a time. */
const ROWS_A_READ = 200;

/** A query of a list whose rows are in a file. */
export type FileQuery<Z extends PageSchema, V, O extends unknown[]> = PageSchema['_output'] &
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
  query: FileQuery<Z, V, O>,
  of: O,
): Promise<Reading<V>> {
  const sortBy = query['sort.sortBy'] ?? list.sorting.default.sortBy;
  const read = list.sorting.columns[sortBy]?.stable ? byCursor : byKeys;
  return read(at, list, { ...query, pageNumber: 1, pageSize: ROWS_A_READ, cursor: undefined }, of);
}

async function byCursor<Z extends PageSchema, V, O extends unknown[]>(
  { c, database }: Pick<PageContext, 'c' | 'database'>,
  list: List<Z, V, O>,
  query: FileQuery<Z, V, O>,
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
  query: FileQuery<Z, V, O>,
  of: O,
): Promise<Reading<V>> {
  const { database } = at;
  const asked = askKeys(list, database, { ...query, pageSize: FILE_ROWS_MAXIMUM }, ...of);
  const { counts } = await database.ask({ counts: asked.asks.counts });
  const total = counts[0]!.total;
  const isTooLong = total > FILE_ROWS_MAXIMUM;
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
  query: FileQuery<Z, V, O>,
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

/** The formats of files, by their extension: the media type, and how a file is begun. */
const FORMATS = {
  xlsx: {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    begin: async (name: string, zone: string): Promise<TableFile> => {
      const { XlsxFile } = await import('../../../core/lib/xlsx.ts');
      return new XlsxFile(name, zone);
    },
  },
  csv: {
    type: 'text/csv; charset=utf-8; header=present',
    begin: async (_: string, zone: string): Promise<TableFile> => new CsvFile(zone),
  },
};
export type FileFormat = keyof typeof FORMATS;
export const FILE_FORMATS = Object.keys(FORMATS) as FileFormat[];

/**
 * Answer with a file of all rows of a list that match a query, in the order of the list. It is written while the
 * client reads it. A row that exists during the whole download appears once.
 * @throws 400 if there are more rows than a file accepts
 */
export async function answerFile<Z extends PageSchema, V, O extends unknown[]>(
  at: PageContext,
  list: List<Z, V, O>,
  query: FileQuery<Z, V, O>,
  of: O,
  { format, name, columns }: { format: FileFormat; name: string; columns: readonly Column<V>[] },
): Promise<Response> {
  const { words } = at;
  const filed = columns.flatMap(({ label, plain, status }) => {
    const of = plain ?? (status && ((row: V) => statusIn(words, status(row))));
    return of ? [{ label, plain: of }] : [];
  });
  const reading = await readingOf(at, list, query, of);
  if (reading.total > FILE_ROWS_MAXIMUM) {
    const said = { rows: FILE_ROWS_MAXIMUM, total: reading.total };
    refuseInWords('validationFailed', words.t('list.fileTooLong', said));
  }
  if (reading.total > FEW_ROWS) await enter(at.c, FILE_BYTES);
  const labels = filed.map(({ label }) => label);
  return tableFile(at, { format, name, labels }, reading.rows(), (row) =>
    filed.map(({ plain }) => plain(row)),
  );
}

/**
 * Answer with a file of a table. `name` is the name of the file without the day and the extension, and of the sheet of a
 * workbook. `rows` has the rows in pieces.
 */
export async function tableFile<V>(
  { c, session }: PageContext,
  { format, name, labels }: { format: FileFormat; name: string; labels: readonly string[] },
  rows: Iterable<readonly V[]> | AsyncIterable<readonly V[]>,
  plainOf: (row: V) => readonly Plain[],
): Promise<Response> {
  const zone = session.organization.timeZone;
  const { type, begin } = FORMATS[format];
  const file = await begin(name, zone);
  async function* parts(work: Work): AsyncGenerator<string | Uint8Array> {
    yield await work(() => file.head(labels));
    for await (const piece of rows) {
      const part = await work(() => file.rows(piece.map(plainOf)));
      // A workbook is packed, so not each piece makes a part.
      if (part.length > 0) yield part;
    }
    yield await work(() => file.end());
  }
  return c.body(await streamed(c, parts), 200, {
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="${name}-${dayIn(zone, Date.now())}.${format}"`,
    'Cache-Control': 'no-store',
  });
}
