import { isDots } from '../../../core/lib/dots.ts';

export const ASSETS_MAXIMUM = 5_000;

/**
 * The items to add to and remove from `current` to get `wanted`. Both keep the order of their
 * lists.
 */
export function diffAssets(current: readonly string[], wanted: readonly string[]) {
  const before = new Set(current);
  const after = new Set(wanted);
  return {
    added: wanted.filter((asset) => !before.has(asset)),
    removed: current.filter((asset) => !after.has(asset)),
    unchanged: wanted.filter((asset) => before.has(asset)).length,
  };
}

/** The places of assets in a body that cannot be part of a path: of all assets, or of `among`. */
export const dottedAssets = (assets: readonly string[], among = assets): (readonly [string, string])[] =>
  assets.flatMap((wmsId, index) =>
    isDots(wmsId) && among.includes(wmsId) ? [[`assets[${index}]`, wmsId] as const] : [],
  );
