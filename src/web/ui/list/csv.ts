import type { List, PageSchema } from '../../../core/http/list.ts';
import { enter, FILE_BYTES, streamed, type Work } from '../../../core/http/permit.ts';
import type { AppContext } from '../../../core/http/types.ts';
import { csvLine, type Plain } from '../../../core/lib/csv.ts';
import { dayIn } from '../../../core/lib/zone.ts';
import type { PageContext } from '../confirm/action.ts';
import { statusIn } from '../parts/components.tsx';
import { refuseInWords } from '../parts/language.ts';
import { CSV_ROWS_MAXIMUM, readingOf } from './csv-rows.ts';
import type { Column } from './rows.tsx';

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
