import { madePrefix, objectPrefix } from '../lib/object-prefix.ts';

/** The most keys that one call lists or deletes. */
export const KEYS_AT_ONCE = 500;

/** The keys of all objects of an organization, except those of calibration files. */
export async function* keysOf(bucket: R2Bucket, organization: string): AsyncGenerator<string> {
  yield* keysBelow(bucket, objectPrefix(organization));
  yield* keysBelow(bucket, madePrefix(organization));
}

/** The keys of the objects below a prefix. */
export async function* keysBelow(bucket: R2Bucket, prefix: string): AsyncGenerator<string> {
  let cursor: string | undefined;
  do {
    const listed: R2Objects = await bucket.list({
      prefix,
      limit: KEYS_AT_ONCE,
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const { key } of listed.objects) yield key;
    cursor = listed.truncated ? listed.cursor : undefined;
  } while (cursor !== undefined);
}
