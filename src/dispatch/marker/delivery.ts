import { PUBLIC } from '../../core/http/middleware.ts';
import { enterToDraw, streamedInTurns } from '../../core/http/permit.ts';
import { hasCurrent } from '../../core/http/read.ts';
import { type AppContext, origin } from '../../core/http/types.ts';
import { markerBase64, renderMarker } from './image.ts';
import { markerImageUrl } from './link.ts';
import type { Block } from './rules.ts';

/** How many entries are rendered before other requests of the isolate continue. */
const ENTRIES_A_PART = 10;

/** The image of an entry, inline or as a URL. */
export function markerImage(links: string, markerCode: number, delivery: 'BASE64' | 'URL') {
  return delivery === 'BASE64'
    ? { markerCode, markerImage: markerBase64(markerCode) }
    : { markerCode, markerImageUrl: markerImageUrl(links, markerCode) };
}

/** Get a permit for the images of so many codes before the codes are allocated. @throws 503 if too many requests wait */
export async function enterForImages(
  c: AppContext,
  quantity: number,
  delivery: 'BASE64' | 'URL',
): Promise<void> {
  if (delivery === 'BASE64') await enterToDraw(c, quantity);
}

/**
 * `{"entries":[…]}` of a block, rendered while the client reads it. So thousands of images neither fill the memory nor
 * block other requests of the isolate.
 */
export const streamEntries = (
  c: AppContext,
  block: Block,
  delivery: 'BASE64' | 'URL',
): Promise<ReadableStream<Uint8Array>> => streamedInTurns(c, () => entriesOf(origin(c), block, delivery));

async function* entriesOf(
  links: string,
  { firstMarkerCode, lastMarkerCode }: Block,
  delivery: 'BASE64' | 'URL',
): AsyncGenerator<string> {
  for (let first = firstMarkerCode; first <= lastMarkerCode; first += ENTRIES_A_PART) {
    const codes = Array.from(
      { length: Math.min(ENTRIES_A_PART, lastMarkerCode - first + 1) },
      (_, index) => first + index,
    );
    const entries = codes.map((code) => JSON.stringify(markerImage(links, code, delivery)));
    yield `${first === firstMarkerCode ? '{"entries":[' : ','}${entries.join(',')}`;
  }
  yield ']}';
}

/** The public image. The bytes for a marker code never change, so the code is the entity tag. */
export function markerImageResponse(c: AppContext, markerCode: number): Response {
  const tag = `"${markerCode}"`;
  const headers = { 'Content-Type': 'image/png', 'Cache-Control': PUBLIC, ETag: tag };
  if (hasCurrent(c, tag)) return c.body(null, 304, headers);
  return c.body(renderMarker(markerCode), 200, headers);
}
