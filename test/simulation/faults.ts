import type { Random } from '../e2e/crash/random.ts';

/** Faults, and how often they happen: chances in a million, each time that a fault is possible. */
export const FAULTS = {
  // A batch on its way to D1.
  'batch lost before': 10_000,
  'batch rolled back inside': 8_000,
  'batch answer lost': 12_000,
  'batch arrives after its sender gave up': 6_000,
  'batch never answered': 1_500,
  'batch answer late': 100_000,
  // A commit whose sender gives up, and which arrives after a rewind is declared.
  'batch arrives in a restored store': 3_000,
  // Writes and deletions in the bucket.
  'object lost before': 10_000,
  'object answer lost': 10_000,
  // An upload that takes longer than the sweep leaves its object alone.
  'object swept before its photo': 300_000,
  // Calls to an object.
  'call lost': 8_000,
  'call answer lost': 12_000,
  'object overloaded': 2_000,
  'caller gone': 30_000,
  // Objects and stores: drawn by `disturb`.
  'object evicted': 100_000,
  'second object instance': 150_000,
  'everything ends': 20_000,
  'store restored': 25_000,
  // Drawn when an object has claimed a move.
  'store restored during a move': 300_000,
  'clock jumps': 30_000,
  // The object's storage, when an object ends.
  'unsynced storage lost': 700_000,
  // Alarms.
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
  'receiver gone': 3_000,
} as const;

export type Fault = keyof typeof FAULTS;

/** Draws faults, and counts them. */
export class Faults {
  /** Whether faults happen at all. */
  on = false;
  readonly counts = new Map<Fault, number>();
  readonly #random: Random;
  readonly #without: ReadonlySet<string>;

  constructor(random: Random, without: ReadonlySet<string>) {
    this.#random = random;
    this.#without = without;
  }

  /** Whether no fault has happened so far. */
  get none(): boolean {
    return this.counts.size === 0;
  }

  /** Whether this fault happens now. */
  draws(fault: Fault): boolean {
    const drawn = this.#random.below(1_000_000) < FAULTS[fault];
    if (!drawn || !this.on || this.#without.has(fault)) return false;
    this.counts.set(fault, (this.counts.get(fault) ?? 0) + 1);
    return true;
  }
}
