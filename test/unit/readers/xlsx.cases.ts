import { UnreadableError } from '../../../src/web/console/pallet-list/unreadable.ts';
import { bookText, XLSX } from '../../../src/web/console/pallet-list/xlsx.ts';
import { TOKEN_MAXIMUM } from '../../../src/web/console/pallet-list/xml.ts';
import { archive, bookOf } from './archive.ts';
import { casesOf } from './case.ts';

const { bytes, elements } = XLSX.limits;
/** XML of at most this many bytes. Other parts of the workbook need the rest. */
const MOST = bytes - 64 * 1024;
/** A part as often as it fits. It is outside of the heap, which the measured read has to itself. */
const filledWith = (part: string, most = MOST): Buffer =>
  Buffer.alloc(Math.floor(most / part.length) * part.length, part);
/** Numbered parts in one buffer. */
function numbered(count: number, part: (number: number) => string): Buffer {
  const blocks: Buffer[] = [];
  for (let from = 0; from < count; from += 1_000) {
    let text = '';
    for (let number = from; number < Math.min(count, from + 1_000); number += 1) text += part(number);
    blocks.push(Buffer.from(text));
  }
  return Buffer.concat(blocks);
}
/** Rows of cells as spreadsheets write them. */
const sheetOf = (
  rows: number,
  columns: number,
  cell: (reference: string, number: number) => string,
): Buffer =>
  numbered(rows, (row) => {
    let cells = '';
    for (let column = 0; column < columns; column += 1)
      cells += cell(`${String.fromCharCode(65 + column)}${row + 1}`, row * columns + column);
    return `<row r="${row + 1}" spans="1:${columns}">${cells}</row>`;
  });
const shared = (count: number, text: (number: number) => string): Buffer =>
  numbered(count, (number) => `<si><t>${text(number)}</t></si>`);
const within = (start: string, content: Buffer, end: string): Buffer =>
  Buffer.concat([Buffer.from(start), content, Buffer.from(end)]);
const row = (cells: string | Buffer): Buffer => within('<row r="1">', Buffer.from(cells), '</row>');
const LONG = 'a'.repeat(40_000);

export default casesOf<Uint8Array>({
  reader: 'xlsx',
  needed: {
    bytes: 'a bomb of tags',
    elements: 'shared texts without text',
    characters: 'references in many rows to a shared text',
  },
  async read(file) {
    try {
      return await bookText(file);
    } catch (error) {
      if (error instanceof UnreadableError) return error;
      throw error;
    }
  },
  inputs: {
    'a bomb of tags': () => bookOf({ sheet: filledWith('<a>', 60 * 1024 * 1024) }),
    'shared texts without text': () => bookOf({ strings: filledWith('<si/>') }),
    'references in many rows to a shared text': () =>
      bookOf({
        sheet: sheetOf(50_000, 1, (at) => `<c r="${at}" t="s"><v>0</v></c>`),
        strings: shared(1, () => LONG.slice(0, 2_000)),
      }),
    'a sheet of texts': () =>
      bookOf({
        sheet: sheetOf(
          50_000,
          3,
          (at, number) => `<c r="${at}" t="inlineStr"><is><t>P-${number}</t></is></c>`,
        ),
      }),
    'a sheet of numbers': () =>
      bookOf({ sheet: sheetOf(40_000, 7, (at, number) => `<c r="${at}" s="1"><v>${number}</v></c>`) }),
    'a sheet of shared texts': () =>
      bookOf({
        sheet: sheetOf(40_000, 5, (at, number) => `<c r="${at}" t="s"><v>${number % 150_000}</v></c>`),
        strings: shared(150_000, (number) => `P-${number}`),
      }),
    'a text in the last column of each row': () =>
      bookOf({ sheet: numbered(59_999, () => '<row><c r="GR1"><v>1</v></c></row>') }),
    'dates in the first and the last columns of each row': () =>
      bookOf({
        sheet: numbered(
          59_999,
          () =>
            '<row><c r="A1" s="1"><v>1</v></c><c r="GQ1" s="1"><v>2</v></c><c r="GR1" s="1"><v>3</v></c></row>',
        ),
      }),
    'a sheet of dates': () =>
      bookOf({
        sheet: sheetOf(
          20_000,
          6,
          (at, number) => `<c r="${at}" s="0"><v>${46_000 + (number % 99)}.5</v></c>`,
        ),
        styles: '<cellXfs><xf numFmtId="22"/></cellXfs>',
      }),
    'references to a long shared text': () =>
      bookOf({ sheet: row('<c t="s"><v>0</v></c>'.repeat(190)), strings: shared(1, () => LONG) }),
    'escaped characters in shared texts': () =>
      bookOf({ sheet: row('<c t="s"><v>0</v></c>'), strings: shared(48, () => '_x0009_'.repeat(15_000)) }),
    'references to characters': () =>
      bookOf({ sheet: row('<c t="s"><v>0</v></c>'), strings: shared(50, () => '&#x41;'.repeat(16_000)) }),
    'long shared texts beside other letters': () =>
      bookOf({ strings: shared(50, () => `\u0416${LONG}`), sheet: row('<c><v>1</v></c>') }),
    'cells without a reference': () => bookOf({ sheet: row(filledWith('<c/>')) }),
    'cells in one column': () => bookOf({ sheet: row(filledWith('<c r="A1"><v>1</v></c>')) }),
    'rows without cells': () => bookOf({ sheet: filledWith('<row/>') }),
    'rows with one cell': () => bookOf({ sheet: filledWith('<row><c><v>1</v></c></row>') }),
    'distinct shared texts': () =>
      bookOf({ strings: shared(400_000, String), sheet: row('<c><v>1</v></c>') }),
    'styles of one format': () =>
      bookOf({
        styles: within(
          `<numFmts><numFmt numFmtId="200" formatCode="${'['.repeat(255)}"/></numFmts><cellXfs>`,
          filledWith('<xf numFmtId="200"/>'),
          '</cellXfs>',
        ),
      }),
    'a format of brackets for each cell': () =>
      bookOf({
        styles: Buffer.concat([
          numbered(2_000, (id) => `<numFmt numFmtId="${id + 200}" formatCode="${'[&quot;'.repeat(40)}"/>`),
          within(
            '<cellXfs>',
            numbered(24_000, (id) => `<xf numFmtId="${(id % 2_000) + 200}"/>`),
            '</cellXfs>',
          ),
        ]),
        sheet: sheetOf(24_000, 1, (at, number) => `<c r="${at}" s="${number}"><v>1</v></c>`),
      }),
    'digits of a number format': () =>
      bookOf({
        styles: `<numFmts><numFmt numFmtId="200" formatCode="${'0'.repeat(255)}"/></numFmts><cellXfs><xf numFmtId="200"/></cellXfs>`,
        sheet: sheetOf(20_000, 5, (at) => `<c r="${at}" s="0"><v>1e300</v></c>`),
      }),
    'open tags': () => bookOf({ sheet: filledWith('<a>') }),
    'attributes of cells': () => bookOf({ sheet: filledWith(`<c ${'a="" '.repeat(15)}/>`) }),
    'more attributes than the maximum': () => bookOf({ sheet: filledWith(`<c ${'a="" '.repeat(20_000)}/>`) }),
    'a tag without an end': () => bookOf({ sheet: within('<a b="', filledWith('a'), '') }),
    'a comment without an end': () => bookOf({ sheet: within('<!--', filledWith('-'), '') }),
    'comments as long as a token': () =>
      bookOf({ sheet: filledWith(`<!--${'-'.repeat(TOKEN_MAXIMUM - 7)}-->`) }),
    'texts between tags': () => bookOf({ sheet: filledWith(`${'x'.repeat(3_000)}<a/>`) }),
    'a bomb in the relations': () => archive([{ name: '_rels/.rels', bytes: filledWith('<Relationship/>') }]),
    'relations to parts that are not read': () =>
      archive([{ name: '_rels/.rels', bytes: filledWith('<Relationship Type="x/y" Target="z"/>') }]),
    'a stored part': () =>
      archive([
        { name: '_rels/.rels', bytes: filledWith('<Relationship/>', 5 * 1024 * 1024), isStored: true },
      ]),
    'more files than the maximum': () =>
      bookOf(
        {},
        Array.from({ length: 5_000 }, (_, number) => ({ name: `f${number}`, bytes: '', isStored: true })),
      ),
    'more elements than the maximum': () => bookOf({ strings: filledWith('<si/>', 5 * (elements + 1)) }),
  },
});
