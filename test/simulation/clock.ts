/** The date at which every history starts (epoch milliseconds). It is later than any real date. */
const START = 4_000_000_000_000;

/** A timer. `every` is the period of an interval in milliseconds; null for a timeout. */
export interface Timer {
  due: number;
  order: number;
  every: number | null;
  callback: () => void;
}

/**
 * The clock of a history. It advances only when the history moves it. Timers use a time that never goes
 * back. The date that code reads can jump.
 */
export class Clock {
  #running = 0;
  #offset = START;
  #order = 0;
  readonly #timers = new Map<number, Timer>();
  /** The timer whose callback is running. */
  firing: number | undefined;

  /** The value of `Date.now`. */
  now(): number {
    return this.#running + this.#offset;
  }

  advance(milliseconds: number): void {
    this.#running += milliseconds;
  }

  /** Change the date without letting time pass. */
  jump(milliseconds: number): void {
    this.#offset += milliseconds;
  }

  set(callback: () => void, wait: number, repeats = false): number {
    this.#order += 1;
    const every = repeats ? Math.max(1, Math.ceil(wait)) : null;
    this.#timers.set(this.#order, {
      due: this.#running + Math.max(0, Math.ceil(wait)),
      order: this.#order,
      every,
      callback,
    });
    return this.#order;
  }

  clear(id: number | undefined): void {
    if (id !== undefined) this.#timers.delete(id);
  }

  /**
   * Milliseconds until the next timer; undefined without a timer. Intervals count only with
   * `withIntervals`.
   */
  untilNext(withIntervals: boolean): number | undefined {
    const next = this.#next(withIntervals);
    return next && Math.max(0, next[1].due - this.#running);
  }

  /** Call the next timer that is due. @returns false if none is due. */
  ring(): boolean {
    const next = this.#next(true);
    if (!next || next[1].due > this.#running) return false;
    const [id, timer] = next;
    if (timer.every === null) this.#timers.delete(id);
    else timer.due = this.#running + timer.every;
    this.firing = id;
    timer.callback();
    this.firing = undefined;
    return true;
  }

  #next(withIntervals: boolean): [number, Timer] | undefined {
    let first: [number, Timer] | undefined;
    for (const entry of this.#timers) {
      if (entry[1].every !== null && !withIntervals) continue;
      if (!first || entry[1].due < first[1].due) first = entry;
    }
    return first;
  }
}
