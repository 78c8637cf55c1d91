import { MINUTE_MS } from '../core/lib/time.ts';
import type { Words } from './words.ts';

/** A duration in words: `42 min`, `1 h 05`, `3 days`. */
export function distanceIn({ t }: Words, milliseconds: number): string {
  const all = Math.round(Math.abs(milliseconds) / MINUTE_MS);
  const [hours, minutes] = [Math.floor(all / 60), all % 60];
  if (hours >= 48) return t('when.days', { count: Math.round(hours / 24) });
  if (hours === 0) return t('when.minutes', { minutes });
  return minutes === 0
    ? t('when.hours', { hours })
    : t('when.hoursMinutes', { hours, minutes: String(minutes).padStart(2, '0') });
}
