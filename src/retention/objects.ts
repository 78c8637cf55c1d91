import { Buffer } from 'node:buffer';
import { archiveKey, sha256Of } from '../archive/objects.ts';
import { calibrationOrphan } from '../calibration/table.ts';
import type { Database } from '../lib/database.ts';
import { newUuid } from '../lib/id.ts';
import type { PutObject } from './rules.ts';

/**
 * Keys of objects that are to be: orphans until a commit takes them into the archive. They stand in the list of orphans
 * before they exist, so there is no instant at which one could be forgotten.
 */
export async function newKeys(
  database: Database,
  unitUuid: string,
  count: number,
  now: number,
): Promise<string[]> {
  const keys = Array.from({ length: count }, () => archiveKey(database.organization, unitUuid, newUuid()));
  await database.send(
    database.insert(
      calibrationOrphan,
      keys.map((objectKey) => ({ objectKey, createDate: now })),
    ),
  );
  return keys;
}

/** Put an object into the bucket, and see that it is there as it was sent. */
export async function putObject(bucket: R2Bucket, objectKey: string, value: object): Promise<PutObject> {
  const bytes = Buffer.from(JSON.stringify(value));
  const sha256 = sha256Of(bytes);
  await bucket.put(objectKey, bytes, { sha256, httpMetadata: { contentType: 'application/json' } });
  const there = await bucket.head(objectKey);
  const sum = there?.checksums.sha256;
  if (there?.size !== bytes.length || !sum || Buffer.from(sum).toString('hex') !== sha256) {
    throw new Error(`the bucket does not have what was put there: ${objectKey}`);
  }
  return { objectKey, sha256, sizeBytes: bytes.length };
}
