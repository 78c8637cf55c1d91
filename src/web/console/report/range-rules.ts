import { type Day, dayAfter } from '../../../core/lib/zone.ts';
import {
  daysOf,
  daysSinceMonday,
  nameOfDay,
  type Part,
  partsIn,
  type ReportDays,
  type ReportGroup,
  type TimeGroup,
} from '../../../dispatch/report/rules.ts';

/** Days of the site, both included. */
export type Range = ReportDays;

/** A report: its days and its groups. */
export interface Report extends Range {
  groupBy: ReportGroup;
}

/** The ranges that the page offers. All end with today or before. */
export const PRESETS = ['THIS_WEEK', 'LAST_WEEK', 'THIS_MONTH', 'LAST_30_DAYS'] as const;
type Preset = (typeof PRESETS)[number];

export function rangeOf(preset: Preset, today: Day): Range {
  const monday = dayAfter(today, -daysSinceMonday(today));
  switch (preset) {
    case 'THIS_WEEK':
      return { from: monday, to: today };
    case 'LAST_WEEK':
      return { from: dayAfter(monday, -7), to: dayAfter(monday, -1) };
    case 'THIS_MONTH':
      return { from: `${today.slice(0, 8)}01`, to: today };
    case 'LAST_30_DAYS':
      return { from: dayAfter(today, -29), to: today };
  }
}

/** An earlier range of the same length, and the key of its name. */
export interface Before extends Range {
  name: 'DAY' | 'DAYS' | 'WEEK' | 'SAME_DAYS';
}

/**
 * The range to compare a range with. The days of one week are compared with the same days of the week before, because a
 * Monday is unlike a Sunday. Any other range is compared with the days just before it.
 */
export function rangeBefore(range: Range): Before {
  const days = daysOf(range);
  const isOfWeek = days <= 7 && daysSinceMonday(range.from) === 0;
  const back = isOfWeek ? 7 : days;
  return {
    from: dayAfter(range.from, -back),
    to: dayAfter(range.to, -back),
    name: isOfWeek ? (days === 7 ? 'WEEK' : 'SAME_DAYS') : days === 1 ? 'DAY' : 'DAYS',
  };
}

/** A part of a range as the page shows it. */
export interface ShownPart extends Part {
  /** Whether the part is incomplete: it is not over yet, or the range has only some days of its week or month. */
  isPartial: boolean;
}

/** The parts of a range in order, also those without data. */
export function partsOf(range: Range, grouping: TimeGroup, today: Day): ShownPart[] {
  const nameOf = nameOfDay[grouping];
  return partsIn(grouping, range).map((part) => ({
    ...part,
    isPartial:
      part.to >= today ||
      nameOf(dayAfter(part.from, -1)) === part.group ||
      nameOf(dayAfter(part.to, 1)) === part.group,
  }));
}
