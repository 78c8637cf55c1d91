import { UUID_HEX_LENGTH, uuidHex, uuidOfHex } from '../../core/lib/id.ts';
import { MINUTE_MS } from '../../core/lib/time.ts';
import { LIFE_MS } from '../session/rules.ts';

/** The maximum number of passkeys per user. */
export const PASSKEYS_MAXIMUM = 10;
/** The maximum characters of a name. */
export const PASSKEY_NAME_MAXIMUM = 60;
/** How long a challenge is valid. */
export const CHALLENGE_LIFE_MS = 5 * MINUTE_MS;
/** How long after a sign-in passkeys may be added. Without this limit, a stranger at an open session could add one. */
export const FRESH_MS = 15 * MINUTE_MS;

/** Whether a session began recently enough. */
export const isFresh = ({ expiresDate }: { expiresDate: number }, now: number): boolean =>
  now - (expiresDate - LIFE_MS) <= FRESH_MS;

/**
 * Whether a signature counter may follow another counter: the later counter is higher, or the authenticator does not
 * count (WebAuthn level 3, section 6.1.1). A cloned key would repeat values.
 */
export const counts = (from: number, to: number): boolean => to > from || (from === 0 && to === 0);

/** The owner of a passkey. Authenticators store and return it. It contains no name. */
export interface PasskeyOwner {
  organization: string;
  userUuid: string;
}

/** The WebAuthn user handle of an owner: both uuids, 32 bytes. */
export const handleOf = ({ organization, userUuid }: PasskeyOwner): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(uuidHex(organization) + uuidHex(userUuid), 'hex'));

/** The owner in a user handle (base64url); undefined for a handle of another service. */
export function passkeyOwnerOf(handle: string): PasskeyOwner | undefined {
  const hex = Buffer.from(handle, 'base64url').toString('hex');
  return hex.length === 2 * UUID_HEX_LENGTH
    ? {
        organization: uuidOfHex(hex.slice(0, UUID_HEX_LENGTH)),
        userUuid: uuidOfHex(hex.slice(UUID_HEX_LENGTH)),
      }
    : undefined;
}

/** The relying party id of a host: its name. Undefined for an IP address, which cannot have passkeys. */
export const passkeyHost = (hostname: string): string | undefined =>
  /^[\d.]+$|^\[/.test(hostname) ? undefined : hostname.toLowerCase();
