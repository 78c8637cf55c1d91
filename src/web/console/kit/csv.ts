import type { List, PageSchema } from '../../../core/http/list.ts';
import { askPage } from '../../../core/http/list-page.ts';
import { csvLine } from '../../../core/lib/csv.ts';
import { streamOf } from '../../../core/lib/stream.ts';
import { dayIn } from '../../../core/lib/zone.ts';
import type { PageContext } from './action.ts';
import { statusIn } from './components.tsx';
import { refuseInWords } from './language.ts';
import type { Column } from './rows.tsx';

/** The maximum number of rows of a file. A longer list has to be filtered. */
export const CSV_ROWS_MAXIMUM = 50_000;
/** Rows that are in memory at a time. */
const ROWS_A_READ = 200;
/** The byte order mark. Spreadsheets use it to recognize UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

/**
 * Answer with a CSV file of all rows of a list that match a query. It is written while the client
 * reads it. Rows come in the requested order if pages can follow that order with a cursor.
 * Otherwise they come in another order. A row that exists during the whole download appears once.
 * @throws 409 if there are more rows than a file accepts
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
  const walked = {
    ...query,
    ...walkOf(list, query),
    pageNumber: 1,
    pageSize: ROWS_A_READ,
    cursor: undefined,
  };
  const first = askPage(list, database, walked, ...of);
  const found = await database.ask(first.asks);
  const page = first.page(found);
  if (page.total > CSV_ROWS_MAXIMUM) {
    const said = { rows: CSV_ROWS_MAXIMUM, total: page.total };
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

  async function* lines(): AsyncGenerator<string> {
    yield BYTE_ORDER_MARK +
      csvLine(
        filed.map(({ label }) => label),
        zone,
      ) +
      linesOf(page.rows);
    for (let { next } = page; next !== undefined; ) {
      const asked = askPage(list, database, { ...walked, cursor: next }, ...of);
      const { rows } = await database.ask({ rows: asked.asks.rows });
      const read = asked.page({ rows, counts: found.counts });
      yield linesOf(read.rows);
      next = read.next;
    }
  }
  return c.body(streamOf(lines()), 200, {
    'Content-Type': 'text/csv; charset=utf-8; header=present',
    'Content-Disposition': `attachment; filename="${name}-${dayIn(zone, Date.now())}.csv"`,
    'Cache-Control': 'no-store',
  });
}

/**
 * The order of the rows: the requested order, or the default order if none was requested. If that
 * order does not allow a cursor, the first order that does, descending.
 */
function walkOf<Z extends PageSchema, V, O extends unknown[]>(
  { sorting }: List<Z, V, O>,
  query: PageSchema['_output'],
): { 'sort.sortBy': string; 'sort.direction': 'ASC' | 'DESC' } {
  const asked = query['sort.sortBy'] ?? sorting.default.sortBy;
  const direction = query['sort.direction'] ?? (query['sort.sortBy'] ? 'ASC' : sorting.default.direction);
  if (sorting.columns[asked]?.stable) return { 'sort.sortBy': asked, 'sort.direction': direction };
  const stable = Object.keys(sorting.columns).find((column) => sorting.columns[column]!.stable);
  return { 'sort.sortBy': stable!, 'sort.direction': 'DESC' };
}
