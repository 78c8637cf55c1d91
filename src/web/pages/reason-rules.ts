import type { OFFERED_REASONS } from '../../dispatch/report/rules.ts';
import type { Key } from '../../messages/messages.ts';

/** The reasons that users can choose when pallets are missing, as they are stored, and their texts. */
export const SHORT_REASONS = {
  'Next truck': 'reason.nextTruck',
  'Not found': 'reason.notFound',
  Damaged: 'reason.damaged',
} as const satisfies Record<(typeof OFFERED_REASONS)[number], Key>;

/**
 * The text of a stored reason. It is undefined for a reason that somebody has typed, because public pages show
 * no typed notes. A note may follow the chosen reason after a colon.
 */
export function shortReasonKey(reason: string | null | undefined): Key | undefined {
  const chosen = reason?.split(':', 1)[0] ?? '';
  return Object.hasOwn(SHORT_REASONS, chosen)
    ? SHORT_REASONS[chosen as keyof typeof SHORT_REASONS]
    : undefined;
}
