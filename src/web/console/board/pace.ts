import { largest, smallest } from '../../../core/lib/extremes.ts';
import { MINUTE_MS } from '../../../core/lib/time.ts';
import { timePerPallet } from '../../../dispatch/departure/rules.ts';
import { type BoardPallet, PACE_PALLETS } from './rules.ts';

/** The minimum number of pallets for computing a pace. */
const PALLETS_MINIMUM = 3;
/** Fewer pallets than `PACE_PALLETS` have a pace after this time. Some quick readings in a row say nothing about the next ones. */
const TIME_MINIMUM_MS = 2 * MINUTE_MS;
/** If no pallet was loaded for this long, there is no pace. */
const PAUSE_MS = 30 * MINUTE_MS;

/** The current pace of loading, and the time when loading ends at that pace. Undefined if unknown. */
export interface LoadingPace {
  /** Milliseconds per pallet. */
  each: number;
  readyDate: number;
}

/** The pace of the pallets loaded last, measured until now: a pause lowers it. */
export function paceOf(
  loaded: readonly Pick<BoardPallet, 'date'>[],
  missing: number,
  now: number,
): LoadingPace | undefined {
  const dates = loaded.flatMap(({ date }) => (date === null ? [] : [date]));
  const [first, last] = [smallest(dates), largest(dates)];
  if (dates.length < PALLETS_MINIMUM || missing === 0 || now - last > PAUSE_MS) return undefined;
  if (dates.length < PACE_PALLETS && now - first < TIME_MINIMUM_MS) return undefined;
  const each = timePerPallet({ count: dates.length, firstDate: first, lastDate: last }, now);
  if (each <= 0) return undefined;
  return { each, readyDate: now + missing * each };
}
