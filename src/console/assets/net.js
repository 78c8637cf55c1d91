/** After this a request has failed: whoever waits for it has to know. */
export const REQUEST_MS = 8_000;

/** A key of its own; of a page over plain http, too, where browsers have no `randomUUID`. */
export const newKey = () =>
  crypto.randomUUID?.() ??
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
