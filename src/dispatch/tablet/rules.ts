import { createHmac, hkdfSync } from 'node:crypto';
import type { Permission } from '../../access/user/rules.ts';
import { withoutTypedEnd } from '../../core/lib/reading-ends.ts';
import type { SealingKeys } from '../../core/lib/seal.ts';
import { DAY_MS, MINUTE_MS } from '../../core/lib/time.ts';
import { auditing } from '../../core/writer/audited.ts';
import type { OrganizationSettings } from '../../core/writer/settings.ts';

/** How long a pairing link is valid. */
export const LINK_LIFE_MS = 15 * MINUTE_MS;
/** A worker's turn expires after this time without use. */
export const QUIET_MS = 15 * MINUTE_MS;
/** The longest lifetime of a cookie in browsers (RFC 6265bis). Each visit renews it. */
export const COOKIE_LIFE_MS = 400 * DAY_MS;
/** How long turns and revoked tablets are kept. Actions may be queued on a device for that long. */
export const TURN_LIFE_MS = 30 * DAY_MS;

/**
 * The maximum number of tablets of a gate and of an organization. Tablets that may still be paired count. Their
 * list is not paginated.
 */
export const OF_GATE_MAXIMUM = 20;
export const TABLETS_MAXIMUM = 1_000;
/** The maximum number of workers of an organization. Their list is not paginated. */
export const WORKERS_MAXIMUM = 500;
/** The permissions of a tablet. They allow loading at its gate. */
export const TABLET_PERMISSIONS: readonly Permission[] = ['APP_LOGIN', 'OPERATIONAL_APP_LOGIN'];

/** The format of a PIN. */
const PIN_PATTERN = /^\d{6,12}$/;
/** The shortest new badge of digits only. A shorter badge could be guessed. */
const DIGITS_MINIMUM = 8;

/**
 * The error in a new badge or PIN, according to the setting of the organization. Undefined if it is
 * valid.
 */
export function faultOfCode(
  asks: OrganizationSettings['gateWorkerIdentification'],
  code: string,
): string | undefined {
  const typed = textOfBadge(code);
  if (asks === 'PIN') return PIN_PATTERN.test(typed) ? undefined : 'A PIN has 6 to 12 digits.';
  return /^\p{Nd}+$/u.test(typed) && [...typed].length < DIGITS_MINIMUM
    ? `A badge with only digits needs at least ${DIGITS_MINIMUM} digits.`
    : undefined;
}

/**
 * The maximum number of different texts from a tablet's scan box that are looked up as badges in a window of
 * attempts. Only texts that name no pallet count.
 */
export const SCANNED_TEXTS_MAXIMUM = 30;

/** The text of a badge without the spaces and ends of readings that scanners type around it. */
const textOfBadge = (code: string): string => withoutTypedEnd(code.trim());

/** The normalised form of a badge. Scanners also differ in case. */
const prepared = (code: string): string => textOfBadge(code).normalize('NFC').toUpperCase();

/**
 * The stored hashes of a badge or PIN, one for each key of the deployment, current key first. A PIN
 * has so few possible values that a hash without a key could be reversed by guessing.
 */
export const codeHashes = (keys: SealingKeys, organization: string, code: string): string[] =>
  keys.map((key) =>
    createHmac('sha256', Buffer.from(hkdfSync('sha256', key, '', 'warehouse-dispatch worker v1', 32)))
      .update(`${organization} ${prepared(code)}`)
      .digest('hex'),
  );

/** The audit entry of a tablet. Its gate is in the changes. */
export const auditedTablet = auditing<{ uuid: string; name: string }>('GATE_TABLET', ({ name }) => name);

export const auditedWorker = auditing<{ uuid: string; name: string }>('GATE_WORKER', ({ name }) => name);
