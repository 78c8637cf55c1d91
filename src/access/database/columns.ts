import type { TenantRows } from './tenant.ts';

/** The columns of a table, and whether it has a rowid. */
export interface Columns {
  names: readonly string[];
  withoutRowid: boolean;
}

/** The columns of tables in a database, by table name. */
export async function columnsOf(
  db: D1Database,
  tables: readonly TenantRows[],
): Promise<ReadonlyMap<string, Columns>> {
  const { results } = await db
    .prepare(
      `SELECT s.name AS "table", s.type = 'view' OR s.sql LIKE '%WITHOUT ROWID%' AS "withoutRowid",
          (SELECT json_group_array(name) FROM (SELECT c.name FROM pragma_table_info(s.name) c ORDER BY c.cid)) AS names
        FROM sqlite_schema s WHERE s.name IN (SELECT value FROM json_each(?)) AND s.type IN ('table', 'view')`,
    )
    .bind(JSON.stringify(tables.map(({ name }) => name)))
    .all<{ table: string; withoutRowid: 0 | 1; names: string }>();
  const found = new Map(results.map((row) => [row.table, row]));
  return new Map(
    tables.map(({ name, derived = [] }) => {
      const { names, withoutRowid } = found.get(name)!;
      const stored = (JSON.parse(names) as string[]).filter((column) => !derived.includes(column));
      return [name, { names: stored, withoutRowid: withoutRowid === 1 }];
    }),
  );
}
