import { crc32 } from 'node:zlib';
import { sha256Hex } from '../../core/lib/hash.ts';
import { ROUTING_TAG_LENGTH, routingTag } from '../../core/lib/id.ts';
import { BASE62, randomText } from '../../core/lib/random.ts';
import type { CredentialKind } from './table.ts';

/**
 * The number of characters between environment and checksum: the routing tag of the organization, and 22 random
 * characters.
 */
const BODY_LENGTH = 30;
const CHECK_LENGTH = 6;
/**
 * The length of the visible prefix. It includes four characters after the routing tag, because all secrets of an
 * organization share the tag.
 */
const PREFIX_LENGTH = 'wdk_test_'.length + ROUTING_TAG_LENGTH + 4;
/** The prefix of secrets by kind. */
const STARTS = { API_KEY: 'wdk', ACCESS_TOKEN: 'wdt', OPERATOR: 'wdo' } as const satisfies Record<
  CredentialKind,
  string
>;

/** A new secret, which is shown once, and its stored parts. */
export interface NewSecret {
  secret: string;
  /** SHA-256 (hex) of the secret. The secret has 131 random bits, so it needs no slow hash. */
  hash: string;
  /** The prefix that identifies the secret for people. */
  prefix: string;
}

/**
 * Make a secret of an organization: `wd[kto]_<environment>_`, its routing tag, 22 random base62 characters, and the
 * CRC-32 of both as 6 base62 digits.
 */
export function makeSecret(
  organization: string,
  kind: CredentialKind,
  environment: 'live' | 'test',
): NewSecret {
  const body = routingTag(organization) + randomText(BASE62, BODY_LENGTH - ROUTING_TAG_LENGTH);
  const secret = `${STARTS[kind]}_${environment}_${body}${checksum(body)}`;
  return { secret, hash: sha256Hex(secret), prefix: secret.slice(0, PREFIX_LENGTH) };
}

/** Whether a text has the form of a secret of this kind: a cheap check before the look-up. */
export function isSecretForm(text: string, kind: CredentialKind): boolean {
  const [start] = /^wd[kto]_(?:live|test)_/.exec(text) ?? [''];
  if (!start.startsWith(STARTS[kind]) || text.length !== start.length + BODY_LENGTH + CHECK_LENGTH)
    return false;
  const body = text.slice(start.length, start.length + BODY_LENGTH);
  return /^[0-9A-Za-z]+$/.test(body) && text.endsWith(checksum(body));
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

/** The routing tag of a secret of valid form. Older secrets have no tag; the result is then random characters. */
export const tagIn = (secret: string): string =>
  secret.slice(-BODY_LENGTH - CHECK_LENGTH).slice(0, ROUTING_TAG_LENGTH);
