import { MINUTE_MS } from '../../lib/time.ts';
import type { Pallet } from './rules.ts';

/** Pallets of which a pace is told: of fewer it says nothing. */
const PALLETS_MINIMUM = 3;
/** After so long without a pallet there is no pace. */
const PAUSE_MS = 30 * MINUTE_MS;

/** How fast pallets are loaded of late, and when that is done; undefined where nobody can say. */
export interface Pace {
  /** Milliseconds that a pallet takes. */
  each: number;
  readyDate: number;
}

/** The pace of what was loaded last, until now: whoever pauses is slower. */
export function paceOf(
  loaded: readonly Pick<Pallet, 'date'>[],
  missing: number,
  now: number,
): Pace | undefined {
  const dates = loaded.flatMap(({ date }) => (date === null ? [] : [date]));
  const [first, last] = [Math.min(...dates), Math.max(...dates)];
  if (dates.length < PALLETS_MINIMUM || missing === 0 || now - last > PAUSE_MS) return undefined;
  // From the first on, so many less one were loaded; the next one is under way since the last.
  const each = Math.max(last - first, (now - first) * (1 - 1 / dates.length)) / (dates.length - 1);
  if (each <= 0) return undefined;
  return { each, readyDate: now + missing * each };
}
