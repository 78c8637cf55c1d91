import { describe, expect, it } from 'vitest';
import { missing, missingIn, quoted } from '../../../../src/core/lib/missing.ts';
import { PROBLEMS } from '../../../../src/core/lib/problem.ts';

describe('the title of a problem', () => {
  it('a title has at most eight words', () => {
    const long = Object.values(PROBLEMS).filter(([, title]) => title.split(' ').length > 8);
    expect(long).toEqual([]);
  });

  it('titles of different problems differ', () => {
    const titles = Object.values(PROBLEMS).map(([, title]) => title);
    // A marker code that is not allocated is missing in a path, and a conflict in a coupling.
    const shared = titles.filter((title, index) => titles.indexOf(title) !== index);
    expect(shared).toEqual(['The marker code is not allocated']);
  });

  it('a title is a sentence that starts with a capital letter and has no full stop', () => {
    const others = Object.values(PROBLEMS).filter(([, title]) => !/^[A-Z].*[^.]$/.test(title));
    expect(others).toEqual([]);
  });
});

describe('a refusal of a resource that does not exist', () => {
  it('the refusal names the kind and the identifier', () => {
    expect(missing('gateNotFound', 'G7')).toEqual({
      code: 'gateNotFound',
      status: 404,
      facts: { name: 'G7' },
      detail: 'Gate "G7" does not exist.',
    });
  });

  it('the refusal of a field of the body is 400 and names the field', () => {
    const message = 'Gate "G7" does not exist.';
    expect(missingIn('gateExternalId', 'gateNotFound', 'G7')).toEqual({
      code: 'gateNotFound',
      status: 400,
      facts: { name: 'G7' },
      detail: message,
      errors: [{ field: 'gateExternalId', code: 'gateNotFound', message, rejectedValue: 'G7' }],
    });
  });
});

describe('an identifier in a message', () => {
  it.each([
    ['Dock 04', '"Dock 04"'],
    ['Łódź 😀', '"Łódź 😀"'],
    ['19" rack', '"19\\" rack"'],
    ['a\\b', '"a\\\\b"'],
    ['two\nlines\u0000', '"two\\nlines\\u0000"'],
    ['C1 \u0085, bidi \u202e', '"C1 \\u{85}, bidi \\u{202e}"'],
    ['lone \ud800', '"lone \\ud800"'],
  ])('%j is shown as %s', (text, shown) => {
    expect(quoted(text)).toBe(shown);
  });

  it('a text of 100 characters is shown whole, and a longer one is cut', () => {
    expect(quoted('😀'.repeat(100))).toBe(`"${'😀'.repeat(100)}"`);
    expect(quoted('😀'.repeat(101))).toBe(`"${'😀'.repeat(100)}…"`);
    expect(quoted('x'.repeat(10_000))).toBe(`"${'x'.repeat(100)}…"`);
  });
});
