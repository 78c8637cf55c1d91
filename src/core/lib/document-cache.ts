/** The cache URL of a generated document. The host does not exist: the hash alone identifies a document. */
export const cacheUrlOf = (looks: string): string => `https://proof.invalid/${looks}`;

/** The hash that identifies a document in the cache, from the metadata of its R2 object. */
export const looksOf = (metadata: Record<string, string> | undefined): string[] =>
  metadata?.['looks'] === undefined ? [] : [metadata['looks']];

/** Delete a document from the cache of this data centre. Other data centres keep it until it expires, within a day. */
export async function forgetCached(looks: string): Promise<void> {
  await caches.default.delete(cacheUrlOf(looks));
}
