import { ProblemError, refusal } from './problem.ts';
import { SECOND_MS } from './time.ts';

/** The most memory of all heavy requests of an isolate together, in bytes. An isolate has 128 MB. */
export const MEMORY_MAXIMUM = 64 * 1024 * 1024;
/** The most memory of one owner. A request that needs more counts as this much, so that it can be served. */
export const SHARE_MAXIMUM = MEMORY_MAXIMUM / 2;
/** The maximum number of requests of one owner, waiting or at work. One more is refused at once. */
export const CALLERS_MAXIMUM = 16;
/** How long a request waits for memory. Then it is refused. */
export const WAIT_MAXIMUM_MS = 5 * SECOND_MS;
/** The longest pause after a piece of work, in which the thread serves other requests. */
export const REST_MAXIMUM_MS = 50;
/** How long a waiting caller waits between two checks whether it is its turn. */
const LOOK_MS = 10;
/** A caller that has not checked for this long loses its place. A request whose client disconnects ends without notice. */
const GONE_MS = SECOND_MS / 4;
/** The same limit for started work. */
const WORK_MAXIMUM_MS = 2 * SECOND_MS;
/** How often a request shows that it still holds its permit, and the time without it after which the permit ends. */
const BEAT_MS = SECOND_MS / 2;
const HELD_MAXIMUM_MS = 2 * SECOND_MS;

/** The permission of one request to do heavy work. */
export interface Permit {
  /** Do a piece of work when it is this owner's turn. */
  work<T>(piece: () => T | Promise<T>): Promise<T>;
  /** Return the permit. The permit of a request that has ended without it returns in two seconds. */
  leave(): void;
}

interface Caller {
  owner: string;
  bytes: number;
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * The turns of heavy requests: requests that hold much memory, or block the isolate's thread. A request first gets a
 * permit for its memory. Then it does its work in pieces. Pieces run one at a time, with pauses in which other requests
 * are served. Both go round the owners in turn, so one owner never makes another one wait for more than a piece.
 *
 * No caller hands the turn to the next one, because in workerd a request may end at any `await`. Each caller polls for
 * its turn with its own timers.
 */
export class Turns {
  /** Permits, and when the request of each last showed that it holds it. */
  readonly #held = new Map<Caller, number>();
  readonly #forMemory = new Line();
  readonly #forThread = new Line();
  /** The current piece of work or the pause after it. */
  #busy = { until: 0 };

  /**
   * Get a permit. `owner` is usually an organization. `bytes` is the memory that the request will hold.
   * @throws 503 if the owner has too many requests, at once, or if there is no memory in five seconds
   */
  async enter(owner: string, bytes = 0): Promise<Permit> {
    forget(this.#held, Date.now(), HELD_MAXIMUM_MS);
    if (this.#heldBy(owner).length + this.#forMemory.countOf(owner) >= CALLERS_MAXIMUM) throw tooMuch();
    const caller = { owner, bytes: Math.min(bytes, SHARE_MAXIMUM) };
    let isHeld = true;
    const hold = async (): Promise<void> => {
      for (; isHeld; await pause(BEAT_MS)) this.#held.set(caller, Date.now());
    };
    if (bytes === 0) void hold();
    else if (!(await this.#waitForMemory(caller, hold))) throw tooMuch();
    return {
      work: (piece) => this.#work(owner, piece),
      leave: () => {
        isHeld = false;
        this.#held.delete(caller);
      },
    };
  }

  /** Run a function with a permit, and return the permit. @throws 503 as `enter`, before the function runs */
  async take<T>(owner: string, run: (permit: Permit) => Promise<T>): Promise<T> {
    const permit = await this.enter(owner);
    try {
      return await run(permit);
    } finally {
      permit.leave();
    }
  }

  #waitForMemory(caller: Caller, hold: () => Promise<void>): Promise<boolean> {
    const hasShare = ({ owner, bytes }: Caller) => sum(this.#heldBy(owner)) + bytes <= SHARE_MAXIMUM;
    const isNext = (now: number): boolean => {
      forget(this.#held, now, HELD_MAXIMUM_MS);
      return (
        this.#forMemory.next(now, hasShare) === caller &&
        sum([...this.#held.keys()]) + caller.bytes <= MEMORY_MAXIMUM
      );
    };
    return this.#forMemory.wait(caller, isNext, () => void hold(), WAIT_MAXIMUM_MS);
  }

  async #work<T>(owner: string, piece: () => T | Promise<T>): Promise<T> {
    const me = { owner, bytes: 0 };
    // If the clock went back, the thread must not seem busy for long.
    const isBusy = (now: number) => now < this.#busy.until && this.#busy.until - now <= WORK_MAXIMUM_MS;
    const own = { until: 0 };
    let begun = 0;
    const begin = (): void => {
      begun = Date.now();
      own.until = begun + WORK_MAXIMUM_MS;
      this.#busy = own;
    };
    await this.#forThread.wait(me, (now) => !isBusy(now) && this.#forThread.next(now) === me, begin);
    try {
      return await piece();
    } finally {
      // The clock does not advance while the thread is busy. A timer lets it advance.
      await pause(0);
      const now = Date.now();
      own.until = now + Math.min(Math.max(now - begun, 0), REST_MAXIMUM_MS);
    }
  }

  #heldBy(owner: string): Caller[] {
    return [...this.#held.keys()].filter((caller) => caller.owner === owner);
  }
}

/** Waiting callers. Owners take turns. The callers of one owner are served in their order. */
class Line {
  /** Callers by owner, and when each last checked. The owner whose turn is next comes first. */
  readonly #owners = new Map<string, Map<Caller, number>>();

  countOf(owner: string): number {
    return this.#owners.get(owner)?.size ?? 0;
  }

  /** The next caller that may go. */
  next(now: number, mayGo: (caller: Caller) => boolean = () => true): Caller | undefined {
    for (const [owner, callers] of this.#owners) {
      forget(callers, now, GONE_MS);
      if (callers.size === 0) this.#owners.delete(owner);
      const [first] = callers.keys();
      if (first && mayGo(first)) return first;
    }
    return undefined;
  }

  /**
   * Wait until it is the caller's turn, at most some time (milliseconds), and then take it. No other caller runs in
   * between. Returns whether the turn was taken.
   */
  async wait(
    caller: Caller,
    isNext: (now: number) => boolean,
    take: () => void,
    maximum = Number.POSITIVE_INFINITY,
  ): Promise<boolean> {
    const begun = Date.now();
    for (;;) {
      const now = Date.now();
      const callers = this.#owners.get(caller.owner) ?? new Map<Caller, number>();
      this.#owners.set(caller.owner, callers.set(caller, now));
      const goes = isNext(now);
      if (goes || Math.abs(now - begun) > maximum) {
        callers.delete(caller);
        // The other callers of the owner wait until all owners have had their turn.
        if (goes) this.#owners.delete(caller.owner);
        if (goes && callers.size > 0) this.#owners.set(caller.owner, callers);
        if (goes) take();
        return goes;
      }
      await pause(LOOK_MS);
    }
  }
}

const sum = (callers: readonly Caller[]): number => callers.reduce((total, { bytes }) => total + bytes, 0);

const tooMuch = (): ProblemError =>
  new ProblemError(
    refusal('temporarilyUnavailable', 'Too many large requests are waiting. Send the same request again.'),
  );

/** Remove entries whose date differs from now by more than `maximum`, in either direction, as the clock may go back. */
function forget(dates: Map<object, number>, now: number, maximum: number): void {
  for (const [one, date] of dates) if (Math.abs(now - date) > maximum) dates.delete(one);
}

/** The turns of the isolate. */
export const turns = new Turns();
