/**
 * Element strings of GS1 barcodes: application identifiers (AIs) with their values.
 *
 * The formats are the table of the GS1 General Specifications, release 26 (2026), section 3.2, as in the GS1 Barcode
 * Syntax Dictionary of 2026-01-27. AIs of predefined length are in section 7.8. Only the format of each value is
 * checked: no check digits, dates or rules between AIs.
 */

/** Characters of values: digits, GS1 sets 82 and 39 (section 7.11), and base64url. */
const N = '\\d';
const X = '[!"%&\'()*+,\\-./0-9:;<=>?A-Z_a-z]';
const Y = '[#\\-/0-9A-Z]';
const Z = '[\\-0-9A-Z_a-z=]';

/** Each format with its AIs. `310n` has a digit 0 to 5, `390d` a digit 0 to 9. */
const FORMATS: readonly [format: string, ais: string][] = [
  [`${N}{18}`, '00 8006 8017 8018 8026'],
  [`${N}{14}`, '01 02 03 8001'],
  [`${N}{13}`, '410 411 412 413 414 415 416 417 7001'],
  [
    `${N}{6}`,
    '11 12 13 15 16 17 310n 311n 312n 313n 314n 315n 316n 320n 321n 322n 323n 324n 325n 326n 327n 328n 329n 330n ' +
      '331n 332n 333n 334n 335n 336n 337n 340n 341n 342n 343n 344n 345n 346n 347n 348n 349n 350n 351n 352n 353n ' +
      '354n 355n 356n 357n 360n 361n 362n 363n 364n 365n 366n 367n 368n 369n 395n 4326 7006 8005',
  ],
  [`${N}`, '4321 4322 4323 7252'],
  [`${N}{2}`, '20 7241'],
  [`${N}{3}`, '422 424 426'],
  [`${N}{4}`, '394n 8111'],
  [`${N}{8}`, '7250'],
  [`${N}{10}`, '4324 4325 7003'],
  [`${N}{12}`, '7251'],
  [`${N}{15}`, '8040 8041'],
  [`${N}{17}`, '402'],
  [`${N}{20}`, '4309'],
  [`${N}{32}`, '8042'],
  [`${N}{1,4}`, '7004'],
  [`${N}{1,6}`, '242'],
  [`${N}{1,8}`, '30 37'],
  [`${N}{1,10}`, '8019'],
  [`${N}{1,12}`, '8011'],
  [`${N}{1,15}`, '390d 392d'],
  [`${N}{4,18}`, '391d 393d'],
  [`(?:${N}{3}){1,5}`, '423 425'],
  [`${N}{6}(?:${N}{4})?`, '7011'],
  [`${N}{6}(?:${N}{6})?`, '7007'],
  [`${N}{6}-?`, '4330 4331 4332 4333'],
  [`${N}{8}(?:${N}{2}){0,2}`, '8008'],
  [`${N}{13}${N}{0,12}`, '255'],
  [`${N}{13}${X}{0,17}`, '253'],
  [`${N}{14}${X}{0,16}`, '8003'],
  [`${N}{18}${N}{0,2}`, '8043'],
  [`${N}${X}{3}`, '7040'],
  [`${N}{3}${X}{1,9}`, '421'],
  [`${N}{3}${X}{1,27}`, '703d'],
  [`${X}{2}`, '4307 4317'],
  [`${X}{3}`, '7258'],
  [`${X}{1,2}`, '7010'],
  [`${X}{1,3}`, '427 7008'],
  [`${X}{1,4}`, '7041'],
  [`${X}{1,10}`, '7009 7255'],
  [`${X}{1,12}`, '7005'],
  [`${X}{1,20}`, '10 21 22 243 254 420 4318 7020 7021 7022 710 711 712 713 714 715 716 717 7240 8002 8012'],
  [`${X}{1,25}`, '7242 8013 8014 8020'],
  [`${X}{1,28}`, '235'],
  [`${X}{1,30}`, '90 240 241 250 251 400 401 403 4308 4319 7002 7023 8004'],
  [`${X}{3,30}`, '723d'],
  [`${X}{1,34}`, '8007'],
  [`${X}{1,35}`, '4300 4301 4310 4311 4320'],
  [`${X}{1,40}`, '7253 7254 7259'],
  [`${X}{1,50}`, '8009'],
  [`${X}{1,70}`, '4302 4303 4304 4305 4306 4312 4313 4314 4315 4316 7257 8110 8112 8200'],
  [`${X}{1,90}`, '91 92 93 94 95 96 97 98 99 7256'],
  [`${Y}{1,30}`, '8010'],
  [`${Z}{1,90}`, '8030'],
];

/** The AIs of a family: `310n` is 3100 to 3105. */
function family(ai: string): string[] {
  const last = { n: '012345', d: '0123456789' }[ai.at(-1)!];
  return last === undefined ? [ai] : [...last].map((digit) => ai.slice(0, -1) + digit);
}

/** The format of the values of each AI. */
const VALUES = new Map(
  FORMATS.flatMap(([format, ais]) => {
    const value = new RegExp(`^${format}$`);
    return ais
      .split(' ')
      .flatMap(family)
      .map((ai) => [ai, value] as const);
  }),
);

/**
 * Lengths of element strings that need no separator, by the first two digits of the AI (section 7.8). They include the
 * AI, and reserved AIs such as 04.
 */
const PREDEFINED: Readonly<Record<string, number>> = {
  ...{ '00': 20, '01': 16, '02': 16, '03': 16, '04': 18, 20: 4, 41: 16 },
  ...Object.fromEntries([11, 12, 13, 14, 15, 16, 17, 18, 19].map((ai) => [ai, 8])),
  ...Object.fromEntries([31, 32, 33, 34, 35, 36].map((ai) => [ai, 10])),
};
/** First two digits of AIs with three and with four digits. Other AIs have two. */
const LONGER_AIS: Readonly<Record<string, number>> = {
  ...{ 23: 3, 24: 3, 25: 3, 40: 3, 41: 3, 42: 3, 71: 3 },
  ...{ 31: 4, 32: 4, 33: 4, 34: 4, 35: 4, 36: 4, 39: 4, 43: 4, 70: 4, 72: 4, 80: 4, 81: 4, 82: 4 },
};

/** FNC1 as scanners send it. */
const GS = '\u001d';

export interface Element {
  ai: string;
  value: string;
}

/**
 * The elements of a text, without blanks, in which FNC1 is GS. Undefined if any part is no element. With `isLenient`
 * unreadable parts are skipped: for texts that are known to be element strings.
 */
export function elementsOf(text: string, isLenient: boolean): Element[] | undefined {
  const read: Element[] = [];
  for (const element of text.startsWith('(') ? parenthesized(text) : bare(text)) {
    if (VALUES.get(element.ai)?.test(element.value)) read.push(element);
    else if (!isLenient) return undefined;
  }
  return read;
}

/** Split at each known AI in parentheses. Values may have parentheses, too. */
function parenthesized(text: string): Element[] {
  const starts = [...text.matchAll(/\((\d{2,4})\)/g)].filter(([, ai]) => VALUES.has(ai!));
  if (starts[0]?.index !== 0) return [{ ai: '', value: text }];
  return starts.map(({ 0: { length }, 1: ai, index }, at) => ({
    ai: ai!,
    value: text.slice(index + length, starts[at + 1]?.index).replaceAll(GS, ''),
  }));
}

/** Split a text by the lengths of its AIs and its separators. An unknown AI ends at the next separator. */
function* bare(text: string): Generator<Element> {
  for (let at = 0; at < text.length; ) {
    if (text[at] === GS) {
      at += 1;
      continue;
    }
    const separator = text.indexOf(GS, at);
    const partEnd = separator < 0 ? text.length : separator;
    const start = text.slice(at, Math.min(at + 2, partEnd));
    const end = Math.min(at + (PREDEFINED[start] ?? text.length), partEnd);
    const valueAt = Math.min(at + (LONGER_AIS[start] ?? 2), end);
    yield { ai: text.slice(at, valueAt), value: text.slice(valueAt, end) };
    at = end;
  }
}
