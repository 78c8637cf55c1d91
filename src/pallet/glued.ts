import { isSscc } from './gs1.ts';

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
