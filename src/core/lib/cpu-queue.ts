import { ProblemError, refusal } from './problem.ts';
import { SECOND_MS } from './time.ts';

/** The most callers in an isolate that may wait or be at work. One more is refused at once. */
export const SLOTS_MAXIMUM = 8;
/** How long the thread is left to other requests after a piece of work. */
const REST_MS = 50;
/** How often a waiting caller checks whether it is its turn. */
const LOOK_MS = 10;
/**
 * A caller that has not checked for this long is taken to be gone: a request whose client gives up ends without notice.
 */
const GONE_MS = SECOND_MS;
/** The same for work that has begun, and for a place that is held. */
const WORK_MAXIMUM_MS = 2 * SECOND_MS;
const HELD_MAXIMUM_MS = 10 * SECOND_MS;

/** A place in the queue. */
export interface CpuSlot {
  /** Do a piece of work once it is the turn of this place. */
  work<T>(piece: () => Promise<T>): Promise<T>;
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * A queue for work that blocks the isolate's thread, such as hashing a password. Pieces run one at a time, in the order
 * in which they were asked for, with pauses in which other requests are served. Nobody hands a turn to the next,
 * because in workerd a request may end at any `await`; each caller checks for itself, with its own timers.
 */
export class CpuQueue {
  /** Places that are held, by the date at which they were taken. */
  readonly #held = new Map<CpuSlot, number>();
  /** Callers that wait, in order, by the date at which they last checked. */
  readonly #line = new Map<object, number>();
  #busyUntil = 0;

  /**
   * Run something that needs turns, holding a place from the beginning. @throws 503 where all places are taken, before
   * anything was done
   */
  async take<T>(run: (slot: CpuSlot) => Promise<T>): Promise<T> {
    const now = Date.now();
    forget(this.#held, now, HELD_MAXIMUM_MS);
    if (this.#held.size >= SLOTS_MAXIMUM) {
      throw new ProblemError(
        refusal('temporarilyUnavailable', 'Too many passwords are looked at right now.'),
      );
    }
    const slot: CpuSlot = { work: (piece) => this.#work(piece) };
    this.#held.set(slot, now);
    try {
      return await run(slot);
    } finally {
      this.#held.delete(slot);
    }
  }

  async #work<T>(piece: () => Promise<T>): Promise<T> {
    const me = {};
    this.#line.set(me, Date.now());
    while (!this.#isTurnOf(me)) await pause(LOOK_MS);
    this.#line.delete(me);
    this.#busyUntil = Date.now() + WORK_MAXIMUM_MS;
    try {
      return await piece();
    } finally {
      // The clock does not advance while the thread is busy; a timer lets it.
      await pause(0);
      this.#busyUntil = Date.now() + REST_MS;
    }
  }

  #isTurnOf(me: object): boolean {
    const now = Date.now();
    this.#line.set(me, now);
    forget(this.#line, now, GONE_MS);
    const [first] = this.#line.keys();
    // If the clock went back, it must not seem busy for long.
    const busy = now < this.#busyUntil && this.#busyUntil - now <= WORK_MAXIMUM_MS;
    return first === me && !busy;
  }
}

/** Remove entries whose date is further away than `maximum`, in either direction as the clock may go back. */
function forget(dates: Map<object, number>, now: number, maximum: number): void {
  for (const [one, date] of dates) if (Math.abs(now - date) > maximum) dates.delete(one);
}
