import { DAY_MS } from '../../core/lib/time.ts';
import { beginOf, type Day, dayAfter } from '../../core/lib/zone.ts';

/** How a report groups completed shipments. */
export const REPORT_GROUPS = ['DAY', 'WEEK', 'MONTH', 'CARRIER', 'GATE'] as const;
export type ReportGroup = (typeof REPORT_GROUPS)[number];
/** The groups by time. */
export type TimeGroup = Extract<ReportGroup, 'DAY' | 'WEEK' | 'MONTH'>;

/** The maximum number of days of a report. */
export const REPORT_DAYS_MAXIMUM = 366;
/** The maximum number of carriers or gates in a report. */
export const GROUPS_MAXIMUM = 500;
/** The maximum number of spellings of carriers that a report reads. */
export const SPELLINGS_MAXIMUM = 5_000;
/** The maximum number of reasons of one group, and of a report. */
export const REASONS_MAXIMUM = 10;
export const ALL_REASONS_MAXIMUM = 5_000;

/** The reasons that pages offer for missing pallets. A note may follow after a colon. */
export const OFFERED_REASONS = ['Next truck', 'Not found', 'Damaged'] as const;

/** The days of a report, both included. */
export interface ReportDays {
  from: Day;
  to: Day;
}

/** A part of a report by time: one day, or the days of a week or month that are in the report. */
export interface Part extends ReportDays {
  group: string;
}

/** The period of a group. `until` is after the last instant. Epoch milliseconds. */
interface Period {
  group: string;
  from: number;
  until: number;
}

/** The number of days, both included. It is less than 1 if the first day is after the last day. */
export const daysOf = ({ from, to }: ReportDays): number => {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS;
  return Math.round(days) + 1;
};

/** The number of days since the Monday of a day's week. */
export const daysSinceMonday = (day: Day): number => (new Date(day).getUTCDay() + 6) % 7;

/** The ISO week of a day, such as `2026-W48`. A week belongs to the year of its Thursday. */
export function weekOf(day: Day): string {
  const thursday = dayAfter(day, 3 - daysSinceMonday(day));
  const year = thursday.slice(0, 4);
  const week = Math.ceil(daysOf({ from: `${year}-01-01`, to: thursday }) / 7);
  return `${year}-W${String(week).padStart(2, '0')}`;
}

/** The name of the day, week or month of a day. */
export const nameOfDay: Record<TimeGroup, (day: Day) => string> = {
  DAY: (day) => day,
  WEEK: weekOf,
  MONTH: (day) => day.slice(0, 7),
};

/** Whether reports have a group for each part of the time. */
export const isByTime = (groupBy: ReportGroup): groupBy is TimeGroup => Object.hasOwn(nameOfDay, groupBy);

/** The days, weeks or months between two days. The first and last may be incomplete. */
export function partsIn(groupBy: TimeGroup, { from, to }: ReportDays): Part[] {
  const nameOf = nameOfDay[groupBy];
  const parts: Part[] = [];
  for (let day = from; day <= to; day = dayAfter(day, 1)) {
    const group = nameOf(day);
    const last = parts.at(-1);
    if (last?.group === group) last.to = day;
    else parts.push({ group, from: day, to: day });
  }
  return parts;
}

/** The periods of the days, weeks or months between two days of a site. */
export const periodsOf = (groupBy: TimeGroup, days: ReportDays, zone: string): Period[] =>
  partsIn(groupBy, days).map(({ group, from, to }) => ({
    group,
    from: beginOf(zone, from),
    until: beginOf(zone, dayAfter(to, 1)),
  }));
