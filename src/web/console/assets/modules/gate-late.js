/** After this time without an answer the page shows an item as waiting. */
export const SLOW_MS = 800;

/** Whether the answer about an item is late. Without a connection it always is. */
export const isLate = ({ at }) => document.body.dataset.feed !== 'live' || Date.now() - at >= SLOW_MS;
