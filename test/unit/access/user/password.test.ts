import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  generatePassword,
  hashPassword,
  needsRehash,
  stretchPassword,
  verifyPassword,
} from '../../../../src/access/user/password.ts';

const FORM = /^\$scrypt\$ln=14,r=8,p=5\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/;

/** RFC 7914 section 12, the third test vector. */
const RFC_7914 = `$scrypt$ln=14,r=8,p=1$${base64(Buffer.from('SodiumChloride'))}$${base64(
  Buffer.from(
    '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2' +
      'd5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887',
    'hex',
  ),
)}`;

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}

describe('a stored password', () => {
  it('a stored password is scrypt as in RFC 7914', async () => {
    expect(await verifyPassword('pleaseletmein', RFC_7914)).toBe(true);
    expect(await verifyPassword('pleaseletmeiN', RFC_7914)).toBe(false);
  });

  it('a stored password names its algorithm and parameters and has a new salt each time', async () => {
    const [one, two] = [await hashPassword('correct horse'), await hashPassword('correct horse')];
    expect([one, two].map((stored) => FORM.test(stored))).toEqual([true, true]);
    expect(one).not.toBe(two);
    expect(one.split('$')[3]).not.toBe(two.split('$')[3]);
    expect([await verifyPassword('correct horse', one), await verifyPassword('correct horse', two)]).toEqual([
      true,
      true,
    ]);
  });

  it('only its own password opens a stored password', async () => {
    const passwords = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(passwords, passwords, async (password, other) => {
        const stored = await hashPassword(password);
        expect(await verifyPassword(password.normalize('NFD'), stored)).toBe(true);
        expect(await verifyPassword(`${password}x`, stored)).toBe(false);
        fc.pre(other.normalize('NFC') !== password.normalize('NFC'));
        expect(await verifyPassword(other, stored)).toBe(false);
      }),
      { numRuns: 5 },
    );
  });

  it('comparing a password takes equally long if no password is stored', async () => {
    const stored = await hashPassword('correct horse');
    const time = async (against: string | null) => {
      const start = performance.now();
      expect(await verifyPassword('correct horsE', against)).toBe(false);
      return performance.now() - start;
    };
    await time(stored);
    const [there, absent] = [await time(stored), await time(null)];
    expect(absent).toBeGreaterThan(there / 10);
  });

  it('a stored password with another cost must be hashed again', async () => {
    const stored = await hashPassword('correct horse');
    expect(needsRehash(stored)).toBe(false);
    const [, , , salt, hash] = stored.split('$') as [string, string, string, string, string];
    const others = [
      RFC_7914,
      `$scrypt$ln=13,r=8,p=5$${salt}$${hash}`,
      `$scrypt$ln=14,r=9,p=5$${salt}$${hash}`,
      `$scrypt$ln=14,r=8,p=6$${salt}$${hash}`,
      `$scrypt$ln=14,r=8,p=5$${salt.slice(0, -2)}$${hash}`,
      `$scrypt$ln=14,r=8,p=5$${salt}$${hash.slice(0, -3)}`,
    ];
    expect(others.map(needsRehash)).toEqual(others.map(() => true));
  });

  it.each(['', 'correct horse', '$scrypt$ln=14,r=8,p=5$$', '$2b$10$abc', `${RFC_7914}$`, ` ${RFC_7914}`])(
    'a malformed hash (%j) is a defect whose message does not contain it',
    async (stored) => {
      await expect(verifyPassword('correct horse', stored)).rejects.toThrow(
        'a stored password hash is not of its form',
      );
    },
  );

  it('scrypt refuses a hash that asks for more memory than allowed', async () => {
    await expect(verifyPassword('x', RFC_7914.replace('ln=14', 'ln=24'))).rejects.toThrow();
  });
});

describe('a hash that replaces a missing password', () => {
  it('a stretched password is the same for the same password and salt only', async () => {
    const [one, same, salted, other] = await Promise.all([
      stretchPassword('correct horse', 'k1'),
      stretchPassword('correct horse', 'k1'),
      stretchPassword('correct horse', 'k2'),
      stretchPassword('correct horsE', 'k1'),
    ]);
    expect(same).toBe(one);
    expect(new Set([one, salted, other]).size).toBe(3);
  });
});

it('generated passwords are long, readable and unique', () => {
  const made = Array.from({ length: 1_000 }, generatePassword);
  expect(new Set(made).size).toBe(1_000);
  for (const password of made) expect(password).toMatch(/^[2-9A-HJ-NP-Za-km-z]{16}$/);
});
