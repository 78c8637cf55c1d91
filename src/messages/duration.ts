import { MINUTE_MS } from '../core/lib/time.ts';
import type { Words } from './words.ts';

/** The parts of a duration, rounded to minutes. From two days on, only its days count. */
function partsOf(milliseconds: number) {
  const all = Math.round(Math.abs(milliseconds) / MINUTE_MS);
  const [hours, minutes] = [Math.floor(all / 60), all % 60];
  return { days: hours >= 48 ? Math.round(hours / 24) : 0, hours, minutes };
}

/** A duration in words: `42 min`, `1 h 5 min`, `3 days`. */
export function distanceIn({ t }: Words, milliseconds: number): string {
  const { days, hours, minutes } = partsOf(milliseconds);
  if (days > 0) return t('when.days', { count: days });
  if (hours === 0) return t('when.minutes', { minutes });
  return minutes === 0 ? t('when.hours', { hours }) : t('when.hoursMinutes', { hours, minutes });
}

/** The messages about a duration from now. The word for days has another case in each of them. */
const WITH_DAYS = {
  'when.in': 'when.inDays',
  'when.ago': 'when.daysAgo',
  'when.late': 'when.daysLate',
} as const;

/** A duration from now, or a delay: `in 42 min`, `3 days ago`, `1 h 5 min late`. */
export function whenIn(words: Words, key: keyof typeof WITH_DAYS, milliseconds: number): string {
  const { days } = partsOf(milliseconds);
  return days > 0
    ? words.t(WITH_DAYS[key], { count: days })
    : words.t(key, { distance: distanceIn(words, milliseconds) });
}
