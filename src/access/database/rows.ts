import type { Columns } from './columns.ts';
import type { TenantRows } from './tenant.ts';
import { bytesOf, conditionOf, isLast, limitedBy, list, partsOf, quoted, type RowValues } from './walk.ts';

/** The maximum characters of JSON in one statement. D1 takes values of 2,000,000 bytes. */
const CHUNK_LENGTH = 500_000;
/** The maximum number of rows that one statement deletes. */
const DELETED_AT_ONCE = 2_000;

/** Rows that were found by their keys. */
export interface FoundRows {
  rows: Record<string, unknown>[];
  /** How many of the keys were looked up. The rows of the others did not fit. */
  keysCount: number;
}

/**
 * Read the rows with these keys, in the order in which they were inserted, and at most a page of them. Keys without a
 * row are left out.
 */
export async function readByKeys(
  db: D1Database,
  { name, key, ofOrganization, storedIn }: TenantRows,
  { names, withoutRowid }: Columns,
  organization: string,
  keys: readonly string[],
): Promise<FoundRows> {
  const same = storedIn
    ? storedIn.isAt('each.value ->> 0')
    : key.map((column, index) => `t.${quoted(column)} = each.value ->> ${index}`).join(' AND ');
  const select = (columns: string): string =>
    `SELECT each.key AS place, ${bytesOf(names, 't.')} AS bytes${columns}
      FROM (SELECT key, value FROM json_each(?2)) each CROSS JOIN ${quoted(name)} t
      ON ${same} AND ${ofOrganization ? '' : '+'}t.organization_uuid = ?1 ORDER BY each.key`;
  const shown = `, ${withoutRowid ? 'each.key' : 't.rowid'} AS "row id", ${list(names, 't.')}`;
  const rows = await rowsFrom(
    db
      .prepare(`${select(shown)} ${limitedBy(select(''), 'place')}`)
      .bind(organization, `[${keys.join(',')}]`),
  );
  const keysCount = isLast(rows) ? keys.length : Number(rows.at(-1)!['place']) + 1;
  rows.sort((one, other) => Number(one['row id']) - Number(other['row id']));
  return { rows, keysCount };
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
  table: TenantRows,
  { names }: Columns,
  rows: readonly RowValues[],
): D1PreparedStatement[] {
  const fromJson = names.map(
    (_, index) => `iif(json_type(value, '$[${index}]') = 'object', unhex(value ->> '$[${index}].hex'),
      value ->> ${index})`,
  );
  const text = insertion(table, names, fromJson, 'FROM json_each(?1)');
  return chunksOf(rows).map((chunk) => {
    if (typeof chunk === 'string') return db.prepare(text).bind(chunk);
    // The JSON of a large row may be longer than a value of D1, while each of its values is not.
    const given = names.map((_, index) => `?${index + 1}`);
    return db.prepare(insertion(table, names, given, '')).bind(...chunk.map(bound));
  });
}

function insertion(
  { name, key, ofOrganization, storedIn }: TenantRows,
  names: readonly string[],
  values: readonly string[],
  from: string,
): string {
  const insert = `INSERT INTO ${quoted(name)} (${list(names)}) SELECT ${values.join(', ')} ${from}`;
  // An insert through a view does not change existing rows.
  if (storedIn) return insert;
  const target = [...(ofOrganization ? ['organization_uuid'] : []), ...key];
  const update = names.map((column) => `${quoted(column)} = excluded.${quoted(column)}`).join(', ');
  return `${insert} WHERE TRUE ON CONFLICT (${list(target)}) DO UPDATE SET ${update}
    WHERE ${quoted(name)}.organization_uuid = excluded.organization_uuid`;
}

/**
 * Rows as JSON arrays, split so that each array fits a statement. Bytes become `{hex}`. A row that is too long for that
 * is returned as it is.
 */
function chunksOf(rows: readonly RowValues[]): (string | RowValues)[] {
  const chunks: (string | RowValues)[] = [];
  let texts: string[] = [];
  let length = 0;
  const end = (): void => {
    if (texts.length > 0) chunks.push(`[${texts.join(',')}]`);
    texts = [];
    length = 0;
  };
  for (const row of rows) {
    const text = JSON.stringify(row.map(plain));
    if (length + text.length > CHUNK_LENGTH) end();
    if (text.length > CHUNK_LENGTH) {
      chunks.push(row);
      continue;
    }
    texts.push(text);
    length += text.length;
  }
  end();
  return chunks;
}

/** D1 returns bytes as an array of numbers or a buffer. */
export const plain = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? { hex: Buffer.from(value as ArrayBuffer).toString('hex') }
    : value;

const bound = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? new Uint8Array(value as ArrayBuffer) : value;

/** The rows of an organization (`?1`) in a table, as one SELECT for each part. */
export const selectsOf = (table: TenantRows, shown: string): string[] =>
  partsOf(table).map(
    (part) => `SELECT ${shown} FROM ${quoted(table.name)}
      WHERE organization_uuid = ?1 AND ${conditionOf(part, quoted)}`,
  );

/** A statement that deletes some rows of an organization; undefined if none are left. */
export async function deletionOfSome(
  db: D1Database,
  tables: readonly TenantRows[],
  organization: string,
): Promise<D1PreparedStatement | undefined> {
  const cases = tables.map((table, index) => {
    const some = selectsOf(table, '1').map((select) => `EXISTS (${select})`);
    return `WHEN ${some.join(' OR ')} THEN ${index}`;
  });
  const [first] = await rowsFrom(db.prepare(`SELECT CASE ${cases.join(' ')} END AS at`).bind(organization));
  const table = tables[Number(first!['at'] ?? Number.NaN)];
  if (!table) return undefined;
  const { name, storedIn } = table;
  const key = storedIn ? partsOf(table)[0]!.by : table.key;
  return db
    .prepare(
      `DELETE FROM ${quoted(name)} WHERE organization_uuid = ?1 AND (${list(key)}) IN
        (${selectsOf(table, list(key)).join(' UNION ALL ')} LIMIT ${DELETED_AT_ONCE})`,
    )
    .bind(organization);
}

export const rowsFrom = async (statement: D1PreparedStatement): Promise<Record<string, unknown>[]> =>
  (await statement.all<Record<string, unknown>>()).results;

/** Count the rows of an organization in each table, and read the end of its log. */
export async function inventory(
  db: D1Database,
  tables: readonly TenantRows[],
  organization: string,
): Promise<Record<string, unknown>> {
  const counts = tables.map(
    (table) =>
      `${selectsOf(table, 'count(*)')
        .map((select) => `(${select})`)
        .join(' + ')} AS ${quoted(table.name)}`,
  );
  const [found] = await rowsFrom(
    db
      .prepare(
        `SELECT ${counts.join(', ')},
          (SELECT json_object('sequence_number', last_number, 'hash', substr(hashes, -64)) FROM command_log
            WHERE organization_uuid = ?1 ORDER BY log_id DESC LIMIT 1) AS "end",
          (SELECT json_group_array(json_array(list, part, total)) FROM
            (SELECT * FROM list_total WHERE organization_uuid = ?1 AND total <> 0 ORDER BY list, part)) AS totals`,
      )
      .bind(organization),
  );
  return { ...found, end: JSON.parse(String(found!['end'])) };
}
