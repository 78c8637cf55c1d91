import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold } from '../../../src/core/lib/text.ts';
import { checkDigit, ssccOf, ssccSpellings } from '../../../src/pallet/gs1.ts';
import {
  looksMistyped,
  palletsEnding,
  palletsMeant,
  READING_MAXIMUM,
  readIdentifier,
  readingsOf,
} from '../../../src/pallet/identifier.ts';

const SSCC = '340123450000000017';
const GS = '\u001d';

const digits = (minLength: number, maxLength = minLength) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength });
const sscc = digits(17).map((start) => start + checkDigit(start));

/** The WMS ids of the pallets that a text means. */
const meant = (text: string, ...wmsIds: string[]) =>
  palletsMeant(
    readIdentifier(text),
    wmsIds.map((wmsId) => ({ wmsId })),
  ).pallets.map(({ wmsId }) => wmsId);

describe('SSCCs in texts of scanners and people', () => {
  it.each([
    ['18 digits', SSCC],
    ['the AI before them', `00${SSCC}`],
    ['the AI in parentheses', `(00)${SSCC}`],
    ['blanks in and around it', '  (00) 3401 2345 0000 00 0017\n'],
    ['groups without AI', '3401 2345 0000 00 0017'],
    ['no-break and thin spaces', '3401\u00a02345\u20090000\u202f000017'],
    ['invisible characters', `\ufeff\u200e3401\u00ad2345\u200b0000000017\u200f`],
    ['control characters of a scanner around it', `\u0002${SSCC}\u0003`],
    ['an AIM identifier', `]C100${SSCC}`],
    ['the AIM identifier of a DataMatrix', `]d200${SSCC}`],
    ['a weight behind it', `00${SSCC}3302000123`],
    ['a lot behind it', `]C100${SSCC}10LOT1`],
    ['separators around it', `${GS}00${SSCC}${GS}`],
    ['a content and a count before it', `]d2020061414100001237${'24'}${GS}00${SSCC}`],
    ['elements in parentheses before it', `(02)00614141000012(37)20(00)${SSCC}`],
    ['parentheses and blanks', `( 02 ) 00614141000012 (37) 20 (00) ${SSCC}`],
    ['a lot with parentheses before it', `(10)A(B)C(00)${SSCC}`],
    ['an unknown AI behind an AIM identifier', `]C189ABC${GS}00${SSCC}`],
    ['the separator as ^]', `10LOT^]00${SSCC}`],
    ['the separator as <GS>', `10LOT<gs>00${SSCC}`],
    ['the separator as {GS}', `10LOT{GS}00${SSCC}`],
    ['the separator as è', `è10LOTè00${SSCC}`],
    ['the separator as ^', `^02040123456789013724^00${SSCC}`],
    ['the separator as (GS)', `10LOT(GS)00${SSCC}`],
    ['the separator as an escape', `10LOT\\x1d00${SSCC}`],
    ['the separator as a JSON escape', `10LOT\\u001D00${SSCC}`],
    ['the separator as a character reference', `10LOT&#29;00${SSCC}`],
    ['the separator as #', `]C110LOT#00${SSCC}`],
    ['the separator as |', `10LOT|00${SSCC}`],
    ['the separator as ~1', `~110LOT~100${SSCC}`],
    ['the separator as Alt029', `10LOTAlt02900${SSCC}`],
    ['the separator as ]C1', `]C110LOT]C100${SSCC}`],
    ['the separator as a blank', `]C110LOT1234567890 00${SSCC}`],
    ['the separator as \u00cf', `\u00cf00${SSCC}`],
    ['the separator as \u00f1', `\u00f110LOT\u00f100${SSCC}`],
    ['the separator before parentheses', `${GS}(15)260228${GS}(10)A1(00)${SSCC}`],
    ['the envelope of ISO 15434', `[)>\u001e05${GS}02040123456789013724${GS}00${SSCC}\u001e\u0004`],
    [
      'full-width digits',
      [...`00${SSCC}`].map((one) => String.fromCodePoint(one.codePointAt(0)! + 0xfee0)).join(''),
    ],
    ['the asterisks of Code 39', `*00${SSCC}*`],
    ['its AIM identifier twice', `]C1]C100${SSCC}`],
    ['a separator before the AIM identifier', `${GS}]C100${SSCC}`],
    ['a separator behind the AIM identifier', `]d2${GS}00${SSCC}`],
    ['the apostrophe of a spreadsheet', `'${SSCC}`],
    ['quotation marks', `"(00) ${SSCC}"`],
    ['a Digital Link', `https://example.com/some/path/00/${SSCC}?linkType=all#top`],
    ['a Digital Link in upper case', `HTTPS://ID.GS1.ORG/00/${SSCC}`],
    ['an encoded Digital Link', `http://host:8080/00/%33${SSCC.slice(1)}/`],
    ['a Digital Link without its scheme', `id.gs1.org/00/${SSCC}`],
    ['a Digital Link with the name of the AI', `//www.example.com:8080/sscc/${SSCC}/`],
    ['a Digital Link behind an AIM identifier', `]Q1https://id.gs1.org/00/${SSCC}?17=261231`],
    ['an EPC URI', 'urn:epc:id:sscc:4012345.3000000001'],
    ['an EPC URI behind an AIM identifier', ']d1urn:epc:id:sscc:4012345.3000000001'],
    ['the separator as \\G', `10LOT\\G00${SSCC}`],
    ['the separator as \\035', `10LOT\\03500${SSCC}`],
    ['the separator as %1D', `]C110LOT%1D00${SSCC}`],
    ['the separator as <0x1D>', `10LOT<0x1D>00${SSCC}`],
    ['the separator as ^FNC1', `^FNC110LOT^FNC100${SSCC}`],
    ['square brackets', `[02]00614141000012[37]20[00]${SSCC}`],
    ['braces', `{00}${SSCC}`],
    ['a colon behind the AI', `(00): ${SSCC}`],
    ['its name', `SSCC: ${SSCC}`],
    ['its names in German', `NVE / SSCC-18 Nr. (00) ${SSCC}`],
    ['the mark of a list', `\u2022 00${SSCC}`],
    ['the number of a line', `12. (00)${SSCC}`],
    ['the mark of a quoted line', `> ${SSCC}`],
    ['groups with hyphens', `3-4012345-000000001-7`],
    ['groups with dots and the AI', `(00) 3401.2345.0000.0000.17`],
    ['German quotation marks', `\u201e${SSCC}\u201c`],
    ['French quotation marks', `\u00ab\u202f${SSCC}\u202f\u00bb`],
    ['Arabic digits', [...SSCC].map((one) => String.fromCharCode(0x660 + Number(one))).join('')],
    ['Persian digits', [...SSCC].map((one) => String.fromCharCode(0x6f0 + Number(one))).join('')],
    ['an EPC tag URI', 'URN:EPC:TAG:SSCC-96:2.4012345.3000000001'],
  ])('reads an SSCC with %s', (_, text) => {
    expect(readIdentifier(text).sscc).toBe(SSCC);
  });

  it.each([
    ['a wrong check digit', `00${SSCC.slice(0, 17)}8`],
    ['one digit more', `${SSCC}0`],
    ['one digit more in parentheses', `(00)${SSCC}0`],
    ['a letter behind it', `00${SSCC}A`],
    ['an element of the wrong length', `(02)123(00)${SSCC}`],
    ['an unknown AI without AIM identifier', `89ABC${GS}00${SSCC}`],
    ['a lot without separator', `10LOT00${SSCC}`],
    ['a path behind it', `https://example.com/00/${SSCC}/10/A`],
    ['a short EPC', 'urn:epc:id:sscc:4012345.300000000'],
    ['another AI', `21${SSCC}`],
    ['a character that a value may have, at its end', `8010AB#00${SSCC}`],
    ['an apostrophe at its end', `${SSCC}'`],
    ['the AIM identifier of another text before it', `]C1X]C1${SSCC}`],
    ['a Digital Link in a query', `https://example.com/?url=https://id.gs1.org/00/${SSCC}`],
    ['a folder of another name', `example.com/01/${SSCC}`],
    ['a word before it', `PALLET ${SSCC}`],
    ['a group too many', `3401-2345-0000-0000-17-1`],
  ])('reads no SSCC with %s', (_, text) => {
    expect(readIdentifier(text).sscc).toBeUndefined();
  });

  it('asks for a choice between two SSCCs in one text', () => {
    const other = `34012345000000002${checkDigit('34012345000000002')}`;
    expect(meant(`(00)${SSCC}(00)${other}`, SSCC, other)).toEqual([SSCC, other]);
    expect(meant(`(00)${SSCC}(00)${SSCC}`, SSCC, other)).toEqual([SSCC]);
  });
});

describe('elements around an SSCC', () => {
  const set82 = fc.constantFrom(...'!%&*+,-./0123456789:;<=>?ABCXYZ_abcxyz"\'');
  const text = (maxLength: number) => fc.string({ unit: set82, minLength: 1, maxLength });
  const predefined = fc.oneof(
    fc.tuple(fc.constantFrom('01', '02'), digits(14)),
    fc.tuple(fc.constantFrom('11', '13', '15', '17', '3102', '3304', '3695'), digits(6)),
    fc.tuple(fc.constant('20'), digits(2)),
    fc.tuple(fc.constantFrom('410', '414', '417'), digits(13)),
  );
  const open = fc.oneof(
    fc.tuple(fc.constantFrom('10', '21', '420', '710', '8012'), text(20)),
    fc.tuple(fc.constantFrom('400', '403', '90', '4308'), text(30)),
    fc.tuple(fc.constantFrom('4300', '4310'), text(35)),
    fc.tuple(fc.constantFrom('30', '37'), digits(1, 8)),
    fc.tuple(fc.constant('402'), digits(17)),
    fc.tuple(fc.constantFrom('422', '426'), digits(3)),
    fc.tuple(fc.constantFrom('3921', '3909'), digits(1, 15)),
    fc.tuple(
      fc.constant('253'),
      fc.tuple(digits(13), text(17)).map(([type, serial]) => type + serial),
    ),
    fc.tuple(fc.constant('7007'), fc.oneof(digits(6), digits(12))),
  );
  const elements = fc.array(
    fc.oneof(
      predefined.map((element) => ({ element, isOpen: false })),
      open.map((element) => ({ element, isOpen: true })),
    ),
    { maxLength: 5 },
  );
  const string = fc.record({
    sscc,
    before: elements,
    after: elements,
    separator: fc.constantFrom(GS, '^]', '<GS>', '{GS}', '\u00e8'),
    aim: fc.constantFrom('', ']C1', ']d2', ']Q3', ']e0', ']J1', ']d1'),
  });
  const all = ({ sscc: value, before, after }: typeof string extends fc.Arbitrary<infer T> ? T : never) => [
    ...before,
    { element: ['00', value] as const, isOpen: false },
    ...after,
  ];

  it('finds the SSCC among elements in any order, with separators in any notation', () => {
    fc.assert(
      fc.property(string, (one) => {
        const written = all(one).map(
          ({ element, isOpen }) => element.join('') + (isOpen ? one.separator : ''),
        );
        expect(readIdentifier(one.aim + written.join('')).sscc).toBe(one.sscc);
      }),
      { numRuns: 500 },
    );
  });

  it('finds the SSCC among elements in parentheses and with blanks', () => {
    fc.assert(
      fc.property(string, fc.constantFrom('', ' ', '\u00a0'), (one, blank) => {
        const written = all(one).map(({ element: [ai, value] }) => `(${ai})${blank}${value}`);
        expect(readIdentifier(written.join(blank)).sscc).toBe(one.sscc);
      }),
      { numRuns: 500 },
    );
  });
});

/** The bits of the company prefix in a tag, by its number of digits (GS1 Tag Data Standard). */
const PREFIX_BITS: Record<number, number> = { 12: 40, 11: 37, 10: 34, 9: 30, 8: 27, 7: 24, 6: 20 };
/** The data of a tag with an SSCC in the scheme SSCC-96, in hexadecimal digits. */
function tagOf(number: string, prefixDigits: number, filter: number): string {
  const prefix = number.slice(1, prefixDigits + 1);
  const serial = number.charAt(0) + number.slice(prefixDigits + 1, 17);
  const bits = (value: number | string, length: number) => BigInt(value).toString(2).padStart(length, '0');
  const prefixBits = PREFIX_BITS[prefixDigits]!;
  const all = [
    bits('0x31', 8),
    bits(filter, 3),
    bits(12 - prefixDigits, 3),
    bits(prefix, prefixBits),
    bits(serial, 58 - prefixBits),
    bits(0, 24),
  ];
  return BigInt(`0b${all.join('')}`)
    .toString(16)
    .toUpperCase();
}

describe('RFID tags', () => {
  const prefixDigits = fc.integer({ min: 6, max: 12 });
  const filter = fc.nat({ max: 7 });

  it.each([
    ['as in the GS1 Tag Data Standard', '3174257BF4499602D2000000', '106141412345678908'],
    ['in lower case', '3174257bf4499602d2000000', '106141412345678908'],
    ['with another filter and prefix', '31AC16465751CCD0C2000000', '302335678902000022'],
    ['with the prefix of hexadecimal numbers', '0x3174257BF4499602D2000000', '106141412345678908'],
    ['in words', '3174 257B F449 9602 D200 0000', '106141412345678908'],
    ['in bytes', '31:74:25:7B:F4:49:96:02:D2:00:00:00', '106141412345678908'],
    ['with its heading', 'EPC: 3174257BF4499602D2000000', '106141412345678908'],
    ['with the control word', '30003174257BF4499602D2000000', '106141412345678908'],
    ['with the control word and user memory', '3400 3174257BF4499602D2000000', '106141412345678908'],
    ['as a raw URI', 'urn:epc:raw:96.x3174257BF4499602D2000000', '106141412345678908'],
    ['of SSCC+', `F90${SSCC}000`, SSCC],
    ['of SSCC+ with other data', `F9A${SSCC}123456789AB`, SSCC],
  ])('reads the data of a tag %s', (_, text, number) => {
    expect(readIdentifier(text).sscc).toBe(number);
    expect(meant(text, 'OTHER', `00${number}`)).toEqual([`00${number}`]);
  });

  it.each([
    ['an item', '3074257BF7194E4000001A85'],
    ['partition 7', '317C257BF4499602D2000000'],
    ['reserved bits', '3174257BF4499602D2000001'],
    ['a company prefix with too many digits', '3177FFFFF4499602D2000000'],
    ['a serial reference with too many digits', '3174257BFFFFFFFFFF000000'],
    ['a digit less', '3174257BF4499602D200000'],
    ['two digits more', '3174257BF4499602D200000000'],
    ['another control word', '31003174257BF4499602D2000000'],
    ['a wrong check digit in SSCC+', `F90${SSCC.slice(0, 17)}8000`],
    ['other data in SSCC+ without the mark for it', `F90${SSCC}001`],
    ['a part of a byte in SSCC+', `F98${SSCC}12345`],
    ['a word before it', 'TAG3174257BF4499602D2000000'],
  ])('reads no SSCC in the data of a tag with %s', (_, text) => {
    expect(readIdentifier(text).sscc).toBeUndefined();
  });

  it('finds the pallet of every SSCC in each partition', () => {
    fc.assert(
      fc.property(sscc, prefixDigits, filter, (number, prefix, one) => {
        const tag = tagOf(number, prefix, one);
        expect(tag).toHaveLength(24);
        for (const wmsId of ssccSpellings(number)) expect(meant(tag, 'OTHER', wmsId)).toEqual([wmsId]);
        expect(meant(tag.toLowerCase(), number)).toEqual([number]);
        expect(meant(`F9${one}${number}000`, number)).toEqual([number]);
      }),
      { numRuns: 500 },
    );
  });

  it('reads the data of a tag that a reader types for another keyboard', () => {
    expect(meant("\"&\u00e8'é(èBF''çç-àéDéàààààà", 'OTHER', '106141412345678908')).toEqual([
      '106141412345678908',
    ]);
  });

  it('takes a pallet whose id is the data of the tag before the pallet of its SSCC', () => {
    fc.assert(
      fc.property(sscc, prefixDigits, filter, (number, prefix, one) => {
        const tag = tagOf(number, prefix, one);
        expect(meant(tag, number, tag)).toEqual([tag]);
      }),
    );
  });

  it('never reads random hexadecimal digits as another pallet', () => {
    const hex = (length: number) =>
      fc.string({ unit: fc.constantFrom(...'0123456789ABCDEF'), minLength: length, maxLength: length });
    const tag = fc.oneof(
      hex(24),
      hex(22).map((rest) => `31${rest}`),
      hex(16).map((middle) => `31${middle}000000`),
      fc.tuple(sscc, prefixDigits, hex(1), fc.nat({ max: 23 })).map(([number, prefix, digit, at]) => {
        const whole = tagOf(number, prefix, 0);
        return whole.slice(0, at) + digit + whole.slice(at + 1);
      }),
    );
    fc.assert(
      fc.property(tag, (text) => {
        const { sscc: number } = readIdentifier(text);
        if (number === undefined) return;
        const isSame = Object.keys(PREFIX_BITS).some((prefix) =>
          Array.from({ length: 8 }, (_, one) => tagOf(number, Number(prefix), one)).includes(text),
        );
        expect(isSame, `${text} became ${number}`).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('the three spellings of an SSCC', () => {
  it('reads each plain spelling with a right check digit', () => {
    expect(ssccSpellings(SSCC).map(ssccOf)).toEqual([SSCC, SSCC, SSCC]);
    for (const text of [`0${SSCC}`, `(01)${SSCC}`, `(00)${SSCC} `, `00${SSCC.slice(0, 17)}0`]) {
      expect(ssccOf(text), text).toBeUndefined();
    }
  });

  it('finds a pallet stored in any spelling by any notation of its number', () => {
    const prefix = fc.integer({ min: 6, max: 12 });
    const stored = fc.constantFrom(0, 1, 2);
    const blank = fc.constantFrom('', ' ', '\u00a0', '\u2009', '\u200b', '\u200e');
    fc.assert(
      fc.property(sscc, stored, prefix, blank, fc.webUrl(), (number, spelling, length, space, url) => {
        const wmsId = ssccSpellings(number)[spelling]!;
        const serial = number.charAt(0) + number.slice(length + 1, 17);
        const epc = `${number.slice(1, length + 1)}.${serial}`;
        const written = [
          ...ssccSpellings(number),
          [...number].join(space),
          `]C100${number}`,
          `${new URL('/', url).href}00/${number}`,
          `urn:epc:id:sscc:${epc}`,
          `urn:epc:tag:sscc-96:0.${epc}`,
        ];
        for (const text of written) expect(meant(text, 'OTHER', wmsId), text).toEqual([wmsId]);
      }),
    );
  });

  it('asks for a choice between two pallets that are spellings of one SSCC', () => {
    const both = [`00${SSCC}`, `(00)${SSCC}`];
    expect(meant(SSCC, ...both)).toEqual(both);
    expect(meant(`]C100${SSCC}`, ...both)).toEqual(both);
  });

  it('takes a literal id before every other meaning', () => {
    for (const literal of ssccSpellings(SSCC)) {
      expect(meant(literal, ...ssccSpellings(SSCC))).toEqual([literal]);
    }
    expect(meant('pal-1', 'PAL-1', 'pal-1')).toEqual(['pal-1']);
    expect(meant('a\u200bb', 'ab', 'a\u200bb')).toEqual(['a\u200bb']);
    expect(meant(' PAL-1 ', 'PAL-1')).toEqual(['PAL-1']);
    expect(meant(']C0PAL-1', 'PAL-1')).toEqual(['PAL-1']);
    expect(meant(']A0*pal-1*', 'PAL-1')).toEqual(['PAL-1']);
    expect(meant('*PAL-1*', 'PAL-1', '*PAL-1*')).toEqual(['*PAL-1*']);
    expect(meant('\uff30\uff21\uff2c\uff0d\uff11', 'PAL-1')).toEqual(['PAL-1']);
    expect(meant('\uff21', 'A', '\uff21')).toEqual(['\uff21']);
    expect(meant(']C0]C0PAL-1', ']C0PAL-1')).toEqual([']C0PAL-1']);
    expect(meant(`'${SSCC}`, SSCC, `'${SSCC}`)).toEqual([`'${SSCC}`]);
    expect(meant(`10LOT^00${SSCC}`, SSCC, `10LOT^00${SSCC}`)).toEqual([`10LOT^00${SSCC}`]);
  });
});

describe('upper and lower case', () => {
  it('takes the only id that is equal by folding', () => {
    expect(meant('pal-a1-5', 'PAL-A1-5', 'PAL-A1-6')).toEqual(['PAL-A1-5']);
    expect(meant('stra\u00dfe-e\u0301', 'STRASSE-\u00c9')).toEqual(['STRASSE-\u00c9']);
  });

  it('asks for a choice between several ids that are equal by folding', () => {
    expect(meant('pal-1', 'PAL-1', 'Pal-1', 'PAL-2')).toEqual(['PAL-1', 'Pal-1']);
  });
});

describe('markers', () => {
  const marked = (text: string) =>
    palletsMeant(readIdentifier(text), [{ wmsId: 'A', markerCode: 1_000_002_236 }, { wmsId: 'B' }]).pallets;

  it.each(['1000002236', ']Q11000002236', ' 1000002236\n', '&àààààéé"-', '1000 002 236'])(
    'reads the marker in %j',
    (text) => {
      expect(marked(text)).toMatchObject([{ wmsId: 'A' }]);
    },
  );

  it('reads a marker only in a canonical number that JSON can carry', () => {
    expect(readIdentifier('9007199254740991').marker).toBe(Number.MAX_SAFE_INTEGER);
    for (const text of ['0100', '9007199254740993', 'A1', '', '1.5', '-1', '1,000', '1e3'])
      expect(readIdentifier(text).marker, text).toBe(null);
  });
});

/** The characters that a layout types for the keys of a US keyboard, as in the layouts' own documentation. */
const TYPED: Record<string, Record<string, string>> = {
  french: {
    ...{ 0: 'à', 1: '&', 2: 'é', 3: '"', 4: "'", 5: '(', 6: '-', 7: 'è', 8: '_', 9: 'ç' },
    ...{
      '(': '9',
      ')': '0',
      '-': ')',
      ']': '$',
      '/': '!',
      ':': 'M',
      '.': ':',
      a: 'q',
      q: 'a',
      A: 'Q',
      z: 'w',
    },
    ...{ w: 'z', Q: 'A', Z: 'W', W: 'Z', m: ',', M: '?' },
  },
  belgian: {
    ...{ 0: 'à', 1: '&', 2: 'é', 3: '"', 4: "'", 5: '(', 6: '§', 7: 'è', 8: '!', 9: 'ç' },
    ...{
      '(': '9',
      ')': '0',
      '-': ')',
      ']': '$',
      '/': '=',
      ':': 'M',
      '.': ':',
      a: 'q',
      q: 'a',
      A: 'Q',
      z: 'w',
    },
    ...{ w: 'z', Q: 'A', Z: 'W', W: 'Z', m: ',', M: '?' },
  },
  german: { '(': ')', ')': '=', '-': 'ß', ']': '+', '/': '-', ':': 'Ö', y: 'z', z: 'y', Y: 'Z', Z: 'Y' },
};
const typedOn = (layout: string, text: string): string =>
  [...text].map((character) => TYPED[layout]![character] ?? character).join('');

describe('scanners that type for another keyboard', () => {
  it.each(Object.keys(TYPED))('undoes the %s layout', (layout) => {
    fc.assert(
      fc.property(sscc, fc.constantFrom('', '00', '(00)', ']C100', ']d200', ']Q300'), (number, prefix) => {
        expect(meant(typedOn(layout, prefix + number), 'OTHER', number)).toEqual([number]);
      }),
    );
    for (const id of ['PAL-A1-5', 'WMQ-2036-YZ', 'pal-wmq-18'])
      expect(meant(typedOn(layout, id), 'OTHER', id), id).toEqual([id]);
    for (const id of ['PAL-A1-5203', 'WMQ-2036-YZ', 'pal-wmq-1806']) {
      expect(looksMistyped(readIdentifier(typedOn(layout, id))), id).toBe(true);
    }
  });

  it.each([
    ['french', '00z,yp2y8v3e', '00WMYP2Y8V3E'],
    ['french', 'pql)q1', 'PAL_A1'],
    ['french', 'pql°q1', 'PAL-A1'],
    ['belgian', 'PQL,', 'palM'],
    ['german', '§$=!"§$%========!/', SSCC],
    ['german', 'pal?a!', 'PAL-A1'],
    ['french of a Mac', '&É"PQL', '123PAL'],
  ])('undoes the %s layout with Caps Lock: %s', (_, typed, id) => {
    expect(meant(typed, 'OTHER', id)).toEqual([id]);
  });

  it('does not undo a layout if the text may be right as it is', () => {
    expect(meant('PAL-Z1', 'PAL-Y1')).toEqual([]);
    expect(meant('A-7', 'A/7', 'A67')).toEqual([]);
    expect(readIdentifier('b\uff1d=').undone.flatMap((meaning) => meaning.meant)).toEqual([]);
    for (const text of [
      'PAL-Z1',
      'pal 12',
      'caf\u00e9 12',
      'M\u00dcLLER-7',
      '\u0161t\u00edtek',
      '\u041f\u0410\u041b\u0415\u0422\u0410 7',
      'k\u0131z\u0131l',
      SSCC,
    ])
      expect(looksMistyped(readIdentifier(text)), text).toBe(false);
  });
});

describe('URIs of pallets in EPCIS events', () => {
  const OWN = '0199c0de-0000-7000-8000-00000000000a';
  const uri = (name: string, organization = OWN) =>
    `https://dispatch.example.com/epc/${organization}/pallet/${name}`;
  const read = (text: string, ...wmsIds: string[]) =>
    palletsMeant(
      readIdentifier(text, OWN),
      wmsIds.map((wmsId) => ({ wmsId })),
    ).pallets.map(({ wmsId }) => wmsId);

  it('a URI names a pallet of the same organization', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 40 }).filter((id) => id.trim() === id && id !== ''),
        (id) => {
          expect(read(uri(encodeURIComponent(id)), 'OTHER', id)).toEqual([id]);
          expect(readIdentifier(uri(encodeURIComponent(id)), OWN).literal).toContain(id);
        },
      ),
    );
    expect(read(uri(SSCC), `00${SSCC}`)).toEqual([`00${SSCC}`]);
    expect(read(uri('pal-1'), 'PAL-1')).toEqual(['PAL-1']);
    expect(readIdentifier(uri('NEW%2F1'), OWN).text).toBe('NEW/1');
  });

  it('a URI of another organization or thing names no pallet', () => {
    const other = uri('PAL-1', OWN.replace('a', 'b'));
    for (const text of [
      other,
      uri('PAL-1').replace('pallet', 'gate'),
      `${uri('PAL-1')}/x`,
      uri('%E0%A4%A'),
    ]) {
      expect(read(text, 'PAL-1'), text).toEqual([]);
    }
    expect(meant(uri('PAL-1'), 'PAL-1')).toEqual([]);
  });

  it('a URI that is itself an id of a pallet is this pallet', () => {
    expect(read(uri('PAL-1'), 'PAL-1', uri('PAL-1'))).toEqual([uri('PAL-1')]);
  });
});

describe('any text', () => {
  const ordinary = fc.string({
    unit: fc.constantFrom(...'0123456789AYZayz-/. '),
    minLength: 1,
    maxLength: 24,
  });
  const text = fc.oneof(
    ordinary,
    fc.string({ minLength: 1 }),
    sscc,
    sscc.map((one) => `(00)${one}`),
  );

  it('finds the pallet that has exactly this text as its id', () => {
    fc.assert(
      fc.property(text, (id) => {
        expect(meant(id, 'other', id)).toEqual([id]);
      }),
    );
  });

  it('never becomes another pallet', () => {
    const near = (id: string) =>
      fc.oneof(
        fc.constant(id.replaceAll('Y', 'Z')),
        fc.constant(id.replaceAll('-', '/')),
        fc.constant(id.slice(1)),
        fc.constant(`${id}0`),
        fc.constant(`0${id}`),
        fc.nat({ max: id.length - 1 }).map((at) => `${id.slice(0, at)}7${id.slice(at + 1)}`),
        text,
      );
    const cases = fc.oneof(ordinary, sscc).chain((id) => fc.tuple(fc.constant(id), fc.array(near(id))));
    fc.assert(
      fc.property(cases, ([id, others]) => {
        const bare = (one: string) => one.replace(/\s/g, '');
        for (const found of meant(id, ...others)) {
          const number = ssccOf(found);
          const isSame =
            fold(found.trim()) === fold(id.trim()) ||
            bare(found) === bare(id) ||
            (number !== undefined && bare(id).includes(number));
          expect(isSame, `${JSON.stringify(id)} became ${JSON.stringify(found)}`).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives few candidates, however long it is', () => {
    for (const part of ['(', '(00)', '00', '3', '&', ' ', GS, '^]', '\u00eb', '/00/', '%']) {
      const { undone, literal, meant: ids } = readIdentifier(part.repeat(READING_MAXIMUM / part.length));
      expect(literal.length + ids.length + undone.length).toBeLessThan(20);
    }
    const { undone, meant: none } = readIdentifier(`${' '.repeat(2)}${SSCC}${'&'.repeat(READING_MAXIMUM)}`);
    expect([undone, none]).toEqual([[], []]);
  });
});

it.each([
  ['the last four digits of an SSCC', '0017', [SSCC]],
  ['the last four characters in another case', 'ab-1', ['PAL-AB-1']],
  ['surrounding blanks', ' 0017 ', [SSCC]],
  ['the end of several ids', '-AB-1', ['PAL-AB-1', 'X-AB-1']],
  ['three characters', '017', []],
  ['the middle of an id', '1234', []],
  ['no end', 'ZZZZ', []],
])('the end of an id offers pallets: %s', (_, text, offered) => {
  const pallets = [SSCC, 'PAL-AB-1', ...(text.startsWith('-') ? ['X-AB-1'] : [])].map((wmsId) => ({ wmsId }));
  expect(palletsEnding(readIdentifier(text), pallets).map(({ wmsId }) => wmsId)).toEqual(offered);
});

it('a Tab or a line end of a scanner ends a reading', () => {
  expect(readingsOf(`${SSCC}\tA 1\r\n\u200b\nB\n`)).toEqual([SSCC, 'A 1', 'B']);
  expect(readingsOf(`10LOT${GS}00${SSCC}`)).toHaveLength(1);
});
