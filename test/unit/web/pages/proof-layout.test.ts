import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PAPERS, type Paper } from '../../../../src/dispatch/printing-batch/layout.ts';
import { MARGIN, type PlacedRow, pagesOf, type Role, rowOf } from '../../../../src/web/pages/proof-layout.ts';
import { FONTS } from './fonts.ts';

const fonts = { regular: FONTS.regular.advances, bold: FONTS.bold.advances };
const papers = fc.constantFrom<Paper>('A4', 'LETTER');

/** A heading, a line, and a table of texts. */
const section = fc
  .tuple(fc.string({ maxLength: 300 }), fc.array(fc.string({ maxLength: 5_000 }), { maxLength: 60 }))
  .map(([title, texts]) => [
    rowOf('H2', 14, [{ text: title, font: 'bold', size: 10 }], fonts),
    rowOf('TH', 4, [{ text: 'No.' }, { text: 'Pallet', left: 40 }], fonts),
    ...texts.map((text, index) =>
      rowOf(
        'TR',
        0,
        [
          { text: String(index), width: 34 },
          { text, left: 40, width: 100 },
        ],
        fonts,
      ),
    ),
  ]);

const textOf = (rows: readonly { role: Role; cells: { lines: string[] }[]; repeated?: true }[]): string =>
  rows
    .filter(({ repeated }) => !repeated)
    .flatMap(({ cells }) => cells.at(-1)!.lines)
    .join('');

describe('pages', () => {
  it('proof pages hold every line once, in order and inside the margins', () => {
    fc.assert(
      fc.property(fc.array(section, { maxLength: 5 }), papers, (sections, paper) => {
        const rows = sections.flat();
        const bottom = PAPERS[paper].height - MARGIN.bottom;
        const pages = pagesOf(rows, paper);
        expect(textOf(pages.flat())).toBe(textOf(rows));
        for (const page of pages) {
          for (const { top, height } of page) {
            expect(top).toBeGreaterThanOrEqual(MARGIN.top);
            expect(top + height).toBeLessThanOrEqual(bottom + 1e-6);
          }
          for (const [index, { top }] of page.entries()) {
            const before = page[index - 1];
            if (before) expect(top).toBeGreaterThanOrEqual(before.top + before.height - 1e-6);
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  it('proof pages repeat the head of a continued table and do not end with a heading', () => {
    const rows = [0, 1, 2].flatMap((table) => [
      rowOf('H2', 14, [{ text: `Table ${table}`, font: 'bold', size: 10 }], fonts),
      rowOf('TH', 4, [{ text: 'Pallet' }], fonts),
      ...Array.from({ length: 61 }, (_, index) => rowOf('TR', 0, [{ text: `${table}/${index}` }], fonts)),
    ]);
    const pages = pagesOf(rows, 'A4');
    expect(pages.length).toBeGreaterThan(3);
    for (const page of pages) {
      expect(page.at(-1)!.role).toBe('TR');
      const [first] = page as [PlacedRow];
      expect(first.role === 'H2' || (first.role === 'TH' && first.repeated)).toBe(true);
    }
  });
});
