/**
 * The ends of readings that scanners type as text. A scanner that should press Enter types `\n`, `{ENTER}`, `<CR>` or `^M`
 * if its suffix is not set up for the program that receives it.
 */
const NAME = '(?:ENTER|RETURN|CR|LF|CRLF|CR[+ ]LF|TAB|HT|NL|0x0[9ad])';
/** Ends that ids do not contain, so they also end a reading within a text. */
const EVIDENT = `[<{]${NAME}[>}]`;
const END = [
  EVIDENT,
  `[[(]${NAME}[\\])]`,
  String.raw`\\(?:[nrt]|(?:x|u00)0[9ad])`,
  String.raw`\^[IJM]`,
  '&#(?:9|1[03]|x0?[9ad]);',
  '%0[9ad]',
  '[\u2409\u240a\u240d\u2424\u21b5\u23ce]',
].join('|');

/** The last characters of ends. Most texts end with another one, so nothing else of them is looked at. */
const LAST_CHARACTERS = new Set('>})];nrtNRTadAD9IJMijm\u2409\u240a\u240d\u2424\u21b5\u23ce');
/** The longest end: `<RETURN>`. */
const END_MAXIMUM = 8;
const LAST = new RegExp(`(?:${END})$`, 'i');
const BETWEEN = new RegExp(`(?:(?:${END})\\s*)+`, 'i');
const BETWEEN_EVIDENT = new RegExp(`(?:${EVIDENT}\\s*)+`, 'i');
const LINE_ENDS = /[\t\r\n]+/;

/** A text without the ends that are typed behind it. A text that has nothing else is returned unchanged. */
export function withoutTypedEnd(text: string): string {
  let rest = text;
  for (;;) {
    const shown = rest.trimEnd();
    const last = LAST_CHARACTERS.has(shown.at(-1)!) ? LAST.exec(shown.slice(-END_MAXIMUM)) : null;
    if (!last) return rest === '' ? text : rest;
    rest = shown.slice(0, shown.length - last[0].length).trimEnd();
  }
}

/**
 * The readings in a text. A Tab, Enter or typed end ends each. Some typed ends are also parts of ids. Within a text, these
 * only count between texts that `isNumber` accepts.
 */
export const splitReadings = (text: string, isNumber: (part: string) => boolean): string[] =>
  text.split(LINE_ENDS).flatMap((line) => {
    const parts = line.split(BETWEEN).filter((part) => part.trim() !== '');
    if (parts.length === 0) return [];
    if (parts.every(isNumber)) return parts;
    const evident = line.split(BETWEEN_EVIDENT).filter((part) => part.trim() !== '');
    // The text of a single reading stays as it is: a pallet may have exactly this id.
    return evident.length === 1 ? [line] : evident;
  });
