import { formatIn } from '../../../core/lib/zone.ts';
import { daysOf, type ReportGroup } from '../../../dispatch/report/rules.ts';
import { localeOf } from '../../../messages/languages.ts';
import type { Words } from '../../../messages/words.ts';
import type { Difference, Unit } from './measures.ts';
import type { Before, Range } from './range-rules.ts';

const percents = new Map<string, Intl.NumberFormat>();

/** A share from 0 to 1 in percent. */
function percentIn({ language }: Words, share: number): string {
  const locale = localeOf(language);
  let format = percents.get(locale);
  if (!format) {
    format = new Intl.NumberFormat(locale, { style: 'percent' });
    percents.set(locale, format);
  }
  return format.format(share);
}

/** From this number of hours on, a duration has no minutes. */
const WHOLE_HOURS = 100;

/** A duration: `42 min`, `2 h`, `1 h 20 min`, `135 h`. */
export function minutesIn({ t }: Words, value: number): string {
  const all = Math.round(value);
  const [hours, minutes] = [Math.floor(all / 60), all % 60];
  if (hours >= WHOLE_HOURS) return t('report.hours', { hours: Math.round(all / 60) });
  if (hours === 0) return t('report.minutes', { minutes });
  return minutes === 0 ? t('report.hours', { hours }) : t('report.hoursMinutes', { hours, minutes });
}

/** A value of a measure. Numbers have at most one decimal. */
export function valueIn(words: Words, value: number, unit: Unit): string {
  if (unit === 'SHARE') return percentIn(words, value);
  return unit === 'MINUTES' ? minutesIn(words, value) : words.number(Math.round(value * 10) / 10);
}

/** A value of a measure, or a dash for a gap. */
export const valueOrDash = (words: Words, value: number | null, unit: Unit): string =>
  value === null ? '–' : valueIn(words, value, unit);

/** A day of the calendar: `25 Nov 2026`. */
const dayText = ({ language }: Words, day: string): string =>
  formatIn('UTC', localeOf(language), { dateStyle: 'medium' }).format(Date.parse(day));

export const rangeText = (words: Words, { from, to }: Range): string =>
  from === to
    ? dayText(words, from)
    : words.t('report.range', { from: dayText(words, from), to: dayText(words, to) });

const shortDay: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' };
const formatted = ({ language }: Words, day: string, options: Intl.DateTimeFormatOptions): string =>
  formatIn('UTC', localeOf(language), options).format(Date.parse(day));

/** The name of a part of the time, as below a chart: `25 Nov`, `Week 48`, `Nov 2026`. */
export function partLabel(words: Words, grouping: ReportGroup, group: string): string {
  if (grouping === 'WEEK') return words.t('report.week', { week: Number(group.slice(6)) });
  return formatted(words, group, grouping === 'MONTH' ? { month: 'short', year: 'numeric' } : shortDay);
}

/** The same in a table: with the day of the week, or the days of a week. */
export function partName(words: Words, grouping: ReportGroup, group: string, { from, to }: Range): string {
  if (grouping === 'DAY') return formatted(words, group, { ...shortDay, weekday: 'short', year: 'numeric' });
  if (grouping === 'MONTH') return partLabel(words, grouping, group);
  return words.t('report.weekOf', {
    week: Number(group.slice(6)),
    from: formatted(words, from, shortDay),
    to: formatted(words, to, shortDay),
  });
}

/** The name of the range that a range is compared with: `the week before`. */
const beforeText = ({ t }: Words, before: Before): string =>
  before.name === 'DAYS'
    ? t('reportPeriod.DAYS', { days: daysOf(before) })
    : t(`reportPeriod.${before.name}`);

/** A comparison in words: `12 % more than the week before`. */
export function differenceText(
  words: Words,
  difference: Difference | undefined,
  unit: Unit,
  before: Before,
  was: number | null,
): string {
  const { t } = words;
  const period = beforeText(words, before);
  if (difference === undefined) {
    return was === null
      ? t('report.noBefore', { period })
      : t('report.was', { value: valueIn(words, was, unit), period });
  }
  const { kind, by } = difference;
  if (kind === 'SAME') return t('report.same', { period });
  if (unit === 'SHARE')
    return t(kind === 'MORE' ? 'report.pointsMore' : 'report.pointsLess', { points: by, period });
  return t(kind === 'MORE' ? 'report.more' : 'report.less', { percent: percentIn(words, by / 100), period });
}
