/** Timeout of a request. */
export const REQUEST_MS = 8_000;
/** Timeout of a request with a file. A slow connection needs longer for it than for a scan. */
export const FILE_MS = 60_000;

/** A new UUID version 7 (RFC 9562 section 5.7), as the service makes them. */
export function newUuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const time = Date.now();
  for (let index = 0; index < 6; index += 1) bytes[index] = Math.floor(time / 256 ** (5 - index));
  bytes[6] = (bytes[6] % 16) + 0x70;
  bytes[8] = (bytes[8] % 64) + 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** A new random key. On plain http browsers have no `randomUUID`. */
export const newKey = () =>
  crypto.randomUUID?.() ??
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
