import type { Random } from '../e2e/crash/random.ts';

/** What goes wrong, and how often: chances in a million each time that it could. */
export const FAULTS = {
  // A batch on its way to D1.
  'batch lost before': 10_000,
  'batch rolled back inside': 8_000,
  'batch answer lost': 12_000,
  'batch arrives after it was given up': 6_000,
  'batch never answered': 1_500,
  'batch answer late': 100_000,
  // A commit that is given up and arrives behind the rewind that is declared there.
  'batch arrives in a store that was put back': 3_000,
  // Calls to an object.
  'call lost': 8_000,
  'call answer lost': 12_000,
  'object overloaded': 2_000,
  'caller gone': 30_000,
  // Objects and store: whenever the history looks for something to disturb.
  'object evicted': 100_000,
  'second object living': 150_000,
  'everything ends': 20_000,
  'store put back': 25_000,
  // As soon as somebody has claimed a move.
  'store put back under a mover': 300_000,
  'clock jumps': 30_000,
  // The object's storage, where an object ends.
  'unsynced storage lost': 700_000,
  // Alarms that ring.
  'alarm twice': 100_000,
  'alarm late': 100_000,
  // Messages of a queue.
  'message lost': 30_000,
  'message doubled': 40_000,
  'sending failed before': 10_000,
  'sending failed after': 10_000,
  'consumer killed': 20_000,
  // Receivers of webhooks.
  'receiver fails': 60_000,
  'receiver hangs': 15_000,
  'receiver answer lost': 30_000,
  'receiver is gone': 3_000,
} as const;

export type Fault = keyof typeof FAULTS;

/** Draws faults, and counts them. */
export class Faults {
  /** Whether anything goes wrong now. */
  on = false;
  readonly counts = new Map<Fault, number>();
  readonly #random: Random;
  readonly #without: ReadonlySet<string>;

  constructor(random: Random, without: ReadonlySet<string>) {
    this.#random = random;
    this.#without = without;
  }

  /** Whether nothing has gone wrong so far. */
  get none(): boolean {
    return this.counts.size === 0;
  }

  /** Whether this goes wrong now. */
  draws(fault: Fault): boolean {
    const drawn = this.#random.below(1_000_000) < FAULTS[fault];
    if (!drawn || !this.on || this.#without.has(fault)) return false;
    this.counts.set(fault, (this.counts.get(fault) ?? 0) + 1);
    return true;
  }
}
