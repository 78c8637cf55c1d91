import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkDigit } from '../../../src/pallet/gs1.ts';
import { gluedIn, palletsMeant, readIdentifier, readingsOf } from '../../../src/pallet/identifier.ts';

const numbers = Array.from({ length: 3 }, (_, at) => `3401234500000${1000 + at}`).map(
  (start) => start + checkDigit(start),
);
const [A, B, C] = numbers as [string, string, string];
const MARKERS = { first: 1_000_000_000, last: 1_000_000_099 };
const ENDS = [
  ...[
    '\\n',
    '\\r',
    '\\t',
    '\\r\\n',
    '{ENTER}',
    '{Enter}',
    '{CR}',
    '{CR}{LF}',
    '<CR>',
    '<cr><lf>',
    '<CRLF>',
    '<TAB>',
  ],
  ...[
    '^M',
    '^M^J',
    '^I',
    '[CR]',
    '(CR)',
    '\\x0d',
    '\\u000A',
    '&#13;',
    '%0D%0A',
    '\u240d',
    '\u23ce',
    '<0x0D>',
  ],
];
const idsMeant = (text: string, ...wmsIds: string[]) =>
  palletsMeant(
    readIdentifier(text),
    wmsIds.map((wmsId) => ({ wmsId })),
  ).pallets.map(({ wmsId }) => wmsId);

describe('the end of a reading that a scanner types as text', () => {
  it.each(ENDS)('%s behind an SSCC, a marker or an id is no part of it', (end) => {
    for (const text of [`${A}${end}`, `(00)${A}${end} `, `]C100${A}${end}`]) {
      const reading = readIdentifier(text);
      expect([text, reading.sscc]).toEqual([text, A]);
      expect(reading.text).not.toContain(end);
    }
    expect(readIdentifier(`1000000048${end}`).marker).toBe(1_000_000_048);
    expect(idsMeant(`PAL-1${end}`, 'PAL-1', 'PAL-2')).toEqual(['PAL-1']);
    expect(idsMeant(`pal-1${end}`, 'PAL-1')).toEqual(['PAL-1']);
    expect(readIdentifier(`nothing${end}`).text).toBe('nothing');
  });

  it.each(ENDS)('%s between two numbers ends the first, and alone it is no reading', (end) => {
    expect(readingsOf(`${A}${end}(00)${B}${end}`)).toEqual([A, `(00)${B}`]);
    expect(readingsOf(`1000000048${end}${A}\n${end}`)).toEqual(['1000000048', A]);
    expect(readingsOf(end)).toEqual([]);
  });

  it('a pallet whose id has such a text at its end is found by its exact id', () => {
    expect(idsMeant('RACK^M', 'RACK', 'RACK^M')).toEqual(['RACK^M']);
    expect(idsMeant('RACK\\n', 'RACK\\n')).toEqual(['RACK\\n']);
    expect(readingsOf('RACK\\n')).toEqual(['RACK\\n']);
  });

  it('a text within an id that looks like such an end does not take the id apart', () => {
    for (const id of ['RAMP\\north', 'A1\\n2', 'C:\\temp\\r1', 'X^M5', 'P%0AB', 'A(CR)B'])
      expect(readingsOf(id)).toEqual([id]);
    expect(readingsOf('PAL-1{ENTER}PAL-2<CR>')).toEqual(['PAL-1', 'PAL-2']);
  });

  it('the end of a scanner for another keyboard is no part of an SSCC', () => {
    // A German layout types Ü and * in place of braces, and # in place of a backslash.
    expect(idsMeant(`${A}#n`, A)).toEqual([A]);
  });

  it('a text has the same meaning with and without such a text behind it', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 30 }), fc.constantFrom(...ENDS), (text, end) => {
        const [reading, ended] = [readIdentifier(text), readIdentifier(text + end)];
        fc.pre(reading.text !== '' && !text.includes('\\') && !/[[{(<^&%]/.test(text));
        expect([ended.text, ended.sscc, ended.marker]).toEqual([reading.text, reading.sscc, reading.marker]);
      }),
    );
  });
});

describe('readings that a scanner without Enter has glued', () => {
  it.each([
    ['two SSCCs', A + B, [A, B]],
    ['two SSCCs with application identifiers', `00${A}00${B}`, [A, B]],
    ['one with and one without', `${A}00${B}`, [A, B]],
    ['parentheses', `(00)${A}(00)${B}`, [A, B]],
    ['AIM identifiers', `]C100${A}]C100${B}`, [A, B]],
    ['two AIM identifiers', `]C100${A}]C0${B}`, [A, B]],
    ['three SSCCs', A + B + C, [A, B, C]],
    ['blanks and a typed end', ` ${A} ${B}\\n`, [A, B]],
    ['an SSCC and a marker', `${A}1000000048`, [A, '1000000048']],
    ['a marker and an SSCC', `1000000048${A}`, ['1000000048', A]],
    ['a marker between', `${A}100000004800${B}`, [A, '1000000048', B]],
    ['a French keyboard', [...(A + B)].map((digit) => 'à&é"\'(-è_ç'[Number(digit)]).join(''), [A, B]],
  ])('%s', (_, text, expected) => {
    expect(gluedIn(readIdentifier(text), MARKERS)).toEqual(expected);
    expect(readIdentifier(text).sscc).toBeUndefined();
  });

  it.each([
    ['one SSCC', A],
    ['the same SSCC twice', A + A],
    ['a wrong check digit', A + B.slice(0, 17) + ((Number(B[17]) + 1) % 10)],
    ['a number that is no marker of the organization', `${A}2000000048`],
    ['two markers, which have no check digit', '10000000481000000049'],
    ['a weight behind an SSCC', `00${A}3302000123`],
    ['a lot behind an SSCC that looks like a marker', `00${A}1000000048`],
    ['a letter', `${A}${B}X`],
  ])('%s is no such text', (_, text) => {
    expect(gluedIn(readIdentifier(text), MARKERS)).toEqual([]);
  });

  it('the same SSCC twice is one reading of it', () => {
    expect(readIdentifier(A + A).sscc).toBe(A);
  });

  it('any number of SSCCs is taken apart, each spelled in its own way', () => {
    // No application identifier begins with 09, so these digits cannot be read as elements.
    const sscc = fc
      .string({ unit: fc.constantFrom(...'0123456789'), minLength: 15, maxLength: 15 })
      .map((serial) => `09${serial}${checkDigit(`09${serial}`)}`);
    const spelled = fc.tuple(sscc, fc.constantFrom('', '00', '(00)'));
    const many = fc.uniqueArray(spelled, { minLength: 2, maxLength: 6, selector: ([id]) => id });
    fc.assert(
      fc.property(many, fc.constantFrom('', ']C1', ']d2'), (all, aim) => {
        const text = all.map(([id, before]) => aim + (before || (aim && '00')) + id).join('');
        expect(gluedIn(readIdentifier(text))).toEqual(all.map(([id]) => id));
      }),
    );
  });
});
