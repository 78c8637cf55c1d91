import type { TenantRows } from './tenant.ts';

/** A row in transit: its values, in the order of the table's columns. */
export type RowValues = readonly unknown[];

/** The maximum number of rows per read. */
export const ROWS_AT_ONCE = 250;
/**
 * The maximum number of rows of all organizations that one read scans. There is no index of one organization's rows in
 * this order.
 */
export const SPAN = 50_000;
/** The maximum characters of JSON in one statement. */
const CHUNK_LENGTH = 500_000;

/** The columns of a table, and whether it has a rowid. */
export interface Columns {
  names: readonly string[];
  withoutRowid: boolean;
}

const quoted = (name: string): string => `"${name}"`;
const list = (names: readonly string[]): string => names.map(quoted).join(', ');

/** The columns of tables in a database, by table name. */
export async function columnsOf(
  db: D1Database,
  tables: readonly TenantRows[],
): Promise<ReadonlyMap<string, Columns>> {
  const results = await db.batch<{ name: string; withoutRowid: 0 | 1 }>([
    db
      .prepare(
        `SELECT name, type = 'view' OR sql LIKE '%WITHOUT ROWID%' AS "withoutRowid" FROM sqlite_schema
          WHERE name IN (SELECT value FROM json_each(?)) AND type IN ('table', 'view')
          ORDER BY name`,
      )
      .bind(JSON.stringify(tables.map(({ name }) => name))),
    ...tables.map(({ name }) => db.prepare(`PRAGMA table_info(${quoted(name)})`)),
  ]);
  const [schema, ...infos] = results;
  const kinds = new Map(schema!.results.map((table) => [table.name, table.withoutRowid === 1]));
  return new Map(
    tables.map(({ name, derived = [] }, index) => [
      name,
      {
        names: infos[index]!.results.map((column) => column.name).filter(
          (column) => !derived.includes(column),
        ),
        withoutRowid: kinds.get(name)!,
      },
    ]),
  );
}

/** A position in a table: the key of the last row, or the beginning of the next span. */
export type Position = readonly (string | number)[];

/** Read rows of an organization after a position, and return the position to continue at; null at the end. */
export async function readRows(
  db: D1Database,
  table: TenantRows,
  { names, withoutRowid }: Columns,
  organization: string,
  after: Position,
): Promise<{ rows: RowValues[]; next: Position | null }> {
  if (withoutRowid) return readByKey(db, table, names, organization, after);
  const from = Number(after[0] ?? 0);
  const of = quoted(table.name);
  const [page, beyond] = await db.batch<Record<string, unknown>>([
    db
      .prepare(
        `SELECT rowid AS "row id", ${list(names)} FROM ${of}
          WHERE rowid > ?1 AND rowid <= ?1 + ${SPAN} AND +organization_uuid = ?2 ORDER BY rowid LIMIT ${ROWS_AT_ONCE}`,
      )
      .bind(from, organization),
    db.prepare(`SELECT min(rowid) AS next FROM ${of} WHERE rowid > ?1 + ${SPAN}`).bind(from),
  ]);
  const rows = page!.results.map((row) => names.map((name) => row[name]));
  const last = page!.results.at(-1)?.['row id'];
  if (rows.length === ROWS_AT_ONCE) return { rows, next: [Number(last)] };
  const next = beyond!.results[0]!['next'];
  return { rows, next: next === null ? null : [Number(next) - 1] };
}

async function readByKey(
  db: D1Database,
  { name, key }: TenantRows,
  names: readonly string[],
  organization: string,
  after: Position,
): Promise<{ rows: RowValues[]; next: Position | null }> {
  const behind =
    after.length === 0 ? 'TRUE' : `(${list(key)}) > (${key.map((_, index) => `?${index + 2}`).join(', ')})`;
  const { results } = await db
    .prepare(
      `SELECT ${list(names)} FROM ${quoted(name)} WHERE organization_uuid = ?1 AND ${behind}
        ORDER BY ${list(key)} LIMIT ${ROWS_AT_ONCE}`,
    )
    .bind(organization, ...after)
    .all<Record<string, string | number>>();
  const last = results.at(-1);
  return {
    rows: results.map((row) => names.map((column) => row[column])),
    next: last && results.length === ROWS_AT_ONCE ? key.map((column) => last[column]!) : null,
  };
}

/** The rows with these keys, in the order in which they were inserted. */
export function selectByKeys(
  db: D1Database,
  { name, key, ofOrganization }: TenantRows,
  { names, withoutRowid }: Columns,
  organization: string,
  keys: readonly string[],
): D1PreparedStatement {
  const same = key.map((column, index) => `t.${quoted(column)} = each.value ->> ${index}`).join(' AND ');
  return db
    .prepare(
      `SELECT ${names.map((column) => `t.${quoted(column)}`).join(', ')}
        FROM (SELECT value FROM json_each(?2)) each CROSS JOIN ${quoted(name)} t
        ON ${same} AND ${ofOrganization ? '' : '+'}t.organization_uuid = ?1
        ${withoutRowid ? '' : 'ORDER BY t.rowid'}`,
    )
    .bind(organization, `[${keys.join(',')}]`);
}

/** Delete the rows with these keys. */
export function deleteByKeys(
  db: D1Database,
  { name, key, ofOrganization }: TenantRows,
  organization: string,
  keys: readonly string[],
): D1PreparedStatement {
  const columns = ofOrganization ? ['organization_uuid', ...key] : key;
  const values = key.map((_, index) => `value ->> ${index}`);
  return db
    .prepare(
      `DELETE FROM ${quoted(name)} WHERE (${list(columns)}) IN
        (SELECT ${[...(ofOrganization ? ['?1'] : []), ...values].join(', ')} FROM json_each(?2))
        AND +organization_uuid = ?1`,
    )
    .bind(organization, `[${keys.join(',')}]`);
}

/** Insert rows, or update existing rows to these values. Existing rows of a view stay unchanged. */
export function insertRows(
  db: D1Database,
  { name, key, ofOrganization, storedIn }: TenantRows,
  { names }: Columns,
  rows: readonly RowValues[],
): D1PreparedStatement[] {
  const values = names.map(
    (_, index) => `iif(json_type(value, '$[${index}]') = 'object', unhex(value ->> '$[${index}].hex'),
      value ->> ${index})`,
  );
  const target = list(ofOrganization ? ['organization_uuid', ...key] : key);
  const same = [...(ofOrganization ? ['organization_uuid'] : []), ...key];
  const already = same
    .map((column) => `t.${quoted(column)} = value ->> ${names.indexOf(column)}`)
    .join(' AND ');
  const text = storedIn
    ? `INSERT INTO ${quoted(name)} (${list(names)}) SELECT ${values.join(', ')} FROM json_each(?1)
        WHERE NOT EXISTS (SELECT 1 FROM ${quoted(name)} t WHERE ${already})`
    : `INSERT INTO ${quoted(name)} (${list(names)}) SELECT ${values.join(', ')} FROM json_each(?1) WHERE TRUE
        ON CONFLICT (${target}) DO UPDATE SET ${names.map((column) => `${quoted(column)} = excluded.${quoted(column)}`).join(', ')}
        WHERE ${quoted(name)}.organization_uuid = excluded.organization_uuid`;
  return chunksOf(rows).map((chunk) => db.prepare(text).bind(chunk));
}

/** Rows as JSON arrays, split so that each array fits a statement. Bytes become `{hex}`. */
function chunksOf(rows: readonly RowValues[]): string[] {
  const chunks: string[][] = [[]];
  let length = 0;
  for (const row of rows) {
    const text = JSON.stringify(row.map(plain));
    if (length + text.length > CHUNK_LENGTH && length > 0) {
      chunks.push([]);
      length = 0;
    }
    chunks.at(-1)!.push(text);
    length += text.length;
  }
  return chunks.filter((chunk) => chunk.length > 0).map((chunk) => `[${chunk.join(',')}]`);
}

/** D1 returns bytes as an array of numbers or a buffer. */
export const plain = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? { hex: Buffer.from(value as ArrayBuffer).toString('hex') }
    : value;

/** A statement that deletes some rows of an organization; undefined if none are left. */
export async function deletionOfSome(
  db: D1Database,
  tables: readonly TenantRows[],
  organization: string,
): Promise<D1PreparedStatement | undefined> {
  for (const table of tables) {
    const { results } = await db
      .prepare(
        `SELECT ${list(table.key)} FROM ${quoted(table.name)} WHERE organization_uuid = ?1 LIMIT ${ROWS_AT_ONCE}`,
      )
      .bind(organization)
      .all<Record<string, unknown>>();
    const keys = results.map((row) => JSON.stringify(table.key.map((column) => row[column])));
    if (keys.length > 0) return deleteByKeys(db, table, organization, keys);
  }
  return undefined;
}

export const rowsFrom = async (statement: D1PreparedStatement): Promise<Record<string, unknown>[]> =>
  (await statement.all<Record<string, unknown>>()).results;

/** Count the rows of an organization in each table, and read the end of its log. */
export async function inventory(
  db: D1Database,
  tables: readonly TenantRows[],
  organization: string,
): Promise<Record<string, unknown>> {
  const results = await db.batch<Record<string, unknown>>([
    ...tables.map(({ name }) =>
      db
        .prepare(`SELECT count(*) AS count FROM ${quoted(name)} WHERE organization_uuid = ?`)
        .bind(organization),
    ),
    db
      .prepare(
        `SELECT sequence_number, hash FROM audit_log WHERE organization_uuid = ?
          ORDER BY sequence_number DESC LIMIT 1`,
      )
      .bind(organization),
    db
      .prepare(
        `SELECT json_group_array(json_array(list, part, total)) AS totals FROM
          (SELECT * FROM list_total WHERE organization_uuid = ? AND total <> 0 ORDER BY list, part)`,
      )
      .bind(organization),
  ]);
  const counts = tables.map(({ name }, index) => [name, results[index]!.results[0]!['count']]);
  const [end, totals] = results.slice(-2);
  return {
    ...Object.fromEntries(counts),
    end: end!.results[0] ?? null,
    totals: totals!.results[0]!['totals'],
  };
}
