import { type Day, dayAfter } from '../../../core/lib/zone.ts';
import { daysOf, type ReportDays, type ReportGroup, weekOf } from '../../../dispatch/report/rules.ts';

/** Days of the site, both included. */
export type Range = ReportDays;

/** A report: its days and its groups. */
export interface Report extends Range {
  groupBy: ReportGroup;
}

/** The number of days since the Monday of a day's week. */
const daysSinceMonday = (day: Day): number => (new Date(day).getUTCDay() + 6) % 7;

/** The ranges that the page offers. All end with today or before. */
export const PRESETS = ['THIS_WEEK', 'LAST_WEEK', 'THIS_MONTH', 'LAST_30_DAYS'] as const;
export type Preset = (typeof PRESETS)[number];

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

/** A part of a range: one day, or the days of a week or month that are in the range. */
export interface Part extends Range {
  /** Its name in the answer of the API. */
  group: string;
  /** Whether it is not over, or days of its week or month are not in the range. */
  isPartial: boolean;
}

const groupOf: Record<'DAY' | 'WEEK' | 'MONTH', (day: Day) => string> = {
  DAY: (day) => day,
  WEEK: weekOf,
  MONTH: (day) => day.slice(0, 7),
};

/** Whether reports have a group for each part of the time. */
export const isByTime = (grouping: ReportGroup): grouping is keyof typeof groupOf =>
  Object.hasOwn(groupOf, grouping);

/** The parts of a range in order, also those without data. */
export function partsOf({ from, to }: Range, grouping: keyof typeof groupOf, today: Day): Part[] {
  const of = groupOf[grouping];
  const parts: Part[] = [];
  for (let day = from; day <= to; day = dayAfter(day, 1)) {
    const group = of(day);
    const last = parts.at(-1);
    if (last?.group === group) last.to = day;
    else parts.push({ group, from: day, to: day, isPartial: false });
  }
  return parts.map((part) => ({
    ...part,
    isPartial:
      part.to >= today ||
      of(dayAfter(part.from, -1)) === part.group ||
      of(dayAfter(part.to, 1)) === part.group,
  }));
}
