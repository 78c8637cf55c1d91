/** The address of a generated document in the cache. The host does not exist: a document is found by its hash alone. */
export const cacheUrlOf = (looks: string): string => `https://proof.invalid/${looks}`;

/** The hash under which the cache has a document, from the metadata of its object. */
export const looksOf = (metadata: Record<string, string> | undefined): string[] =>
  metadata?.['looks'] === undefined ? [] : [metadata['looks']];

/** Delete a document from the cache of this data centre. Other data centres have it until it expires, within a day. */
export async function forgetCached(looks: string): Promise<void> {
  await caches.default.delete(cacheUrlOf(looks));
}
