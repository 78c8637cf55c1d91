import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkDigit } from '../../../../src/core/lib/gs1.ts';
import { readPallets, WHOLE_LINE } from '../../../../src/web/console/pallet-list/read.ts';
import { wordsIn } from '../../../messages.ts';

async function read(pallets: string, { column = '', live = [] as readonly string[] } = {}) {
  const words = wordsIn('en');
  const find = async (texts: Iterable<string>) => live.filter((id) => new Set(texts).has(id));
  return (await readPallets({ pallets, column, sheet: '' }, words, find))!;
}
/** The pallets, the column and the numbers of the bad lines. */
async function found(...of: Parameters<typeof read>) {
  const { pallets, taken, bad } = await read(...of);
  return { pallets, taken, bad: bad.map(({ line }) => line) };
}

const sscc = (number: number): string => {
  const digits = `3952123${String(number).padStart(10, '0')}`;
  return digits + checkDigit(digits);
};
const [A, B] = [sscc(1), sscc(2)] as [string, string];

/** A table as a terminal shows it. Numbers are at the right of their column. */
function aligned(rows: readonly (readonly string[])[], gap: number): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((cells) => cells[column]!.length)));
  return rows
    .map((cells) =>
      cells
        .map((cell, column) =>
          /^\d{1,5}$/.test(cell) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
        )
        .join(' '.repeat(gap)),
    )
    .join('\n');
}

describe('lists whose columns are aligned by blanks', () => {
  it.each([
    [
      'with headings',
      `ORDER      LPN                     QTY\n4711       ${A}        3\n4712       ${B}       12`,
      '2',
    ],
    ['without headings', `4711       ${A}        3\n4712       ${B}       12`, '2'],
    [
      'with empty cells',
      `ORDER      LPN                     QTY\n           ${A}        3\n4712       ${B}`,
      '2',
    ],
    ['with single blanks', `4711 ${A} 3\n4712 ${B} 12`, '2'],
    [
      'with decimal commas',
      `ORDER    LPN                    KG\n4711     ${A}    3,50\n4712     ${B}   12,25`,
      '2',
    ],
    ['with no-break spaces', `NVE\u00a0\u00a0                  Tor\n${A}  \u00a0G1\n${B}  \u00a0G2`, '1'],
    ['with Windows line ends', `LPN                   GATE\r\n${A}    G1\r\n${B}    G2\r\n`, '1'],
  ])('reads the named column, or the column with the SSCCs: %s', async (_, list, taken) => {
    expect(await found(list)).toEqual({ pallets: [A, B], taken, bad: [] });
  });

  it('reads the column below a rule, and names the rule and the count as bad lines', async () => {
    const list = `ORDER LPN    QTY\n----- ------ ---\n 4711 LPN-01   3\n 4712 LPN-02  12\n\n2 rows selected.`;
    expect(await found(list)).toEqual({ pallets: ['LPN-01', 'LPN-02'], taken: '2', bad: [2, 6] });
  });

  it('names each line that does not fit the columns, and takes it if it is a live pallet', async () => {
    const rows = Array.from({ length: 20 }, (_, row) => `LPN-${row + 10}    Bolts    ${row + 10}`);
    const long = 'LPN-30-AND-MORE Bolts  7';
    const list = ['Stock of Thursday', 'LPN       Goods    Qty', ...rows, long, 'LPN-99 is lost'].join('\n');
    const { pallets, bad } = await read(list);
    const reason = wordsIn('en').t('line.columns');
    expect(pallets).toEqual(rows.map((row) => row.slice(0, 6)));
    expect(bad.map((line) => [line.line, line.text, line.reason()])).toEqual([
      [1, 'Stock of Thursday', reason],
      [23, long, reason],
      [24, 'LPN-99 is lost', reason],
    ]);
    expect((await read(list, { live: ['LPN-99 is lost'] })).pallets).toContain('LPN-99 is lost');
  });

  it('keeps the whole line if the user chooses it', async () => {
    const list = `LPN    Place\nP-1    A 1\nP-2    B 2`;
    expect(await found(list)).toMatchObject({ pallets: ['P-1', 'P-2'], taken: '1' });
    expect(await found(list, { column: WHOLE_LINE })).toMatchObject({
      pallets: ['P-1    A 1', 'P-2    B 2'],
    });
  });

  it.each([
    ['ids with blanks', 'AB  12\nCD  13\nEF  14', ['AB  12', 'CD  13', 'EF  14']],
    ['ids with blanks below a heading', 'Pallet\nAB  12\nCD  13', ['AB  12', 'CD  13']],
    ['SSCCs in groups', [A, B].map((one) => one.replace(/(.{4})/g, '$1  ')).join('\n'), [A, B]],
    ['SSCCs behind their AI', `(00) ${A}\n(00) ${B}`, [A, B]],
    ['SSCCs with their name', `NVE:  ${A}\nNVE:  ${B}`, [A, B]],
    ['cells with a separator', `LPN |  Gate\nP-1 |  G1\nP-2 |  G2`, ['P-1', 'P-2']],
  ])('does not split %s', async (_, list, pallets) => {
    expect((await read(list)).pallets).toEqual(pallets);
  });

  it('reads the same pallets as in the same table with tabs', async () => {
    const word = fc.string({ unit: fc.constantFrom(...'ABCDEFGH'), minLength: 1, maxLength: 9 });
    const row = fc.tuple(word, fc.nat({ max: 99_999 }), fc.nat({ max: 10_000 }), word);
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(row, { minLength: 2, maxLength: 12, selector: ([, , number]) => number }),
        fc.boolean(),
        fc.integer({ min: 2, max: 4 }),
        async (numbered, hasHeading, gap) => {
          const rows = numbered.map(([goods, count, number, gate]) => [
            goods,
            String(count),
            sscc(number),
            gate,
          ]);
          const table = hasHeading ? [['Goods', 'Qty', 'NVE', 'Gate'], ...rows] : rows;
          const tabbed = await read(table.map((cells) => cells.join('\t')).join('\n'));
          expect(await read(aligned(table, gap))).toMatchObject({
            pallets: tabbed.pallets,
            taken: '3',
            columns: tabbed.columns,
          });
        },
      ),
    );
  });
});

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
    expect(await found(list)).toEqual({ pallets: ['P-1', 'P-2'], taken, bad });
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
      expect(await found(list(heading))).toEqual({ pallets, taken: '2', bad: [] });
    expect(await found(tags.join('\n'))).toEqual({ pallets, taken: '1', bad: [] });
    expect(await found(tags.join('\n'), { live: [`00${pallets[0]}`, tags[1]!] })).toMatchObject({
      pallets: [`00${pallets[0]}`, tags[1]],
    });
  });
});
