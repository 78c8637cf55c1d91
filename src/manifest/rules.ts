import type { MANIFEST_STATUSES } from './table.ts';

export type ManifestStatus = (typeof MANIFEST_STATUSES)[number];

/** Where a manifest may go from each status. */
export const TRANSITIONS: Readonly<Record<ManifestStatus, readonly ManifestStatus[]>> = {
  PLANNED: ['TO_DO', 'CANCELLED'],
  TO_DO: ['PLANNED', 'IN_PROGRESS', 'CANCELLED'],
  IN_PROGRESS: ['COMPLETED', 'CANCELLED'],
  COMPLETED: [],
  CANCELLED: [],
};

/** Whether assets, gate and fields of a manifest may still change. */
export const isOpen = (status: ManifestStatus): boolean => TRANSITIONS[status].length > 0;

/** Assets a manifest may hold. */
export const ASSETS_MAXIMUM = 5_000;

/** What makes `wanted` out of `current`, in their own orders. */
export function diffAssets(current: readonly string[], wanted: readonly string[]) {
  const before = new Set(current);
  const after = new Set(wanted);
  return {
    added: wanted.filter((asset) => !before.has(asset)),
    removed: current.filter((asset) => !after.has(asset)),
    unchanged: wanted.filter((asset) => before.has(asset)).length,
  };
}
