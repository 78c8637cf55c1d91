import type { FC } from 'hono/jsx';
import { DAY_MS, isoDate, MINUTE_MS } from '../../../core/lib/time.ts';
import { clockIn, dayIn, zonedIn } from '../../../core/lib/zone.ts';
import { useWords } from '../../../messages/context.ts';
import { distanceIn, whenIn } from '../../../messages/duration.ts';
import { type Words, wordsIn } from '../../../messages/words.ts';
import { useZone } from './view.ts';

/** The longest distance for which a relative time is shown. */
const NEAR_MS = DAY_MS;

/**
 * An instant (ISO 8601 or epoch milliseconds) in the time zone of the site, with its day if it is
 * not today. If it is near, also the distance from now. A script keeps the distance up to date.
 */
export const Time: FC<{ at: string | number | null }> = ({ at }) => {
  const zone = useZone();
  const words = useWords();
  if (at === null) return <span class="none">–</span>;
  const instant = typeof at === 'number' ? at : Date.parse(at);
  const now = Date.now();
  return (
    <>
      <time datetime={isoDate(instant)} title={zonedIn(zone, instant)}>
        {dayIn(zone, instant) === dayIn(zone, now) ? clockIn(zone, instant) : words.time(zone, instant)}
      </time>
      {Math.abs(now - instant) < NEAR_MS && (
        <small class="away" data-away={instant}>
          {away(words, instant - now)}
        </small>
      )}
    </>
  );
};

/** A duration in words, on an English page. */
export const distance = (milliseconds: number): string => distanceIn(wordsIn('en'), milliseconds);

/** The same relative to now: `in 42 min`, `5 min ago`. */
const away = (words: Words, milliseconds: number): string =>
  Math.abs(milliseconds) < MINUTE_MS
    ? words.t('when.now')
    : whenIn(words, milliseconds > 0 ? 'when.in' : 'when.ago', milliseconds);
