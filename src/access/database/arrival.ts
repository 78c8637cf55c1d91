import { MAIN } from '../../core/lib/databases.ts';
import { messagesOf } from '../../core/lib/store.ts';
import { TakenOver } from '../../core/lib/taken-over.ts';
import { settingsColumns } from '../../core/writer/settings-table.ts';
import { rowsFrom } from './rows.ts';

/** The stored form of a database name. */
export const stored = (name: string): string | null => (name === MAIN ? null : name);

const TAKEN_OVER = 'taken over';

/** A statement that fails its batch unless the row of an organization (`?1`) fulfils a condition. */
export const onlyIf = (condition: string): string => `SELECT json_extract('{}', coalesce(
  (SELECT '$' FROM organization WHERE uuid = ?1 AND ${condition}), '${TAKEN_OVER}'))`;

/** A statement that fails its batch if the row of an organization (`?1`) fulfils a condition. */
export const unless = (condition: string): string => `SELECT json_extract('{}', coalesce(
  (SELECT '${TAKEN_OVER}' FROM organization WHERE uuid = ?1 AND ${condition}), '$'))`;

/** Whether an error means that another process has taken over. */
export const isTakenOver = (error: unknown): boolean =>
  error instanceof TakenOver || messagesOf(error).includes(`'${TAKEN_OVER}'`);

type Row = Record<string, unknown>;

/** The settings of an organization and its location, according to a database. */
export async function settingsIn(db: D1Database, organization: string): Promise<Row | undefined> {
  const [row] = await rowsFrom(
    db
      .prepare(`SELECT residence, ${settingsColumns.join(', ')} FROM organization WHERE uuid = ?`)
      .bind(organization),
  );
  return row;
}

/**
 * Mark the organization with these settings as ARRIVING in a database, under a claim. An existing row is only changed
 * under the condition. Callers that ask there are sent to `sendTo`, or nowhere.
 */
export async function claimArrival(
  db: D1Database,
  settings: Row,
  { claim, sendTo, condition }: { claim: string; sendTo: string | null; condition: string },
): Promise<void> {
  const names = [...settingsColumns, 'database_name', 'residence', 'arrival_claim'];
  const values = [...settingsColumns.map((name) => settings[name]), sendTo, 'ARRIVING', claim];
  await db
    .prepare(
      `INSERT INTO organization (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
        ON CONFLICT (uuid) DO UPDATE SET residence = 'ARRIVING', database_name = excluded.database_name,
          arrival_claim = excluded.arrival_claim WHERE ${condition}`,
    )
    .bind(...values)
    .run();
}

/** Change rows of an organization that is ARRIVING in a database, as the holder of the claim. @throws `TakenOver` */
export async function bring(
  db: D1Database,
  organization: string,
  claim: string,
  statements: readonly D1PreparedStatement[],
): Promise<void> {
  if (statements.length === 0) return;
  const claimed = onlyIf("residence = 'ARRIVING' AND arrival_claim = ?2");
  await db.batch([db.prepare(claimed).bind(organization, claim), ...statements]);
}

/** Delete the row of an organization that is elsewhere. Only `DB` needs such a row. */
export const forgotten = (db: D1Database, organization: string): D1PreparedStatement =>
  db
    .prepare("DELETE FROM organization WHERE uuid = ? AND residence IN ('ARRIVING', 'ELSEWHERE')")
    .bind(organization);
