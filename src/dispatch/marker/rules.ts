import { named } from '../../core/lib/missing.ts';

/** The largest marker code: the largest integer that a JSON number holds exactly. */
export const MARKER_CODE_MAXIMUM = Number.MAX_SAFE_INTEGER;

/** The text of the refusal of a path that has no marker code. */
export const noMarkerCode = (text: string): string =>
  `${named('Marker code', text)} is not a decimal integer from 1 to 2^53−1.`;

/** The text of the refusal of a code that is not allocated to the organization. */
export const unallocatedText = (code: number): string =>
  `${named('Marker code', String(code))} is not allocated to the organization.`;

export interface Block {
  firstMarkerCode: number;
  lastMarkerCode: number;
}

export const quantityOf = ({ firstMarkerCode, lastMarkerCode }: Block): number =>
  lastMarkerCode - firstMarkerCode + 1;

/** The block of `quantity` codes from `next` on; undefined if not enough codes are left. */
export function blockFrom(next: number, quantity: number): Block | undefined {
  // The order matters: `next + quantity` may be too large for an exact double.
  const lastMarkerCode = next + (quantity - 1);
  return next <= MARKER_CODE_MAXIMUM && lastMarkerCode <= MARKER_CODE_MAXIMUM
    ? { firstMarkerCode: next, lastMarkerCode }
    : undefined;
}
