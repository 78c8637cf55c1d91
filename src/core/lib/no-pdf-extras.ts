/**
 * Replaces, in the bundle, libraries of pdfkit and fontkit for fonts compressed with Brotli, for line breaks and for
 * encrypted files: see `alias` in wrangler.toml. The service's fonts are TrueType files, it breaks lines itself
 * (`lineBreak: false`), and its files are not encrypted.
 */
function unsupported(): never {
  throw new Error('Compressed fonts, line breaks and encryption are not supported.');
}

export { unsupported as cbc, unsupported as default, unsupported as ecb };
