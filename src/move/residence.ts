import { forgotten, onlyIf, stored, unless } from '../database/arrival.ts';
import { rowsOf } from '../database/rows.ts';
import { MAIN, type Residence } from '../lib/databases.ts';
import { TakenOver } from '../lib/taken-over.ts';
import { settingsColumns as settings } from '../writer/settings-table.ts';

/** What a database says of an organization that has its rows there. */
async function settingsIn(db: D1Database, organization: string): Promise<Record<string, unknown>> {
  const [row] = await rowsOf(
    db
      .prepare(`SELECT residence, ${settings.join(', ')} FROM organization WHERE uuid = ?`)
      .bind(organization),
  );
  if (!row) throw new Error('the organization has no row where it lives');
  return row;
}

/** Be the one who takes rows from where an organization lives. A claim gives way to a later one only. */
export async function claimSource(source: D1Database, organization: string, claim: string): Promise<void> {
  await source
    .prepare(
      `UPDATE organization SET arrival_claim = ?2
          WHERE uuid = ?1 AND residence IN ('HERE', 'FROZEN') AND coalesce(arrival_claim, '') < ?2`,
    )
    .bind(organization, claim)
    .run();
}

/** A statement that fails, and its batch with it, unless somebody takes the rows from where an organization lives. */
export const taking = (source: D1Database, organization: string, claim: string): D1PreparedStatement =>
  source.prepare(onlyIf("residence IN ('HERE', 'FROZEN') AND arrival_claim = ?2")).bind(organization, claim);

/** Have an organization be on its way from a database of this name, and be the one who brings its rows. */
export async function claimTarget(
  target: D1Database,
  source: D1Database,
  { organization, fromName }: { organization: string; fromName: string },
  claim: string,
): Promise<void> {
  const row = await settingsIn(source, organization);
  const names = [...settings, 'database_name', 'residence', 'arrival_claim'];
  const values = [...settings.map((name) => row[name]), stored(fromName), 'ARRIVING', claim];
  await target
    .prepare(
      `INSERT INTO organization (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
          ON CONFLICT (uuid) DO UPDATE SET residence = 'ARRIVING', database_name = excluded.database_name,
            arrival_claim = excluded.arrival_claim WHERE residence IN ('ARRIVING', 'ELSEWHERE')
              AND coalesce(arrival_claim, '') < excluded.arrival_claim`,
    )
    .bind(...values)
    .run();
}

/** Take writes of an organization no more, or again, as the one who takes its rows. */
export const reside = (
  db: D1Database,
  organization: string,
  to: 'HERE' | 'FROZEN',
  claim: string,
): D1PreparedStatement =>
  db
    .prepare(
      `UPDATE organization SET residence = ?2
          WHERE uuid = ?1 AND residence IN ('HERE', 'FROZEN') AND arrival_claim = ?3`,
    )
    .bind(organization, to, claim);

/** Send on to another database whoever asks for an organization, if all that has changed was copied. */
export const leaving = (
  db: D1Database,
  { organization, toName }: { organization: string; toName: string },
  claim: string,
): D1PreparedStatement =>
  db
    .prepare(
      `UPDATE organization SET residence = 'ELSEWHERE', database_name = ?2
            WHERE uuid = ?1 AND residence = 'FROZEN' AND arrival_claim = ?3
              AND NOT EXISTS (SELECT 1 FROM moved_row WHERE organization_uuid = ?1)`,
    )
    .bind(organization, stored(toName), claim);

/** What a database says of an organization. */
export interface Seen {
  /** The name of the database. */
  name: string;
  /** Undefined where it has no row of it. */
  residence: Residence | undefined;
  databaseName: string | null;
  /** Who was the last to move it from there or to there. */
  claim: string | null;
}

/** What a database of this name says of an organization. */
export async function seenIn(db: D1Database, name: string, organization: string): Promise<Seen> {
  const [row] = await rowsOf(
    db
      .prepare(
        'SELECT residence, database_name AS "databaseName", arrival_claim AS claim FROM organization WHERE uuid = ?',
      )
      .bind(organization),
  );
  return { residence: undefined, databaseName: null, claim: null, ...row, name };
}

/** Whether an organization lives in a database that says so. */
export const livesThere = ({ residence }: Seen): boolean => residence === 'HERE' || residence === 'FROZEN';

/**
 * Have an organization live in a database of this name, as it was when it left the other.
 * @throws `TakenOver` where it has not left: the databases were put back to before that.
 */
export async function arrive(
  target: D1Database,
  source: D1Database,
  { organization, toName }: { organization: string; toName: string },
): Promise<void> {
  const row = await settingsIn(source, organization);
  if (row['residence'] !== 'ELSEWHERE') throw new TakenOver('the organization has not left');
  await target
    .prepare(
      `UPDATE organization SET ${settings.map((name, index) => `${name} = ?${index + 3}`).join(', ')},
          residence = 'HERE', database_name = ?2 WHERE uuid = ?1 AND residence = 'ARRIVING'`,
    )
    .bind(organization, stored(toName), ...settings.map((name) => row[name]))
    .run();
}

/** A statement that fails, and its batch with it, unless an organization has left; its row may have gone after that. */
export const unlessThere = (source: D1Database, organization: string): D1PreparedStatement =>
  source.prepare(unless("residence <> 'ELSEWHERE'")).bind(organization);

/** Have an organization be on its way no more to a database of this name: it stays in the one that it was to leave. */
export const turnedBack = (
  target: D1Database,
  { organization, fromName, toName }: { organization: string; fromName: string; toName: string },
): D1PreparedStatement =>
  toName === MAIN
    ? target
        .prepare(
          `UPDATE organization SET residence = 'ELSEWHERE', database_name = ?2
            WHERE uuid = ?1 AND residence = 'ARRIVING'`,
        )
        .bind(organization, stored(fromName))
    : forgotten(target, organization);

/** Have `DB` send on to a database of this name whoever asks for an organization that lives in another. */
export async function direct(main: D1Database, organization: string, name: string): Promise<void> {
  await main
    .prepare("UPDATE organization SET database_name = ?2 WHERE uuid = ?1 AND residence = 'ELSEWHERE'")
    .bind(organization, name)
    .run();
}
