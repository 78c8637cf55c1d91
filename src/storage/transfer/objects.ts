import { madePrefix, nightlyPrefix, objectPrefix } from '../../core/lib/object-prefix.ts';

/** The maximum number of keys that one call lists or deletes. */
export const KEYS_AT_ONCE = 500;

/** All objects of an organization with their metadata, except calibration files. */
export async function* objectsOf(bucket: R2Bucket, organization: string): AsyncGenerator<R2Object> {
  yield* objectsBelow(bucket, objectPrefix(organization));
  yield* objectsBelow(bucket, madePrefix(organization));
  yield* objectsBelow(bucket, nightlyPrefix(organization));
}

/** The keys of the objects below a prefix, after a key if one is given. */
export async function* keysBelow(
  bucket: R2Bucket,
  prefix: string,
  after: string | undefined,
): AsyncGenerator<string> {
  for await (const { key } of objectsBelow(bucket, prefix, after)) yield key;
}

async function* objectsBelow(bucket: R2Bucket, prefix: string, after?: string): AsyncGenerator<R2Object> {
  let cursor: string | undefined;
  do {
    const listed: R2Objects = await bucket.list({
      prefix,
      limit: KEYS_AT_ONCE,
      include: ['customMetadata'],
      ...(cursor === undefined ? {} : { cursor }),
      ...(after === undefined ? {} : { startAfter: after }),
    });
    yield* listed.objects;
    cursor = listed.truncated ? listed.cursor : undefined;
  } while (cursor !== undefined);
}
