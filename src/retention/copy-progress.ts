import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../core/lib/database.ts';
import type { Scope } from '../core/lib/scope.ts';
import { archiveKey } from '../storage/archive/objects.ts';
import { newKeys, putObject } from './objects.ts';
import type { CopyProgress, WrittenObject } from './rules.ts';
import { freeQuery } from './store.ts';

/** Begins the names of objects that say how far a copy is. */
const COPY = 'copy-';

/** The latest progress of the copy of a unit. It is an orphan itself, so the sweep of orphans deletes it later. */
export function savedCopyQuery({ organization }: Scope, unitUuid: string): SQL<{ objectKey: string }> {
  const first = archiveKey(organization, unitUuid, COPY);
  return sql`SELECT object_key AS "objectKey" FROM calibration_orphan
    WHERE organization_uuid = ${organization} AND object_key BETWEEN ${first} AND ${`${first}~`}
    ORDER BY create_date DESC LIMIT 1`;
}

/** Save how far the copy of a unit is, so that another run continues it. */
export async function saveCopy(
  bucket: R2Bucket,
  database: Database,
  unitUuid: string,
  progress: CopyProgress,
): Promise<void> {
  const [key] = await newKeys(database, unitUuid, 1, Date.now(), COPY);
  await putObject(bucket, key!, progress);
}

/**
 * The objects of a saved copy. None if the unit has changed since, or if an object is about to be deleted. Then the copy
 * starts again.
 */
export async function resumeCopy(
  bucket: R2Bucket,
  database: Database,
  { objectKey }: { objectKey: string },
  fingerprint: string,
): Promise<WrittenObject[]> {
  const progress = await (await bucket.get(objectKey))?.json<CopyProgress>();
  if (progress?.fingerprint !== fingerprint) return [];
  const free = await database.all(freeQuery(database, progress.objects));
  return free.length === progress.objects.length ? progress.objects : [];
}
