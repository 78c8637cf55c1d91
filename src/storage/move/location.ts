import {
  claimArrival,
  forgotten,
  onlyIf,
  settingsIn,
  stored,
  unless,
} from '../../access/database/arrival.ts';
import { rowsFrom } from '../../access/database/rows.ts';
import { type Location, MAIN } from '../../core/lib/databases.ts';
import { TakenOver } from '../../core/lib/taken-over.ts';
import { settingsColumns as settings } from '../../core/writer/settings-table.ts';

/** The settings of an organization in a database that must have a row of it. */
async function existing(db: D1Database, organization: string): Promise<Record<string, unknown>> {
  const row = await settingsIn(db, organization);
  if (!row) throw new Error('the organization has no row where it lives');
  return row;
}

/**
 * Claim the right to copy rows out of the database in which an organization lives. A claim is only replaced by a later
 * one.
 */
export async function claimSource(source: D1Database, organization: string, claim: string): Promise<void> {
  await source
    .prepare(
      `UPDATE organization SET arrival_claim = ?2
          WHERE uuid = ?1 AND residence IN ('HERE', 'FROZEN') AND coalesce(arrival_claim, '') < ?2`,
    )
    .bind(organization, claim)
    .run();
}

/** A statement that fails its batch unless this claim on the source is held. */
export const taking = (source: D1Database, organization: string, claim: string): D1PreparedStatement =>
  source.prepare(onlyIf("residence IN ('HERE', 'FROZEN') AND arrival_claim = ?2")).bind(organization, claim);

/** Mark an organization as arriving from the named database, and claim the right to copy its rows here. */
export async function claimTarget(
  target: D1Database,
  source: D1Database,
  { organization, fromName }: { organization: string; fromName: string },
  claim: string,
): Promise<void> {
  await claimArrival(target, await existing(source, organization), {
    claim,
    sendTo: stored(fromName),
    condition: `residence IN ('ARRIVING', 'ELSEWHERE')
      AND coalesce(arrival_claim, '') < excluded.arrival_claim`,
  });
}

/** Freeze or unfreeze writes of an organization, as the holder of the claim. */
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

/** Redirect callers to another database, provided that all recorded changes have been copied. */
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

/** The state of an organization as a database states it. */
export interface Seen {
  /** The name of the database. */
  name: string;
  /** Undefined where the database has no row of it. */
  residence: Location | undefined;
  databaseName: string | null;
  /** The latest claim on it there. */
  claim: string | null;
}

/** Read the state of an organization in a database. */
export async function seenIn(db: D1Database, name: string, organization: string): Promise<Seen> {
  const [row] = await rowsFrom(
    db
      .prepare(
        'SELECT residence, database_name AS "databaseName", arrival_claim AS claim FROM organization WHERE uuid = ?',
      )
      .bind(organization),
  );
  return { residence: undefined, databaseName: null, claim: null, ...row, name };
}

/** Whether the state says that the organization lives in that database. */
export const livesThere = ({ residence }: Seen): boolean => residence === 'HERE' || residence === 'FROZEN';

/**
 * Make the named database the one in which an organization lives, with its settings as they were when it left. @throws
 * `TakenOver` where it has not left the other database, because the databases were restored to before that
 */
export async function arrive(
  target: D1Database,
  source: D1Database,
  { organization, toName }: { organization: string; toName: string },
): Promise<void> {
  const row = await existing(source, organization);
  if (row['residence'] !== 'ELSEWHERE') throw new TakenOver('the organization has not left');
  await target
    .prepare(
      `UPDATE organization SET ${settings.map((name, index) => `${name} = ?${index + 3}`).join(', ')},
          residence = 'HERE', database_name = ?2 WHERE uuid = ?1 AND residence = 'ARRIVING'`,
    )
    .bind(organization, stored(toName), ...settings.map((name) => row[name]))
    .run();
}

/**
 * A statement that fails its batch unless the organization has left the source. An organization without a row there has
 * left, too.
 */
export const unlessThere = (source: D1Database, organization: string): D1PreparedStatement =>
  source.prepare(unless("residence <> 'ELSEWHERE'")).bind(organization);

/** Cancel the arrival of an organization: it stays in the database that it was about to leave. */
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

/** Make `DB` redirect callers of an organization to the named database. */
export async function direct(main: D1Database, organization: string, name: string): Promise<void> {
  await main
    .prepare("UPDATE organization SET database_name = ?2 WHERE uuid = ?1 AND residence = 'ELSEWHERE'")
    .bind(organization, name)
    .run();
}
