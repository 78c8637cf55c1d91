import { fold, isAscii } from '../core/lib/text.ts';
import { ssccInTag, ssccInUri, wmsIdInUri } from './epc.ts';
import { isSscc, ssccOf, ssccSpellings } from './gs1.ts';
import { type Element, elementsOf } from './gs1-elements.ts';
import { splitReadings, withoutTypedEnd } from './reading-ends.ts';

/**
 * Keyboard layouts. A scanner presses the keys of a US keyboard, and a device with another layout types other
 * characters for them.
 */

/** The characters of keys with signs and digits: without shift, and then with shift. */
const US = '`1234567890-=[]\\;\',./~!@#$%^&*()_+{}|:"<>?';

const AZERTY = ['qwazmQWAZM', 'azqw,AZQW?'] as const;
const QWERTZ = ['yzYZ', 'zyZY'] as const;

/**
 * The layouts: French, Belgian and German. `signs` are the characters of the keys of `US`. A blank is a key without a
 * character. `letters` are the keys of letters with another character: first as on a US keyboard, then as in this layout.
 */
const LAYOUTS = [
  { signs: '²&é"\'(-è_çà)=^$*mù;:! 1234567890°+¨£µM%./§', letters: AZERTY },
  { signs: '²&é"\'(§è!çà)-^$µmù;:=³1234567890°_¨*£M%./+', letters: AZERTY },
  { signs: '^1234567890ß´ü+#öä,.-°!"§$%&/()=?`Ü*\'ÖÄ;:_', letters: QWERTZ },
];

/** The number of keys with signs and digits. */
const SIGN_KEYS = US.length / 2;
/** The characters of `US` with the other state of the shift key. */
const SHIFTED = US.slice(SIGN_KEYS) + US.slice(0, SIGN_KEYS);

/** The keys of each layout without and with Caps Lock, which also shifts the keys with signs and digits. */
const KEYS = LAYOUTS.flatMap(({ signs, letters: [us, typed] }) => [
  { keys: withCapitals(keysOf(signs + typed, US + us)), isCaps: false },
  { keys: keysOf(signs + typed, SHIFTED + [...us].map(inOtherCase).join('')), isCaps: true },
]);

/** The characters of a US keyboard by the typed characters. */
function keysOf(typed: string, us: string): Map<string, string> {
  return new Map([...typed].flatMap((character, key) => (character === ' ' ? [] : [[character, us[key]!]])));
}

/** With Caps Lock, some systems type capitals for letters at the keys of digits: `É` for `é`. */
function withCapitals(keys: Map<string, string>): Map<string, string> {
  const capitals = [...keys].map(([character, key]) => [character.toUpperCase(), key] as const);
  return new Map([...capitals, ...keys]);
}

function inOtherCase(letter: string): string {
  const upper = letter.toUpperCase();
  return letter === upper ? letter.toLowerCase() : upper;
}

/** Characters of ordinary identifiers. If a layout moves only these, nothing shows that it did. */
const UNUSUAL = /[^A-Za-z0-9 ._/-]/;

/** A text as a US keyboard types it. */
interface Undone {
  text: string;
  /** Whether the typed text has characters that are unusual in identifiers, so it is hardly right as it is. */
  isEvident: boolean;
}

/** Whether a text has characters that are unusual in identifiers. */
const isUnusual = (text: string): boolean => UNUSUAL.test(text);

/** The texts that a scanner may have meant: each layout that changes the typed text, without and with Caps Lock. */
function undoLayouts(typed: string): Undone[] {
  const characters = [...typed.normalize('NFC')];
  return KEYS.flatMap(({ keys, isCaps }) => {
    let [text, isMoved, isEvident] = ['', false, false];
    for (const character of characters) {
      const key = keys.get(character);
      if (key !== undefined && key !== character) {
        isMoved = true;
        isEvident ||= UNUSUAL.test(character);
      }
      text += key ?? (isCaps && /[a-z]/i.test(character) ? inOtherCase(character) : character);
    }
    return isMoved ? [{ text, isEvident }] : [];
  });
}

/** The shortest text of several readings: an SSCC and the code of a marker. */
const LENGTH_MINIMUM = 19;
/** The longest text that is taken apart: several readings of a scanner that sends no Enter. */
const LENGTH_MAXIMUM = 400;
/** An SSCC at the start of a text, with or without AIM identifier and application identifier. */
const SSCC_STARTS = [
  /^(?:\][A-Za-z]\d)?\(00\)(\d{18})/,
  /^(?:\][A-Za-z]\d)?00(\d{18})/,
  /^(?:\][A-Za-z]\d)?(\d{18})/,
];
const MARKER_START = /^(?:\][A-Za-z]\d)?([1-9]\d{0,15})/;

/**
 * The numbers of a text that consists of several readings without anything between them: SSCCs with right check digits, and
 * codes that `isMarker` accepts. Returns each number once, in order. Undefined if the text is not of this kind, or has no SSCC.
 */
export function gluedNumbers(text: string, isMarker: (code: number) => boolean): string[] | undefined {
  if (text.length < LENGTH_MINIMUM || text.length > LENGTH_MAXIMUM || !/^[\d(\]]/.test(text))
    return undefined;
  const found = numbersFrom(text, isMarker);
  return found?.some(isSscc) ? [...new Set(found)] : undefined;
}

/** `dead`: the lengths of rests that were tried before without success. So each rest is tried once. */
function numbersFrom(
  text: string,
  isMarker: (code: number) => boolean,
  dead = new Set<number>(),
): string[] | undefined {
  if (text === '') return [];
  if (dead.has(text.length)) return undefined;
  for (const { length, number } of startsOf(text, isMarker)) {
    const others = numbersFrom(text.slice(length), isMarker, dead);
    if (others) return [number, ...others];
  }
  dead.add(text.length);
  return undefined;
}

/** The numbers that the text may start with, and the lengths of their texts. */
function* startsOf(
  text: string,
  isMarker: (code: number) => boolean,
): Generator<{ length: number; number: string }> {
  for (const start of SSCC_STARTS) {
    const [whole, number] = start.exec(text) ?? [];
    if (number !== undefined && isSscc(number)) yield { length: whole!.length, number };
  }
  const [whole, digits] = MARKER_START.exec(text) ?? [];
  for (let left = digits?.length ?? 0; left > 0; left -= 1) {
    const number = digits!.slice(0, left);
    if (isMarker(Number(number))) yield { length: whole!.length - digits!.length + left, number };
  }
}

/**
 * Reads identifiers of pallets from people and scanners. Pages in browsers and the Worker use this one reader. It only
 * reads the text. `palletsMeant` then compares the result with the pallets that exist.
 */

/** The longest text that is read, in characters. A GS1 DataMatrix with the address of a recipient has about 400. */
export const READING_MAXIMUM = 1_000;

/** The meaning of a text, apart from the layout of the keyboard. */
export interface Meaning {
  /**
   * The text in its exact forms. A pallet with such a WMS id is the pallet that the text means. The likeliest form
   * is first.
   */
  literal: string[];
  /** Other WMS ids that the text names: spellings of an SSCC, the text without AIM identifier, digits without blanks. */
  meant: string[];
  /** The code of a marker. */
  marker: number | null;
  /** The text in folded case. */
  folded: string;
}

export interface Reading extends Meaning {
  /** The text without invisible characters, surrounding blanks and the end that a scanner has typed behind it. */
  text: string;
  /** The 18 digits of the SSCC in the text. Undefined without SSCC, and with several. */
  sscc: string | undefined;
  /** Meanings for other layouts of the keyboard. They are computed when they are read. */
  readonly undone: Meaning[];
}

/** Characters that are never displayed: zero width, direction marks, byte order marks, soft hyphens. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Control characters, except blanks and the separator GS. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: scanners send them before and after a text
const CONTROLS = /[\u0000-\u0008\u000e-\u001c\u001e\u001f\u007f-\u0084\u0086-\u009f]/g;
/** FNC1 in the notations of scanners and labels. */
const FNC1 = /\^(?:FNC1|\])?|[<{[(](?:GS|FNC1)[>}\])]|\\(?:x|u00)1d|&#(?:29|x1d);|[\u241d\u00e8]/gi;
/**
 * Rare notations of FNC1. Values can contain the same characters, so these are tried only if the text cannot be read
 * without them.
 */
const RARE_FNC1 = /~1|\\[FG]|\\035|%1d|[<[{(]0x1d[>\]})]|Alt0?29|(?<!^)\]C1|[#|\u00cf\u00f1]/gi;
const GS = '\u001d';
/** AIM identifiers (ISO/IEC 15424), which scanners send before the text. A second one is part of some labels. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the separator GS is one
const AIM = /^[\s\u001d]*(?:\][A-Za-z][0-9A-Za-z][\s\u001d]*)+/;
const FIRST_AIM = /^\][A-Za-z][0-9A-Za-z]/;
/** The beginning of GS1 data in ISO/IEC 15434, format 05. `visible` has removed its control characters, except GS. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the separator GS is one
const ENVELOPE = /^\[\)>05\u001d/;
/** A mark before a number that keeps it text in a spreadsheet, or quotation marks around it. */
const MARKS =
  /^["'\u2018-\u201e\u00ab\u00bb\u2039\u203a]\s*(\(?\d[\d()\s]*)["'\u2018-\u201e\u00ab\u00bb\u2039\u203a]?$/;
/** Texts before a number that people copy with it: the mark of an item in a list, and the name of the number. */
const LABEL =
  /^(?:(?:[-\u2013\u2014*\u2022\u00b7>]|\d{1,4}[.)])\s+)?(?:(?:NVE|SSCC)(?:\s*\/\s*(?:NVE|SSCC))?(?:[-\s]?18)?(?:[-\s]?(?:Nr|No|N°|Nº|code))?[\s.:#=-]*)?(?=[([{\d])/i;
/** An AI in other brackets, as label programs write it, and a colon behind an AI. */
const BRACKETED = /[[{(](\d{2,4})[\]})][\s:=]*/g;
const MARKER = /^[1-9]\d{0,15}$/;

export const visible = (text: string): string =>
  isAscii(text) ? text.trim() : text.replace(INVISIBLE, '').replace(CONTROLS, '').trim();

/** A text of digits that is too long for a part of an id. */
const NUMBER = /^\d{6,}$/;

/** The readings of a text: a scanner's Tab or Enter ends each, or the text that it types in place of them. */
export const readingsOf = (text: string): string[] =>
  splitReadings(text, (part) => NUMBER.test(visible(part)) || readIdentifier(part).sscc !== undefined).filter(
    (reading) => visible(reading) !== '',
  );

/**
 * Read the identifier of a pallet in a typed or scanned text. With the uuid of the organization, URIs of its pallets in
 * EPCIS events are read, too.
 */
export function readIdentifier(given: string, organization?: string): Reading {
  const whole = visible(given);
  if (whole.length > READING_MAXIMUM)
    return {
      ...{ text: whole, literal: [given], meant: [], marker: null },
      folded: whole,
      sscc: undefined,
      undone: [],
    };
  const text = withoutTypedEnd(whole);
  const named = organization === undefined ? undefined : wmsIdInUri(withoutAim(text), organization);
  if (named !== undefined) {
    const reading = readIdentifier(named);
    return { ...reading, literal: unique([given, given.trim(), whole, text, ...reading.literal]) };
  }
  const ssccs = ssccsOf(text);
  let undone: Meaning[] | undefined;
  return {
    text,
    ...meaningOf([given, given.trim(), whole, text], ssccs),
    sscc: ssccs.length === 1 ? ssccs[0] : undefined,
    get undone() {
      undone ??= ssccs.length > 0 ? [] : undoneOf(text);
      return undone;
    },
  };
}

/** The meaning of the last of these forms of a text. */
function meaningOf(forms: readonly string[], ssccs: readonly string[]): Meaning {
  const text = forms.at(-1)!;
  const plain = withoutAim(halfWidth(text));
  const digits = /^[\d\s]+$/.test(plain) ? plain.replace(/\s/g, '') : '';
  return {
    literal: unique(forms),
    meant: unique([...ssccs.flatMap(ssccSpellings), text.replace(FIRST_AIM, ''), plain, digits]).filter(
      (id) => id !== text,
    ),
    marker: MARKER.test(digits) && Number.isSafeInteger(Number(digits)) ? Number(digits) : null,
    folded: fold(plain),
  };
}

/**
 * The meanings for other layouts. A text of ordinary characters may be correct as typed, and its undone form could
 * name another pallet. So the undone form is only used if it has an SSCC, which has a check digit.
 */
function undoneOf(text: string): Meaning[] {
  // Most texts of a long list end here.
  if (!isUnusual(text) && text.replace(/[^\d_-]/g, '').length < DIGITS_MINIMUM) return [];
  return undoLayouts(halfWidth(text)).flatMap(({ text: undone, isEvident }) => {
    const ended = withoutTypedEnd(undone);
    const ssccs = ssccsOf(ended);
    return isEvident || ssccs.length > 0 ? [meaningOf([undone, ended], ssccs)] : [];
  });
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)].filter((text) => text !== '');

/** A text with the ordinary form of full-width characters and of Arabic digits, which other keyboards type. */
const halfWidth = (text: string): string =>
  isAscii(text)
    ? text
    : text
        .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
        .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) % 16));

/** The start and the end of a Code 39 barcode, which some scanners send. */
const CODE_39 = /^\*([^*]+)\*$/;
/** Separators and blanks at the start of a text, and one of them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the separator GS is one
const START = /^[\s\u001d]+/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the separator GS is one
const SEPARATOR = /[\s\u001d]/;

/** A text without separators and blanks at its ends. */
function withoutEnds(text: string): string {
  let end = text.length;
  while (end > 0 && SEPARATOR.test(text[end - 1]!)) end -= 1;
  return text.slice(0, end).replace(START, '');
}

/** A text to be unwrapped begins or ends with one of these. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the separator GS is one
const WRAPPER = /[\]*\s\u001d]/;

/** A text without AIM identifier, and without separators and asterisks at its ends. */
const withoutAim = (text: string): string =>
  WRAPPER.test(text.charAt(0)) || WRAPPER.test(text.at(-1) ?? '')
    ? withoutEnds(text.replace(AIM, '')).replace(CODE_39, '$1')
    : text;

/** An EPC URI has the digits of an SSCC without its check digit. */
const DIGITS_MINIMUM = 17;

/** The different SSCCs in a text, as GS1 means it. */
function ssccsOf(text: string): string[] {
  const half = halfWidth(text);
  const tag = ssccInTag(withoutAim(half));
  if (tag !== undefined) return [tag];
  // Most texts of a long list end here.
  if (!hasDigits(half, DIGITS_MINIMUM)) return [];
  const uri = ssccInUri(withoutAim(text));
  if (uri !== undefined) return [uri];
  const written = half.replace(ENVELOPE, ']d2').replace(MARKS, '$1').replace(FNC1, GS).trim();
  const compact = written.replace(/\s/g, '');
  const plain = ssccOf(withoutAim(compact));
  if (plain !== undefined) return [plain];
  // Some scanners type a blank for FNC1.
  const elements = firstElements(
    [compact, compact.replace(RARE_FNC1, GS), written.replace(/\s+/g, GS)].map(withoutAim),
  );
  return (
    ssccsIn(elements) ??
    gluedNumbers(compact, () => false) ??
    ssccsIn(elements ?? (AIM.test(compact) ? elementsOf(withoutAim(compact), true) : labelled(written))) ??
    []
  );
}

/** The different SSCCs among elements; undefined without any. */
function ssccsIn(elements: readonly Element[] = []): string[] | undefined {
  const ssccs = elements.filter(({ ai, value }) => ai === '00' && isSscc(value)).map(({ value }) => value);
  return ssccs.length > 0 ? unique(ssccs) : undefined;
}

/**
 * The numbers of several pallets that a scanner without Enter has typed as one text: SSCCs, and codes of allocated markers.
 * Empty for the text of one reading.
 */
export function gluedIn(
  { text, sscc, undone }: Reading,
  markers: { first: number | null; last: number | null } = { first: null, last: null },
): string[] {
  // A lot behind an SSCC may look like a marker.
  if (sscc !== undefined) return [];
  for (const typed of [text, ...undone.map(({ literal }) => literal.at(-1)!)]) {
    const numbers = gluedNumbers(halfWidth(typed).replace(/\s/g, ''), (code) => isAllocated(code, markers));
    if (numbers && numbers.length > 1) return numbers;
  }
  return [];
}

function hasDigits(text: string, minimum: number): boolean {
  let count = 0;
  for (let at = 0; at < text.length && count < minimum; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) count += 1;
  }
  return count >= minimum;
}

/** The elements of the first of these texts that can be read. */
function firstElements(texts: readonly string[]): Element[] | undefined {
  for (const text of new Set(texts)) {
    const elements = elementsOf(text, false);
    if (elements) return elements;
  }
  return undefined;
}

/** The elements of a text that people have copied or grouped: `SSCC: 3-4012345-…`, `1. [00] 3401…`. */
function labelled(written: string): Element[] | undefined {
  const plain = [written, written.replace(LABEL, '')].map((part) =>
    part.replace(BRACKETED, '($1)').replace(/\s/g, ''),
  );
  const grouped = plain.map((part) => ssccOf(part.replace(/[._-]/g, ''))).find((sscc) => sscc !== undefined);
  return grouped === undefined ? firstElements(plain) : [{ ai: '00', value: grouped }];
}

interface Pallet {
  wmsId: string;
  markerCode?: number | null;
}

/** How a text names a pallet. */
type Way = 'ID' | 'GS1' | 'CASE' | 'LAYOUT';

/** The pallets that a text means, and how it names them. */
export interface Meant<P extends Pallet> {
  pallets: P[];
  way?: Way;
}

/**
 * The existing pallets that a text means. The first step with a hit counts: the literal id, GS1 and marker codes, the
 * id in another case, and another layout of the keyboard. With more than one pallet, ask the person.
 */
export function palletsMeant<P extends Pallet>(reading: Reading, pallets: readonly P[]): Meant<P> {
  const found = inMeaning(reading, pallets);
  if (found.pallets.length > 0) return found;
  const undone = new Set(reading.undone.flatMap((meaning) => inMeaning(meaning, pallets).pallets));
  return undone.size > 0 ? { pallets: [...undone], way: 'LAYOUT' } : { pallets: [] };
}

function inMeaning<P extends Pallet>(
  { literal, meant, marker, folded }: Meaning,
  pallets: readonly P[],
): Meant<P> {
  for (const id of literal) {
    const pallet = pallets.find(({ wmsId }) => wmsId === id);
    if (pallet) return { pallets: [pallet], way: 'ID' };
  }
  const named = pallets.filter(
    ({ wmsId, markerCode }) => meant.includes(wmsId) || (marker !== null && markerCode === marker),
  );
  if (named.length > 0) return { pallets: named, way: 'GS1' };
  return { pallets: pallets.filter(({ wmsId }) => fold(wmsId) === folded), way: 'CASE' };
}

/** Whether a code is between the first and the last code that the organization has allocated. */
export const isAllocated = (
  code: number,
  { first, last }: { first: number | null; last: number | null },
): boolean => first !== null && last !== null && code >= first && code <= last;

/** The fewest characters at the end of an id that name pallets of a list. */
const ENDING_MINIMUM = 4;

/** The end of ids that a reading may be, in folded case. Undefined for a shorter text. */
export const endingOf = ({ text, folded }: Reading): string | undefined =>
  [...text].length < ENDING_MINIMUM ? undefined : folded;

/** The pallets of a list whose ids end with the text of a reading. A person has to choose one of them, even if it is the only one. */
export function palletsEnding<P extends Pallet>(reading: Reading, pallets: readonly P[]): P[] {
  const ending = endingOf(reading);
  return ending === undefined ? [] : pallets.filter(({ wmsId }) => fold(wmsId).endsWith(ending));
}

/** Whether another layout of the keyboard has changed the digits of a number. */
export const isMistypedNumber = ({ undone }: Reading): boolean =>
  undone.some(({ meant }) => meant.some((id) => /^\d+$/.test(id)));

/** Whether a text looks as if its scanner types for another layout of the keyboard. */
export const looksMistyped = (reading: Reading): boolean =>
  isMistypedNumber(reading) || reading.undone.some(({ literal: [text] }) => !isUnusual(text!));
