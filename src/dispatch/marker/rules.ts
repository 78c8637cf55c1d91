/** The largest marker code: the largest integer that a JSON number holds exactly. */
export const MARKER_CODE_MAXIMUM = Number.MAX_SAFE_INTEGER;

export interface Block {
  firstMarkerCode: number;
  lastMarkerCode: number;
}

/** The block of `quantity` codes from `next` on; undefined if not enough codes are left. */
export function blockFrom(next: number, quantity: number): Block | undefined {
  // The order matters: `next + quantity` may be too large for an exact double.
  const lastMarkerCode = next + (quantity - 1);
  return next <= MARKER_CODE_MAXIMUM && lastMarkerCode <= MARKER_CODE_MAXIMUM
    ? { firstMarkerCode: next, lastMarkerCode }
    : undefined;
}
