import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkDigit, isSscc, palletSscc, sscc } from '../../../src/cli/demo/sscc.ts';

describe('SSCC-18', () => {
  // Examples that GS1 published: the check digit calculator and the Tag Data Standard.
  test.each([
    ['37610425002123456', '9'],
    ['10614141234567890', '8'],
  ])('the SSCC check digit of %s is %s', (data, digit) => {
    expect(checkDigit(data)).toBe(digit);
    expect(isSscc(data + digit)).toBe(true);
  });

  test('an SSCC consists of extension digit, company prefix, serial reference and check digit', () => {
    expect(sscc('1', '0614141', '234567890')).toBe('106141412345678908');
    expect(sscc('3', '4012345', '1')).toBe('340123450000000017');
    expect(sscc('0', '0614', '1')).toHaveLength(18);
  });

  test.each([
    ['33', '4012345', '1'],
    ['3', '401', '1'],
    ['3', '4012345', 'A1'],
    ['3', '4012345', ''],
    ['3', '4012345', '1234567890'],
  ])('the SSCC maker refuses the parts %s, %s, %s', (...parts) => {
    expect(() => sscc(...parts)).toThrow(RangeError);
  });

  test('the SSCC check finds every single wrong digit and a missing one', () => {
    const good = '376104250021234569';
    for (let place = 0; place < good.length; place += 1) {
      for (let off = 1; off <= 9; off += 1) {
        const digit = (Number(good[place]) + off) % 10;
        expect(isSscc(good.slice(0, place) + digit + good.slice(place + 1))).toBe(false);
      }
    }
    expect(isSscc(good.slice(1))).toBe(false);
    expect(isSscc('')).toBe(false);
  });
});

describe('SSCC of an order line', () => {
  test('the SSCC of an order line is valid and the same in every run', () => {
    expect(palletSscc('10248', '11')).toBe('395212341024800116');
    expect(palletSscc('10248', '11')).toBe(palletSscc('10248', '11'));
  });

  test('the SSCCs of different order lines differ', () => {
    const line = fc.tuple(fc.integer({ min: 0, max: 99_999 }), fc.integer({ min: 0, max: 9_999 }));
    fc.assert(
      fc.property(line, line, (one, other) => {
        const [a, b] = [one, other].map(([order, product]) => palletSscc(String(order), String(product)));
        expect(isSscc(a!)).toBe(true);
        expect(a === b).toBe(one[0] === other[0] && one[1] === other[1]);
      }),
    );
  });

  test.each([
    ['100000', '1'],
    ['1', '10000'],
    ['', '1'],
    ['A-17', '1'],
    ['-1', '1'],
  ])('the SSCC of an order line refuses order %s and product %s', (order, product) => {
    expect(() => palletSscc(order, product)).toThrow(RangeError);
  });
});
