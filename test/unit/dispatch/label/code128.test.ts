import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import {
  barWidths,
  type Coded,
  code128Of,
  isEncodable,
  widthsOfValues,
  zplInvocations,
} from '../../../../src/dispatch/label/code128.ts';
import type { Picture } from '../printing-batch/read.ts';
import { valuesOfField } from '../printing-batch/zpl.ts';
import { readCodes, ssccFrom } from './read.ts';

const [MODULE, QUIET, HEIGHT] = [2, 24, 24];

/** The bars as a picture with quiet zones. */
function pictureOf(widths: readonly number[]): Picture {
  const line = widths.flatMap((width, index) =>
    Array<number>(width * MODULE).fill(index % 2 === 0 ? 0 : 255),
  );
  const quiet = Array<number>(QUIET).fill(255);
  const row = [...quiet, ...line, ...quiet];
  const pixels = Uint8Array.from({ length: row.length * HEIGHT }, (_, at) => row[at % row.length]!);
  return { width: row.length, height: HEIGHT, pixels };
}

const text = (of: Coded): string => of.parts.map((part) => part.text).join('');
const modules = (of: Coded): number => barWidths(of).reduce((sum, width) => sum + width, 0);

it('a scanner reads hundreds of random SSCCs from their bars, as GS1-128 with the application identifier 00', async () => {
  const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 17, maxLength: 17 });
  await fc.assert(
    fc.asyncProperty(digits, async (random) => {
      const sscc = ssccFrom(random);
      const of = code128Of(`00${sscc}`, true);
      expect(modules(of)).toBe(156);
      const read = [{ kind: ']C1', data: `00${sscc}` }];
      expect(await readCodes(pictureOf(barWidths(of)))).toEqual(read);
      expect(await readCodes(pictureOf(widthsOfValues(valuesOfField(zplInvocations(of)))))).toEqual(read);
    }),
    { numRuns: 300 },
  );
});

it('a scanner reads hundreds of random ids from their bars, also those with signs that ZPL interprets', async () => {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 6 }),
    fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 9 }).map((digits) => digits.join('')),
    fc.constantFrom('>', '^', '~', '\\', '_', '>8', '^XZ', '~JA'),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 5 }), async (pieces) => {
      const id = pieces.join('');
      const of = code128Of(id);
      expect(text(of)).toBe(id);
      const read = [{ kind: ']C0', data: id }];
      expect(await readCodes(pictureOf(barWidths(of)))).toEqual(read);
      expect(await readCodes(pictureOf(widthsOfValues(valuesOfField(zplInvocations(of)))))).toEqual(read);
    }),
    { numRuns: 300 },
  );
});

test.each<[string, [set: string, text: string][]]>([
  ['12', [['C', '12']]],
  ['123', [['B', '123']]],
  ['1234', [['C', '1234']]],
  [
    '12345',
    [
      ['C', '1234'],
      ['B', '5'],
    ],
  ],
  [
    '1234567A',
    [
      ['C', '123456'],
      ['B', '7A'],
    ],
  ],
  [
    'A1234',
    [
      ['B', 'A'],
      ['C', '1234'],
    ],
  ],
  [
    'A12345',
    [
      ['B', 'A1'],
      ['C', '2345'],
    ],
  ],
  ['A1234B', [['B', 'A1234B']]],
  [
    'A123456B',
    [
      ['B', 'A'],
      ['C', '123456'],
      ['B', 'B'],
    ],
  ],
  [
    'A1234567B12',
    [
      ['B', 'A1'],
      ['C', '234567'],
      ['B', 'B12'],
    ],
  ],
])('the id %j has the code sets of the shortest symbol', (id, parts) => {
  expect(code128Of(id).parts.map((part) => [part.set, part.text])).toEqual(parts);
});

it('an SSCC is printed in ZPL with FNC1 and code set C', () => {
  expect(zplInvocations(code128Of('00340123450000000000', true))).toBe('>;>800340123450000000000');
  expect(zplInvocations(code128Of('A>B^C~D'))).toBe('>:A>0B><C>=D');
});

test.each(['', 'Größe', 'a\tb', '\u007f', '托盘'])('the id %j has no barcode', (id) => {
  expect(isEncodable(id)).toBe(false);
});
