import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { ProblemError } from '../../../../src/core/lib/problem.ts';
import { checkDigit } from '../../../../src/pallet/gs1.ts';
import { documentFault, fileValues } from '../../../../src/web/console/pallet-list/file.ts';
import { PALLET_LIST, readPallets } from '../../../../src/web/console/pallet-list/read.ts';
import { inRanges, leavesHidden, rangesOf, sheetsIn } from '../../../../src/web/console/pallet-list/sheet.ts';
import { XLSX } from '../../../../src/web/console/pallet-list/xlsx.ts';
import { cpuMs } from '../../../cpu-time.ts';
import { wordsIn } from '../../../messages.ts';
import { type ArchiveFile, archive, bookOf } from '../../readers/archive.ts';
import { partsOf, sheetOf, streamedWorkbook, workbook } from './workbook.ts';

const words = wordsIn('en');
const sscc = (number: number): string => {
  const digits = `3952123${String(number).padStart(10, '0')}`;
  return digits + checkDigit(digits);
};
const [A, B, C] = [sscc(1), sscc(2), sscc(3)] as [string, string, string];

/** The pallets and the bad lines of a file. */
async function read(file: Uint8Array) {
  const { pallets, sheet, sheets } = (await fileValues(words, file)) as Record<string, string>;
  const list = { pallets: pallets!, column: '', sheet: sheet! };
  const found = await readPallets(list, words, async () => []);
  return {
    pallets: found.pallets,
    bad: found.bad.map(({ line, reason }) => `${line}: ${reason()}`),
    sheet,
    sheets,
    taken: found.taken,
  };
}
const UNREADABLE = 'This file is not a list. Choose an XLSX, CSV, TSV or text file.';
const LOCKED = 'This workbook is old or has a password. Save it as XLSX without a password.';
const refusalOf = (file: Uint8Array): Promise<string> =>
  fileValues(words, file).then(
    () => 'accepted',
    (error) => (error instanceof ProblemError ? error.refusal.detail : String(error)),
  );

describe('the size of a list', () => {
  it('a list counts as long as its form shows it, where < takes four characters and & five', async () => {
    const most = 2 * 1024 * 1024;
    const tags = (count: number) => Buffer.from(`A\n${'<'.repeat(count)}`);
    expect(await refusalOf(tags(most / 4 - 1))).toBe('accepted');
    expect(await refusalOf(tags(most / 4))).toContain('more than 2 MB');
    expect(await refusalOf(Buffer.from('&a'.repeat(most / 5)))).toContain('more than 2 MB');
    expect(await refusalOf(Buffer.from('"'.repeat(most)))).toBe('accepted');
  });
});

describe('the encoding of a list', () => {
  const text = `Palette;Größe\r\n${A};ä\r\nMüller-1;€\r\n`;
  const utf16 = Buffer.from(text, 'utf16le');
  const latin = Buffer.from(text.replace('€', '\u0080'), 'latin1');

  it.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16 LE', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 BE', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['UTF-16 LE without a mark', utf16],
    ['UTF-16 BE without a mark', Buffer.from(utf16).swap16()],
    ['Windows-1252', latin],
  ])('a list in %s is read', async (_, file) => {
    expect(await fileValues(words, file)).toMatchObject({ pallets: text, sheet: '', sheets: '', book: '' });
    expect((await read(file)).pallets).toEqual([A, 'Müller-1']);
  });

  it('a list in UTF-16 without a mark may begin with any letter', async () => {
    const file = Buffer.from(`№;SSCC\n1;${A}\n2;${B}\n`, 'utf16le');
    for (const bytes of [file, Buffer.from(file).swap16()])
      expect((await read(bytes)).pallets).toEqual([A, B]);
  });

  it('a text of Excel (“Unicode Text”) is read', async () => {
    const file = Buffer.from(`\ufeffOrder\tSSCC\r\n7\t${A}\r\n8\t"${B}"\r\n`, 'utf16le');
    expect((await read(file)).pallets).toEqual([A, B]);
  });

  it('a file with the control characters of scanners and of exports is read', async () => {
    const file = `\u0002SSCC\n\u001f${A}\n\u001e${B}\u0003\n]C100${C}\u001d`;
    expect(await read(Buffer.from(file))).toMatchObject({ pallets: [A, B, C], bad: [] });
  });

  it('a file that is no list is refused', async () => {
    const unreadable = 'This file is not a list. Choose an XLSX, CSV, TSV or text file.';
    expect(await refusalOf(Buffer.from('%PDF-1.7\nxx'))).toBe(unreadable);
    const convert =
      'This file is not a list. Open it in a spreadsheet program, save it as XLSX, and choose the new file.';
    const message = 'This is an EDI message, not a list. Paste only its SSCCs, one on each line.';
    for (const [document, sentence] of [
      ['<html><table><tr><td>SSCC</td></tr></table></html>', convert],
      ['\ufeff\r\n <!DOCTYPE html>\n<p>', convert],
      ['<?xml version="1.0"?>\n<Workbook/>', convert],
      ['<ns0:Delivery xmlns:ns0="urn:x">', convert],
      ['<TABLE border=1>', convert],
      ['<meta charset=utf-8>', convert],
      [`MIME-Version: 1.0\nContent-Type: multipart/related\n\n<td>${A}</td>`, convert],
      ["UNA:+.? '\nUNB+UNOA:1+A+B+261125:0800+1'\nUNH+1+DESADV:D:96A:UN'", message],
      [`UNB+UNOA:1+A+B'UNH+1+DESADV:D:96A:UN'GIN+BJ+${A}'`, message],
      [`ISA*00*          *00~\nST*856*0001~\nMAN*GM*00${A}~`, message],
      [`EDI_DC40  0000000000000001\nE2EDL37 ${A}`, message],
      ['{\\rtf1\\ansi', unreadable],
      ['{ "pallets": ["P-1"] }', unreadable],
      ['[\n  { "sscc": "1" }]', unreadable],
    ] as const) {
      expect(await refusalOf(Buffer.from(document)), document).toBe(sentence);
      expect(documentFault(document), document).toBeDefined();
      expect(documentFault(`P-1\n${document}`), document).toBeUndefined();
    }
    expect(await refusalOf(zipSync({ mimetype: strToU8('x'), 'content.xml': strToU8('<x/>') }))).toBe(
      convert,
    );
    expect(await refusalOf(zipSync({ 'Index/Document.iwa': strToU8('x') }))).toBe(convert);
    for (const empty of ['', ' \r\n'])
      expect(await refusalOf(Buffer.from(empty))).toBe(
        'This file is empty. Save the list again, and choose that file.',
      );
    expect(documentFault('<P-1>\n<P-2>')).toBeUndefined();
    expect(await refusalOf(Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'))).toBe(unreadable);
    expect(await refusalOf(zipSync({ 'word/document.xml': strToU8('<x/>') }))).toBe(unreadable);
    expect(await refusalOf(Buffer.from('d0cf11e0a1b11ae1', 'hex'))).toBe(
      'This workbook is old or has a password. Save it as XLSX without a password.',
    );
    expect(await refusalOf(Buffer.alloc(PALLET_LIST.limits.bytes + 1, 'a'))).toBe(
      'This list has more than 2 MB of text. Keep only the column with the pallets.',
    );
  });
});

describe('the lines of hidden rows', () => {
  it('are written as ranges, which are read in one pass', () => {
    const lines = [1, 3, 4, 5, 9, 11, 12];
    expect(rangesOf(lines)).toBe('1,3-5,9,11-12');
    const isHidden = inRanges(rangesOf(lines));
    expect(Array.from({ length: 14 }, (_, line) => line).filter(isHidden)).toEqual(lines);
    expect([rangesOf([]), inRanges('')(1), inRanges('x-y,,-')(1)]).toEqual(['', false, false]);
  });
});

describe('a workbook', () => {
  const rows = `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>
    <row r="3"><c r="A3"><v>7</v></c><c r="B3" t="s"><v>2</v></c><c r="C3" t="b"><v>1</v></c></row>
    <row r="4"><c r="A4" s="1"/><c r="B4" t="str"><f>A1&amp;"x"</f><v>${B}</v></c></row>
    <row r="5"><c r="B5" t="inlineStr"><is><r><t>P </t></r><r><t xml:space="preserve">&amp; 7</t></r></is></c></row>
    <row r="6"><c r="B6" t="e"><v>#N/A</v></c></row>`;
  const shared = `<si><t>Order</t></si><si><r><t>S</t></r><r><t>SCC</t></r><rPh sb="0" eb="1"><t>x</t></rPh></si>
    <si><t>${A}</t><rPh sb="0" eb="1"><t>x</t></rPh></si>`;
  const parts = partsOf([{ name: 'List', rows }], shared);
  const expected = {
    pallets: [A, B, 'P & 7'],
    bad: ['6: The spreadsheet shows an error in this cell.'],
    sheet: 'List',
    sheets: '1',
    taken: '2',
  };

  it('a workbook is read with texts of every kind, and its lines are the rows of the sheet', async () => {
    expect(await read(workbook(parts))).toEqual(expected);
    expect(await read(streamedWorkbook(parts))).toEqual(expected);
    const prefixed = Object.fromEntries(
      Object.entries(parts).map(([name, xml]) => [
        name,
        name.endsWith('.rels') ? xml : xml.replace(/<(\/?)(?=[a-z])/gi, '<$1x:'),
      ]),
    );
    expect(await read(workbook(prefixed))).toEqual(expected);
    const reversed = Object.fromEntries(Object.entries(parts).reverse());
    expect(await read(workbook(reversed))).toEqual(expected);
  });

  const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;
  const bookFrom = (sheets: Parameters<typeof partsOf>[0], more = '') => {
    const parts = partsOf(sheets);
    const sheet = 'xl/worksheets/sheet1.xml';
    return { ...parts, [sheet]: parts[sheet]!.replace('</sheetData>', `</sheetData>${more}`) };
  };

  it('a workbook may have backslashes in the names of its parts', async () => {
    const windows = Object.fromEntries(
      Object.entries(parts).map(([name, xml]) => [name.replaceAll('/', '\\'), xml]),
    );
    expect(await read(workbook(windows))).toEqual(expected);
  });

  it('a formula without a value is a bad line that names the mend', async () => {
    const rows = `<row r="1">${cell('A1', 'SSCC')}</row>
      <row r="2"><c r="A2"><f>CONCATENATE("3401",Z9)</f></c></row><row r="3">${cell('A3', A)}</row>
      <row r="4"><c r="A4" t="str"><f>IF(Z1,1,"")</f><v></v></c><c r="B4"><v>1</v></c></row>`;
    expect(await read(workbook(partsOf([{ name: 'List', rows }])))).toMatchObject({
      pallets: [A],
      bad: [
        '2: This formula has no value. Open the file in a spreadsheet program and save it again.',
        '4: The line contains no pallet.',
      ],
    });
  });

  it('the value of a merged cell counts for all its rows that have other cells', async () => {
    const rows = `<row r="1">${cell('A1', 'Order')}${cell('B1', 'SSCC')}</row>
      <row r="2">${cell('A2', 'O-1')}${cell('B2', A)}</row><row r="3">${cell('B3', B)}</row>
      <row r="5">${cell('B5', C)}</row>`;
    const book = bookFrom(
      [{ name: 'List', rows }],
      '<mergeCells><mergeCell ref="A2:A4"/><mergeCell ref="A5:C5"/></mergeCells>',
    );
    const { pallets } = (await fileValues(words, workbook(book))) as Record<string, string>;
    expect(pallets).toBe(`sep=\t\nOrder\tSSCC\nO-1\t${A}\nO-1\t${B}\n\n\t${C}`);
  });

  it('a merged cell over very many rows is refused before it is written', async () => {
    const rows = Array.from(
      { length: 30_000 },
      (_, at) => `<row r="${at + 1}">${cell(`B${at + 1}`, 'P')}</row>`,
    ).join('');
    const long = rows.replace('<row r="1">', `<row r="1">${cell('A1', 'x'.repeat(1_000))}`);
    const book = bookFrom([{ name: 'List', rows: long }], '<mergeCell ref="A1:A30000"/>');
    expect(await refusalOf(workbook(book))).toContain('too large');
  });

  it.each([
    ['', ''],
    ['<autoFilter ref="A1:A9"/>', '1'],
  ])('hidden rows are named by their lines, and a filter is noticed: %s', async (filter, isFiltered) => {
    const rows = [A, B, C]
      .map((id, at) => `<row r="${at + 2}"${at === 1 ? '' : ' hidden="1"'}>${cell(`A${at + 2}`, id)}</row>`)
      .join('');
    const values = await fileValues(words, workbook(bookFrom([{ name: 'List', rows }], filter)));
    expect(values).toMatchObject({ hidden: '2,4', isFiltered });
    const leave = leavesHidden(values as { isFiltered: string; hiddenRows: string });
    const list = { column: '', sheet: 'List', pallets: String(values['pallets']), hidden: '2,4' };
    const found = await readPallets({ ...list, leavesHidden: leave }, words, async () => []);
    expect(found.pallets).toEqual(leave ? [B] : [A, B, C]);
    expect(found.hidden).toEqual({ lines: [2, 4], isLeft: isFiltered !== '' });
  });

  it('the sheet with pallets is taken, and the others can be chosen', async () => {
    const row = (id: string) => `<row>${cell('A1', id)}</row>`;
    const sheets = [
      { name: 'Cover', rows: row('Delivery plan') + row('Made by SAP').replace('A1', 'A2') },
      { name: 'Data', rows: row('LPN-0001') },
      { name: 'More', rows: row('LPN-0002') },
    ];
    const book = workbook(partsOf(sheets));
    const values = (await fileValues(words, book, async (texts) =>
      [...texts].filter((text) => text === 'LPN-0001'),
    )) as Record<string, string>;
    expect(values).toMatchObject({ sheet: 'Data', sheets: '3', pallets: 'sep=\t\nLPN-0001' });
    expect(sheetsIn(values['book']!).map(({ sheet }) => sheet)).toEqual(['Cover', 'More']);
    const withSscc = workbook(partsOf([sheets[0]!, { name: 'Late', rows: row(A) }]));
    expect(await read(withSscc)).toMatchObject({ pallets: [A], sheet: 'Late' });
    expect(sheetsIn('{"a":1}')).toEqual([]);
    expect(sheetsIn('[')).toEqual([]);
  });

  it('sheets that are too long to choose from are left out of the form', async () => {
    const row = (text: string) => `<row>${cell('A1', text)}</row>`;
    const long = { name: 'Long', rows: row('x'.repeat(30_000)).repeat(40).replaceAll('r="A1"', '') };
    const values = await fileValues(words, workbook(partsOf([{ name: 'Data', rows: row(A) }, long])));
    expect(values).toMatchObject({ sheet: 'Data', sheets: '2', book: '' });
  });

  it('a workbook is read from its first visible sheet', async () => {
    const row = (id: string) => `<row><c t="inlineStr"><is><t>${id}</t></is></c></row>`;
    const sheets = [
      { name: 'Lookup', rows: row('X-1'), state: 'hidden' as const },
      { name: 'A &amp; B', rows: row('P-1') },
      { name: 'Other', rows: row('P-2') },
    ];
    expect(await read(workbook(partsOf(sheets)))).toMatchObject({
      pallets: ['P-1'],
      sheet: 'A & B',
      sheets: '2',
    });
  });

  it('a number that a spreadsheet has rounded is a bad line', async () => {
    const shortened =
      'A spreadsheet has shortened this number. Format the column as text and save the file again.';
    const stored = ['3.4012345E+17', '340123450000000000', '1000000000000000', '3.4012345000000001E+17'];
    const list = [['SSCC'], ...stored.map((number) => [{ number }]), [{ number: '4711' }], [{ number: A }]];
    expect(await read(sheetOf(list))).toMatchObject({
      pallets: ['4711', A],
      bad: stored.map((_, index) => `${index + 2}: ${shortened}`),
    });
  });

  it.each([
    ['0000000', '4711', '0004711'],
    ['&quot;LPN-&quot;00000', '42', 'LPN-00042'],
    ['\\P\\-000;-000', '7', 'P-007'],
    ['000&quot;-A&quot;', '7', '007-A'],
    ['0', '4711', '4711'],
    ['000', '-7', '-7'],
    ['#,##0', '4711', '4711'],
    ['[Red]General', '4711', '4711'],
    ['&quot;Day &quot;0', '3', 'Day 3'],
    ['yyyy\\-mm\\-dd', '46352', '2026-11-26'],
    ['[$-407]d/ mmmm yyyy;@', '46352', '2026-11-26'],
    ['dd.mm.yyyy hh:mm', '46352.75', '2026-11-26T18:00'],
    ['hh:mm', '0.3125', '07:30'],
    ['dd.mm.yyyy', '1', '1900-01-01'],
    ['dd.mm.yyyy', '-1', '-1'],
    ['dd.mm.yyyy', '99999999', '99999999'],
  ])('a number with the format %s is read as the sheet shows it: %s', async (code, stored, text) => {
    const styles = `<numFmts><numFmt numFmtId="164" formatCode="${code}"/></numFmts>
      <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs>`;
    const rows = `<row><c t="inlineStr"><is><t>LPN</t></is></c></row><row><c s="1"><v>${stored}</v></c></row>
      <row><c><v>4711</v></c></row><row><c s="9"><v>4712</v></c></row>`;
    const file = workbook(partsOf([{ name: 'List', rows }], '', { styles }));
    const { pallets } = await fileValues(words, file);
    expect(String(pallets).split('\n').slice(2)).toEqual([text, '4711', '4712']);
  });

  it('a date with a built-in format is read in both calendars', async () => {
    const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/></cellXfs>';
    const rows = '<row><c s="1"><v>44890</v></c><c s="2"><v>44890.5</v></c><c s="1" t="b"><v>1</v></c></row>';
    for (const [workbookPr, day] of [
      ['', '2022-11-25'],
      ['<workbookPr date1904="1"/>', '2026-11-26'],
      ['<workbookPr date1904="0"/>', '2022-11-25'],
    ]) {
      const file = workbook(partsOf([{ name: 'List', rows }], '', { styles, workbook: workbookPr! }));
      expect((await fileValues(words, file))['pallets']).toBe(`sep=\t\n${day}\t${day}T12:00\tTRUE`);
    }
  });

  it('a workbook that refers to a text that it does not have is refused', async () => {
    const missing = partsOf(
      [{ name: 'List', rows: '<row><c t="s"><v>1</v></c></row>' }],
      `<si><t>${A}</t></si>`,
    );
    expect(await refusalOf(workbook(missing))).toMatch(/^This file is not a list\./);
  });

  it('a cell with tabs, quotation marks or line ends stays one cell', async () => {
    const cells = ['a\tb', '"a"', 'say "hi"', "'=a", 'a_x0041_'];
    const list = [['Pallet', 'Note'], ...cells.map((cell) => [cell, 'x\ny'])];
    const { pallets } = await read(sheetOf(list));
    expect(pallets).toEqual(['a\tb', '"a"', 'say "hi"', '=a', 'aA']);
  });
});

describe('a workbook that is too large', () => {
  const large = 'This workbook is too large. Keep only the sheet and the column with the pallets.';
  const row = `<row r="1"><c r="A1" t="inlineStr"><is><t>${C}</t></is></c></row>`;
  const filler = ' '.repeat(XLSX.limits.bytes);

  it.each(['xl/worksheets/sheet1.xml', 'xl/sharedStrings.xml', 'xl/workbook.xml', '_rels/.rels'])(
    'a workbook with a bomb in %s is refused before it is unpacked',
    async (name) => {
      const parts = partsOf([{ name: 'List', rows: row }]);
      const bomb = workbook({ ...parts, [name]: `<a>${filler}</a>` });
      expect(bomb.byteLength).toBeLessThan(100_000);
      const before = process.memoryUsage().arrayBuffers;
      expect(await refusalOf(bomb)).toBe(large);
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
    },
  );

  it('a workbook with a bomb that declares a small size is refused', async () => {
    const bomb = workbook({
      ...partsOf([]),
      'xl/workbook.xml': `<a>${filler}</a>`,
    });
    const view = Buffer.from(bomb);
    // The sizes after unpacking in the headers of every part.
    for (let at = 0; at < view.length - 30; at += 1) {
      const signature = view.readUInt32LE(at);
      if (signature === 0x04034b50) view.writeUInt32LE(10, at + 22);
      if (signature === 0x02014b50) view.writeUInt32LE(10, at + 24);
    }
    expect(await refusalOf(view)).toBe(large);
  });

  it('a workbook with a cell in the last row, or with too much text, is refused', async () => {
    const far = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>';
    expect(await read(workbook(partsOf([{ name: 'x', rows: row + far }])))).toMatchObject({ pallets: [C] });
    const below = '<row r="1048576"><c r="A1048576"><v>1</v></c></row>';
    expect(await refusalOf(workbook(partsOf([{ name: 'x', rows: row + below }])))).toBe(large);
    const shared = `<si><t>${'x'.repeat(30_000)}</t></si>`;
    const rows = '<row><c t="s"><v>0</v></c></row>'.repeat(1_000);
    expect(await refusalOf(workbook(partsOf([{ name: 'x', rows }], shared)))).toBe(large);
  });

  it.each([
    [
      'references of one cell to a long text',
      {
        sheet: `<row r="1">${'<c r="A1" t="s"><v>0</v></c>'.repeat(2_000)}</row>`,
        strings: `<si><t>${'a'.repeat(100_000)}</t></si>`,
      },
      'unreadable',
    ],
    [
      'references without a place to a long text',
      {
        sheet: `<row>${'<c t="s"><v>0</v></c>'.repeat(90)}</row>`,
        strings: `<si><t>${'a'.repeat(100_000)}</t></si>`,
      },
      'large',
    ],
    [
      'a text of 4 MB',
      { sheet: '<row><c t="s"><v>0</v></c></row>', strings: `<si><t>${'a'.repeat(4_000_000)}</t></si>` },
      'large',
    ],
    ['rows without cells', { sheet: '<row/>'.repeat(1_000_000) }, 'large'],
    [
      'shared texts without text',
      { strings: '<si/>'.repeat(1_000_000), sheet: '<row><c><v>1</v></c></row>' },
      'large',
    ],
    [
      'styles',
      { styles: `<cellXfs>${'<xf/>'.repeat(1_000_000)}</cellXfs>`, sheet: '<row><c><v>1</v></c></row>' },
      'large',
    ],
    [
      'rows that descend',
      { sheet: '<row r="2"><c><v>1</v></c></row><row r="1"><c><v>1</v></c></row>' },
      'unreadable',
    ],
    ['a document type', { sheet: '<!DOCTYPE a><row><c><v>1</v></c></row>' }, 'unreadable'],
  ] as const)('a workbook is refused before the work for %s', async (_, parts, reason) => {
    const started = cpuMs();
    expect(await refusalOf(bookOf(parts))).toBe(reason === 'large' ? large : UNREADABLE);
    expect(cpuMs() - started).toBeLessThan(1_000);
  });

  it('a number format of many styles is read once', async () => {
    const styles = `<numFmts><numFmt numFmtId="200" formatCode="${'['.repeat(255)}"/></numFmts>
      <cellXfs>${'<xf numFmtId="200"/>'.repeat(100_000)}</cellXfs>`;
    const sheet = Array.from(
      { length: 1_000 },
      (_, row) => `<row><c s="${row}"><v>${row}</v></c></row>`,
    ).join('');
    const started = cpuMs();
    expect(await read(bookOf({ styles, sheet }))).toMatchObject({ bad: [] });
    expect(cpuMs() - started).toBeLessThan(1_000);
  });

  it('a workbook that is cut off before the end of its parts is refused', async () => {
    const list = [{ name: 'List', rows: '<row><c t="s"><v>0</v></c></row>' }];
    const file = workbook(partsOf(list, `<si><t>${C}</t></si>`));
    for (let bytes = 2; bytes < Buffer.from(file).indexOf('PK\u0001\u0002'); bytes += 7) {
      expect([bytes, await refusalOf(file.subarray(0, bytes))]).not.toEqual([bytes, 'accepted']);
    }
  });
});

describe('the archive of a workbook', () => {
  const sheet = '<row><c t="inlineStr"><is><t>P-1</t></is></c></row>';
  const bytes = '';
  const extra: ArchiveFile = { name: 'extra.bin', bytes };

  it('files that the central directory does not name do not count', async () => {
    const header = Buffer.alloc(31);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(1, 26);
    const headers = Buffer.alloc(60_000 * 31, header);
    const started = cpuMs();
    expect(await refusalOf(Buffer.concat([headers, bookOf({ sheet })]))).toBe(UNREADABLE);
    const counted = archive([{ name: '_rels/.rels', bytes: '<Relationships/>' }], headers);
    expect(await refusalOf(counted)).toBe(UNREADABLE);
    expect(cpuMs() - started).toBeLessThan(500);
  });

  it('a workbook has at most 1,000 files', async () => {
    const files = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ ...extra, name: `f${index}` }));
    expect(await read(bookOf({ sheet }, files(994)))).toMatchObject({ pallets: ['P-1'] });
    expect(await refusalOf(bookOf({ sheet }, files(995)))).toBe(
      'This workbook is too large. Keep only the sheet and the column with the pallets.',
    );
  });

  it.each([
    ['two files of one name', bookOf({ sheet }, [extra, extra]), UNREADABLE],
    ['an encrypted file', archive([{ name: '_rels/.rels', bytes, flags: 1 }]), LOCKED],
    [
      'a file that is packed in another way',
      archive([{ name: '_rels/.rels', bytes, method: 12 }]),
      UNREADABLE,
    ],
    [
      'bytes that cannot be unpacked',
      archive([{ name: '_rels/.rels', bytes: 'xx', isStored: true, method: 8 }]),
      UNREADABLE,
    ],
    ['no directory', Buffer.from('PK\u0003\u0004'), UNREADABLE],
  ])('an archive with %s is refused', async (_, file, refusal) => {
    expect(await refusalOf(file)).toBe(refusal);
  });

  it('an archive is read with stored files, and with sizes in 64 bits', async () => {
    for (const how of [{ isStored: true }, { isLong: true }]) {
      const relations =
        '<Relationships><Relationship Id="r1" Type="/worksheet" Target="s.xml"/></Relationships>';
      const main = '<Relationships><Relationship Type="/officeDocument" Target="w.xml"/></Relationships>';
      const files = {
        '_rels/.rels': main,
        'w.xml': '<workbook><sheets><sheet name="S" r:id="r1"/></sheets></workbook>',
        '_rels/w.xml.rels': relations,
        's.xml': `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
      };
      const file = archive(Object.entries(files).map(([name, text]) => ({ name, bytes: text, ...how })));
      expect(await read(file)).toMatchObject({ pallets: ['P-1'] });
    }
  });
});

it('a document in XML is read with comments, instructions, sections and quoted signs', async () => {
  const sheet = `<?x > ?><!-- <row> --><row a='>' r = "2"><c r="B2" t='inlineStr' x="a>b"><is><t>&lt;P&#45;&#x31;&unknown;</t><t><![CDATA[<&amp;>]]></t></is></c></row>`;
  expect((await fileValues(words, bookOf({ sheet })))['pallets']).toBe('sep=\t\n\n\t<P-1&unknown;<&amp;>');
});
