import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readScan } from '../../../../src/web/console/assets/modules/scan-text.js';

const SSCC = '395212349000000093';
const digits = (length: number) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length })
    .map((all) => all.join(''));

describe('texts that a scanner types', () => {
  it.each([
    ['as people print it', `(00)${SSCC}`],
    ['with a blank', `(00) ${SSCC}`],
    ['in groups', '(00) 3952 1234 9000 00 0093'],
    ['bare', `00${SSCC}`],
    ['with symbology identifier', `]C100${SSCC}`],
    ['of a DataMatrix', `]d200${SSCC}`],
    ['with another element behind it', `]C100${SSCC}10LOT1`],
    ['with separators', `\u001d00${SSCC}\u001d`],
    ['after another element in parentheses', `(02)00614141000012(37)20(00)${SSCC}`],
    ['alone', SSCC],
    ['in groups without identifier', '3952 1234 9000 00 0093'],
    ['with blanks around', `  ${SSCC}\n`],
  ])('a scanned text is an SSCC %s', (_, text) => {
    expect(readScan(text).ids[0]).toBe(SSCC);
  });

  it('a scanned text is a marker if it is a canonical number that JSON can carry', () => {
    expect(readScan('1000002236')).toEqual({ ids: ['1000002236'], marker: 1_000_002_236 });
    expect(readScan(']Q11000002236').marker).toBe(1_000_002_236);
    for (const text of ['0100', '9007199254740993', 'A1', '', '1.5', '-1']) {
      expect(readScan(text).marker).toBe(null);
    }
  });

  it('a scanned text may be any WMS id and is searched as typed', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        fc.pre(text.trim() !== '');
        expect(readScan(text).ids).toContain(text.trim());
      }),
    );
  });

  it('a scanned text names the same pallet in every spelling of its number', () => {
    fc.assert(
      fc.property(digits(18), (sscc) => {
        const written = [`(00)${sscc}`, `00${sscc}`, `]C100${sscc}`, `]d200${sscc}`, sscc];
        expect(written.map((text) => readScan(text).ids[0])).toEqual(Array(5).fill(sscc));
      }),
    );
  });
});
