import { describe, expect, it } from 'vitest';
import { MODULES } from '../../../../src/dispatch/marker/symbol.ts';
import {
  type Box,
  DIGITS_SIZE,
  footLayout,
  LABELS_A_PAGE,
  labelLayout,
  MODULE_SIZE,
  PAPERS,
  type Paper,
} from '../../../../src/dispatch/printing-batch/layout.ts';

const POINTS_A_MM = 72 / 25.4;
/** Tolerance for the rounded size of the paper, in points. */
const TOLERANCE = 0.01;

const right = (box: Box) => box.left + box.width;
const bottom = (box: Box) => box.top + box.height;
const within = (inner: Box, outer: Box) =>
  inner.left >= outer.left - TOLERANCE &&
  inner.top >= outer.top - TOLERANCE &&
  right(inner) <= right(outer) + TOLERANCE &&
  bottom(inner) <= bottom(outer) + TOLERANCE;
const apart = (one: Box, two: Box) =>
  right(one) <= two.left + TOLERANCE ||
  right(two) <= one.left + TOLERANCE ||
  bottom(one) <= two.top + TOLERANCE ||
  bottom(two) <= one.top + TOLERANCE;
const grown = ({ left, top, width, height }: Box, by: number): Box => ({
  left: left - by,
  top: top - by,
  width: width + 2 * by,
  height: height + 2 * by,
});

describe.each(Object.keys(PAPERS) as Paper[])('a sheet of %s', (paper) => {
  const page = { left: 0, top: 0, ...PAPERS[paper] };
  const labels = Array.from({ length: LABELS_A_PAGE }, (_, place) => labelLayout(paper, place));

  it('a label sheet has the size of the paper', () => {
    const [width, height] = { A4: [210, 297], LETTER: [215.9, 279.4] }[paper] as [number, number];
    expect(page.width).toBeCloseTo(width * POINTS_A_MM, 1);
    expect(page.height).toBeCloseTo(height * POINTS_A_MM, 1);
  });

  it('a label sheet keeps the margin that desktop printers need', () => {
    const printable = grown(page, -6.35 * POINTS_A_MM);
    expect(labels.every(({ outline }) => within(outline, printable))).toBe(true);
    expect(within(footLayout(paper), printable)).toBe(true);
  });

  it('a label sheet is filled by equal labels without overlap, and has a foot below', () => {
    for (const [index, { outline }] of labels.entries()) {
      expect([outline.width, outline.height]).toEqual([labels[0]!.outline.width, labels[0]!.outline.height]);
      for (const other of labels.slice(index + 1)) expect(apart(outline, other.outline)).toBe(true);
      expect(apart(outline, footLayout(paper))).toBe(true);
    }
    const places = labels.map(({ outline: { left, top } }) => `${left} ${top}`);
    expect(new Set(places).size).toBe(LABELS_A_PAGE);
  });

  it('a label keeps all parts inside and apart', () => {
    for (const { outline, symbol, digits, barcode } of labels) {
      for (const part of [symbol, digits, barcode]) expect(within(part, outline)).toBe(true);
      expect([apart(symbol, digits), apart(digits, barcode), apart(symbol, barcode)]).toEqual([
        true,
        true,
        true,
      ]);
    }
  });

  it('a label keeps four white modules around each symbol', () => {
    for (const { outline, symbol, digits, barcode } of labels) {
      const quiet = grown(symbol, 4 * MODULE_SIZE);
      expect(within(quiet, outline)).toBe(true);
      expect([apart(quiet, digits), apart(quiet, barcode)]).toEqual([true, true]);
    }
  });

  it('a label has modules of whole dots at 300 and 600 dpi that start on a dot', () => {
    for (const { symbol } of labels) {
      expect([symbol.width, symbol.height]).toEqual([MODULES * MODULE_SIZE, MODULES * MODULE_SIZE]);
      for (const length of [symbol.left, symbol.top, MODULE_SIZE]) {
        const dots = (length / 72) * 300;
        expect(dots).toBeCloseTo(Math.round(dots), 6);
      }
    }
  });

  it('a label has room for the digits of the longest code', () => {
    // A digit of Helvetica is 0.556 times its font size wide.
    for (const { digits } of labels) expect(digits.width).toBeGreaterThan(16 * 0.556 * DIGITS_SIZE);
  });

  it('a label has room for the GS1-128 of an SSCC at the size of logistic labels', () => {
    // GS1 General Specifications: 156 modules of at least 0.495 mm, 10 white modules on each side, and a
    // height of 31.75 mm.
    for (const { barcode } of labels) {
      expect(barcode.width / POINTS_A_MM).toBeGreaterThan((156 + 20) * 0.495);
      expect(barcode.height / POINTS_A_MM).toBeGreaterThan(31.75);
    }
  });
});
