import { CsvError, parse } from 'csv-parse/sync';
import { unguarded } from '../../../../core/lib/csv.ts';
import { isSscc } from '../../../../core/lib/gs1.ts';
import { trackIdentifierSchema } from '../../../../dispatch/manifest/schema.ts';
import type { Words } from '../../../../messages/words.ts';

/** Headings that identify the column of pallets. */
const HEADINGS = ['sscc', 'pallet', 'pallets', 'pallet id', 'wms id', 'wmsid', 'trackidentifier', 'track'];

/** The maximum number of lines of a list. */
export const LINES_MAXIMUM = 50_000;

const DELIMITERS = ['\t', ';', ','];

/** The error in a line, and its number, counted from 1 as in editors. */
export interface BadLine {
  line: number;
  text: string;
  /**
   * Why the line is not a pallet, in the language of the page. It is a function because only a few
   * lines are shown.
   */
  reason(): string;
}

/**
 * Parse a list of pallets: pasted text or a CSV file, one pallet on each line. In a file it takes
 * the column with a known heading, or else the first column. Our own files put an apostrophe before
 * a formula; it is removed. Every line that is not a pallet is reported. A list with only headings
 * has no pallets. A list with more than `LINES_MAXIMUM` lines is not read.
 */
export function readPallets(
  text: string,
  { t }: Words,
): { pallets: string[]; bad: BadLine[]; isTooLong: boolean } {
  const bad: BadLine[] = [];
  const rows = rowsOf(text, bad, t);
  if (rows.length > LINES_MAXIMUM) return { pallets: [], bad: [], isTooLong: true };
  const headings = rows[0]?.record.map((cell) => cell.toLowerCase()) ?? [];
  const named = headings.findIndex((heading) => HEADINGS.includes(heading));
  const lines = new Map<string, number>();
  for (const { record, line } of named < 0 ? rows : rows.slice(1)) {
    const written = record[Math.max(named, 0)] ?? '';
    const pallet = withoutPrefix(written);
    const reason = fault(pallet, lines, t);
    if (reason === undefined) lines.set(pallet, line);
    else bad.push({ line, text: written, reason });
  }
  const ordered = bad.toSorted((one, other) => one.line - other.line);
  return { pallets: [...lines.keys()], bad: ordered, isTooLong: false };
}

interface Row {
  record: string[];
  line: number;
}

function rowsOf(typed: string, bad: BadLine[], t: Words['t']): Row[] {
  const text = typed.replace(/\r\n?/g, '\n');
  const [first = ''] = text.split('\n', 1);
  const rows: Row[] = [];
  let last = 0;
  try {
    parse(text, {
      bom: true,
      delimiter: DELIMITERS.find((delimiter) => first.includes(delimiter)) ?? ',',
      record_delimiter: '\n',
      relax_column_count: true,
      skip_empty_lines: true,
      to: LINES_MAXIMUM + 1,
      trim: true,
      on_record: (record: string[], { lines }) => {
        rows.push({ record: record.map(unguarded), line: lines });
        last = lines;
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // After an unpaired quotation mark, the ends of lines are unknown.
    bad.push({
      line: last + 1,
      text: '',
      reason: () => t('line.quote'),
    });
  }
  return rows.filter(({ record }) => record.some((cell) => cell !== ''));
}

/** Remove the application identifier that scanners and labels put before an SSCC. */
const withoutPrefix = (written: string): string =>
  /^(?:\(00\)|00)\d{18}$/.test(written) ? written.slice(-18) : written;

function fault(
  pallet: string,
  lines: ReadonlyMap<string, number>,
  t: Words['t'],
): BadLine['reason'] | undefined {
  if (pallet === '') return () => t('line.none');
  if (!trackIdentifierSchema.safeParse(pallet).success) return () => t('line.long');
  if (/^\d{18}$/.test(pallet) && !isSscc(pallet)) return () => t('line.check');
  const first = lines.get(pallet);
  return first === undefined ? undefined : () => t('line.again', { line: first });
}
