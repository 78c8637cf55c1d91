import { MINUTE_MS } from '../lib/time.ts';

/** Requests granted to an edge isolate. They are valid in this window only. */
export interface Lease {
  granted: number;
  /** Requests of the window that are not granted yet. */
  remaining: number;
  /** Epoch milliseconds at which the next window begins. */
  resetDate: number;
}

/**
 * Counts an organization's requests in fixed minutes. The count is in memory. If the object moves, the count is lost
 * and the quota of that minute is granted again. That is better than a write for each request.
 */
export class RateWindow {
  #start = 0;
  #used = 0;

  /** Grant up to `wanted` of the requests that remain of `limit` in the window of `now`. */
  lease(limit: number, wanted: number, now: number): Lease {
    const start = now - (now % MINUTE_MS);
    if (start !== this.#start) {
      this.#start = start;
      this.#used = 0;
    }
    const granted = Math.max(0, Math.min(wanted, limit - this.#used));
    this.#used += granted;
    return { granted, remaining: Math.max(0, limit - this.#used), resetDate: start + MINUTE_MS };
  }
}
