import { sql } from 'drizzle-orm';
import type { Env } from '../env.ts';
import type { Database } from '../lib/database.ts';
import { parseJson } from '../lib/json.ts';
import { livesHere } from '../lib/look-up.ts';
import { MINUTE_MS, SECOND_MS } from '../lib/time.ts';
import { execute, ofService } from '../writer/client.ts';
import { type Job, UNTIL_ASKED } from '../writer/jobs.ts';
import type { Overdue } from '../writer/overdue.ts';
import { settingsQuery } from '../writer/settings.ts';
import { archiveTracks, archiveUnit } from './commands.ts';
import { copyUnit } from './copy.ts';
import { newKeys, putObject } from './objects.ts';
import { type CopiedTracks, retainedSince, type Uncleared, type Unit } from './rules.ts';
import {
  dueQuery,
  finishClearing,
  putOff,
  recordsLeft,
  removeRecords,
  rest,
  unclearedQuery,
} from './store.ts';
import { leavingQuery, rowsOfTracks, stateOf } from './track-store.ts';
import { dueUnitsQuery } from './unit-store.ts';

/** How long a run goes on. */
const PIECE_MS = SECOND_MS;
/** How soon it is tried again where something failed, or has changed since it was copied. */
const AGAIN_MS = MINUTE_MS;
/** Units of which one is taken: where one cannot go, others do. */
const CHOICE = 10;

/**
 * Take what was closed long ago to the archive, piece by piece, and clear what is left of it in the database. Begins
 * where the schedule says so (`planRetention`), and goes on until nothing is left to be done; wherever it ends, the next run
 * goes on from what there is.
 */
export const keepRetention: Job<Env> = async ({ env, database, now }) => {
  const due = await database.first(dueQuery(database));
  if (!due) return UNTIL_ASKED;
  if (due.dueDate > now) return due.dueDate;
  const until = now + PIECE_MS;
  try {
    do {
      if (!(await step(env, database))) {
        await database.send([rest(database)]);
        return UNTIL_ASKED;
      }
    } while (Date.now() < until);
    return Date.now();
  } catch (error) {
    console.warn(JSON.stringify({ organization: database.organization, retention: String(error) }));
    await database.send([putOff(database, Date.now() + AGAIN_MS)]);
    return Date.now() + AGAIN_MS;
  }
};

/** One piece of work; whether there was any. */
async function step(env: Env, database: Database): Promise<boolean> {
  const {
    uncleared: [uncleared],
    settings: [settings],
  } = await database.ask({
    uncleared: unclearedQuery(database),
    settings: settingsQuery(database.organization),
  });
  if (uncleared) {
    await clear(env, database, uncleared);
    return true;
  }
  const { retentionDays } = settings ? parseJson(settings.view) : { retentionDays: null };
  const before = retainedSince(retentionDays, Date.now());
  const units = await database.all(dueUnitsQuery(database, before, CHOICE));
  const unit = units[Math.floor(Math.random() * units.length)];
  if (!unit) return false;
  await archive(env, database, unit);
  return true;
}

/** Copy a unit, and make it part of the archive. */
async function archive(env: Env, database: Database, unit: Unit): Promise<void> {
  const copied = await copyUnit(env.CALIBRATION, database, unit, Date.now());
  await commit(env, database, archiveUnit.name, copied);
}

/** Take some of the loading records that are left of an entry out of the database, with the tracks that only they hold. */
async function clear(env: Env, database: Database, entry: Uncleared): Promise<void> {
  const recordUuids = await recordsLeft(database, entry);
  if (recordUuids.length === 0) {
    await database.send(finishClearing(database, entry));
    return;
  }
  const leaving = await database.all(leavingQuery(database, recordUuids));
  if (leaving.length === 0) {
    await database.send([removeRecords(database, recordUuids)]);
    return;
  }
  const [key] = await newKeys(database, entry.unitUuid, 1, Date.now());
  const object = await putObject(env.CALIBRATION, key!, { rows: await rowsOfTracks(database, leaving) });
  const copied: CopiedTracks = { of: entry, recordUuids, fingerprint: stateOf(leaving), object };
  await commit(env, database, archiveTracks.name, copied);
}

/** Send a command to the organization's own writer. @throws where it refuses what was copied */
async function commit(env: Env, { organization }: Database, name: string, input: object): Promise<void> {
  const outcome = await execute(env, organization, ofService(name, input));
  if (outcome.kind === 'done') return;
  throw new Error(`${name}: ${outcome.kind === 'refused' ? outcome.refusal.detail : outcome.kind}`);
}

/** Have all organizations of a database that keep things for a time be looked at. For the scheduled handler. */
export async function planRetention(db: D1Database, now: number): Promise<void> {
  await db.batch([
    db.prepare(`DELETE FROM retention_due WHERE organization_uuid NOT IN
      (SELECT uuid FROM organization WHERE residence IN ('HERE', 'FROZEN'))`),
    db
      .prepare(
        `INSERT INTO retention_due SELECT uuid, ?1 FROM organization
          WHERE retention_days IS NOT NULL AND residence = 'HERE'
          ON CONFLICT DO UPDATE SET due_date = min(due_date, excluded.due_date)`,
      )
      .bind(now),
  ]);
}

/** Whose archive should have been looked at by then. */
export const overdueRetention: Overdue = (before) => sql`SELECT organization_uuid AS uuid FROM retention_due
  CROSS JOIN organization ON organization.uuid = organization_uuid WHERE due_date <= ${before} AND ${livesHere}`;
