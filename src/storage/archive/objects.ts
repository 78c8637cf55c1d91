import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { Database } from '../../core/lib/database.ts';
import type { Json } from '../../core/lib/json.ts';
import { objectPrefix } from '../../core/lib/object-prefix.ts';
import { ProblemError, refusal } from '../../core/lib/problem.ts';
import { isUnavailable, outage } from '../../core/lib/store.ts';
import { type ArchivedObject, type ArchivedRow, type ArchiveLocation, recordObjectsQuery } from './store.ts';

/** The number of loading records in an object: a page of pallets is in one or two of them. */
export const RECORDS_OF_OBJECT = 2_500;

/**
 * The document of a manifest or shipment. `view` is the stored JSON of its GET, and `page` the content of its public
 * pages (null without pages).
 */
export interface ArchivedDocument<View = unknown, Page = unknown> {
  view: Json<View>;
  page: Page | null;
  recordsCount: number;
  rows: Readonly<Record<string, readonly ArchivedRow[]>>;
}

/** Loading records in two forms, in the same order: as public pages show them, and their rows. */
export interface ArchivedRecords<Shown = unknown> {
  shown: readonly Shown[];
  rows: readonly ArchivedRow[];
}

/** Key of an object of an organization's archive; all of them are below `objectPrefix`. */
export const archiveKey = (organization: string, unitUuid: string, version: string): string =>
  `${objectPrefix(organization)}archive/${unitUuid}/${version}`;

/** Lower-case hexadecimal SHA-256 of bytes. */
export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Read an object. @throws 503 where the bucket does not respond, or has other bytes than were stored */
export async function readObject<T>(bucket: R2Bucket, { objectKey, sha256 }: ArchivedObject): Promise<T> {
  try {
    const object = await bucket.get(objectKey);
    if (!object) throw outage('The object does not exist.');
    const bytes = new Uint8Array(await object.arrayBuffer());
    if (sha256Of(bytes) !== sha256) throw outage('The object has changed.');
    return JSON.parse(Buffer.from(bytes).toString()) as T;
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    console.error(JSON.stringify({ archive: objectKey, error: String(error) }));
    throw new ProblemError(refusal('temporarilyUnavailable', 'The archive did not answer.'));
  }
}

/** Loading records of an archive entry: `take` of them, after skipping `skip`. */
export async function readRecords<Shown>(
  bucket: R2Bucket,
  database: Database,
  { unitUuid, firstRecord }: ArchiveLocation,
  skip: number,
  take: number,
): Promise<Shown[]> {
  if (take <= 0) return [];
  const begin = firstRecord + skip;
  const first = Math.floor(begin / RECORDS_OF_OBJECT);
  const last = Math.floor((begin + take - 1) / RECORDS_OF_OBJECT);
  const objects = await database.all(recordObjectsQuery(database, unitUuid, first, last));
  const parts = await Promise.all(
    objects.map((object) => readObject<ArchivedRecords<Shown>>(bucket, object)),
  );
  const from = begin - first * RECORDS_OF_OBJECT;
  return parts.flatMap(({ shown }) => shown).slice(from, from + take);
}
