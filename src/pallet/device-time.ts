import { uuidTime } from '../core/lib/id.ts';
import { quoted } from '../core/lib/missing.ts';
import { type Refusal, refusal } from '../core/lib/problem.ts';
import { DAY_MS, isoDate, MINUTE_MS } from '../core/lib/time.ts';

// The rules for times that devices report. All times are epoch milliseconds.

/** How far the clock of a device may be ahead. A time up to this far ahead counts as now. */
const CLOCK_SKEW_MS = 5 * MINUTE_MS;
/** How long before the creation of a load or pallet an event about it may have happened. */
const BEFORE_CREATION_MS = DAY_MS;
/** The age up to which the date of a reading is believed. */
const READING_AGE_MS = 30 * DAY_MS;

/**
 * When a load or pallet was created, by its uuid. If the clock was once ahead, later uuids have that time, too, because they
 * are in order. So it is now at the latest.
 */
export const creationOf = (uuid: string, now: number): number => Math.min(uuidTime(uuid), now);

/** Why a time that a person's device reports cannot be right. */
type TimeFault = 'FUTURE' | 'TOO_EARLY';

/**
 * The time of an event that a person's device reports: an arrival, a signature or a photo. `said` is null for now.
 * `created` is when the load or pallet was created.
 */
export function eventTime(said: number | null, now: number, created: number): number | TimeFault {
  if (said === null) return now;
  if (said > now + CLOCK_SKEW_MS) return 'FUTURE';
  if (said < created - BEFORE_CREATION_MS) return 'TOO_EARLY';
  return Math.min(said, now);
}

/**
 * The time of a reading of a camera or scanner. `said` is null for now. A reading is never refused for its clock. A
 * date that cannot be right is replaced by the time of receipt.
 */
export function readingTime(said: number | null, now: number): { date: number; isReplaced: boolean } {
  const isReplaced = said !== null && (said > now + CLOCK_SKEW_MS || said < now - READING_AGE_MS);
  return { date: said === null || isReplaced ? now : Math.min(said, now), isReplaced };
}

/** The subject of a refused time. */
interface Timed {
  /** The field of the request. */
  field: string;
  said: number;
  /** The load or pallet, as `named` writes it, and when it was created. */
  name: string;
  created: number;
}

/** The refusal (400) of a time with a fault. */
export function refuseTime(fault: TimeFault, { field, said, name, created }: Timed): Refusal {
  const given = quoted(isoDate(said));
  const message =
    fault === 'FUTURE'
      ? `The date ${given} is in the future. A clock may be fast by ${CLOCK_SKEW_MS / MINUTE_MS} minutes at most.`
      : `The date ${given} is more than a day before the creation of ${name} on ${isoDate(created)}.`;
  const code = 'validationFailed' as const;
  return refusal(code, message, {
    status: 400,
    errors: [{ field, code, message, rejectedValue: isoDate(said) }],
  });
}

/** The time of an event about the load or pallet with this uuid (`eventTime`), or the refusal of the time that a request says. */
export function timeOrRefusal(
  { uuid, said, ...about }: Pick<Timed, 'field' | 'name'> & { uuid: string; said: number | null },
  now: number,
): number | Refusal {
  const created = creationOf(uuid, now);
  const time = eventTime(said, now, created);
  return typeof time === 'number' ? time : refuseTime(time, { ...about, said: said!, created });
}
