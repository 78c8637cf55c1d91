import { MINUTE_MS } from '../lib/time.ts';

/** Requests handed to an edge isolate, to be spent in this window only. */
export interface Lease {
  granted: number;
  /** Requests of the window that nobody holds. */
  remaining: number;
  /** Epoch milliseconds at which the next window begins. */
  resetDate: number;
}

/**
 * Counts an organization's requests in fixed minutes. In memory: a count that is lost when the object moves
 * lets a minute's worth through once, which a quota can bear and a write per request could not.
 */
export class RateWindow {
  #start = 0;
  #used = 0;

  /** Hand out up to `wanted` of what is left of `limit` in the window of `now`. */
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
