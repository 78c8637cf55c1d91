import type { Columns } from './columns.ts';
import type { Part, TenantRows } from './tenant.ts';

/** A row in transit: its values, in the order of the table's columns. */
export type RowValues = readonly unknown[];

/**
 * A page ends with the row that brings it to this many stored bytes. D1 stores at most 2 MB in a row, so a page has at
 * most twice as many bytes.
 */
export const PAGE_BYTES = 2_000_000;
/** The maximum number of rows of a page. */
export const PAGE_ROWS = 5_000;
/** The bytes that each column adds to the size of a row, besides its text. */
const COLUMN_BYTES = 8;

/** A place in a table: the part, and the order columns of the last row that was read there. */
export interface Place {
  part: number;
  after: readonly (string | number)[];
}
export const BEGINNING: Place = { part: 0, after: [] };

/** Rows of a table, and the place at which to continue; undefined at the end of the table. */
export interface Page {
  rows: RowValues[];
  next: Place | undefined;
}

export const quoted = (name: string): string => `"${name}"`;
export const list = (names: readonly string[], of = ''): string =>
  names.map((name) => `${of}${quoted(name)}`).join(', ');

/** The parts of a table. */
export const partsOf = ({ parts, key }: TenantRows): readonly Part[] => parts ?? [{ by: key }];

/** The condition of a part. `of` returns the SQL of a column. */
export const conditionOf = ({ only }: Part, of: (column: string) => string): string =>
  only === undefined ? 'TRUE' : `${of(only.column)} IS ${only.isNull ? '' : 'NOT '}NULL`;

/** Rows of a page: from the table itself, or as they were. */
export interface Source {
  /** The SQL of a column. */
  of(column: string): string;
  rowid: string;
  /** The size of a row in bytes. */
  bytes: string;
  /** FROM and WHERE, without the conditions of the part and the place. */
  from: string;
}

/** The stored rows of an organization (`?1`). */
export const storedRows = ({ name }: TenantRows, { names }: Columns, and = 'TRUE'): Source => ({
  of: (column) => `t.${quoted(column)}`,
  rowid: 't.rowid',
  bytes: bytesOf(names, 't.'),
  from: `${quoted(name)} t WHERE t.organization_uuid = ?1 AND ${and}`,
});

/** The stored size of a row in bytes, roughly. */
export const bytesOf = (names: readonly string[], of: string): string =>
  `${names.map((name) => `coalesce(octet_length(${of}${quoted(name)}), 0)`).join(' + ')} + ${names.length * COLUMN_BYTES}`;

/** `LIMIT` that ends a page by its bytes. `sizes` selects the sizes of its first rows as `bytes`, and their `order`. */
export const limitedBy = (sizes: string, order: string): string =>
  `LIMIT (SELECT count(*) FROM (SELECT sum(bytes) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) - bytes AS before
    FROM (${sizes} LIMIT ${PAGE_ROWS})) WHERE before < ${PAGE_BYTES})`;

/** Whether a page has ended before its limits. */
export const isLast = (rows: readonly Record<string, unknown>[]): boolean =>
  rows.length < PAGE_ROWS && rows.reduce((sum, { bytes }) => sum + Number(bytes), 0) < PAGE_BYTES;

/** Whether a place, which a caller sent, can be a place in a table. */
export function isPlace(
  table: TenantRows,
  { withoutRowid }: Columns,
  { part: index, after }: Place,
): boolean {
  const part = partsOf(table)[index];
  if (!part) return false;
  return after.length === 0 || after.length === part.by.length + (withoutRowid ? 0 : 1);
}

/**
 * A SELECT of the next page of a table: the order columns as `k0`, `k1` …, the size, and the columns. `?1` is the
 * organization, and the values of `after` follow it.
 */
export function pageText(
  table: TenantRows,
  { names, withoutRowid }: Columns,
  { part: index, after }: Place,
  sources: readonly Source[],
): string {
  const part = partsOf(table)[index]!;
  const orderOf = ({ of, rowid }: Source): string[] => [...part.by.map(of), ...(withoutRowid ? [] : [rowid])];
  const order = orderOf(sources[0]!)
    .map((_, at) => `k${at}`)
    .join(', ');
  const given = after.map((_, at) => `?${at + 2}`).join(', ');
  const select = (columns: (source: Source) => string): string =>
    `${sources
      .map((source) => {
        const keys = orderOf(source);
        const later = `(${keys.join(', ')}) > (${given})`;
        // A view has bounds of its own, at which SQLite would start.
        const behind =
          after.length === 0 ? '' : `AND ${table.storedIn ? `likelihood(${later}, 0.001)` : later}`;
        return `SELECT ${keys.map((key, at) => `${key} AS k${at}`).join(', ')}, ${source.bytes} AS bytes${columns(source)}
          FROM ${source.from} AND ${conditionOf(part, source.of)} ${behind}`;
      })
      .join(' UNION ALL ')} ORDER BY ${order}`;
  const rows = select(({ of }) => names.map((name) => `, ${of(name)} AS ${quoted(name)}`).join(''));
  return `${rows} ${limitedBy(
    select(() => ''),
    order,
  )}`;
}

/** The page that the rows of `pageText` make. */
export function pageOf(
  table: TenantRows,
  { names }: Columns,
  { part }: Place,
  found: readonly Record<string, unknown>[],
): Page {
  const rows = found.map((row) => names.map((name) => row[name]));
  if (!isLast(found)) {
    const last = found.at(-1)!;
    const after: (string | number)[] = [];
    for (let at = 0; `k${at}` in last; at += 1) after.push(last[`k${at}`] as string | number);
    return { rows, next: { part, after } };
  }
  return { rows, next: part + 1 < partsOf(table).length ? { part: part + 1, after: [] } : undefined };
}

/** Read the next page of an organization's rows. `and`: an SQL condition for a row `t`. */
export async function readPage(
  db: D1Database,
  table: TenantRows,
  columns: Columns,
  organization: string,
  place: Place,
  and?: string,
): Promise<Page> {
  const { results } = await db
    .prepare(pageText(table, columns, place, [storedRows(table, columns, and)]))
    .bind(organization, ...place.after)
    .all<Record<string, unknown>>();
  return pageOf(table, columns, place, results);
}
