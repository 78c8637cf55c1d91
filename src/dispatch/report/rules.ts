import { beginOf, type Day, dayAfter } from '../../core/lib/zone.ts';

/** How a report groups completed shipments. */
export const REPORT_GROUPS = ['DAY', 'WEEK', 'MONTH', 'CARRIER', 'GATE'] as const;
export type ReportGroup = (typeof REPORT_GROUPS)[number];

/** The maximum number of days of a report. */
export const REPORT_DAYS_MAXIMUM = 366;
/** The maximum number of carriers or gates in a report. */
export const GROUPS_MAXIMUM = 500;
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

/** The period of a group. `until` is after the last instant. Epoch milliseconds. */
export interface Period {
  group: string;
  from: number;
  until: number;
}

/** The number of days, both included. It is less than 1 if the first day is after the last day. */
export const daysOf = ({ from, to }: ReportDays): number => {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
  return Math.round(days) + 1;
};

/** The ISO week of a day, such as `2026-W48`. A week belongs to the year of its Thursday. */
export function weekOf(day: Day): string {
  const weekday = (new Date(day).getUTCDay() + 6) % 7;
  const thursday = dayAfter(day, 3 - weekday);
  const year = thursday.slice(0, 4);
  const week = Math.ceil(daysOf({ from: `${year}-01-01`, to: thursday }) / 7);
  return `${year}-W${String(week).padStart(2, '0')}`;
}

const NAMES: Record<'DAY' | 'WEEK' | 'MONTH', (day: Day) => string> = {
  DAY: (day) => day,
  WEEK: weekOf,
  MONTH: (day) => day.slice(0, 7),
};

/** The days, weeks or months between two days of a site. The first and last may be incomplete. */
export function periodsOf(groupBy: 'DAY' | 'WEEK' | 'MONTH', days: ReportDays, zone: string): Period[] {
  const periods: Period[] = [];
  for (let index = 0; index < daysOf(days); index += 1) {
    const day = dayAfter(days.from, index);
    const group = NAMES[groupBy](day);
    const last = periods.at(-1);
    const until = beginOf(zone, dayAfter(day, 1));
    if (last?.group === group) last.until = until;
    else periods.push({ group, from: beginOf(zone, day), until });
  }
  return periods;
}
