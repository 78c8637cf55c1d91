import type { OFFERED_REASONS } from '../../dispatch/report/rules.ts';
import type { Key } from '../../messages/messages.ts';
import type { Words } from '../../messages/words.ts';

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

/** A stored reason in the language of the page. A comment follows it after a colon. */
export function reasonIn({ t }: Words, reason: string): string {
  const [offered, key] = Object.entries(SHORT_REASONS).find(
    ([value]) => reason === value || reason.startsWith(`${value}: `),
  ) ?? ['', undefined];
  return key ? t(key) + reason.slice(offered.length) : reason;
}
