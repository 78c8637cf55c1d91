import { hasCurrent } from '../../core/http/read.ts';
import { type AppContext, origin } from '../../core/http/types.ts';
import { markerBase64, renderMarker } from './image.ts';
import { MARKER_IMAGE_PATH, markerImageUrl } from './link.ts';
import type { Block } from './rules.ts';

/** Entries that are rendered before other requests of the isolate continue. */
const ENTRIES_A_CHUNK = 20;
/** The most images that an isolate caches. Each is smaller than 1 KB. */
const KEPT_MAXIMUM = 1_000;

const images = new Map<number, Uint8Array>();

/** The image of an entry, inline or as a URL. */
export function markerImage(links: string, markerCode: number, delivery: 'BASE64' | 'URL') {
  return delivery === 'BASE64'
    ? { markerCode, markerImage: markerBase64(markerCode) }
    : { markerCode, markerImageUrl: markerImageUrl(links, markerCode) };
}

/**
 * `{"entries":[…]}` of a block, rendered while the client reads it. So thousands of images neither
 * fill the memory nor block other requests of the isolate.
 */
export function streamEntries(
  links: string,
  block: Block,
  delivery: 'BASE64' | 'URL',
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next = block.firstMarkerCode;
  return new ReadableStream({
    async pull(controller) {
      const last = Math.min(next + ENTRIES_A_CHUNK - 1, block.lastMarkerCode);
      let text = next === block.firstMarkerCode ? '{"entries":[' : ',';
      for (let markerCode = next; markerCode <= last; markerCode += 1) {
        text += `${markerCode === next ? '' : ','}${JSON.stringify(markerImage(links, markerCode, delivery))}`;
      }
      next = last + 1;
      if (next <= block.lastMarkerCode) {
        controller.enqueue(encoder.encode(text));
        await new Promise((resolve) => setTimeout(resolve, 0));
        return;
      }
      controller.enqueue(encoder.encode(`${text}]}`));
      controller.close();
    },
  });
}

/**
 * The public image: from this isolate, from the edge cache, or rendered. The bytes of a code never
 * change, so the code is the entity tag.
 */
export async function markerImageResponse(c: AppContext, markerCode: number): Promise<Response> {
  const tag = `"${markerCode}"`;
  const headers = {
    'Content-Type': 'image/png',
    'Cache-Control': 'public, max-age=31536000, immutable',
    ETag: tag,
  };
  if (hasCurrent(c, tag)) return c.body(null, 304, headers);
  const bytes = images.get(markerCode) ?? (await cachedImage(c, markerCode, headers));
  return c.body(bytes as Uint8Array<ArrayBuffer>, 200, headers);
}

async function cachedImage(
  c: AppContext,
  markerCode: number,
  headers: Record<string, string>,
): Promise<Uint8Array> {
  const cache = (caches as unknown as { default: Cache }).default;
  // One URL for all hosts and queries. Otherwise a caller could fill the cache with copies.
  const url = `${origin(c)}${MARKER_IMAGE_PATH}/${markerCode}.png`;
  const cached = await cache.match(url);
  const bytes = cached ? new Uint8Array(await cached.arrayBuffer()) : renderMarker(markerCode);
  if (!cached)
    c.executionCtx.waitUntil(cache.put(url, new Response(bytes as Uint8Array<ArrayBuffer>, { headers })));
  if (images.size >= KEPT_MAXIMUM) images.delete(images.keys().next().value!);
  images.set(markerCode, bytes);
  return bytes;
}
