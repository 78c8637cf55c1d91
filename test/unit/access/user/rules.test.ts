import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  EMAIL_MAXIMUM,
  EMAIL_PATTERN,
  inOrder,
  isLongEnough,
  isPasswordText,
  preparePassword,
} from '../../../../src/access/user/rules.ts';
import { PERMISSIONS } from '../../../../src/access/user/table.ts';
import { fold } from '../../../../src/core/lib/text.ts';
import { cpuMs } from '../../../cpu-time.ts';

describe('an e-mail address', () => {
  it.each([
    'a@b.co',
    'jane.doe+dispatch@example.com',
    "o'brien@example.co.uk",
    '!#$%&*/=?^_`{|}~-@example.com',
    '1@2.museum',
    'jane@xn--mnchen-3ya.de',
    'jane@example.xn--p1ai',
    'JANE@EXAMPLE.COM',
    `${'a'.repeat(64)}@example.com`,
    `a@${'b'.repeat(63)}.com`,
  ])('an e-mail address accepts %s', (text) => {
    expect(EMAIL_PATTERN.test(text)).toBe(true);
  });

  it.each([
    '',
    'jane',
    'jane@',
    '@example.com',
    'jane@localhost',
    'jane@example',
    'jane@example.',
    'jane@.com',
    'jane@example..com',
    '.jane@example.com',
    'jane.@example.com',
    'ja..ne@example.com',
    'jane doe@example.com',
    ' jane@example.com',
    'jane@example.com ',
    'jane@example.com\n',
    'jane@@example.com',
    'jane@example.com@example.com',
    'jane@-example.com',
    'jane@example-.com',
    'jane@exa_mple.com',
    'jane@127.0.0.1',
    'jane@[127.0.0.1]',
    '"jane"@example.com',
    'Jane <jane@example.com>',
    'jane,joe@example.com',
    'jané@example.com',
    'jane@exämple.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(64)}.com`,
  ])('an e-mail address refuses %j', (text) => {
    expect(EMAIL_PATTERN.test(text)).toBe(false);
  });

  it('an e-mail address accepts every deliverable address', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (address) => {
        fc.pre(address.length <= EMAIL_MAXIMUM);
        expect(EMAIL_PATTERN.test(address)).toBe(true);
      }),
    );
  });

  it('an e-mail address matches itself in any case', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (address) => {
        expect(fold(address.toUpperCase())).toBe(fold(address));
        expect(fold(address)).toBe(address.toLowerCase());
      }),
    );
  });

  it('the e-mail check takes linear time for any text', () => {
    const start = cpuMs();
    for (const text of ['a'.repeat(1_000_000), `a@${'a-'.repeat(500_000)}`, `a@${'a.'.repeat(500_000)}!`]) {
      expect(EMAIL_PATTERN.test(text)).toBe(false);
    }
    expect(cpuMs() - start).toBeLessThan(2_000);
  });
});

describe('a password', () => {
  it.each([
    ['é', 'e\u0301'],
    ['\u00a0 \u3000\u2009', '    '],
    ['Å', '\u212b'],
  ])('the password %j normalises like %j', (one, other) => {
    expect(preparePassword(one)).toBe(preparePassword(other));
  });

  it.each([
    ['a', 'A'],
    ['ﬁ', 'fi'],
    ['Ａ', 'A'],
    ['²', '2'],
    ['a ', 'a'],
    ['ß', 'ss'],
  ])('the password %j differs from %j', (one, other) => {
    expect(preparePassword(one)).not.toBe(preparePassword(other));
  });

  it('normalising a password twice changes nothing, and its Unicode form does not matter', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (password) => {
        const prepared = preparePassword(password);
        expect(preparePassword(prepared)).toBe(prepared);
        expect(preparePassword(password.normalize('NFD'))).toBe(prepared);
      }),
    );
  });

  it('a password needs eight characters after normalising', () => {
    expect(['12345678', '🚚'.repeat(8), 'é'.repeat(8), ' '.repeat(8)].map(isLongEnough)).toEqual(
      Array(4).fill(true),
    );
    expect(['1234567', '🚚'.repeat(7), 'e\u0301'.repeat(7), ''].map(isLongEnough)).toEqual(
      Array(4).fill(false),
    );
  });

  it('a password has no control characters', () => {
    expect(['a\nb', 'a\tb', '\u0000', '\u007f', '\u0085'].map(isPasswordText)).toEqual(Array(5).fill(false));
    expect(['a b', 'пароль', '👨‍👩‍👧', '\u00a0'].map(isPasswordText)).toEqual(Array(4).fill(true));
  });
});

it('permissions always appear in one order', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([...PERMISSIONS]), (permissions) => {
      const ordered = inOrder(permissions);
      expect(new Set(ordered)).toEqual(new Set(permissions));
      expect(ordered).toEqual(inOrder([...permissions].reverse()));
    }),
  );
});
