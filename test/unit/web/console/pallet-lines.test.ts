import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvLine } from '../../../../src/core/lib/csv.ts';
import { checkDigit } from '../../../../src/core/lib/gs1.ts';
import { wordsIn } from '../../../../src/messages/words.ts';
import { readPallets } from '../../../../src/web/console/resources/manifest/pallet-lines.ts';

const read = (text: string) => {
  const { pallets, bad } = readPallets(text, wordsIn('en'));
  return { pallets, bad: bad.map((line) => ({ ...line, reason: line.reason() })) };
};

const sscc = (number: number): string => {
  const digits = `3952123${String(number).padStart(10, '0')}`;
  return digits + checkDigit(digits);
};
const [A, B, C] = [sscc(1), sscc(2), sscc(3)] as [string, string, string];

describe('a list of pallets', () => {
  it('a pallet list has one pallet per line with any line ending, and skips blank lines', () => {
    expect(read(`${A}\r\n\r\n  ${B}  \n${C}`)).toEqual({ pallets: [A, B, C], bad: [] });
    expect(read('')).toEqual({ pallets: [], bad: [] });
  });

  it('a pallet list may be a CSV file with byte order mark, semicolons, quotes and a named column', () => {
    const file = `\uFEFFOrder;SSCC;Goods\n10248;"${A}";"Bolts; M8, ""long"""\n10248;(00)${B};\n10248;00${C};Nuts\n`;
    expect(read(file)).toEqual({ pallets: [A, B, C], bad: [] });
    expect(read(`Pallet,Goods\nP-1,"two\nlines"\nP-2,x`)).toEqual({
      pallets: ['P-1', 'P-2'],
      bad: [],
    });
    expect(read(`${A}\tx\n${B}\ty`).pallets).toEqual([A, B]);
    expect(read('SSCC\n')).toEqual({ pallets: [], bad: [] });
  });

  it('a pallet list names each wrong line by number and reason', () => {
    const wrong = `${A.slice(0, -1)}${(Number(A.at(-1)) + 1) % 10}`;
    const { pallets, bad } = read(['sscc;x', B, wrong, B, ';x', 'p'.repeat(256), 'P-1'].join('\n'));
    expect(pallets).toEqual([B, 'P-1']);
    expect(bad).toEqual([
      { line: 3, text: wrong, reason: 'The check digit of this SSCC is wrong.' },
      { line: 4, text: B, reason: 'It is already in line 2.' },
      { line: 5, text: '', reason: 'The line contains no pallet.' },
      { line: 6, text: 'p'.repeat(256), reason: 'The pallet id has more than 255 characters.' },
    ]);
  });

  it('a pallet list ends at a stray quotation mark and says so', () => {
    const astray = 'The quotation mark in this line has no partner. Everything after it is ignored.';
    for (const line of [`"${B},2`, `"${B}"x,2`, `x"${B}",2`]) {
      const { pallets, bad } = read(`sscc,x\n${A},1\n${line}\n${C},3\n`);
      expect([line, pallets]).toEqual([line, [A]]);
      expect(bad).toEqual([{ line: 3, text: '', reason: astray }]);
    }
  });

  it('a pallet list reads back the CSV file of a list with every id unchanged', () => {
    const id = fc
      .array(fc.constantFrom(...'=+-@＝＋;,|\'"\t abc'), { minLength: 1, maxLength: 12 })
      .map((parts) => parts.join(''))
      .filter((text) => text.trim() === text);
    fc.assert(
      fc.property(fc.uniqueArray(id, { minLength: 1, maxLength: 5 }), (ids) => {
        const rows = [['Pallet', 'Note'], ...ids.map((text) => [text, `;=${text}`])];
        const file = `\ufeff${rows.map((row) => csvLine(row, 'UTC')).join('')}`;
        expect(read(file)).toEqual({ pallets: ids, bad: [] });
      }),
      { numRuns: 2_000 },
    );
  });

  it('a pallet list has at most 5,000 lines', () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => sscc(index));
    expect(read(lines.join('\n')).pallets).toEqual(lines);
  });
});
