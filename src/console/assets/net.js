/** After this a request has failed: whoever waits for it has to know. */
export const REQUEST_MS = 8_000;
