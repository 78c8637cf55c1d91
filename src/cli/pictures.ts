import { existsSync, readFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { escapeHtml } from '../web/docs/catalogue.ts';

/** The folder of the sources whose assets are served. */
const WEB = resolve(import.meta.dirname, '../web');
/** The path of a picture below `WEB`: `docs/assets/manual/en/start.webp`. */
const OF_ASSETS = /^([a-z]+)\/assets\/(.+\.webp)$/;

/** The width and height in pixels of a WebP picture with an extended header (VP8X), as browsers write it. */
export function webpSize(file: Buffer): { width: number; height: number } {
  if (file.toString('latin1', 8, 16) !== 'WEBPVP8X')
    throw new Error('The picture has no size that can be read.');
  return { width: file.readUIntLE(24, 3) + 1, height: file.readUIntLE(27, 3) + 1 };
}

/** Inline SVG has the colour of the text around it. Alone, as the repository's host shows it, it has its own style. */
const drawing = (file: string, alt: string): string =>
  readFileSync(file, 'utf8')
    .replace(/<style>.*<\/style>\n/, '')
    .replace('role="img"', () => `role="img" aria-label="${escapeHtml(alt)}"`);

/**
 * The HTML of a picture of a guide: a WebP picture of the assets, or an SVG file beside the guides. Width and height reserve its place on the page before it is loaded.
 * @param href the path of the file from the Markdown of the guide
 */
export function pictureTag(href: string, alt: string, guide: string): string {
  const path = posix.join('docs/guides', posix.dirname(guide), href);
  if (path.endsWith('.svg')) return drawing(join(WEB, path), alt);
  const [, folder, name] = OF_ASSETS.exec(path) ?? [];
  if (name === undefined) throw new Error(`A guide shows ${href}, which is no WebP picture of the assets`);
  const file = join(WEB, path);
  // The program that takes new pictures builds the guides before it has them. A test finds missing pictures.
  const { width, height } = existsSync(file) ? webpSize(readFileSync(file)) : { width: 0, height: 0 };
  return `<img src="/assets/${folder}/${name}" alt="${escapeHtml(alt)}" width="${width}" height="${height}" loading="lazy">`;
}
