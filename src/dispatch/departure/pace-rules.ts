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
