import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonCheck } from '../../../../src/core/lib/json-check.ts';

/** The result of a check of a text that arrives in parts of this length. */
function checked(text: string, partLength = text.length || 1) {
  const check = new JsonCheck({ level: () => undefined });
  for (let at = 0; at < text.length; at += partLength) check.push(text.slice(at, at + partLength));
  return check.end();
}

/** The result of `JSON.parse`. */
function parsed(text: string): ReturnType<typeof checked> {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return 'array';
    return value !== null && typeof value === 'object' ? 'object' : 'scalar';
  } catch {
    return null;
  }
}

/** Compare both results, also with parts of one character, so that a part ends at every position. */
function expectAgreement(text: string): void {
  const wanted = parsed(text);
  const said = [checked(text), checked(text, 1), checked(text, 3)];
  expect([text, ...said]).toEqual([text, wanted, wanted, wanted]);
}

describe('a text', () => {
  it.each([
    ...['{}', '[]', ' [ ] ', '\n\t{\r}\n', '[[],{}]', '{"a":{"b":[{}]}}', '{"a":1,"a":2}', '{"":""}'],
    ...['[0]', '[-0]', '[1.5]', '[-12.34e+56]', '[1E-7]', '[0e0]', '[1e999999]', '[true,false,null]'],
    ...['["\\u0000\\ud800\\"\\\\\\/\\b\\f\\n\\r\\t"]', '["é\u{1f4e6}\u2028"]', '{"\\u00e9":"\u007f"}'],
  ])('the JSON check accepts %j', (text) => {
    expectAgreement(text);
    expect(checked(text)).toBe(text.trim().startsWith('[') ? 'array' : 'object');
  });

  it.each(['0', '-1.5e3', '"text"', 'true', 'false', 'null', ' 12 ', '""'])(
    'the JSON check refuses the scalar %j',
    (text) => {
      expectAgreement(text);
      expect(checked(text)).toBe('scalar');
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
  ])('the JSON check refuses %j as malformed JSON', (text) => {
    expectAgreement(text);
    expect(checked(text)).toBeNull();
  });
});

describe('any text', () => {
  it('the JSON check accepts any JSON, however it is cut into chunks', () => {
    const spaces = fc.stringMatching(/^[ \n\r\t]*$/);
    const json = fc.tuple(spaces, fc.json({ depthSize: 'large' }), spaces, fc.nat(4));
    fc.assert(
      fc.property(json, ([before, text, after, indent]) => {
        expectAgreement(before + text + after);
        expectAgreement(JSON.stringify(JSON.parse(text), null, indent));
      }),
    );
  });

  it('the JSON check judges a text with a changed character as JSON.parse does', () => {
    const structural = fc.constantFrom(
      ...'{}[]",:\\ue+-.019tfn \n\u0000\u001f\u0080\u00ff\u0100\ud800\ufeff',
    );
    const property = fc.property(
      fc.json(),
      fc.nat(),
      fc.oneof(structural, fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })),
      fc.constantFrom('change', 'put in', 'leave out'),
      (text, place, character, what) => {
        const at = place % text.length;
        const rest = text.slice(what === 'put in' ? at : at + 1);
        expectAgreement(text.slice(0, at) + (what === 'leave out' ? '' : character) + rest);
      },
    );
    fc.assert(property, { numRuns: 3_000 });
  });

  it('the JSON check judges any text of JSON characters as JSON.parse does', () => {
    const characters = fc.constantFrom(...'{}[]",:0-1.e+\\utrfalsn ');
    const texts = fc.array(characters, { maxLength: 12 }).map((list) => list.join(''));
    fc.assert(
      fc.property(texts, (text) => expectAgreement(text)),
      { numRuns: 5_000 },
    );
  });
});

describe('levels', () => {
  it('the JSON check follows any depth and matches each bracket', () => {
    const depth = 3_000_000;
    const open = '[{"a":'.repeat(depth / 2);
    const close = '}]'.repeat(depth / 2);
    expect(checked(`${open}0${close}`, 65_536)).toBe('array');
    expect(checked(`${open}0${close.slice(1)}`, 65_536)).toBeNull();
    expect(checked(`${open}0${close.slice(0, -1)}`, 65_536)).toBeNull();
    expect(checked(`${open}0${close}]`, 65_536)).toBeNull();
  });

  it('the JSON check keeps brackets apart at every depth around a byte boundary', () => {
    for (let depth = 1; depth <= 300; depth += 1) {
      const kinds = Array.from({ length: depth }, (_, level) => (level * 7 + depth) % 3 === 0);
      const open = kinds.map((object) => (object ? '{"a":' : '[')).join('');
      const close = kinds.map((object) => (object ? '}' : ']')).reverse();
      expect(checked(`${open}1${close.join('')}`)).toBe(kinds[0] ? 'object' : 'array');
      const wrong = close.with(depth >> 1, close[depth >> 1] === '}' ? ']' : '}');
      expect(checked(`${open}1${wrong.join('')}`)).toBeNull();
    }
  });
});

it('the JSON check reports at once that a text cannot become JSON', () => {
  const check = new JsonCheck({ level: () => undefined });
  check.push('{"a":');
  expect(check.failed).toBe(false);
  check.push('x');
  expect(check.failed).toBe(true);
  check.push('1}');
  expect([check.failed, check.end()]).toEqual([true, null]);
});
