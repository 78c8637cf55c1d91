/** Timeout of a request. */
export const REQUEST_MS = 8_000;
/** Timeout of a request with a file. A slow connection needs longer for it than for a scan. */
export const FILE_MS = 60_000;

/** A new random key. On plain http browsers have no `randomUUID`. */
export const newKey = () =>
  crypto.randomUUID?.() ??
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
