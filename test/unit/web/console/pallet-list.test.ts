import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvLine } from '../../../../src/core/lib/csv.ts';
import { fold } from '../../../../src/core/lib/text.ts';
import { checkDigit, ssccSpellings } from '../../../../src/pallet/gs1.ts';
import { rankOf } from '../../../../src/web/console/pallet-list/headings.ts';
import {
  PALLET_LIST,
  readPallets,
  type TypedList,
  WHOLE_LINE,
} from '../../../../src/web/console/pallet-list/read.ts';
import { rowsOf } from '../../../../src/web/console/pallet-list/rows.ts';
import { wordsIn } from '../../../messages.ts';

/** Finds these live pallets as the database does. */
const finding = (live: readonly string[]) => async (texts: Iterable<string>, folded?: boolean) => {
  const wanted = new Set(texts);
  return live.filter((id) => wanted.has(folded ? fold(id) : id));
};

async function read(pallets: string, { live = [], ...more }: Partial<TypedList> & { live?: string[] } = {}) {
  const list = { pallets, column: '', sheet: '', ...more };
  const found = await readPallets(list, wordsIn('en'), finding(live));
  return { ...found, bad: found.bad.map(({ line, text, reason }) => ({ line, text, reason: reason() })) };
}
const palletsIn = async (...of: Parameters<typeof read>) => (await read(...of)).pallets;
/** The bad lines as `3: reason`. */
const badIn = async (...of: Parameters<typeof read>) =>
  (await read(...of)).bad.map(({ line, reason }) => `${line}: ${reason}`);

const sscc = (number: number): string => {
  const digits = `3952123${String(number).padStart(10, '0')}`;
  return digits + checkDigit(digits);
};
const [A, B, C] = [sscc(1), sscc(2), sscc(3)] as [string, string, string];
const WRONG = `${A.slice(0, -1)}${(Number(A.at(-1)) + 1) % 10}`;

const TORN = 'The quotation mark in this line has no partner.';
const SHORTENED =
  'A spreadsheet has shortened this number. Format the column as text and save the file again.';

const NO_SSCC = 'This is neither an SSCC nor a known pallet. Most other lines contain an SSCC.';

describe('a list in which most lines hold an SSCC', () => {
  it('the cell above the first SSCC is a heading, whatever its word and whatever is above it', async () => {
    for (const title of ['Ladeliste;;', 'Pallets;;', ''])
      expect(await read(`${title}\nPos;Externe HU;Menge\n1;${A};3\n2;${B};4`)).toMatchObject({
        pallets: [A, B],
        heading: { text: 'Pos, Externe HU, Menge' },
        taken: '2',
      });
    expect(await palletsIn(`NVE\nLPN-1\n${A}\n${B}`, { live: ['LPN-1'] })).toEqual(['LPN-1', A, B]);
  });

  it('a line without one is a bad line unless its id is known', async () => {
    const mail = `Hi Ada,\n${A}\nLPN-1\n${B}\n${C}\nThanks,`;
    expect(await read(mail, { live: ['LPN-1'] })).toMatchObject({
      pallets: [A, 'LPN-1', B, C],
      bad: [{ line: 6, reason: NO_SSCC }],
    });
    expect(await badIn(`SSCC\n${A}\nP-1`)).toEqual([]);
    expect(await badIn(`SSCC\n${A}\nP-1\n${B}`)).toEqual([`3: ${NO_SSCC}`]);
  });

  it.each([
    ['EDIFACT', `GIN+BJ+${A}'\nGIN+BJ+${B}'`],
    ['X12', `MAN*GM*00${A}~\nMAN*GM*00${B}~`],
  ])('one SSCC within the delimiters of %s is that SSCC', async (_, text) => {
    expect(await read(text)).toMatchObject({ pallets: [A, B], bad: [] });
  });

  it('several SSCCs within delimiters, or a wrong one, are no SSCC', async () => {
    expect(
      await read(`GIN+BJ+${A}'\nGIN+BJ+${B}+${C}'\nGIN+BJ+${C}'\nGIN+BJ+${WRONG}'\n${sscc(4)}`),
    ).toMatchObject({
      pallets: [A, C, sscc(4)],
      bad: [
        { line: 2, reason: NO_SSCC },
        { line: 4, reason: NO_SSCC },
      ],
    });
  });
});

describe('a list without headings', () => {
  it('has its pallets in the column with most known ids', async () => {
    const list = '1000;LPN-0001\n1001;LPN-0002\n1002;LPN-0003';
    expect(await palletsIn(list)).toEqual(['1000', '1001', '1002']);
    for (const live of [
      ['LPN-0001', 'LPN-0003'],
      ['LPN-0001', 'LPN-0002', '1002'],
    ])
      expect(await read(list, { live })).toMatchObject({
        pallets: ['LPN-0001', 'LPN-0002', 'LPN-0003'],
        taken: '2',
      });
    expect((await read(list, { live: ['LPN-0001'], column: '1' })).taken).toBe('1');
  });
});

describe('the lines of a list of pallets', () => {
  it('a pallet list has one pallet per line with any line ending, and skips blank lines', async () => {
    expect(await palletsIn(`${A}\r\n\r\n  ${B}  \r${C}`)).toEqual([A, B, C]);
    expect(await read('')).toMatchObject({ pallets: [], bad: [] });
  });

  it('a pallet list may be a CSV file with byte order mark, semicolons, quotes and a named column', async () => {
    const file = `\uFEFFOrder;SSCC;Goods\n10248;"${A}";"Bolts; M8, ""long"""\n10248;(00)${B};\n10248;00${C};Nuts\n`;
    expect(await read(file)).toMatchObject({ pallets: [A, B, C], bad: [], taken: '2' });
    expect(await palletsIn(`Pallet,Goods\nP-1,"two\nlines"\nP-2,x`)).toEqual(['P-1', 'P-2']);
    expect(await palletsIn(`"Goods", "Pallet"\n"x, y", "P-1"`)).toEqual(['P-1']);
    expect(await palletsIn('A-1\nA,2\nA-3')).toEqual(['A-1', 'A,2', 'A-3']);
  });

  it.each([
    ['tab', '\t'],
    ['semicolon', ';'],
    ['comma', ','],
    ['vertical line', '|'],
  ])('a pallet list may be separated by a %s', async (_, separator) => {
    const lines = [['Order', 'NVE', 'Weight, net; t|kg'], ...[A, B].map((id) => ['7', id, '1'])];
    const rows = lines.map((cells) => cells.map((cell) => `"${cell}"`).join(separator)).join('\n');
    expect(await read(rows)).toMatchObject({ pallets: [A, B], bad: [], taken: '2' });
    expect(await palletsIn(`sep=${separator}\r\n${rows}`)).toEqual([A, B]);
  });

  it('a pallet list names the separator in a first line, which is a line but no pallet', async () => {
    expect(await read(`sep=#\nx#SSCC\n1#${A}\n2#${WRONG}`)).toMatchObject({
      pallets: [A],
      bad: [{ line: 4, text: WRONG }],
    });
  });

  it.each([
    ['a line of ids', 'LPN-C1, LPN-C2, LPN-C3', ['LPN-C1']],
    ['lines of ids', 'P-1|P-2\nP-4|P-5', ['P-1', 'P-4']],
    ['a line of a table', `4711;${A};2`, [A]],
    ['a repeated order', 'P-7;P-1\nP-7;P-2', ['P-1', 'P-2']],
    ['a line with a heading', 'Pallet;P-1', []],
    ['small numbers in several lines', '1;2\n3;4', ['1', '3']],
  ])('a pallet list has one pallet in a line with separators: %s', async (_, pallets, ids) => {
    expect(await palletsIn(pallets)).toEqual(ids);
  });

  it('a pallet list may have several SSCCs in a line if it has nothing else', async () => {
    expect(await read(`${A},${B}\n"${C}"\n(00)${A}`)).toMatchObject({
      pallets: [A, B, C],
      bad: [{ line: 3, reason: 'It is already in line 1.' }],
      taken: '1',
      heading: undefined,
    });
    expect(await palletsIn(`${A},${B}\n${WRONG}`)).toEqual([A]);
    expect(await palletsIn(`${A},${B}`, { column: WHOLE_LINE })).toEqual([`${A},${B}`]);
  });

  it.each([
    ["'", '', ''],
    ['\u2019', '', ''],
    ["  '", '', ''],
    ["'", '(00)', ''],
    ["'", '00', ' '],
    ['\u001f', '', ''],
    ['\u200b', '', '\u200b'],
  ])('a pallet list may mark a number as text by %j before %j', async (mark, ai, end) => {
    const cell = `${mark}${ai}${A}${end}`;
    expect(await palletsIn(`SSCC\n${cell}`)).toEqual([A]);
    expect(await palletsIn(`SSCC\n${cell}`, { live: [`00${A}`] })).toEqual([`00${A}`]);
  });

  it.each([
    ['ids with blanks', 'AB  12\nCD  13\nEF  14', ['AB  12', 'CD  13', 'EF  14']],
    ['SSCCs in groups', [A, B].map((one) => one.replace(/(.{4})/g, '$1  ')).join('\n'), [A, B]],
    ['SSCCs behind their AI', `(00) ${A}\n(00) ${B}`, [A, B]],
    ['SSCCs with their name', `NVE:  ${A}\nNVE:  ${B}`, [A, B]],
  ])('a pallet list is not split at blanks: %s', async (_, list, pallets) => {
    expect(await palletsIn(list)).toEqual(pallets);
  });

  it('a pallet list keeps an apostrophe of an id, and of a live pallet', async () => {
    expect(await palletsIn("'4711\n'A1\n's-Hertogenbosch")).toEqual(['4711', "'A1", "'s-Hertogenbosch"]);
    expect(await palletsIn(`SSCC,Goods\n"\t${A}",x`)).toEqual([A]);
    expect(await palletsIn(`'${A}`, { live: [`'${A}`, A] })).toEqual([`'${A}`]);
    const ids = ["'4711", `''${A}`, "'", "'A"];
    expect(await palletsIn(`"LPN"\r\n${ids.map((id) => csvLine([id], 'UTC')).join('')}`)).toEqual(ids);
  });

  it('a pallet list names an SSCC that has lost the zeros at its beginning', async () => {
    const short = (start: string) => {
      const digits = start.padEnd(17, '4');
      return (digits + checkDigit(digits)).replace(/^0+/, '');
    };
    for (const lost of [short('03952'), short('00952'), short('000952')]) {
      expect(await badIn(`SSCC\n${lost}\n${lost.padStart(18, '0')}`), lost).toEqual([`2: ${SHORTENED}`]);
      expect(await badIn(`${A}\n${lost}`), lost).toEqual([`2: ${SHORTENED}`]);
      expect(await palletsIn(`SSCC\n${lost}`, { live: [lost] }), lost).toEqual([lost]);
      expect(await palletsIn(`LPN\n${lost}\n4711`), lost).toEqual([lost, '4711']);
    }
  });

  it('a pallet list may be one line of SSCCs', async () => {
    for (const separator of [', ', ';', '\t', '|']) {
      expect(await palletsIn([A, `(00)${B}`, C].join(separator))).toEqual([A, B, C]);
    }
    expect(await palletsIn(`${A};P-1`)).toEqual([A]);
  });

  it('a pallet list reads a formula that keeps a number as text', async () => {
    expect(await palletsIn(`="${A}"\n"=""${B}"""\nSSCC`)).toEqual([A, B]);
    expect(await palletsIn(`LPN;x\n="${A}";="1"\n="P ""7""";2`)).toEqual([A, 'P "7"']);
  });

  it.each([
    ['blanks', `${A} ${B}  ${C}`],
    ['a JSON array', JSON.stringify([A, B, C])],
    ['a JSON array with line ends', JSON.stringify([A, B, C], null, 2)],
    ['a list of a query', `'${A}','00${B}','(00)${C}'`],
    ['form feeds of a printer', `${A}\n\f${B}\n\f${C}`],
    ['line ends of a mainframe', `SSCC\u0085${A}\u0085${B}\u0085${C}`],
    ['line ends of a word processor', `SSCC\u2028${A}\u000b${B}\u2029${C}`],
    ['marks of a list', `- ${A}\n\u2022 ${B}\n3. ${C}`],
    ['text functions', `=T("${A}")\n= "${B}"\n="${C}"`],
  ])('a pallet list has SSCCs with %s', async (_, text) => {
    expect(await palletsIn(text)).toEqual([A, B, C]);
    expect(await badIn(text)).toEqual([]);
  });

  it('a pallet list names the line of a pallet behind other line ends', async () => {
    expect(await badIn(`SSCC\u2028${A}\r\n\u000b${WRONG}`)).toEqual([
      '4: The check digit of this SSCC is wrong.',
    ]);
    expect(await palletsIn('"a\u2028b"\nP-1', { live: ['a\u2028b'] })).toEqual(['a\u2028b', 'P-1']);
  });

  it('a pallet list has no pallet in a row with sums, unless a live pallet has this id', async () => {
    for (const total of [
      'Total',
      'TOTAL: 2',
      'Summe 2 Paletten',
      'Sous-total 12,5',
      '\u0141\u0105cznie',
      '(2 rows)',
    ]) {
      expect(await badIn(`NVE;kg\n${A};100\n${total};300`), total).toEqual([
        '3: The line contains no pallet.',
      ]);
    }
    expect(await palletsIn('LPN\nTOTAL-1\nP-1\nTotal', { live: ['Total'] })).toEqual([
      'TOTAL-1',
      'P-1',
      'Total',
    ]);
  });

  it('a pallet list has no pallet where a spreadsheet in another language shows an error', async () => {
    for (const error of ['#####', '#\u00a1REF!', '#\u00bfNOMBRE?', '#N/D', '#NAZWA?', '#SPILL!', '#DEEL/0!'])
      expect(await badIn(`LPN\n${error}\nP-1`), error).toEqual([
        '2: The spreadsheet shows an error in this cell.',
      ]);
    expect(await palletsIn('#1\n#A-7')).toEqual(['#1', '#A-7']);
  });

  it('a column whose heading names something else is not the column of the pallets', async () => {
    for (const heading of [
      'Commande;Support',
      'Ordine;Cod. UdC',
      'Auftrag;EXIDV',
      'Order;Container No.',
      'VBELN;HU#',
    ])
      expect(await palletsIn(`${heading}\n80001;X001\n80002;X002`), heading).toEqual(['X001', 'X002']);
  });

  it('a column with times is less likely than a column with ids', async () => {
    const rows = ['26', '27'].map((day) => `2026-11-${day}T08:15:00+01:00;P ${day}`);
    expect(await palletsIn(rows.join('\n'))).toEqual(['P 26', 'P 27']);
  });

  it('a pallet list names each wrong line by number and reason', async () => {
    const { pallets, bad } = await read(
      ['sscc;x', B, WRONG, B, ';x', 'p'.repeat(256), 'P-1', 'sscc'].join('\n'),
    );
    expect(pallets).toEqual([B, 'P-1']);
    expect(bad).toEqual([
      { line: 3, text: WRONG, reason: 'The check digit of this SSCC is wrong.' },
      { line: 4, text: B, reason: 'It is already in line 2.' },
      { line: 5, text: '', reason: 'The line contains no pallet.' },
      { line: 6, text: 'p'.repeat(256), reason: 'The pallet id has more than 255 characters.' },
      { line: 8, text: 'sscc', reason: 'This is a heading.' },
    ]);
  });

  it('a pallet list names the line of a quotation mark without a partner, and reads the other lines', async () => {
    for (const line of [`"${B},2`, `"${B}"x,2`]) {
      expect(await read(`sscc,x\n"${A}","a\nb"\n${line}\n${C},"3"\n`)).toMatchObject({
        pallets: [A, C],
        bad: [{ line: 4, reason: TORN }],
      });
    }
    const many = Array.from({ length: 5_000 }, (_, index) => `"${sscc(index)}`);
    expect((await badIn(many.join('\n'))).length).toBe(5_000);
  });

  it('a pallet list has quotation marks within a cell', async () => {
    expect(await palletsIn(`Pallet\tGoods\nP-1\t12" pipe\nP-2\t5"`)).toEqual(['P-1', 'P-2']);
  });

  it('a pallet list has no line that a spreadsheet has shortened', async () => {
    for (const number of ['3.4E+17', '3,4E+17', '3.40123E17', '3E+17', '3.952123e+17']) {
      expect(await badIn(`${A}\n${number}\n${B}`)).toEqual([`2: ${SHORTENED}`]);
      expect(await badIn(`SSCC;x\n${A};1\n${number};2`)).toEqual([`3: ${SHORTENED}`]);
    }
    expect(await badIn(`3,4E+17\n${A}\n3,5E+17`)).toEqual([`1: ${SHORTENED}`, `3: ${SHORTENED}`]);
    expect(await badIn(`${A}\n340123450000001000`)).toEqual([`2: ${SHORTENED}`]);
    expect(await badIn(`SSCC\n#N/A\n${A}`)).toEqual(['2: The spreadsheet shows an error in this cell.']);
    expect(await palletsIn('1E5\n2E10')).toEqual(['1E5', '2E10']);
  });

  it('a pallet list has no pallet where a value is missing', async () => {
    const none = 'The line contains no pallet.';
    expect(await badIn('SSCC;x\nNULL;1\nn/a;2\n-;3\n ;4')).toEqual(
      [2, 3, 4, 5].map((line) => `${line}: ${none}`),
    );
    expect(await palletsIn('null\nP-1', { live: ['null'] })).toEqual(['null', 'P-1']);
  });

  it('a pallet list has at most 50,000 lines and 6,000 different texts', async () => {
    const { lines, texts } = PALLET_LIST.limits;
    const ids = Array.from({ length: lines }, (_, index) => sscc(index % texts));
    const { pallets, bad } = await read(`\n${ids.join('\n\n')}`);
    expect([pallets, bad.length]).toEqual([ids.slice(0, texts), lines - texts]);
    for (const more of ['P', ids[0]])
      await expect(palletsIn(`${ids.join('\n')}\n${more}`)).rejects.toThrow(/at most 50000 lines/);
    for (const more of ['P', sscc(texts)])
      await expect(palletsIn(`${ids.slice(0, texts).join('\n')}\n${more}`)).rejects.toThrow(
        /at most 6000 texts/,
      );
  });

  it('rows of a well-formed file are the rows that another parser reads', () => {
    const cell = fc
      .array(fc.constantFrom(...'ab;,\t|" \n1'), { maxLength: 6 })
      .map((parts) => parts.join(''));
    const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(table, fc.constantFrom(';', ',', '\t', '|'), (rows, separator) => {
        const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const text = rows.map((row) => row.map(quoted).join(separator)).join('\r\n');
        const parsed: string[][] = parse(text, { delimiter: separator, relax_column_count: true });
        let line = 1;
        const expected = parsed.flatMap((cells) => {
          const row = { line, cells, isTorn: false };
          line += cells.join('').split('\n').length;
          return cells.some((one) => one !== '') ? [row] : [];
        });
        expect([...rowsOf(text, { start: 0, line: 1, separator })]).toEqual(expected);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('the column of a list of pallets', () => {
  it.each(
    [
      'SSCC, sscc-18, NVE, NVE/SSCC, NVE-Nr., SSCC Nummer, SSCC (GS1), ssccNumber, LPN, License Plate, HU, Handling Unit',
      'Pallet, pallet id, PalletNo, Pallet Number, WMS id, wmsId, trackIdentifier, Colli, Package',
      'Palette, Paletten-Nr., Palettennummer, PALETTEN_ID, Ladeeinheit, Ladungsträger, Packstück, Nummer der Palette',
      'Palé, Nº de palé, Número de palet, tarima, bulto, Unidad logística',
      'N° palette, Numéro de palette, Palettes, Colis, Unité logistique',
      'Bancale, Numero pedana, Collo, Unità logistica, Codice pallet',
      'Palletnummer, Laadeenheid, Pallet-id, Logistieke eenheid',
      'Paleta, Nr palety, Numer palety, Nośnik, Jednostka logistyczna',
      'Palete, Nº da palete, Código da palete, Volume, Unidade logística',
    ].flatMap((row) => row.split(', ')),
  )('the heading “%s” names the column of pallets', async (heading) => {
    const headings = ['Order', 'Date', ` ${heading.toUpperCase()} `, 'Qty'];
    const rows = ['P-1', 'P-2'].map((id, index) => `4711${index};2026-11-2${index};${id};${index}`);
    const found = await read([headings.join(';'), ...rows].join('\n'));
    expect(found).toMatchObject({ pallets: ['P-1', 'P-2'], bad: [], taken: '3', heading: { line: 1 } });
    expect(await palletsIn(`${heading}\nP-1`)).toEqual(['P-1']);
  });

  it('a heading about pallets is not a heading of pallets, and an id is no heading', () => {
    const others = [
      'Pallet type',
      'Pallets per order',
      'Palettenart',
      'Anzahl Paletten',
      'Order',
      'orderID',
      'Qty',
    ];
    for (const text of [...others, 'PAL-A1', 'HU 18', 'LPN18', 'PAL-7', '395212300000000018']) {
      expect([text, rankOf(text)]).toEqual([text, 0]);
    }
  });

  it('the most certain heading names the column, and a count of pallets is no heading', async () => {
    expect(await read(`Pallet;SSCC\nP-1;${A}\nP-2;${B}`)).toMatchObject({ taken: '2', pallets: [A, B] });
    expect(await read(`Manifest,Status,Pallets\nM-1,Planned,12\nM-2,Planned,8`)).toMatchObject({
      taken: '1',
    });
  });

  it('a list with unknown headings has its pallets in the column that looks most like them', async () => {
    const rows = [A, B, C].map((id, index) => `1024${index},${id},19${index},2026-11-2${index}T08:00`);
    const found = await read(['Auftrag,Kennung,Menge,Termin', ...rows].join('\n'));
    expect(found).toMatchObject({ pallets: [A, B, C], bad: [], taken: '2', heading: { line: 1 } });
    expect(await read(rows.join('\n'))).toMatchObject({ pallets: [A, B, C], taken: '2', heading: undefined });
    expect(await read(`Order,Item,Qty\n7,P-1,5\n7,P-2,5`)).toMatchObject({
      pallets: ['P-1', 'P-2'],
      taken: '2',
    });
    expect(await read('Lager Nord\nP-1\nP-2')).toMatchObject({
      pallets: ['P-1', 'P-2'],
      heading: { line: 1 },
    });
  });

  it('the first line is a heading if its words are usual in headings', async () => {
    for (const heading of ['Name', 'Container', 'Order No', 'Artikel-Nr.', 'Our pallets 2026', 'ID']) {
      const ids = heading.includes('2026') ? ['P1', 'P2'] : ['alpha', 'beta'];
      const found = await read([heading, ...ids].join('\n'));
      expect(found).toMatchObject({ pallets: ids, heading: { line: 1, text: heading } });
    }
  });

  it('an unknown heading is a pallet if a live pallet has this id', async () => {
    expect(await palletsIn('SPARE\nP-1\nP-2', { live: ['SPARE'] })).toEqual(['SPARE', 'P-1', 'P-2']);
    expect(await palletsIn('alpha\nbeta')).toEqual(['alpha', 'beta']);
  });

  it('a heading may follow a title, and lines above it are no pallets', async () => {
    const found = await read(`Loading list 4711;\n\nPos;NVE\n1;${A}`);
    expect(found).toMatchObject({ pallets: [A], taken: '2', heading: { line: 3, text: 'Pos, NVE' } });
    expect(await badIn(`Loading list 4711\nNVE\n${A}`)).toEqual(['1: This line is above the heading.']);
    expect(await palletsIn(`${B}\nNVE\n${A}`)).toEqual([B, A]);
  });

  it('people can take another column, or the whole line', async () => {
    const file = `Order;LPN\nO-1;P-1\nO-2;P-2`;
    expect(await read(file)).toMatchObject({
      taken: '2',
      columns: [
        { number: 1, heading: 'Order', sample: 'O-1' },
        { number: 2, heading: 'LPN', sample: 'P-1' },
      ],
    });
    expect(await read(file, { column: '1' })).toMatchObject({ taken: '1', pallets: ['O-1', 'O-2'] });
    expect(await palletsIn('A,1\nA,2', { column: WHOLE_LINE })).toEqual(['A,1', 'A,2']);
    expect((await read(file, { column: '7' })).bad).toHaveLength(2);
  });
});

describe('the pallets of a list', () => {
  it('a literal id of a live pallet stays as it is, even if it can mean something else', async () => {
    const live = [`00${A}`, A, 'p-1', 'P-1', ' P-2', '3.4E+17', WRONG];
    const lines = [`00${A}`, A, 'P-1', 'p-1', '" P-2"', '3.4E+17', WRONG];
    expect(await read(lines.join('\n'), { live })).toMatchObject({
      pallets: [`00${A}`, A, 'P-1', 'p-1', ' P-2', '3.4E+17', WRONG],
      bad: [],
    });
  });

  it('a line end within an id matches any line end, because forms change it', async () => {
    expect(await palletsIn('"a\nb"\n"c\nd"', { live: ['a\r\nb', 'c\rd'] })).toEqual(['a\r\nb', 'c\rd']);
  });

  it('every spelling of an SSCC leads to the live pallet in each of its spellings', async () => {
    for (const stored of ssccSpellings(A)) {
      for (const line of [
        ...ssccSpellings(A),
        `]C100${A}`,
        A.replace(/(.{4})/g, '$1 '),
        `https://id.gs1.org/00/${A}`,
      ]) {
        expect([line, await palletsIn(`${line}\nP`, { live: [stored] })]).toEqual([line, [stored, 'P']]);
      }
    }
    expect(await palletsIn(ssccSpellings(A).slice(1, 2).join('\n'))).toEqual([A]);
    expect(await badIn(`${A}\n(00)${A}`, { live: [`00${A}`] })).toEqual(['2: It is already in line 1.']);
  });

  it('an id in another case leads to the only live pallet, and the person is asked about several', async () => {
    expect(await palletsIn('pal-a\nstraße 7', { live: ['PAL-A', 'STRASSE 7'] })).toEqual([
      'PAL-A',
      'STRASSE 7',
    ]);
    expect(await badIn('PAL-a', { live: ['PAL-A', 'pal-a'] })).toEqual([
      '1: Several pallets match: PAL-A and pal-a. Write the id of one of them exactly.',
    ]);
    expect(await badIn(`(00)${A}`, { live: [A, `00${A}`] })).toEqual([
      `1: Several pallets match: ${A} and 00${A}. Write the id of one of them exactly.`,
    ]);
  });

  it('invisible characters and blanks around an id do not count', async () => {
    expect(await palletsIn(`\u200b${A}\u2060\n"  P-1 "`)).toEqual([A, 'P-1']);
  });

  it('digits that were typed for another keyboard are a bad line, unless they lead to a live pallet', async () => {
    const typed = (digits: string) => [...digits].map((digit) => 'à&é"\'(-è_ç'[Number(digit)]).join('');
    // A quotation mark is a 3.
    expect(await palletsIn(typed(A), { live: [A] })).toEqual([A]);
    const french = typed(`00${A}`);
    expect(await badIn(`P-1\nR&D\n${french}`)).toEqual([
      '3: This was typed for another keyboard layout. Set the keyboard layout of the scanner.',
    ]);
  });
});

/** The pallets, the column and the numbers of the bad lines. */
async function tableOf(...of: Parameters<typeof read>) {
  const { pallets, taken, bad } = await read(...of);
  return { pallets, taken, bad: bad.map(({ line }) => line) };
}

describe('tables with vertical lines', () => {
  it.each([
    ['Markdown', `| Order | LPN | Qty |\n|:---|---|--:|\n| 4711 | P-1 | 3 |\n| 4712 | P-2 | 12 |`, '3', [2]],
    [
      'MySQL',
      `+-------+-----+\n| order | lpn |\n+-------+-----+\n| 4711  | P-1 |\n| 4712  | P-2 |\n+-------+-----+`,
      '3',
      [1, 3, 6],
    ],
    [
      'PostgreSQL',
      ` order | lpn | qty \n-------+-----+-----\n 4711  | P-1 |   3\n 4712  | P-2 |  12\n(2 rows)`,
      '2',
      [2, 5],
    ],
    ['no headings', `4711|P-1\n4711|P-2`, '2', []],
  ])('reads the column of pallets in a table of %s', async (_, list, taken, bad) => {
    expect(await tableOf(list)).toEqual({ pallets: ['P-1', 'P-2'], taken, bad });
  });
});

describe('columns with other data', () => {
  it.each([
    ['26-Nov-26;P-1\n27-Nov-26;P-2', ['P-1', 'P-2']],
    ['26. November 2026;P-1\n27. November 2026;P-2', ['P-1', 'P-2']],
    ['26 lis 2026 10:15;P-1\n27 lis 2026 10:16;P-2', ['P-1', 'P-2']],
  ])('a column of dates in words is not the column of pallets: %j', async (list, pallets) => {
    expect((await read(list)).pallets).toEqual(pallets);
  });

  it('reads the pallets of RFID tags in a file of a reader', async () => {
    const tags = ['3174257BF4499602D2000000', '3174257bf449960312000000'];
    const pallets = ['106141412345678908', '106141412345679547'];
    const list = (heading: string) =>
      `Time,${heading},RSSI\n2026-11-26 10:00,${tags[0]},-50\n2026-11-26 10:01,${tags[1]},-61`;
    for (const heading of ['EPC', 'Tag', 'EPC ID'])
      expect(await tableOf(list(heading))).toEqual({ pallets, taken: '2', bad: [] });
    expect(await tableOf(tags.join('\n'))).toEqual({ pallets, taken: '1', bad: [] });
    expect(await tableOf(tags.join('\n'), { live: [`00${pallets[0]}`, tags[1]!] })).toMatchObject({
      pallets: [`00${pallets[0]}`, tags[1]],
    });
  });
});

/** Texts that break lists: separators, quotes, line ends, beginnings of formulas, blanks and invisible characters. */
const nasty = fc
  .array(fc.constantFrom(...[...'=+-@＝＋\t;,|\'"\r\n abß1'], '\u00a0', '\u200b', '\u00ad', "'=", '=""'), {
    minLength: 1,
    maxLength: 10,
  })
  .map((parts) => parts.join(''))
  .filter((text) => /[abß1]/.test(text));

it('a list reads back every id of our own CSV file unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(nasty, { minLength: 1, maxLength: 5 }),
      fc.boolean(),
      async (ids, isLive) => {
        const rows = [['Coupled', 'Pallet', 'Note'], ...ids.map((text) => [new Date(0), text, `;=${text}`])];
        const file = `\ufeff${rows.map((row) => csvLine(row, 'UTC')).join('')}`;
        const found = await read(file, { live: isLive ? ids : [] });
        expect(found).toMatchObject({ pallets: ids, bad: [], taken: '2' });
      },
    ),
    { numRuns: 2_000, examples: [[['b=＋', 'b'], false]] },
  );
});
