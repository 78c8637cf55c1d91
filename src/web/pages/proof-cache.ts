import type { AppContext } from '../../core/http/types.ts';
import { databasesOf } from '../../core/lib/databases.ts';
import { cacheUrlOf } from '../../core/lib/document-cache.ts';
import { canonicalJson, sha256Hex } from '../../core/lib/hash.ts';
import { madePrefix } from '../../core/lib/object-prefix.ts';
import { streamOf } from '../../core/lib/stream.ts';
import { DAY_MS, SECOND_MS } from '../../core/lib/time.ts';
import type { Language } from '../../messages/languages.ts';
import { findPublished, type PublishedLoad } from './published-store.ts';

/** How long a data centre may cache a document. */
const CACHED_SECONDS = DAY_MS / SECOND_MS;
/** Larger documents are rendered for each request. Bytes. */
const KEPT_BYTES_MAXIMUM = 20_000_000;
const TYPE = 'application/pdf';

/** A document: its URL, its language, and all other inputs of its rendering. */
export interface ProofDocument {
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
 * document that cannot be stored is rendered each time.
 */
export async function cachedOrRendered(
  c: AppContext,
  document: ProofDocument,
  make: () => Promise<AsyncIterable<Uint8Array>>,
): Promise<ReadableStream<Uint8Array> | ArrayBuffer> {
  const looks = sha256Hex(canonicalJson(document.looks));
  const cached = await find(c, keyOf(document), looks).catch((error) => {
    console.warn(JSON.stringify({ requestId: c.get('requestId'), kept: String(error) }));
  });
  if (cached) return cached;
  const keep = (bytes: Uint8Array) =>
    c.executionCtx.waitUntil(
      keepDocument(c, document, looks, bytes).catch((error) =>
        console.warn(JSON.stringify({ requestId: c.get('requestId'), kept: String(error) })),
      ),
    );
  return streamOf(collected(await make(), keep));
}

const keyOf = ({ published, token, part, language }: ProofDocument): string =>
  `${madePrefix(published.organizationUuid)}${sha256Hex(token)}-${part}-${language}.pdf`;

async function find(
  c: AppContext,
  key: string,
  looks: string,
): Promise<ReadableStream<Uint8Array> | ArrayBuffer | undefined> {
  const cached = await caches.default.match(cacheUrlOf(looks));
  if (cached?.body) return cached.body;
  const object = await c.env.CALIBRATION.get(key);
  if (!object) return undefined;
  if (object.customMetadata?.['looks'] !== looks) {
    await object.body.cancel();
    return undefined;
  }
  const bytes = await object.arrayBuffer();
  c.executionCtx.waitUntil(cache(looks, bytes));
  return bytes;
}

const cache = (looks: string, bytes: ArrayBuffer | Uint8Array): Promise<void> =>
  caches.default.put(
    cacheUrlOf(looks),
    new Response(bytes, {
      headers: { 'Content-Type': TYPE, 'Cache-Control': `public, max-age=${CACHED_SECONDS}` },
    }),
  );

/** Store a document. If its load was erased while it was rendered, delete the document again. */
async function keepDocument(
  c: AppContext,
  document: ProofDocument,
  looks: string,
  bytes: Uint8Array,
): Promise<void> {
  const { CALIBRATION: bucket } = c.env;
  const key = keyOf(document);
  await bucket.put(key, bytes, { httpMetadata: { contentType: TYPE }, customMetadata: { looks } });
  if (await findPublished(databasesOf(c.env), document.token)) await cache(looks, bytes);
  else await bucket.delete(key);
}

/**
 * Pass the parts on as they arrive. At the end, pass the whole document to `keep` if it is not too
 * large.
 */
async function* collected(
  parts: AsyncIterable<Uint8Array>,
  keep: (whole: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  let all: Uint8Array[] = [];
  let length = 0;
  for await (const part of parts) {
    length += part.length;
    if (length <= KEPT_BYTES_MAXIMUM) all.push(part);
    else all = [];
    yield part;
  }
  if (length <= KEPT_BYTES_MAXIMUM) keep(Buffer.concat(all));
}
