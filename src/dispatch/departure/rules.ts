import { MINUTE_MS, SECOND_MS } from '../../core/lib/time.ts';

/** Loaded pallets: how many, and when the first and the last of them were loaded (epoch milliseconds). */
export interface Loaded {
  count: number;
  firstDate: number;
  lastDate: number;
}

/**
 * The time per pallet in milliseconds, for at least two pallets. It is the larger of two averages: from the first pallet to
 * the last (n - 1 intervals), and from the first pallet until now (n intervals). A pause raises the second average.
 */
export const timePerPallet = ({ count, firstDate, lastDate }: Loaded, now: number): number =>
  Math.max((lastDate - firstDate) / (count - 1), (now - firstDate) / count);

/** The minimum number of loaded pallets for a forecast. */
const PALLETS_MINIMUM = 10;
/** The shortest time between two checks of a shipment that is being loaded. */
const CHECK_MS = 30 * SECOND_MS;
/** An alert about risk is resolved if the last pallet is loaded this long before the departure, or 5 % of the time left. */
const [SPARE_MS, SPARE_SHARE] = [2 * MINUTE_MS, 0.05];

/** A shipment that is being loaded before its planned departure. */
export interface LoadingProgress {
  /** Null while no pallet is loaded. */
  loaded: Loaded | null;
  /** The number of pallets that are not loaded. */
  missing: number;
  plannedDate: number;
}

/** When the last pallet is loaded at the pace since the first one; null if there are too few pallets to know. */
export function readyDateOf({ loaded, missing }: LoadingProgress, now: number): number | null {
  if (loaded === null || loaded.count < PALLETS_MINIMUM) return null;
  return now + missing * timePerPallet(loaded, now);
}

/** Whether loading would end after the planned departure. */
export const isAtRisk = (progress: LoadingProgress, now: number): boolean =>
  (readyDateOf(progress, now) ?? now) > progress.plannedDate;

/**
 * Whether an alert about risk no longer applies. A spare time keeps the alert if loading ends about at the departure:
 * else each pause raises it again.
 */
export function isOnTime(progress: LoadingProgress, now: number): boolean {
  const ready = readyDateOf(progress, now);
  if (ready === null || progress.missing === 0) return true;
  const timeLeft = progress.plannedDate - now;
  return ready <= progress.plannedDate - Math.max(SPARE_MS, SPARE_SHARE * timeLeft);
}

/**
 * When to check a shipment again, at the latest at its planned departure. At risk, or without a forecast: after a tenth of
 * the time left. On time: when it is at risk if no further pallet is loaded, but at most after half of the time left,
 * because pallets may be added.
 */
export function nextCheckOf(progress: LoadingProgress, now: number): number {
  const { loaded, missing, plannedDate } = progress;
  const left = plannedDate - now;
  const ready = readyDateOf(progress, now);
  const wait =
    loaded === null || ready === null || ready > plannedDate
      ? left / 10
      : Math.min(left / 2, riskDate(loaded, missing, plannedDate) - now);
  return Math.min(plannedDate, now + Math.max(CHECK_MS, Math.ceil(wait)));
}

/** When `readyDateOf` passes the planned departure if no further pallet is loaded. */
const riskDate = ({ count, firstDate, lastDate }: Loaded, missing: number, plannedDate: number): number =>
  Math.min(
    plannedDate - (missing * (lastDate - firstDate)) / (count - 1),
    (count * plannedDate + missing * firstDate) / (count + missing),
  );
