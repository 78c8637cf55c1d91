import { ProblemError, refusal } from './problem.ts';
import { SECOND_MS } from './time.ts';

/** Pieces of work that may wait or be under way in an isolate; one more is refused at once. */
export const PLACES_MAXIMUM = 8;
/** How long the thread is left to everything else after a piece of work. */
const REST_MS = 50;
/** How often who waits looks whether it is its turn. */
const LOOK_MS = 10;
/** Who has not looked for so long is gone: a request that its caller gives up ends without a word. */
const GONE_MS = SECOND_MS;
/** The same for work that was begun, and for a place that is held. */
const WORK_MAXIMUM_MS = 2 * SECOND_MS;
const HELD_MAXIMUM_MS = 10 * SECOND_MS;

/** A place in line. */
export interface Place {
  /** Do a piece of work when it is this place's turn. */
  work<T>(piece: () => Promise<T>): Promise<T>;
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Work that holds the isolate's thread, such as hashing a password: few pieces, one after the other in the order in which
 * they were asked for, with a rest in between in which other requests are served. Nobody is relied on to give a turn
 * back: in workerd a request may end at any `await`. So each looks for itself, by timers of its own.
 */
export class Turns {
  /** Places that are held, with the date they were taken. */
  readonly #held = new Map<Place, number>();
  /** Those that wait for their turn, in order, with the date they last looked. */
  readonly #line = new Map<object, number>();
  #busyUntil = 0;

  /**
   * Do something that has pieces of work, with a place in line from its beginning.
   * @throws 503 where all places are taken, before anything was done.
   */
  async take<T>(run: (place: Place) => Promise<T>): Promise<T> {
    const now = Date.now();
    forget(this.#held, now, HELD_MAXIMUM_MS);
    if (this.#held.size >= PLACES_MAXIMUM) {
      throw new ProblemError(
        refusal('temporarilyUnavailable', 'Too many passwords are looked at right now.'),
      );
    }
    const place: Place = { work: (piece) => this.#work(piece) };
    this.#held.set(place, now);
    try {
      return await run(place);
    } finally {
      this.#held.delete(place);
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
      // The clock stands still while the thread is held: a timer has it go on.
      await pause(0);
      this.#busyUntil = Date.now() + REST_MS;
    }
  }

  #isTurnOf(me: object): boolean {
    const now = Date.now();
    this.#line.set(me, now);
    forget(this.#line, now, GONE_MS);
    const [first] = this.#line.keys();
    // A clock that went back must not make it busy for long.
    const busy = now < this.#busyUntil && this.#busyUntil - now <= WORK_MAXIMUM_MS;
    return first === me && !busy;
  }
}

/** Forget who is dated further away than so long, also where the clock went back. */
function forget(dates: Map<object, number>, now: number, maximum: number): void {
  for (const [one, date] of dates) if (Math.abs(now - date) > maximum) dates.delete(one);
}
