import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { randomText } from '../../core/lib/random.ts';
import { type Permit, turns } from '../../core/lib/turns.ts';
import { COST, type ScryptCost } from './password-cost.ts';
import { preparePassword } from './rules.ts';

const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** The memory limit of scrypt. This service has never made a hash that needs more. */
const MEMORY_BYTES_MAXIMUM = 64 * 1024 * 1024;

/** PHC string format: `$scrypt$ln=14,r=8,p=5$<salt>$<hash>`, both in base64 without padding. */
const FORM = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Letters and digits that people do not confuse: no 0 O 1 I l. */
const READABLE = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** 93 random bits. */
const GENERATED_LENGTH = 16;

/** Generate a password that must be changed at the first sign-in. */
export function generatePassword(): string {
  return randomText(READABLE, GENERATED_LENGTH);
}

/** The stored form of a password: its scrypt hash with its own salt, and the parameters. */
export async function hashPassword(password: string, permit?: Permit): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return format(COST, salt, await derive(password, salt, COST, HASH_BYTES, permit));
}

/** The hash to compare with if there is no password, so that the answer takes as long. */
const MADE_UP_HASH = format(COST, Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES));

/**
 * Whether a password matches a stored hash. If `stored` is null, false after the same time. @throws for a text that
 * `hashPassword` did not make
 */
export async function verifyPassword(
  password: string,
  stored: string | null,
  permit?: Permit,
): Promise<boolean> {
  const { cost, salt, hash } = parse(stored ?? MADE_UP_HASH);
  const derived = await derive(password, salt, cost, hash.length, permit);
  return timingSafeEqual(derived, hash) && stored !== null;
}

/**
 * Whether a stored hash has another cost than new hashes. The password should then be hashed again when it is next
 * entered.
 */
export function needsRehash(stored: string): boolean {
  const { cost, salt, hash } = parse(stored);
  return (
    cost.ln !== COST.ln ||
    cost.r !== COST.r ||
    cost.p !== COST.p ||
    salt.length !== SALT_BYTES ||
    hash.length !== HASH_BYTES
  );
}

/**
 * A replacement for a password in the fingerprint of a request. It is always the same for a password and salt, and as
 * expensive to guess as the stored hash. A fast hash of a body with the password would be its weakest hash.
 */
export async function stretchPassword(password: string, salt: string): Promise<string> {
  return (await derive(password, Buffer.from(salt), COST, HASH_BYTES)).toString('base64');
}

/** The owner of the turns of passwords. The user may not be known yet. */
const OWNER = 'passwords';

/**
 * Run a function that hashes passwords. Hashing blocks the isolate's thread, so hashes run in turns. The function has a
 * permit from the start, so it is refused before it has done anything. Hashing outside of it gets its own permit.
 * @throws 503 if too many wait
 */
export const inLine = <T>(run: (permit: Permit) => Promise<T>): Promise<T> => turns.take(OWNER, run);

function derive(
  password: string,
  salt: Buffer,
  { ln, r, p }: ScryptCost,
  length: number,
  permit?: Permit,
): Promise<Buffer> {
  if (!permit) return inLine((own) => derive(password, salt, { ln, r, p }, length, own));
  const options: ScryptOptions = { N: 2 ** ln, r, p, maxmem: MEMORY_BYTES_MAXIMUM };
  return permit.work(
    () =>
      new Promise((resolve, reject) => {
        scrypt(preparePassword(password), salt, length, options, (error, derived) =>
          error ? reject(error) : resolve(derived),
        );
      }),
  );
}

/** Whether a stored hash has the form that `hashPassword` makes, with a cost that a sign-in can afford. */
export function isPasswordHash(stored: string): boolean {
  const [, ln, r, p, salt, hash] = FORM.exec(stored) ?? [];
  if (salt === undefined || hash === undefined) return false;
  const isOfCost = Number(ln) >= 1 && Number(ln) <= COST.ln && Number(r) >= 1 && Number(r) <= COST.r;
  return isOfCost && Number(p) >= 1 && Number(p) <= COST.p && salt.length <= 100 && hash.length <= 100;
}

function format({ ln, r, p }: ScryptCost, salt: Buffer, hash: Buffer): string {
  const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  return `$scrypt$ln=${ln},r=${r},p=${p}$${base64(salt)}$${base64(hash)}`;
}

function parse(stored: string): { cost: ScryptCost; salt: Buffer; hash: Buffer } {
  const [, ln, r, p, salt, hash] = FORM.exec(stored) ?? [];
  if (salt === undefined || hash === undefined) throw new Error('a stored password hash is not of its form');
  return {
    cost: { ln: Number(ln), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
}
