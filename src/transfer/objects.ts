import { objectPrefix } from '../lib/object-prefix.ts';

/** Keys that one call lists or deletes. */
export const KEYS_AT_ONCE = 500;

/** The keys of the objects below the prefix of an organization. */
export async function* keysBelow(bucket: R2Bucket, organization: string): AsyncGenerator<string> {
  let cursor: string | undefined;
  do {
    const listed: R2Objects = await bucket.list({
      prefix: objectPrefix(organization),
      limit: KEYS_AT_ONCE,
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const { key } of listed.objects) yield key;
    cursor = listed.truncated ? listed.cursor : undefined;
  } while (cursor !== undefined);
}
