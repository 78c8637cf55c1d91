import { stored } from '../database/arrival.ts';
import { rowsOf } from '../database/rows.ts';
import { settingsColumns as settings } from '../writer/settings-table.ts';

/** What a database says of an organization that has its rows there. */
async function settingsIn(db: D1Database, organization: string): Promise<Record<string, unknown>> {
  const [row] = await rowsOf(
    db.prepare(`SELECT ${settings.join(', ')} FROM organization WHERE uuid = ?`).bind(organization),
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

/** Take writes of an organization no more, or again. */
export async function reside(
  db: D1Database,
  organization: string,
  to: 'HERE' | 'FROZEN',
  from: 'HERE' | 'FROZEN',
): Promise<void> {
  await db
    .prepare('UPDATE organization SET residence = ?2 WHERE uuid = ?1 AND residence = ?3')
    .bind(organization, to, from)
    .run();
}

/** Send on to another database whoever asks for an organization, if all that has changed was copied. */
export const leaving = (db: D1Database, organization: string, toName: string): D1PreparedStatement =>
  db
    .prepare(
      `UPDATE organization SET residence = 'ELSEWHERE', database_name = ?2
            WHERE uuid = ?1 AND residence = 'FROZEN'
              AND NOT EXISTS (SELECT 1 FROM moved_row WHERE organization_uuid = ?1)`,
    )
    .bind(organization, stored(toName));

/** Whether an organization has left a database. */
export async function hasLeft(db: D1Database, organization: string): Promise<boolean> {
  const [row] = await rowsOf(
    db.prepare('SELECT residence FROM organization WHERE uuid = ?').bind(organization),
  );
  return row?.['residence'] === 'ELSEWHERE';
}

/** Have an organization live in a database of this name, as it was when it left the other. */
export async function arrive(
  target: D1Database,
  source: D1Database,
  { organization, toName }: { organization: string; toName: string },
): Promise<void> {
  const row = await settingsIn(source, organization);
  await target
    .prepare(
      `UPDATE organization SET ${settings.map((name, index) => `${name} = ?${index + 3}`).join(', ')},
          residence = 'HERE', database_name = ?2 WHERE uuid = ?1 AND residence = 'ARRIVING'`,
    )
    .bind(organization, stored(toName), ...settings.map((name) => row[name]))
    .run();
}
