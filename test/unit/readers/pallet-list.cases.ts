import { OverBudget } from '../../../src/core/lib/reader.ts';
import { PALLET_LIST, readPallets } from '../../../src/web/console/pallet-list/read.ts';
import { portionsOf } from '../../../src/web/console/pallet-list/store.ts';
import { wordsIn } from '../../messages.ts';
import { casesOf } from './case.ts';
import { sscc } from './sscc.ts';

const { bytes, lines, texts } = PALLET_LIST.limits;
/** A text of exactly the most bytes, of a repeated part of ASCII characters. */
const filledWith = (part: string, most = bytes): string =>
  part.repeat(Math.ceil(most / part.length)).slice(0, most);
/** The most different lines, repeated to the most lines. A line has at most 41 bytes, so that the text is not too long. */
const linesOf = (line: (number: number) => string): string =>
  Array.from({ length: lines }, (_, number) => line(number % texts)).join('\n');
/** The most different lines, each as long as a text that counts once. */
const longLinesOf = (start: (number: number) => string, part: string, length = 99, count = texts): string =>
  Array.from({ length: count }, (_, number) => filledWith(start(number) + part.repeat(length), length)).join(
    '\n',
  );
/** A table with as many cells as the text can hold. */
const tableOf = (columns: number, cell: (row: number, column: number) => string): string => {
  const rows: string[] = [];
  for (let length = 0; length < bytes && rows.length < lines; ) {
    const row = Array.from({ length: columns }, (_, column) => cell(rows.length, column)).join(';');
    length += row.length + 1;
    if (length <= bytes) rows.push(row);
  }
  return rows.join('\n');
};

export default casesOf<string>({
  reader: 'pallet-list',
  needed: {
    bytes: 'more text than the maximum',
    lines: 'more lines than the maximum',
    texts: 'more texts than the maximum',
  },
  async read(pallets) {
    try {
      const find = async (texts: Iterable<string>) => (portionsOf(texts).length < 0 ? [''] : []);
      return await readPallets({ pallets, column: '', sheet: '' }, wordsIn('en'), find);
    } catch (error) {
      if (error instanceof OverBudget) return error;
      throw error;
    }
  },
  inputs: {
    'more text than the maximum': () =>
      Array.from({ length: lines }, (_, row) => `${row % 900};`.padStart(4, 'b').repeat(26)).join('\n'),
    'more lines than the maximum': () => filledWith('ab1c2\n'),
    'more texts than the maximum': () =>
      Array.from({ length: lines }, (_, number) => `1${sscc(number)}`).join('\n'),
    'line ends': () => filledWith('\r'),
    'blank lines': () => filledWith(' \n'),
    'line ends within a quoted cell': () => `"${filledWith('\n', bytes - 2)}"`,
    separators: () => filledWith(';'),
    'empty rows of cells': () => filledWith(';;,\t\n'),
    'empty quoted cells': () => filledWith('"";'),
    'lines with empty quoted cells': () => filledWith('""\n'),
    'quotation marks': () => filledWith('"'),
    'torn lines': () => linesOf(() => `"${sscc(1)};"x"`),
    'torn lines with doubled marks': () => linesOf(() => 'a;"b""c""d""e'),
    'a quotation mark before a long text': () => `"${filledWith('a\n', bytes - 1)}`,
    'one line': () => filledWith('a'),
    'one line of digits': () => filledWith('1'),
    'one line of blanks': () => `a${' '.repeat(bytes - 2)}a`,
    'a long heading': () => `1${filledWith('a', bytes - 4)}\n1`,
    'a long heading of blanks': () => `1${filledWith('abc ', bytes - 4)}\n1`,
    'invisible characters': () => '\u200b'.repeat(bytes / 3),
    'combining characters': () => `e${'\u0301'.repeat(bytes / 2 - 1)}`,
    'distinct SSCCs': () => linesOf(sscc),
    'SSCCs behind a heading': () => `SSCC\n${linesOf(sscc).slice(0, -19)}`,
    'SSCCs in parentheses': () => `NVE\n${linesOf((number) => `( 00 ) ${sscc(number)}`).slice(0, -30)}`,
    'SSCCs in groups': () => linesOf((number) => `NVE: ${sscc(number).replace(/(.{4})/g, '$1-')}`),
    'element strings': () => linesOf((number) => `00${sscc(number)}10LOT17${number}`.slice(0, 41)),
    'element strings that cannot be read': () =>
      linesOf((number) => `02${sscc(number)}#10LOT\\F37x${number}`.slice(0, 41)),
    'digital links': () => linesOf((number) => `id.de/00/${sscc(number)}?a=${number}`),
    'tags of RFID': () => linesOf((number) => `3174257BF${number.toString(16).padStart(9, '0')}000000`),
    'ids of letters': () => linesOf((number) => `PALLET-NORTH-${String(number).padStart(8, '0')}`),
    'words without digits': () =>
      linesOf((number) =>
        `pallet ${[...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join(' ordre ')}`.slice(
          0,
          41,
        ),
      ),
    'words of other languages': () => linesOf((number) => `Größe-Äpfel ${number}`),
    'words in letters that are folded': () => linesOf((number) => `ﬃ\u0130ß${number}`),
    'typed for another keyboard': () => linesOf((number) => `+ěščřž${String(number).replaceAll('1', 'é')}`),
    'digits typed for another keyboard': () =>
      linesOf((number) => [...sscc(number)].map((digit) => 'à&é"\'(-è_ç'[Number(digit)]).join('')),
    'marks of text': () => linesOf((number) => `'=${number}'+'@"`),
    'formulas of text': () => linesOf((number) => `="""${number}"""`),
    'sums and blanks': () => linesOf((number) => `Total${' '.repeat(25)}${number}!`),
    'dates in words': () => linesOf((number) => `26. November ${number} at 12:0${number}`.slice(0, 41)),
    'shortened numbers': () => linesOf((number) => `3,${number}E+17`),
    'wide rows of short cells': () => tableOf(200, (row, column) => `${row}A${column}`),
    'wide rows of long digits': () => tableOf(200, (row, column) => `${row}${column}`.padStart(19, '7')),
    'wide rows of dates': () => tableOf(200, (row) => `26 November ${row}`),
    'narrow rows of short cells': () => tableOf(10, (row) => `a${row}`),
    'narrow rows of three characters': () => tableOf(13, (row) => String(row % 900).padStart(3, 'b')),
    'SSCCs in the last of 200 columns': () =>
      tableOf(200, (row, column) => (column === 199 ? sscc(row) : `x${row}`)),
    'lines of 40 characters in quotation marks': () =>
      linesOf((number) => `"${String(number).padStart(37, 'x')}"`),
    'long element strings': () => longLinesOf((number) => `00${sscc(number)}`, '10LOT\u001d91'),
    'long element strings in parentheses': () => longLinesOf((number) => `(00)${sscc(number)}`, '(10)L(9'),
    'long element strings behind an AIM identifier': () =>
      longLinesOf((number) => `]C100${sscc(number)}`, '~1#\\F'),
    'long texts with rare separators': () => longLinesOf((number) => `9${sscc(number)}`, '#|~1'),
    'long texts of digits': () => longLinesOf((number) => `1${sscc(number)}`, '1234567'),
    'long texts of blanks and digits': () => longLinesOf((number) => `1${sscc(number)}`, ' 1'),
    'long links': () => longLinesOf((number) => `https://a.b/${sscc(number)}`, '/00'),
    'long hexadecimal digits': () => longLinesOf((number) => `31${sscc(number)}`, 'f9:'),
    'long words': () => longLinesOf((number) => `Pallet ${number}`, ' north'),
    'long words of other languages': () =>
      longLinesOf((number) => String(number).padStart(7, '0'), 'ßéÉ\u0301'),
    'long texts typed for another keyboard': () => longLinesOf(() => 'PALLET', `&é"'(-è_çà`),
    'long texts of full-width characters': () => longLinesOf((number) => `${number}`, 'Ａ１Ｂ２'),
    'long unusual texts': () => longLinesOf((number) => `<${number}`, '&"('),
    'longer element strings than the maximum': () =>
      longLinesOf((number) => `(00)${sscc(number)}`, '(10)L(9', 99, 20_000),
    'lines of 1,000 characters': () => filledWith(`${'PALLET '.repeat(142)}\n`),
  },
});
