import { dayAfter, dayIn, instantIn } from './zone.ts';

/** Daily quiet hours: two times of the day as `HH:MM` in a time zone. If `to` is not after `from`, it is on the next day. */
export interface QuietHours {
  from: string;
  to: string;
  timeZone: string;
}

/** A period in epoch milliseconds; `end` is not part of it. */
export interface Period {
  begin: number;
  end: number;
}

/**
 * The quiet period that contains an instant, or the next one. If clocks go back and a time occurs twice, its first
 * occurrence counts. If clocks go forward and it does not occur, it is later by the skipped time.
 */
export function quietPeriod({ from, to, timeZone }: QuietHours, at: number): Period {
  const instant = (day: string, time: string) => instantIn(timeZone, Date.parse(`${day}T${time}:00Z`));
  const today = dayIn(timeZone, at);
  // A clock change can remove the period of a day. It cannot remove three in a row.
  for (let days = -1; days <= 3; days += 1) {
    const day = dayAfter(today, days);
    const period = { begin: instant(day, from), end: instant(dayAfter(day, to > from ? 0 : 1), to) };
    if (period.end > at && period.end > period.begin) return period;
  }
  throw new Error(`no quiet period after ${at} in ${timeZone}`);
}

/** The quiet period at an instant; null if it is not quiet. */
export function quietAt(quiet: QuietHours | null, at: number): Period | null {
  const period = quiet && quietPeriod(quiet, at);
  return period && period.begin <= at ? period : null;
}
