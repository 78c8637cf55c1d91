import { MINUTE_MS } from '../lib/time.ts';
import { LIFE_MS } from '../session/rules.ts';

/** Passkeys of a user. */
export const PASSKEYS_MAXIMUM = 10;
/** Characters of a name. */
export const PASSKEY_NAME_MAXIMUM = 60;
/** How long somebody may take with the authenticator. */
export const CHALLENGE_LIFE_MS = 5 * MINUTE_MS;
/** How long after a sign-in passkeys are added: not by who finds a session that somebody has left open. */
export const FRESH_MS = 15 * MINUTE_MS;

/** Whether a session was begun a moment ago. */
export const isFresh = ({ expiresDate }: { expiresDate: number }, now: number): boolean =>
  now - (expiresDate - LIFE_MS) <= FRESH_MS;

/**
 * Whether a count of uses may follow another: it is higher, or the authenticator does not count (WebAuthn level 3,
 * section 6.1.1). A copy of the key would count for itself.
 */
export const counts = (from: number, to: number): boolean => to > from || (from === 0 && to === 0);

/** Whose passkey it is: what authenticators keep and give back, and nobody reads a name from. */
export interface Owner {
  organization: string;
  userUuid: string;
}

const UUID_HEX = 32;
const bare = (uuid: string): string => uuid.replaceAll('-', '');
const dashed = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** The user handle of an owner: both uuids, 32 bytes. */
export const handleOf = ({ organization, userUuid }: Owner): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(bare(organization) + bare(userUuid), 'hex'));

/** The owner that a user handle (base64url) names; undefined for one that is not ours. */
export function ownerOf(handle: string): Owner | undefined {
  const hex = Buffer.from(handle, 'base64url').toString('hex');
  return hex.length === 2 * UUID_HEX
    ? { organization: dashed(hex.slice(0, UUID_HEX)), userUuid: dashed(hex.slice(UUID_HEX)) }
    : undefined;
}

/** The host that a passkey is bound to: one with a name, as an address has no passkeys. */
export const passkeyHost = (hostname: string): string | undefined =>
  /^[\d.]+$|^\[/.test(hostname) ? undefined : hostname.toLowerCase();
