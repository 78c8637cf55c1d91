import { PUBLIC } from '../../core/http/middleware.ts';
import { hasCurrent } from '../../core/http/read.ts';
import type { AppContext } from '../../core/http/types.ts';
import { markerBase64, renderMarker } from './image.ts';
import { markerImageUrl } from './link.ts';
import type { Block } from './rules.ts';

/** How many entries are rendered before other requests of the isolate continue. */
const ENTRIES_A_CHUNK = 20;

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

/** The public image. The bytes for a marker code never change, so the code is the entity tag. */
export function markerImageResponse(c: AppContext, markerCode: number): Response {
  const tag = `"${markerCode}"`;
  const headers = { 'Content-Type': 'image/png', 'Cache-Control': PUBLIC, ETag: tag };
  if (hasCurrent(c, tag)) return c.body(null, 304, headers);
  return c.body(renderMarker(markerCode), 200, headers);
}
