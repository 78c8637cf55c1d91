import { PERMISSIONS } from './table.ts';

export type Permission = (typeof PERMISSIONS)[number];

/**
 * The minimum number of characters (code points) of a password. NIST SP 800-63B section 3.1.1.2 asks for at least 8,
 * and to allow 64.
 */
export const PASSWORD_MINIMUM = 8;
/** The minimum for a new user's initial password, which only opens the page that changes it. */
export const GIVEN_PASSWORD_MINIMUM = 6;
export const PASSWORD_MAXIMUM = 128;

/** The maximum number of authorities per organization. Their list is not paginated. */
export const AUTHORITIES_MAXIMUM = 100;

/** The authority that always has every permission, so that some user can manage users. */
export const ADMINISTRATOR = 'ADMINISTRATOR';

/** Permissions in the order of display and storage. */
export function inOrder(permissions: readonly Permission[]): Permission[] {
  return PERMISSIONS.filter((permission) => permissions.includes(permission));
}

/** The `permissions` that are not in `held`. */
export const permissionsBeyond = (
  held: readonly Permission[],
  permissions: readonly Permission[],
): Permission[] => permissions.filter((permission) => !held.includes(permission));

/** The part of a link that the writer gets: enough to recognise it, never the token. */
export interface StoredInvite {
  /** SHA-256 (hex) of the token. With 192 random bits it needs no slow hash. */
  hash: string;
  /** Epoch milliseconds. */
  expiresDate: number;
}

/**
 * Prepare a password for hashing, as an OpaqueString (RFC 8265 section 4.2). Other spaces become U+0020 and the text
 * becomes NFC. Case, width and compatibility characters stay. So two keyboards that send different forms of a character
 * enter the same password.
 */
export function preparePassword(password: string): string {
  return password.replace(/\p{Zs}/gu, ' ').normalize('NFC');
}

/**
 * Whether OpaqueString allows the password: it has no control characters, which come from a typing error or from
 * copying (RFC 8264 section 9.12). Other classes that RFC 8264 excludes depend on the Unicode version, so they are
 * allowed.
 */
export function isPasswordText(password: string): boolean {
  return !/\p{Cc}/u.test(password);
}

/** Whether a prepared password has at least this many characters. */
export function isLongEnough(password: string): boolean {
  return [...preparePassword(password)].length >= PASSWORD_MINIMUM;
}

// RFC 5321 section 4.1.2: a dot-string of atoms (RFC 5322 section 3.2.3) at a host name of two labels or more. This is
// the HTML standard's valid e-mail address, without misplaced dots and without hosts that cannot receive mail.
const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';

/** The maximum length of an e-mail address: RFC 5321 section 4.5.3.1.3, without the brackets. */
export const EMAIL_MAXIMUM = 254;
/**
 * RFC 5321 section 4.5.3.1.1: at most 64 octets before the `@`. The last label is not a number, because that would be
 * an IP address.
 */
export const EMAIL_PATTERN = new RegExp(
  `^(?=[^@]{1,64}@)${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+(?!\\d+$)${LABEL}$`,
);
