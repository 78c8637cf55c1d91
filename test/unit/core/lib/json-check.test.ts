import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonCheck } from '../../../../src/core/lib/json-check.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The result of a check of bytes that arrive in parts of this length. */
function checked(bytes: Uint8Array, partLength = bytes.length || 1) {
  const check = new JsonCheck();
  for (let at = 0; at < bytes.length; at += partLength) check.push(bytes.subarray(at, at + partLength));
  return check.end();
}

/** The result of `JSON.parse`. */
function parsed(bytes: Uint8Array): ReturnType<typeof checked> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return 'array';
    return value !== null && typeof value === 'object' ? 'object' : 'scalar';
  } catch {
    return null;
  }
}

/** Compare both results, also with parts of one byte, so that a part ends at every position. */
function expectAgreement(bytes: Uint8Array): void {
  const wanted = parsed(bytes);
  const said = [checked(bytes), checked(bytes, 1), checked(bytes, 3)];
  expect([JSON.stringify([...bytes]), ...said]).toEqual([JSON.stringify([...bytes]), wanted, wanted, wanted]);
}

describe('a text', () => {
  it.each([
    ...['{}', '[]', ' [ ] ', '\n\t{\r}\n', '[[],{}]', '{"a":{"b":[{}]}}', '{"a":1,"a":2}', '{"":""}'],
    ...['\ufeff{}', '\ufeff []'],
    ...['[0]', '[-0]', '[1.5]', '[-12.34e+56]', '[1E-7]', '[0e0]', '[1e999999]', '[true,false,null]'],
    ...['["\\u0000\\ud800\\"\\\\\\/\\b\\f\\n\\r\\t"]', '["é\u{1f4e6}\u2028"]', '{"\\u00e9":"\u007f"}'],
  ])('the calibration check accepts %j', (text) => {
    expectAgreement(encode(text));
    expect(checked(encode(text))).toBe(
      text.replace('\ufeff', '').trim().startsWith('[') ? 'array' : 'object',
    );
  });

  it.each(['0', '-1.5e3', '"text"', 'true', 'false', 'null', ' 12 ', '""'])(
    'the calibration check refuses the scalar %j',
    (text) => {
      expectAgreement(encode(text));
      expect(checked(encode(text))).toBe('scalar');
    },
  );

  it.each([
    ...[
      '',
      ' ',
      '{',
      '[',
      ']',
      '}',
      '[}',
      '{]',
      '[1',
      '{"a"',
      '{"a":',
      '{"a":1',
      '["',
      '"',
      '"a',
      '[]]',
      '{}}',
    ],
    ...['[1,]', '[,1]', '[,]', '[1 2]', '[1,,2]', '{"a":1,}', '{,}', '{"a" 1}', '{"a",1}', '{1:2}', '{a:1}'],
    ...[
      '{"a":1 "b":2}',
      '{"a":1:2}',
      "['a']",
      '[1]x',
      '[1] [2]',
      '{} {}',
      ',',
      ':',
      '[:]',
      '{"a"}',
      '{"a":}',
    ],
    ...['[01]', '[-01]', '[1.]', '[.5]', '[-]', '[+1]', '[1e]', '[1e+]', '[1.e1]', '[--1]', '[0x1]', '[1_0]'],
    ...[
      '[NaN]',
      '[Infinity]',
      '[tru]',
      '[truee]',
      '[True]',
      '[nul]',
      '[fals',
      'nulll',
      '[undefined]',
      '-',
      '1.',
    ],
    ...['["\\x"]', '["\\u12g4"]', '["\\u123"]', '["\\"]', '["\t"]', '["\n"]', '["\u0000"]', '["a\u001f"]'],
    ...[
      '\ufeff',
      '\ufeff\ufeff[]',
      ' \ufeff[]',
      '[]\ufeff',
      '[\ufeff]',
      '[\u00a0]',
      '[\v]',
      '[\f]',
      '[] // no',
      '[/**/]',
      '{"a\n":1}',
      '[1]\u0000',
    ],
  ])('the calibration check refuses %j as malformed JSON', (text) => {
    expectAgreement(encode(text));
    expect(checked(encode(text))).toBeNull();
  });

  it.each([
    ['a stray byte', [0xff]],
    ['a lone continuation', [0x80]],
    ['a lone surrogate, encoded', [0xed, 0xa0, 0x80]],
    ['NUL in two bytes', [0xc0, 0x80]],
    ['a quote in two bytes', [0xc0, 0xa2]],
    ['a character that is cut', [0xe2, 0x82]],
    ['a code point over the last', [0xf4, 0x90, 0x80, 0x80]],
    ['latin-1', [0xe9]],
  ])('the calibration check refuses a text with %s as malformed UTF-8', (_, bytes) => {
    expectAgreement(Uint8Array.from([0x5b, 0x22, ...bytes, 0x22, 0x5d]));
    expectAgreement(Uint8Array.from([0x5b, ...bytes, 0x5d]));
    expectAgreement(Uint8Array.from([0x5b, 0x5d, ...bytes]));
    expect(checked(Uint8Array.from([0x5b, 0x22, ...bytes, 0x22, 0x5d]))).toBeNull();
  });

  it('the calibration check refuses UTF-16', () => {
    expect(checked(Uint8Array.from([0xff, 0xfe, 0x5b, 0, 0x5d, 0]))).toBeNull();
    expect(checked(Uint8Array.from([0x5b, 0, 0x5d, 0]))).toBeNull();
  });
});

describe('any text', () => {
  it('the calibration check accepts any JSON, however it is cut into chunks', () => {
    const spaces = fc.stringMatching(/^[ \n\r\t]*$/);
    const json = fc.tuple(spaces, fc.json({ depthSize: 'large' }), spaces, fc.nat(4));
    fc.assert(
      fc.property(json, ([before, text, after, indent]) => {
        expectAgreement(encode(before + text + after));
        expectAgreement(encode(JSON.stringify(JSON.parse(text), null, indent)));
      }),
    );
  });

  it('the calibration check judges a text with a changed byte as JSON.parse does', () => {
    const structural = fc.constantFrom(
      ...encode('{}[]",:\\ue+-.019tfn \n\u0000\u001f'),
      0x80,
      0xc3,
      0xe2,
      0xff,
    );
    const property = fc.property(
      fc.json(),
      fc.nat(),
      fc.oneof(structural, fc.nat(255)),
      fc.constantFrom('change', 'put in', 'leave out'),
      (text, place, byte, what) => {
        const bytes = [...encode(text)];
        const at = place % bytes.length;
        bytes.splice(at, what === 'put in' ? 0 : 1, ...(what === 'leave out' ? [] : [byte]));
        expectAgreement(Uint8Array.from(bytes));
      },
    );
    fc.assert(property, { numRuns: 3_000 });
  });

  it('the calibration check judges any text of JSON characters as JSON.parse does', () => {
    const characters = fc.constantFrom(...'{}[]",:0-1.e+\\utrfalsn ');
    const texts = fc.array(characters, { maxLength: 12 }).map((list) => list.join(''));
    fc.assert(
      fc.property(texts, (text) => expectAgreement(encode(text))),
      { numRuns: 5_000 },
    );
  });
});

describe('levels', () => {
  it('the calibration check follows any depth and matches each bracket', () => {
    const depth = 3_000_000;
    const open = '[{"a":'.repeat(depth / 2);
    const close = '}]'.repeat(depth / 2);
    expect(checked(encode(`${open}0${close}`), 65_536)).toBe('array');
    expect(checked(encode(`${open}0${close.slice(1)}`), 65_536)).toBeNull();
    expect(checked(encode(`${open}0${close.slice(0, -1)}`), 65_536)).toBeNull();
    expect(checked(encode(`${open}0${close}]`), 65_536)).toBeNull();
  });

  it('the calibration check keeps brackets apart at every depth around a byte boundary', () => {
    for (let depth = 1; depth <= 300; depth += 1) {
      const kinds = Array.from({ length: depth }, (_, level) => (level * 7 + depth) % 3 === 0);
      const open = kinds.map((object) => (object ? '{"a":' : '[')).join('');
      const close = kinds.map((object) => (object ? '}' : ']')).reverse();
      expect(checked(encode(`${open}1${close.join('')}`))).toBe(kinds[0] ? 'object' : 'array');
      const wrong = close.with(depth >> 1, close[depth >> 1] === '}' ? ']' : '}');
      expect(checked(encode(`${open}1${wrong.join('')}`))).toBeNull();
    }
  });
});

it('the calibration check reports at once that a text cannot become JSON', () => {
  const check = new JsonCheck();
  check.push(encode('{"a":'));
  expect(check.failed).toBe(false);
  check.push(encode('x'));
  expect(check.failed).toBe(true);
  check.push(encode('1}'));
  expect([check.failed, check.end()]).toEqual([true, null]);
});
