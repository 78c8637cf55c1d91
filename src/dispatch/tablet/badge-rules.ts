/**
 * How a tablet recognizes a badge without a connection. The functions run in the browser and in the service. The service
 * has the key of each badge, derived slowly. A tablet gets a hash of the proof that this key gives for this tablet.
 */

import { withoutTypedEnd } from '../../pallet/reading-ends.ts';

/** The rounds of PBKDF2: the most that the platform of the service allows. A tablet needs about a third of a second. */
const ROUNDS = 100_000;
/** The hexadecimal digits of a hash in the list of a tablet. */
export const LISTED_DIGITS = 32;

const bytesOf = (text: string) => new TextEncoder().encode(text);
const hexOf = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const bytesOfHex = (hex: string) =>
  Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));

/** The text of a badge or PIN without the spaces and ends of readings that scanners type around it. */
export const textOfCode = (code: string): string => withoutTypedEnd(code.trim());

/** The normalised form of a badge. Scanners also differ in case. */
export const preparedCode = (code: string): string => textOfCode(code).normalize('NFC').toUpperCase();

/**
 * The key of a badge (64 hexadecimal digits). The salt is the organization, so that one derivation compares a badge with
 * all workers.
 */
export async function badgeKey(organization: string, badge: string): Promise<string> {
  const { subtle } = crypto;
  const password = await subtle.importKey('raw', bytesOf(preparedCode(badge)), 'PBKDF2', false, [
    'deriveBits',
  ]);
  const salt = bytesOf(`warehouse-dispatch badge v1 ${organization}`);
  return hexOf(
    await subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations: ROUNDS }, password, 256),
  );
}

/** The proof at one tablet (64 hexadecimal digits) that somebody has scanned the badge with this key. */
export async function badgeProof(key: string, tablet: string): Promise<string> {
  const { subtle } = crypto;
  const hash = { name: 'HMAC', hash: 'SHA-256' };
  const own = await subtle.importKey('raw', bytesOfHex(key), hash, false, ['sign']);
  return hexOf(await subtle.sign('HMAC', own, bytesOf(tablet)));
}

/** The hash of a proof in the list of a tablet. The proof cannot be computed from it. */
export const listedBadge = async (proof: string): Promise<string> =>
  hexOf(await crypto.subtle.digest('SHA-256', bytesOf(proof))).slice(0, LISTED_DIGITS);
