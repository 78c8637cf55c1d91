import type { FC } from 'hono/jsx';
import { DAY_MS, isoDate, MINUTE_MS } from '../../lib/time.ts';
import { clockIn, dayIn, formatIn, zonedIn } from '../../lib/zone.ts';
import { useShown } from './view.ts';

/** How near an instant has to be for its distance to be told. */
const NEAR_MS = DAY_MS;

/**
 * An instant (ISO 8601 or epoch milliseconds): the clock of the site, with its day where that is another one than today,
 * and how far away it is, which the script of every page keeps true.
 */
export const Time: FC<{ at: string | number | null }> = ({ at }) => {
  const zone = useShown().session?.organization.timeZone ?? 'UTC';
  if (at === null) return <span class="none">–</span>;
  const instant = typeof at === 'number' ? at : Date.parse(at);
  const now = Date.now();
  return (
    <>
      <time datetime={isoDate(instant)} title={zonedIn(zone, instant)}>
        {dayIn(zone, instant) === dayIn(zone, now)
          ? clockIn(zone, instant)
          : formatIn(zone, 'en-GB', { dateStyle: 'medium', timeStyle: 'short' }).format(instant)}
      </time>
      {Math.abs(now - instant) < NEAR_MS && (
        <small class="away" data-away={instant}>
          {away(instant - now)}
        </small>
      )}
    </>
  );
};

/** How long until or since, in words: `42 min`, `1 h 5`, `3 days`. */
export function distance(milliseconds: number): string {
  const minutes = Math.round(Math.abs(milliseconds) / MINUTE_MS);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours >= 48) return `${Math.round(hours / 24)} days`;
  return hours === 0 ? `${rest} min` : `${hours} h${rest === 0 ? '' : ` ${rest}`}`;
}

/** The same from now on: `in 42 min`, `5 min ago`. */
const away = (milliseconds: number): string =>
  Math.abs(milliseconds) < MINUTE_MS
    ? 'now'
    : milliseconds > 0
      ? `in ${distance(milliseconds)}`
      : `${distance(milliseconds)} ago`;

const INSTANT = /(\d{4}-\d\d-\d\dT[\d:.]+Z)/;

/** A text whose instants are told as those of a page are. */
export const WithTimes: FC<{ text: string }> = ({ text }) => (
  <>{text.split(INSTANT).map((part) => (INSTANT.test(part) ? <Time at={part} /> : part))}</>
);
