import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** Lower-case hexadecimal SHA-256 of bytes, or of a text in UTF-8. */
export function sha256Hex(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** Canonical JSON (RFC 8785): equal values give the same text, with any order of keys. */
export function canonicalJson(value: unknown): string {
  return canonicalize(value) ?? 'null';
}

/** Strong entity tag (RFC 9110 section 8.8.3) of a stored representation. */
export function entityTag(representation: string): string {
  return `"${createHash('sha256').update(representation).digest('base64url').slice(0, 27)}"`;
}

/**
 * Whether the list of an If-Match or If-None-Match header contains a tag, by weak comparison: `W/` is ignored. RFC 9110
 * wants strong comparison for If-Match (section 13.1.1). But Cloudflare adds `W/` to our strong tags when it compresses
 * an answer, and callers send the tag that they received. The tag still names one stored representation.
 */
export function tagListed(header: string, tag: string): boolean {
  if (header.trim() === '*') return true;
  const listed = header.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return listed.some((entry) => entry === tag || entry === `W/${tag}`);
}
