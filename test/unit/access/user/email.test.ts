import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emailKey, isEmail } from '../../../../src/access/user/email-rules.ts';
import { lowerAscii } from '../../../../src/core/lib/text.ts';
import { cpuMs } from '../../../cpu-time.ts';

describe('an international e-mail address', () => {
  it.each([
    ['müller@bücher.example', 'müller@xn--bcher-kva.example'],
    ['Müller@BÜCHER.Example', 'müller@xn--bcher-kva.example'],
    ['mu\u0308ller@bu\u0308cher.example', 'müller@xn--bcher-kva.example'],
    ['müller@xn--bcher-kva.example', 'müller@xn--bcher-kva.example'],
    ['Mueller@bücher.example', 'mueller@xn--bcher-kva.example'],
    ['jörg.müller+lager@example.com', 'jörg.müller+lager@example.com'],
    ['用户@例子.广告', '用户@xn--fsqu00a.xn--4rr70v'],
    ['коля@пример.рф', 'коля@xn--e1afmkfd.xn--p1ai'],
    ['संपर्क@डाटामेल.भारत', 'संपर्क@xn--c2bd4bq1db8d.xn--h2brj9c'],
    ['θσερ@εχαμπλε.ψομ', 'θσερ@xn--mxahbxey0c.xn--xxaf0a'],
    ['jane@faß.example', 'jane@xn--fa-hia.example'],
  ])('%s is accepted and compared as %s', (text, key) => {
    expect([isEmail(text), emailKey(text)]).toEqual([true, key]);
    // A key is an address by itself, and stays as it is.
    expect([isEmail(key), emailKey(key)]).toEqual([true, key]);
  });

  it.each([
    ['a letter that normal form makes ASCII', '\u212aiss@a.example'],
    ['a sign that normal form makes ASCII', 'a\u1fefb@a.example'],
    ['a domain with a Kelvin sign', 'a@\u212aiss.example'],
    ['a domain with full-width letters', 'a@ｅxample.com'],
    ['a domain with a long s', 'a@ki\u017f\u017f.example'],
    ['a domain with a ligature', 'a@ﬁrm.example'],
    ['a domain with a ligature among other letters', 'a@ﬁrmü.example'],
    ['a domain with a full-width dot', 'a@bücher．example'],
    ['a domain with an ideographic full stop', 'a@bücher。example'],
    ['a domain with an invisible character', 'a@bü\u200bcher.example'],
    ['a domain with a soft hyphen', 'a@bü\u00adcher.example'],
    ['an invisible character', 'mü\u200bller@a.example'],
    ['an invisible letter', 'mü\u3164ller@a.example'],
    ['a variation selector', 'mü\ufe0fller@a.example'],
    ['a direction mark', 'mü\u202eller@a.example'],
    ['a mark at the beginning', '\u0301müller@a.example'],
    ['a blank', 'mü ller@a.example'],
    ['a no-break space', 'mü\u00a0ller@a.example'],
    ['a line break', 'müller@a.example\n'],
    ['two dots', 'mü..ller@a.example'],
    ['a dot at the end', 'müller.@a.example'],
    ['no local part', '@bücher.example'],
    ['no domain', 'müller@'],
    ['a domain of one label', 'müller@bücher'],
    ['two signs at', 'mü@ller@a.example'],
    ['an address of a host', 'müller@127.0.0.1'],
    ['a port', 'müller@bücher.example:80'],
    ['a path', 'müller@bücher.example/x'],
    ['65 octets in its local part', `${'ü'.repeat(32)}x@a.example`],
    [
      'too many octets',
      `ü@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.example.com`,
    ],
    ['a lone surrogate', 'm\ud800ller@a.example'],
    ['an empty label', 'müller@bücher..example'],
  ])('an address with %s is refused, and is equal to itself alone', (_, text) => {
    expect([isEmail(text), emailKey(text)]).toEqual([false, lowerAscii(text)]);
  });

  it.each([
    ['jane@faß.example', 'jane@fass.example'],
    ['müller@a.example', 'MÜLLER@a.example'],
    ['müller@a.example', 'muller@a.example'],
    // A Cyrillic a.
    ['\u0430dmin@a.example', 'admin@a.example'],
    ['admin@\u0430.example', 'admin@a.example'],
    ['groß@a.example', 'gross@a.example'],
    ['kiss@a.example', 'ki\u017f\u017f@a.example'],
  ])('%s and %s are different addresses', (one, other) => {
    expect(emailKey(one)).not.toBe(emailKey(other));
  });

  it('the key of an ASCII address is the address in lower case, and no other text has it', () => {
    fc.assert(
      fc.property(fc.emailAddress(), fc.string({ unit: 'binary' }), (address, text) => {
        expect(emailKey(address)).toBe(lowerAscii(address));
        const key = emailKey(text);
        // Only the domain of an international address becomes ASCII.
        if (key !== lowerAscii(text)) expect(isEmail(text)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
    fc.assert(
      fc.property(
        fc.emailAddress(),
        fc.nat(),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
        (address, at, sign) => {
          const index = at % address.length;
          const changed = address.slice(0, index) + sign + address.slice(index + 1);
          if (emailKey(changed) === emailKey(address)) expect(lowerAscii(changed)).toBe(lowerAscii(address));
        },
      ),
      { numRuns: 20_000 },
    );
  });

  it('the check of an international address takes linear time for any text', () => {
    const start = cpuMs();
    for (const text of [
      `ü${'a'.repeat(1_000_000)}`,
      `ü@${'ü.'.repeat(500_000)}`,
      `ü${'\u0301'.repeat(500_000)}@a.b`,
    ]) {
      expect(isEmail(text)).toBe(false);
    }
    expect(cpuMs() - start).toBeLessThan(1_000);
  });
});
