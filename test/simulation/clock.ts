/** Where every history begins (epoch milliseconds): later than whatever was before it. */
const START = 4_000_000_000_000;

/** A timer that was set; `every` is what an interval waits. */
export interface Timer {
  due: number;
  order: number;
  every: number | null;
  callback: () => void;
}

/**
 * Time as a history has it: it stands still but where the history moves it. Timers go by a clock that only runs on; the
 * date that everybody reads can jump.
 */
export class Clock {
  #running = 0;
  #offset = START;
  #order = 0;
  readonly #timers = new Map<number, Timer>();
  /** The timer whose callback runs. */
  firing: number | undefined;

  /** What `Date.now` says. */
  now(): number {
    return this.#running + this.#offset;
  }

  advance(milliseconds: number): void {
    this.#running += milliseconds;
  }

  /** The date becomes another, and no time has passed. */
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

  /** How long until the next timer (an interval only `withIntervals`); undefined where there is none. */
  untilNext(withIntervals: boolean): number | undefined {
    const next = this.#next(withIntervals);
    return next && Math.max(0, next[1].due - this.#running);
  }

  /** Let the next timer that is due ring. */
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
