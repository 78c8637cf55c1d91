import { MINUTE_MS } from '../../../core/lib/time.ts';
import type { BoardPallet } from './rules.ts';

/** The smallest number of pallets that a pace is computed from. */
const PALLETS_MINIMUM = 3;
/** After this time without a pallet there is no pace. */
const PAUSE_MS = 30 * MINUTE_MS;

/** The current pace of loading, and when loading will be done at that pace; undefined if that cannot be said. */
export interface LoadingPace {
  /** Milliseconds for a pallet. */
  each: number;
  readyDate: number;
}

/** The pace of the pallets loaded last, measured until now: a pause makes it slower. */
export function paceOf(
  loaded: readonly Pick<BoardPallet, 'date'>[],
  missing: number,
  now: number,
): LoadingPace | undefined {
  const dates = loaded.flatMap(({ date }) => (date === null ? [] : [date]));
  const [first, last] = [Math.min(...dates), Math.max(...dates)];
  if (dates.length < PALLETS_MINIMUM || missing === 0 || now - last > PAUSE_MS) return undefined;
  // Since the first of them all but that one were loaded, and since the last one the next is under way.
  const each = Math.max(last - first, (now - first) * (1 - 1 / dates.length)) / (dates.length - 1);
  if (each <= 0) return undefined;
  return { each, readyDate: now + missing * each };
}
