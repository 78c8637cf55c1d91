/** The largest marker code: the largest integer that JSON numbers carry exactly. */
export const MARKER_CODE_MAXIMUM = Number.MAX_SAFE_INTEGER;

/** A block of consecutive codes. */
export interface Block {
  firstMarkerCode: number;
  lastMarkerCode: number;
}

/** The block of `quantity` codes from `next` on; undefined where there are not enough codes left. */
export function blockFrom(next: number, quantity: number): Block | undefined {
  // In this order, since `next + quantity` may be beyond exact doubles.
  const lastMarkerCode = next + (quantity - 1);
  return next <= MARKER_CODE_MAXIMUM && lastMarkerCode <= MARKER_CODE_MAXIMUM
    ? { firstMarkerCode: next, lastMarkerCode }
    : undefined;
}
