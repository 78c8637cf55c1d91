import { sql } from 'drizzle-orm';
import type { Env } from '../core/env.ts';
import { bucketOf } from '../core/lib/bucket.ts';
import type { Database } from '../core/lib/database.ts';
import { parseJson } from '../core/lib/json.ts';
import { livesHere } from '../core/lib/look-up.ts';
import { MINUTE_MS, SECOND_MS } from '../core/lib/time.ts';
import { execute, ofService } from '../core/writer/client.ts';
import type { Overdue } from '../core/writer/each.ts';
import { type Job, ON_REQUEST } from '../core/writer/jobs.ts';
import { settingsQuery } from '../core/writer/settings.ts';
import { archiveLoad, archiveTracks } from './commands.ts';
import { copyLoad, newKeys, putObject } from './copy.ts';
import { type ClosedLoad, type CopiedTracks, retainedSince, type Uncleared } from './rules.ts';
import {
  dueLoadsQuery,
  dueQuery,
  finishClearing,
  leavingQuery,
  putOff,
  recordsLeft,
  removeRecords,
  rest,
  rowsOfTracks,
  tracksFingerprint,
  unclearedQuery,
} from './store.ts';

/** How long a run works, */
const PIECE_MS = SECOND_MS;
/** and after how many calls of the database it ends. A call has up to six statements, and an invocation 1,000. */
const CALLS_MAXIMUM = 60;
/** How soon to try again after a failure, or after a change during the copy. */
const AGAIN_MS = MINUTE_MS;
/** One unit is chosen at random among this many. So a unit that cannot be archived does not block others. */
const CHOICE = 10;

/**
 * Move work that was closed long ago into the archive, piece by piece, and delete its remains from the database. The
 * schedule starts it (`planRetention`), and it runs until nothing is left to do. After an interruption, the next run
 * continues from the current state.
 */
export const keepRetention: Job<Env> = async ({ env, database, now }) => {
  const due = await database.first(dueQuery(database));
  if (!due) return ON_REQUEST;
  if (due.dueDate > now) return due.dueDate;
  const until = now + PIECE_MS;
  const mayContinue = () => Date.now() < until && database.roundTrips < CALLS_MAXIMUM;
  try {
    do {
      if (!(await step(env, database, mayContinue))) {
        await database.send([rest(database)]);
        return ON_REQUEST;
      }
    } while (mayContinue());
    return Date.now();
  } catch (error) {
    console.warn(JSON.stringify({ organization: database.organization, retention: String(error) }));
    await database.send([putOff(database, Date.now() + AGAIN_MS)]);
    return Date.now() + AGAIN_MS;
  }
};

/** Do one piece of work. Returns whether there was any. */
async function step(env: Env, database: Database, mayContinue: () => boolean): Promise<boolean> {
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
  const loads = await database.all(dueLoadsQuery(database, before, CHOICE));
  const load = loads[Math.floor(Math.random() * loads.length)];
  if (!load) return false;
  await archive(env, database, load, mayContinue);
  return true;
}

/** Copy a unit, and move it into the archive. A large unit takes several runs; see `copyLoad`. */
async function archive(
  env: Env,
  database: Database,
  load: ClosedLoad,
  mayContinue: () => boolean,
): Promise<void> {
  const copied = await copyLoad(bucketOf(env), database, load, mayContinue);
  if (copied) await commit(env, database, archiveLoad.name, copied);
}

/** Delete some of the remaining loading records of an archive entry, together with tracks that only they refer to. */
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
  const object = await putObject(bucketOf(env), key!, { rows: await rowsOfTracks(database, leaving) });
  const copied: CopiedTracks = { of: entry, recordUuids, fingerprint: tracksFingerprint(leaving), object };
  await commit(env, database, archiveTracks.name, copied);
}

/** Send a command to the organization's writer. @throws if it refuses the copy */
async function commit(env: Env, { organization }: Database, name: string, input: object): Promise<void> {
  const outcome = await execute(env, organization, ofService(name, input));
  if (outcome.kind === 'done') return;
  throw new Error(`${name}: ${outcome.kind === 'refused' ? outcome.refusal.detail : outcome.kind}`);
}

/** Schedule a check of all organizations of a database that have a retention period. For the scheduled handler. */
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

/** Finds organizations whose retention check is overdue. */
export const overdueRetention: Overdue = (before) => sql`SELECT organization_uuid AS uuid FROM retention_due
  CROSS JOIN organization ON organization.uuid = organization_uuid WHERE due_date <= ${before} AND ${livesHere}`;
