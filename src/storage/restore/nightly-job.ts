import { sql } from 'drizzle-orm';
import { SnapshotGone } from '../../access/database/snapshot.ts';
import { runningSnapshots } from '../../access/database/snapshot-end.ts';
import { type Env, settingsOf } from '../../core/env.ts';
import { bucketOf } from '../../core/lib/bucket.ts';
import type { Database } from '../../core/lib/database.ts';
import { databasesOf } from '../../core/lib/databases.ts';
import { NO_ORGANIZATION } from '../../core/lib/id.ts';
import { parseJson } from '../../core/lib/json.ts';
import { livesHere } from '../../core/lib/look-up.ts';
import { NewObject } from '../../core/lib/new-object.ts';
import { DAY_MS, HOUR_MS, isoDate, MINUTE_MS } from '../../core/lib/time.ts';
import type { Overdue } from '../../core/writer/each.ts';
import { type Job, type JobContext, type NextRun, ON_REQUEST, onRequestOr } from '../../core/writer/jobs.ts';
import { continueExport, type Exporting, exportOrganization } from '../transfer/export.ts';
import type { ExportPlace } from '../transfer/export-place.ts';
import {
  completeDates,
  deleteKeys,
  exportsIn,
  NIGHTLY_KEPT_MS,
  partKey,
  readComplete,
  writeComplete,
} from './objects.ts';
import { continueAt, currentAsks, dueQuery, type NightlyProgress, rest } from './store.ts';

/** The exports of a database begin within this time, at random. */
const SPREAD_MS = 6 * HOUR_MS;
/** How many snapshots of a database exist at once. Each has about 130 triggers. */
const SNAPSHOTS_MAXIMUM = 4;
/** How soon to try again after a failure, or while too many others are exported. */
const AGAIN_MS = 5 * MINUTE_MS;
/** A part ends after this many characters. A run reads and writes one part. */
const PART_LENGTH = 32_000_000;
/** The statements of a run: a snapshot takes 130 to begin and 130 to end. */
const RUN_STATEMENTS = 400;
/** An organization without new records is exported again after this time, before its last export is deleted. */
const UNCHANGED_MS = NIGHTLY_KEPT_MS - DAY_MS;

/**
 * Export the organization into the bucket, a part in each run. The schedule starts it (`planNightlyExports`). The objects
 * of the organization are left out: they stay where they are.
 */
export const exportNightly: Job<Env> = (context) => exportInParts(context, PART_LENGTH);

/** The same with parts of about this many characters. */
export async function exportInParts(
  { env, database, now }: JobContext<Env>,
  partLength: number,
): Promise<NextRun> {
  if (database.organization === NO_ORGANIZATION) return ON_REQUEST;
  const due = await database.first(dueQuery(database));
  if (!due) return ON_REQUEST;
  if (due.dueDate > now) return onRequestOr(due.dueDate);
  const progress = due.progress && parseJson(due.progress);
  try {
    await database.reserve(RUN_STATEMENTS);
    return await (progress
      ? continued(env, database, progress, partLength)
      : begun(env, database, now, partLength));
  } catch (error) {
    console.warn(JSON.stringify({ organization: database.organization, nightly: String(error) }));
    if (progress) await discard(env, database.organization, progress.exportDate);
    return again(database);
  }
}

/** Begin anew in some minutes. */
async function again(database: Database): Promise<number> {
  const date = Date.now() + AGAIN_MS;
  await database.send([continueAt(database, date, null)]);
  return date;
}

/** Delete old exports, and write the first part of a new one. */
async function begun(env: Env, database: Database, now: number, partLength: number): Promise<NextRun> {
  const { organization } = database;
  const bucket = bucketOf(env);
  const {
    ends: [end],
    suspended,
  } = await database.ask(currentAsks(database));
  // While an organization is suspended, its last exports are kept: somebody may be looking into what went wrong.
  if (!end || suspended.length > 0) return ended(database);
  const exports = await exportsIn(bucket, organization);
  const old = [...exports].filter(([exportDate]) => !(now - Date.parse(exportDate) < NIGHTLY_KEPT_MS));
  await deleteKeys(
    bucket,
    old.flatMap(([, { keys }]) => keys),
  );
  for (const [exportDate] of old) exports.delete(exportDate);
  const [last] = completeDates(exports);
  const known = last === undefined ? undefined : await readComplete(bucket, organization, last);
  if (known?.sequenceNumber === end.sequenceNumber && now - Date.parse(last!) < UNCHANGED_MS)
    return ended(database);
  const databases = databasesOf(env);
  const db = databases.named(databases.databaseNameOf(organization));
  if ((await runningSnapshots(db)) >= SNAPSHOTS_MAXIMUM) return again(database);
  const part = partOf(env, partLength);
  const first = await exportOrganization(part.exporting, organization);
  if (!first) return ended(database);
  const { sequenceNumber } = first;
  const progress = { exportDate: isoDate(now), sequenceNumber, digests: [], sizeBytes: 0 };
  return written(env, database, progress, first.body, part.end);
}

/** Write the next part. */
async function continued(
  env: Env,
  database: Database,
  progress: NightlyProgress,
  partLength: number,
): Promise<NextRun> {
  const part = partOf(env, partLength);
  const body = await continueExport(part.exporting, database.organization, progress.place as ExportPlace);
  if (!body) throw new SnapshotGone('the next part has no place');
  return written(env, database, progress, body, part.end);
}

/** The end of a part, once it has been read: its digest, and where the next part begins. */
interface PartEnd {
  sha256?: string;
  next?: ExportPlace;
}

/** How a part is exported. */
function partOf(env: Env, partLength: number): { exporting: Exporting; end: PartEnd } {
  const end: PartEnd = {};
  const exporting: Exporting = {
    databases: databasesOf(env),
    bucket: bucketOf(env),
    sealingKeys: settingsOf(env).sealingKeys,
    links: '',
    lengthMaximum: partLength,
    rowsOnly: true,
    ended: (sha256, next) => Object.assign(end, { sha256, next }),
  };
  return { exporting, end };
}

/** Write a part into the bucket. After the last part, the export is complete. */
async function written(
  env: Env,
  database: Database,
  before: Omit<NightlyProgress, 'place'>,
  body: ReadableStream<Uint8Array>,
  end: PartEnd,
): Promise<NextRun> {
  const { organization } = database;
  const bucket = bucketOf(env);
  let { sizeBytes } = before;
  const object = new NewObject(bucket, partKey(organization, before.exportDate, before.digests.length + 1));
  try {
    for await (const bytes of body as unknown as AsyncIterable<Uint8Array>) {
      sizeBytes += bytes.length;
      await object.write(bytes);
    }
    await object.complete();
    const { exportDate, sequenceNumber } = before;
    const digests = [...before.digests, end.sha256!];
    const progress = { exportDate, sequenceNumber, digests, sizeBytes };
    if (end.next) {
      await database.send([continueAt(database, Date.now(), { ...progress, place: end.next })]);
      return Date.now();
    }
    await writeComplete(bucket, organization, progress);
    return await ended(database);
  } catch (error) {
    await object.abort();
    // The organization may have been erased meanwhile. Nothing of it may stay.
    await discard(env, organization, before.exportDate);
    throw error;
  }
}

async function ended(database: Database): Promise<NextRun> {
  await database.send([rest(database)]);
  return ON_REQUEST;
}

/** Delete the objects of an export that was not completed. */
async function discard(env: Env, organization: string, exportDate: string): Promise<void> {
  const bucket = bucketOf(env);
  await deleteKeys(bucket, (await exportsIn(bucket, organization)).get(exportDate)?.keys ?? []);
}

/** Plan the nightly export of all organizations of a database. For the scheduled handler. */
export async function planNightlyExports(db: D1Database, now: number): Promise<void> {
  await db.batch([
    db.prepare(`DELETE FROM nightly_export_due WHERE organization_uuid NOT IN
      (SELECT uuid FROM organization WHERE residence IN ('HERE', 'FROZEN'))`),
    db
      .prepare(
        `INSERT INTO nightly_export_due (organization_uuid, due_date)
          SELECT uuid, ?1 + abs(random() % ?2) FROM organization
          WHERE suspended_date IS NULL AND residence = 'HERE' ON CONFLICT DO NOTHING`,
      )
      .bind(now, SPREAD_MS),
  ]);
}

/** Finds organizations whose nightly export is overdue. */
export const overdueNightlyExports: Overdue = (before) => sql`SELECT organization_uuid AS uuid
  FROM nightly_export_due CROSS JOIN organization ON organization.uuid = organization_uuid
  WHERE due_date <= ${before} AND ${livesHere}`;
