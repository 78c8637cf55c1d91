import { inTurns, streamed } from '../../core/http/permit.ts';
import type { AppContext } from '../../core/http/types.ts';
import { bucketOf } from '../../core/lib/bucket.ts';
import { databasesOf } from '../../core/lib/databases.ts';
import { cacheUrlOf } from '../../core/lib/document-cache.ts';
import { canonicalJson, sha256Hex } from '../../core/lib/hash.ts';
import { NewObject } from '../../core/lib/new-object.ts';
import { madePrefix } from '../../core/lib/object-prefix.ts';
import { DAY_MS, SECOND_MS } from '../../core/lib/time.ts';
import type { Language } from '../../messages/languages.ts';
import { findPublished, type PublishedLoad } from './published-store.ts';

/** How long a data centre may cache a document. */
const CACHED_SECONDS = DAY_MS / SECOND_MS;
const TYPE = 'application/pdf';

/** A document: its URL, its language, and all other inputs of its rendering. */
interface ProofDocument {
  published: PublishedLoad;
  token: string;
  part: number;
  language: Language;
  looks: object;
}

/**
 * Return a document from the cache of this data centre or from the bucket. Otherwise render it and
 * store it in both. Its name is a hash of everything that decides its content, so an outdated
 * document is never returned. The bucket has the last document for each URL and language. A
 * document that cannot be stored is rendered each time. `make` calls `incomplete` if the bucket
 * fails while it renders. That document is not stored either.
 */
export async function cachedOrRendered(
  c: AppContext,
  document: ProofDocument,
  make: (incomplete: (error: unknown) => void) => Promise<AsyncIterable<Uint8Array>>,
): Promise<ReadableStream<Uint8Array>> {
  const looks = sha256Hex(canonicalJson(document.looks));
  const warn = (error: unknown): void =>
    console.warn(JSON.stringify({ requestId: c.get('requestId'), kept: String(error) }));
  const cached = await find(c, keyOf(document), looks).catch(warn);
  if (cached) return cached;
  let isComplete = true;
  const incomplete = (error: unknown): void => {
    warn(error);
    isComplete = false;
  };
  const object = new NewObject(bucketOf(c.env), keyOf(document), {
    httpMetadata: { contentType: TYPE },
    customMetadata: { looks },
  });
  const copy = {
    write: async (part: Uint8Array): Promise<void> => {
      if (isComplete) await object.write(part).catch(incomplete);
    },
    end: (isWhole: boolean): void => {
      const ended = isWhole && isComplete ? keepDocument(c, document, looks, object) : object.abort();
      c.executionCtx.waitUntil(ended.catch(warn));
    },
  };
  return streamed(c, async (work) => copied(inTurns(work, await work(() => make(incomplete))), copy));
}

const keyOf = ({ published, token, part, language }: ProofDocument): string =>
  `${madePrefix(published.organizationUuid)}${sha256Hex(token)}-${part}-${language}.pdf`;

async function find(
  c: AppContext,
  key: string,
  looks: string,
): Promise<ReadableStream<Uint8Array> | undefined> {
  const cached = await caches.default.match(cacheUrlOf(looks));
  if (cached?.body) return cached.body;
  const object = await bucketOf(c.env).get(key);
  if (!object) return undefined;
  if (object.customMetadata?.['looks'] !== looks) {
    await object.body.cancel();
    return undefined;
  }
  c.executionCtx.waitUntil(cache(c, key, looks));
  return object.body;
}

/** Copy a document from the bucket to the cache. It is read again, because two readers of one body would hold it in memory. */
async function cache(c: AppContext, key: string, looks: string): Promise<void> {
  const object = await bucketOf(c.env).get(key);
  if (!object) return;
  const headers = { 'Content-Type': TYPE, 'Cache-Control': `public, max-age=${CACHED_SECONDS}` };
  await caches.default.put(cacheUrlOf(looks), new Response(object.body, { headers }));
}

/** Store a document. If its load was erased while it was rendered, delete the document again. */
async function keepDocument(
  c: AppContext,
  document: ProofDocument,
  looks: string,
  object: NewObject,
): Promise<void> {
  const key = keyOf(document);
  await object.complete();
  if (await findPublished(databasesOf(c.env), document.token)) await cache(c, key, looks);
  else await bucketOf(c.env).delete(key);
}

/** Pass the parts on as they arrive, and write them to a copy. The copy is whole if the reader has got all parts. */
async function* copied(
  parts: AsyncIterable<Uint8Array>,
  copy: { write(part: Uint8Array): Promise<void>; end(isWhole: boolean): void },
): AsyncGenerator<Uint8Array> {
  let isWhole = false;
  try {
    for await (const part of parts) {
      await copy.write(part);
      yield part;
    }
    isWhole = true;
  } finally {
    copy.end(isWhole);
  }
}
