import { crc32 } from 'node:zlib';
import { sha256Hex } from '../lib/hash.ts';
import { BASE62, randomText } from '../lib/random.ts';

/** What a secret opens: an API key starts `wdk_`, an access token `wdt_`. */
export type CredentialKind = 'API_KEY' | 'ACCESS_TOKEN';

const RANDOM_LENGTH = 30;
const CHECK_LENGTH = 6;
const PREFIX_LENGTH = 'wdk_test_'.length + 4;
const STARTS = { API_KEY: 'wdk', ACCESS_TOKEN: 'wdt' } as const;

/** A new secret as it is shown once, with what is stored of it. */
export interface NewSecret {
  secret: string;
  /** SHA-256 (hex) of the secret: it has 178 random bits, so it needs no slow hash. */
  hash: string;
  /** By which people tell secrets apart. */
  prefix: string;
}

/** Make a secret: `wd[kt]_<mark>_` + 30 random base62 characters + their CRC-32 as 6 base62 digits. */
export function makeSecret(kind: CredentialKind, mark: 'live' | 'test'): NewSecret {
  const random = randomText(BASE62, RANDOM_LENGTH);
  const secret = `${STARTS[kind]}_${mark}_${random}${checksum(random)}`;
  return { secret, hash: sha256Hex(secret), prefix: secret.slice(0, PREFIX_LENGTH) };
}

/** Whether a text has the form of a secret of this kind and environment: cheap, before any look-up. */
export function isSecretForm(text: string, kind: CredentialKind, mark: 'live' | 'test'): boolean {
  const start = `${STARTS[kind]}_${mark}_`;
  if (!text.startsWith(start) || text.length !== start.length + RANDOM_LENGTH + CHECK_LENGTH) return false;
  const random = text.slice(start.length, start.length + RANDOM_LENGTH);
  return /^[0-9A-Za-z]+$/.test(random) && text.endsWith(checksum(random));
}

/** CRC-32 of ASCII text in base62, most significant digit first, padded to six digits. */
export function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let index = 0; index < CHECK_LENGTH; index += 1) {
    digits = BASE62[rest % BASE62.length] + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}
