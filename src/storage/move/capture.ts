import type { Columns } from '../../access/database/columns.ts';
import type { TenantRows } from '../../access/database/tenant.ts';
import { createTriggers, dropTriggers } from '../../access/database/triggers.ts';

/** A reference to a row that has changed since it was copied. */
export interface Captured {
  tableName: string;
  rowKey: string;
  changesCount: number;
}

/** Create triggers that record every change of an organization's rows in a table. */
export function capture(
  db: D1Database,
  organization: string,
  table: TenantRows,
  { withoutRowid }: Columns,
): D1PreparedStatement[] {
  const { name, key, storedIn } = table;
  return createTriggers(db, 'move', organization, table, (event) => {
    const row = event === 'DELETE' ? 'OLD' : 'NEW';
    const values = storedIn ? storedIn.key(row) : key.map((column) => `${row}."${column}"`).join(', ');
    const when = storedIn
      ? `${storedIn.owner(row)} =
          (SELECT number FROM organization_number WHERE organization_uuid = '${organization}')`
      : `${row}.organization_uuid = '${organization}'`;
    const position = withoutRowid ? '0' : `${row}.rowid`;
    return {
      when,
      insert: `INSERT INTO moved_row VALUES ('${organization}', '${name}', json_array(${values}), ${position}, 1)
        ON CONFLICT DO UPDATE SET changes_count = changes_count + 1`,
    };
  });
}

/** The maximum number of triggers that one step drops. */
const DROPPED_AT_ONCE = 40;

/**
 * Statements that drop some triggers, and delete the records once all are dropped. `isAll`: no more are left after
 * them.
 */
export async function endCapture(
  db: D1Database,
  organization: string,
): Promise<{ statements: D1PreparedStatement[]; isAll: boolean }> {
  const drops = await dropTriggers(db, 'move', organization, DROPPED_AT_ONCE);
  if (drops.length === DROPPED_AT_ONCE) return { statements: drops, isAll: false };
  const deletion = db.prepare('DELETE FROM moved_row WHERE organization_uuid = ?').bind(organization);
  return { statements: [...drops, deletion], isAll: true };
}

/** An SQL condition: changes of `organization` in this database are being recorded. */
export const CAPTURED = `SELECT substr(name, -36) AS organization FROM sqlite_schema
  WHERE type = 'trigger' AND name LIKE 'move\\_%' ESCAPE '\\'`;

/** The tables with recorded changes. */
export const capturedTables = (db: D1Database, organization: string): D1PreparedStatement =>
  db
    .prepare('SELECT DISTINCT table_name AS name FROM moved_row WHERE organization_uuid = ?')
    .bind(organization);

/** The first changed rows of a table, in the order in which they were inserted. */
export const capturedOf = (
  db: D1Database,
  organization: string,
  table: string,
  maximum: number,
): D1PreparedStatement =>
  db
    .prepare(
      `SELECT table_name AS "tableName", row_key AS "rowKey", changes_count AS "changesCount" FROM moved_row
        WHERE organization_uuid = ?1 AND table_name = ?2 ORDER BY position, row_key LIMIT ?3`,
    )
    .bind(organization, table, maximum);

/** Delete the records of rows that were copied again, unless the rows have changed since. */
export const forget = (
  db: D1Database,
  organization: string,
  captured: readonly Captured[],
): D1PreparedStatement =>
  db
    .prepare(
      `DELETE FROM moved_row WHERE organization_uuid = ?1 AND (table_name, row_key, changes_count) IN
        (SELECT value ->> 'tableName', value ->> 'rowKey', value ->> 'changesCount' FROM json_each(?2))`,
    )
    .bind(organization, JSON.stringify(captured));
