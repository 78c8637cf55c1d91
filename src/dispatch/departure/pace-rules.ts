/** Loaded pallets: how many, and when the first and the last of them were loaded (epoch milliseconds). */
export interface Loaded {
  count: number;
  firstDate: number;
  lastDate: number;
}

/**
 * The time per pallet in milliseconds, measured until now: a pause raises it. The first pallet starts the measurement,
 * so n - 1 pallets were loaded between the first and the last. Until now, n pallets count, because the next one is under
 * way. For at least two pallets.
 */
export const timePerPallet = ({ count, firstDate, lastDate }: Loaded, now: number): number =>
  Math.max(lastDate - firstDate, (now - firstDate) * (1 - 1 / count)) / (count - 1);
