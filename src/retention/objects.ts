import { Buffer } from 'node:buffer';
import type { Database } from '../core/lib/database.ts';
import { newUuid } from '../core/lib/id.ts';
import { calibrationOrphan } from '../dispatch/calibration/table.ts';
import { archiveKey, sha256Of } from '../storage/archive/objects.ts';
import type { PutObject } from './rules.ts';

/**
 * Reserve keys of objects that are about to be created. They are first listed as orphans. A commit then adds them to
 * the archive. So no object can be forgotten at any instant.
 */
export async function newKeys(
  database: Database,
  unitUuid: string,
  count: number,
  now: number,
  prefix = '',
): Promise<string[]> {
  const keys = Array.from({ length: count }, () =>
    archiveKey(database.organization, unitUuid, `${prefix}${newUuid()}`),
  );
  await database.send(
    database.insert(
      calibrationOrphan,
      keys.map((objectKey) => ({ objectKey, createDate: now })),
    ),
  );
  return keys;
}

/** Put an object into the bucket, and verify that it arrived unaltered. */
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
