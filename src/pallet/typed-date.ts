import { asRfc3339, definiteInstant, instantOf, readDate } from '../core/lib/date.ts';
import { DAY_MS, isDateNumber, MINUTE_MS } from '../core/lib/time.ts';
import { clockChangeIn, dayIn, pickerText, zonedIn } from '../core/lib/zone.ts';
import { visible } from './identifier.ts';

/** The languages of the office pages. People type months in these. */
const LOCALES = ['en', 'de', 'es', 'fr', 'it', 'nl', 'pl', 'pt'];
/** Abbreviations that spreadsheets use and the names do not begin with: März, maart. */
const EXTRA: readonly (readonly [name: string, month: number])[] = [
  ['mrz', 3],
  ['mrt', 3],
];
const LETTERS_MINIMUM = 3;

/** The names of all months without accents, in lower case, with their numbers. */
let names: (readonly [name: string, month: number])[] | undefined;

/** A word without accents and a dot at its end, in lower case. */
const plainWord = (word: string): string =>
  word.normalize('NFKD').replace(/\p{M}/gu, '').replace(/\.$/, '').toLowerCase();

/** The number of a month, from 1, by a name in any of the languages, such as `Nov` or `listopada`. Undefined for other words. */
function monthOf(word: string): number | undefined {
  const plain = plainWord(word);
  if (plain.length < LETTERS_MINIMUM) return undefined;
  names ??= allNames();
  const found = new Set(names.filter(([name]) => name.startsWith(plain)).map(([, month]) => month));
  const [month] = found;
  return found.size === 1 ? month : undefined;
}

/** Some languages have another form of a month beside a day. */
function allNames(): (readonly [name: string, month: number])[] {
  const formats = LOCALES.flatMap((locale) =>
    [{}, { day: 'numeric' } as const].map(
      (day) => new Intl.DateTimeFormat(locale, { ...day, month: 'long', timeZone: 'UTC' }),
    ),
  );
  const months = Array.from({ length: 12 }, (_, index) => index + 1);
  return [
    ...EXTRA,
    ...formats.flatMap((format) =>
      months.map((month) => {
        const part = format.formatToParts(Date.UTC(2026, month - 1, 15)).find(({ type }) => type === 'month');
        return [plainWord(part!.value), month] as const;
      }),
    ),
  ];
}

/** A time of day: `9:05`, `14.30 Uhr`, `14h30`, `2:30 PM`. */
const CLOCK = /^(\d{1,2})[:.h](\d\d)(?:[:.](\d\d(?:[.,]\d{1,9})?))?\s*(?:([ap])\.?\s?m\.?|uhr|h)?$/i;
/** The text between a date and its time, in the eight languages: `25.11.2026 um 14:30`. */
const BETWEEN = '(?:[\\s,T]+(?:(?:um|at|à|a las|alle(?: ore)?|ore|om|o|às)\\s+)?(?<time>.+))?$';
/** A date with the year at its end. */
const NUMERIC = new RegExp(`^(\\d{1,2})([./-])\\s?(\\d{1,2})\\2\\s?(\\d{4}|\\d\\d)${BETWEEN}`, 'i');
/** A date with the year at its beginning. */
const YEAR_FIRST = new RegExp(`^(\\d{4})([./-])(\\d{1,2})\\2(\\d{1,2})${BETWEEN}`, 'i');
/** A day of the week before a date: `Wed, 25/11/2026`. A time behind it is not a time of today. */
const WEEKDAY = /^\p{L}{2,12}[.,]*\s+(?=\d+[./-]\s?\d+[./-])/u;
/**
 * Dates with the month in words: `26. November 2026`, `26-Nov-26`, `26 de noviembre de 2026`, `26NOV2026`, `Nov 26, 2026`,
 * `2026-Nov-26`.
 */
const IN_WORDS = [
  "(?<day>\\d{1,2})(?:st|nd|rd|th|er|[.\u00ba\u00b0])?[\\s./-]*(?:de\\s+|d[\u2019'])?(?<word>\\p{L}{3,12})[\\s.,/-]*(?:del?\\s+)?(?<year>\\d{4}|\\d\\d)",
  '(?<word>\\p{L}{3,12})[\\s./-]*(?<day>\\d{1,2})(?:st|nd|rd|th)?[\\s,./-]+(?<year>\\d{4}|\\d\\d)',
  '(?<year>\\d{4})[\\s./-]*(?<word>\\p{L}{3,12})[\\s./-]*(?<day>\\d{1,2})',
].map((date) => new RegExp(`^${date}${BETWEEN}`, 'iu'));
/** A colon between a year and a time, as some statistics programs write it. */
const YEAR_COLON = /(?<=\d{4}):(?=\d\d:\d\d)/;
/** A word before a date: a day of the week in any language. */
const FIRST_WORD = /^\p{L}[\p{L}-]*[.,]*\s+/u;
/** The offset behind a time: `+0100`, `UTC`, `GMT-5`. A minus with a colon may also be the end of a span: `06:00-08:00`. */
const OFFSET = /(?:(?:UTC|GMT)\s*([+-]\d\d(?::?\d\d)?)|(\+\d\d(?::?\d\d)?)|\s(-\d{4})|UTC|GMT|Z)$/i;
/** The number of a day with a time in a spreadsheet, of the years 1954 to 2118. */
const SERIAL = /^[2-7]\d{4}([.,]\d+)?$/;
/** The day 0 of spreadsheets in days before 1970. */
const SERIAL_EPOCH_DAYS = 25_569;

/** The longest text that is read, in characters. No date is longer. */
const DATE_TEXT_MAXIMUM = 100;

/** The order of day and month in dates with slashes. Undefined if nothing proves it. */
export type DayOrder = 'DAY_FIRST' | 'MONTH_FIRST' | undefined;
/** Why a text is no date with a time. */
export type DateFault = 'none' | 'noTime' | 'ambiguous';

/** A date and time that a person has typed, or a spreadsheet contains. */
export interface TypedDate {
  /** Epoch milliseconds. */
  at: number;
  /** The local time to the minute. */
  local: string;
  /** RFC 3339, with the offset that was typed, else with the offset of the zone. */
  stored: string;
  /** Whether the local time does not occur or occurs twice, because clocks change. Null if it occurs once. */
  change: 'SKIPPED' | 'TWICE' | null;
}

/** The place and time of a reader. `zone` is an IANA name, and `now` is in epoch milliseconds. */
interface Reader {
  zone: string;
  now: number;
  order?: DayOrder;
}

/** A text without invisible characters, surrounding blanks and the day of the week; '' for a text that is too long. */
const plainOf = (text: string): string =>
  text.length > DATE_TEXT_MAXIMUM ? '' : visible(text).replace(WEEKDAY, '');

/** The order of day and month that these texts prove: a day above 12. */
export function dayOrderOf(texts: Iterable<string>): DayOrder {
  let [isDay, isMonth] = [false, false];
  for (const text of texts) {
    const [, first, , second] = NUMERIC.exec(plainOf(text)) ?? [];
    isDay ||= Number(first) > 12;
    isMonth ||= Number(second) > 12;
  }
  return isDay === isMonth ? undefined : isDay ? 'DAY_FIRST' : 'MONTH_FIRST';
}

/**
 * Read a date and time as people and spreadsheets write it: ISO 8601, the value of a date picker, `25.11.2026 14:30`,
 * `11/25/2026 2:30 PM`, `26-Nov-26 14:30`, the number of a spreadsheet. Without an offset it is a local time of the
 * zone, and a time alone is today. Returns why a text cannot be read with certainty. A day without a time is never midnight,
 * and a text over `DATE_TEXT_MAXIMUM` is no date.
 */
export function readTypedDate(text: string, reader: Reader): TypedDate | { fault: DateFault } {
  const plain = plainOf(text);
  const definite = typedWithOffset(reader.zone, plain);
  return 'fault' in definite ? readLocal(plain, reader) : definite;
}

function readLocal(plain: string, { zone, now, order }: Reader): TypedDate | { fault: DateFault } {
  const serial = SERIAL.exec(plain);
  if (serial) {
    if (serial[1] === undefined) return { fault: 'noTime' };
    const localMs = (Number(plain.replace(',', '.')) - SERIAL_EPOCH_DAYS) * DAY_MS;
    return typedAt(zone, Math.round(localMs / MINUTE_MS) * MINUTE_MS);
  }
  const clock = clockOf(plain);
  if (clock) return typedAtClock(zone, `${dayIn(zone, now)}T${clock}`);
  const date = inWords(plain) ?? inWords(plain.replace(FIRST_WORD, '')) ?? inDigits(plain, order);
  return 'fault' in date ? date : typedOn(zone, date);
}

/** A date of the calendar in digits, and the text of its time. */
interface WrittenDay {
  year: string;
  month: string;
  day: string;
  time: string | undefined;
}

/** A date with the month in words; undefined for other texts. */
function inWords(plain: string): WrittenDay | undefined {
  const text = plain.replace(YEAR_COLON, ' ');
  for (const pattern of IN_WORDS) {
    const { day = '', word = '', year = '', time } = pattern.exec(text)?.groups ?? {};
    const month = monthOf(word);
    if (month !== undefined) return { year: fullYear(year), month: String(month), day, time };
  }
  return undefined;
}

/** Whether a text is a date with the month in words, such as `26-Nov-26`. */
export const isDateInWords = (text: string): boolean => inWords(plainOf(text)) !== undefined;

function inDigits(plain: string, order: DayOrder): WrittenDay | { fault: DateFault } {
  const [, written, , ownMonth = '', ownDay = '', clock] = YEAR_FIRST.exec(plain) ?? [];
  if (written !== undefined) return { year: written, month: ownMonth, day: ownDay, time: clock };
  const numeric = NUMERIC.exec(plain);
  if (!numeric) return { fault: 'none' };
  const [, first = '', separator, second = '', ending = '', time] = numeric;
  const isDayFirst = separator === '.' || order === 'DAY_FIRST' || Number(first) > 12 || first === second;
  if (!isDayFirst && order === undefined && Number(second) <= 12) return { fault: 'ambiguous' };
  const [day, month] = isDayFirst ? [first, second] : [second, first];
  return { year: fullYear(ending), month, day, time };
}

const fullYear = (ending: string): string => (ending.length === 2 ? `20${ending}` : ending);

/** A time of day as `14:30:00`; undefined for other texts. */
function clockOf(text: string): string | undefined {
  const [, hours, minutes, seconds = '00', half] = CLOCK.exec(text) ?? [];
  if (hours === undefined) return undefined;
  const from12 = half === undefined ? Number(hours) : (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0);
  return half !== undefined && (Number(hours) < 1 || Number(hours) > 12)
    ? undefined
    : `${String(from12).padStart(2, '0')}:${minutes}:${seconds}`;
}

function typedOn(zone: string, { year, time, ...of }: WrittenDay): TypedDate | { fault: DateFault } {
  if (time === undefined) return { fault: 'noTime' };
  const [ending, ...signs] = OFFSET.exec(time) ?? [];
  const clock = clockOf(time.slice(0, time.length - (ending?.length ?? 0)).trim());
  const [month, day] = [of.month, of.day].map((digits) => digits.padStart(2, '0'));
  if (clock === undefined) return { fault: 'none' };
  const offset = ending === undefined ? '' : (signs.find((sign) => sign !== undefined) ?? 'Z');
  return typedAtClock(zone, `${year}-${month}-${day}T${clock}${offset}`);
}

/** The date of a text in ISO 8601 whose parts a person has typed. */
function typedAtClock(zone: string, iso: string): TypedDate | { fault: DateFault } {
  const written = readDate(iso);
  if (!written) return { fault: 'none' };
  return written.offsetMinutes === null ? typedAt(zone, written.localMs) : typedWithOffset(zone, iso);
}

function typedWithOffset(zone: string, iso: string): TypedDate | { fault: DateFault } {
  const at = definiteInstant(iso);
  if (Number.isNaN(at)) return { fault: 'none' };
  return { at, local: pickerText(zone, at), stored: asRfc3339(iso), change: null };
}

function typedAt(zone: string, localMs: number): TypedDate | { fault: DateFault } {
  const at = instantOf({ localMs, offsetMinutes: null }, zone);
  if (!isDateNumber(at)) return { fault: 'none' };
  const local = new Date(localMs).toISOString().slice(0, 16);
  return { at, local, stored: zonedIn(zone, at), change: clockChangeIn(zone, localMs) };
}
