/** A request that takes longer has failed. */
export const REQUEST_MS = 8_000;

/** A new random key. Browsers have no `randomUUID` on plain http. */
export const newKey = () =>
  crypto.randomUUID?.() ??
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
