import { ProblemError, refusal } from './problem.ts';
import { SECOND_MS } from './time.ts';

/** The maximum number of callers per isolate, waiting or at work. One more is refused at once. */
export const SLOTS_MAXIMUM = 8;
/** The pause after each piece of work, in which the thread serves other requests. */
const REST_MS = 50;
/** How long a waiting caller waits between two checks whether it is its turn. */
const LOOK_MS = 10;
/** A caller that has not checked for this long is removed. A request whose client disconnects ends without notice. */
const GONE_MS = SECOND_MS;
/** The same limit for started work, and for a slot that is held. */
const WORK_MAXIMUM_MS = 2 * SECOND_MS;
const HELD_MAXIMUM_MS = 10 * SECOND_MS;

/** A slot in the queue. */
export interface CpuSlot {
  /** Do a piece of work when it is this caller's turn. */
  work<T>(piece: () => Promise<T>): Promise<T>;
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * A queue for work that blocks the isolate's thread, such as hashing a password. Pieces of work run one at a time, in
 * the order of the calls, with pauses in which other requests are served. No caller hands the turn to the next one,
 * because in workerd a request may end at any `await`. Each caller polls for its turn with its own timers.
 */
export class CpuQueue {
  /** Slots that are held, and when each was taken. */
  readonly #held = new Map<CpuSlot, number>();
  /** Waiting callers in order, and when each last checked. */
  readonly #line = new Map<object, number>();
  #busyUntil = 0;

  /**
   * Run a function that does work in turns. It holds a slot from the start. @throws 503 before the function runs, if
   * all slots are taken
   */
  async take<T>(run: (slot: CpuSlot) => Promise<T>): Promise<T> {
    const now = Date.now();
    forget(this.#held, now, HELD_MAXIMUM_MS);
    if (this.#held.size >= SLOTS_MAXIMUM) {
      throw new ProblemError(
        refusal('temporarilyUnavailable', 'Too many passwords are being checked. Try again in a moment.'),
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
      // The clock does not advance while the thread is busy. A timer lets it advance.
      await pause(0);
      this.#busyUntil = Date.now() + REST_MS;
    }
  }

  #isTurnOf(me: object): boolean {
    const now = Date.now();
    this.#line.set(me, now);
    forget(this.#line, now, GONE_MS);
    const [first] = this.#line.keys();
    // If the clock went back, the thread must not seem busy for long.
    const busy = now < this.#busyUntil && this.#busyUntil - now <= WORK_MAXIMUM_MS;
    return first === me && !busy;
  }
}

/** Remove entries whose date differs from now by more than `maximum`, in either direction, as the clock may go back. */
function forget(dates: Map<object, number>, now: number, maximum: number): void {
  for (const [one, date] of dates) if (Math.abs(now - date) > maximum) dates.delete(one);
}
