/** Replaces Brotli in the bundle, because no font of the service is compressed: see `alias` in wrangler.toml. */
export default function decompress(): never {
  throw new Error('Fonts in WOFF2 format are not supported.');
}
