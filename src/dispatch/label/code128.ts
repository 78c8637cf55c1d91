// Code 128 (ISO/IEC 15417) with the code sets B and C: printable ASCII characters and pairs of digits.

/** Widths of three bars and three spaces of each symbol character by value (table 1), six digits each. */
const WIDTHS =
  '212222222122222221121223121322131222122213122312132212221213221312231212112232122132122231113222123122123221' +
  '223211221132221231213212223112312131311222321122321221312212322112322211212123212321232121111323131123131321' +
  '112313132113132311211313231113231311112133112331132131113123113321133121313121211331231131213113213311213131' +
  '311123311321331121312113312311332111314111221411431111111224111422121124121421141122141221112214112412122114' +
  '122411142112142211241211221114413111241112134111111242121142121241114212124112124211411212421112421211212141' +
  '214121412121111143111341131141114113114311411113411311113141114131311141411131211412211214211232';
const STOP = '2331112';

/** Values of the control characters (table 1). */
const [TO_C, TO_B, FNC1, START_B, START_C] = [99, 100, 102, 104, 105];

/** A part of a text in one code set. */
interface CodePart {
  set: 'B' | 'C';
  text: string;
}

/** A text to encode. With `fnc1`, it begins with FNC1, which marks GS1-128 (GS1 General Specifications, section 5.4). */
export interface Coded {
  fnc1: boolean;
  parts: CodePart[];
}

/** Whether the code sets B and C have all characters of a text. */
export const isEncodable = (text: string): boolean => /^[\x20-\x7e]+$/.test(text);

/**
 * Choose the code sets of a text, so that the symbol is as short as possible (ISO/IEC 15417, annex E). Set C starts at
 * an even number of digits: at least four at an end of the text, or six in its middle.
 */
export function code128Of(text: string, fnc1 = false): Coded {
  const parts: CodePart[] = [];
  const add = (set: CodePart['set'], piece: string): void => {
    const last = parts.at(-1);
    if (piece === '') return;
    if (last?.set === set) last.text += piece;
    else parts.push({ set, text: piece });
  };
  for (const [piece, digits] of text.matchAll(/(^\d{2}$|^\d{4,}|\d{6,}|\d{4,}$)|\d+|\D+/g)) {
    if (digits === undefined) {
      add('B', piece);
      continue;
    }
    // A single digit stays in set B: the last one at the start of the text, otherwise the first one.
    const odd = digits.length % 2;
    const atStart = parts.length === 0;
    const pairs = atStart ? digits.slice(0, digits.length - odd) : digits.slice(odd);
    if (!atStart) add('B', digits.slice(0, odd));
    add('C', pairs);
    if (atStart) add('B', digits.slice(digits.length - odd));
  }
  return { fnc1, parts };
}

/** The values of the symbol characters, from the start character to the check character (section 4.3.7). */
function valuesOf({ fnc1, parts }: Coded): number[] {
  const values = parts.flatMap(({ set, text }, index) => {
    const start = index > 0 ? (set === 'C' ? TO_C : TO_B) : set === 'C' ? START_C : START_B;
    const characters =
      set === 'C' ? text.match(/../g)!.map(Number) : [...text].map((one) => one.charCodeAt(0) - 32);
    return [start, ...(index === 0 && fnc1 ? [FNC1] : []), ...characters];
  });
  const check = values.reduce((sum, value, index) => sum + value * Math.max(1, index), 0) % 103;
  return [...values, check];
}

/** The widths of the bars and spaces of these symbol characters and the stop character, in modules. */
export const widthsOfValues = (values: readonly number[]): number[] =>
  [...values.map((value) => WIDTHS.slice(value * 6, value * 6 + 6)), STOP]
    .flatMap((widths) => [...widths])
    .map(Number);

/** The widths of bars and spaces in modules, beginning with a bar. */
export const barWidths = (of: Coded): number[] => widthsOfValues(valuesOf(of));

/** Characters that have an invocation code in a ^BC field, because ZPL gives them another meaning. */
const INVOKED: Readonly<Record<string, string>> = { '>': '>0', '^': '><', '~': '>=' };

/** The same symbol as data of a ^BC field in mode N: the printer changes code sets only where the data says so. */
export const zplInvocations = ({ fnc1, parts }: Coded): string =>
  parts
    .map(({ set, text }, index) => {
      const start = index > 0 ? (set === 'C' ? '>5' : '>6') : set === 'C' ? '>;' : '>:';
      return start + (index === 0 && fnc1 ? '>8' : '') + text.replace(/[>^~]/g, (sign) => INVOKED[sign]!);
    })
    .join('');
