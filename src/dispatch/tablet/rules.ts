import { createHmac, hkdfSync } from 'node:crypto';
import type { Permission } from '../../access/user/rules.ts';
import type { SealingKeys } from '../../core/lib/seal.ts';
import { DAY_MS, MINUTE_MS } from '../../core/lib/time.ts';
import { auditing } from '../../core/writer/audited.ts';
import type { OrganizationSettings } from '../../core/writer/settings.ts';

/** How long a pairing link is valid. */
export const LINK_LIFE_MS = 15 * MINUTE_MS;
/** A worker's turn expires when nothing was done for this long. */
export const QUIET_MS = 15 * MINUTE_MS;
/** The longest lifetime of a cookie in browsers (RFC 6265bis); it is renewed with each visit. */
export const COOKIE_LIFE_MS = 400 * DAY_MS;
/** How long turns and revoked tablets are kept, for what still waits on a device. */
export const TURN_LIFE_MS = 30 * DAY_MS;

/** The most tablets of a gate, and of an organization, that are paired or may be; their list is not paginated. */
export const OF_GATE_MAXIMUM = 20;
export const TABLETS_MAXIMUM = 1_000;
/** The most workers of an organization, whose list is not paginated. */
export const WORKERS_MAXIMUM = 500;
/** The permissions of a tablet: to load at its gate. */
export const TABLET_PERMISSIONS: readonly Permission[] = ['APP_LOGIN', 'OPERATIONAL_APP_LOGIN'];

/** The format of a PIN. */
const PIN_PATTERN = /^\d{6,12}$/;
/** The least length of a new badge that consists of digits only, as fewer could be guessed. */
const DIGITS_MINIMUM = 8;

/** What is wrong with a new badge or PIN, by what tablets ask for; undefined if nothing is. */
export function faultOfCode(
  asks: OrganizationSettings['gateWorkerIdentification'],
  code: string,
): string | undefined {
  const typed = code.trim();
  if (asks === 'PIN') return PIN_PATTERN.test(typed) ? undefined : 'A PIN has 6 to 12 digits.';
  return /^\p{Nd}+$/u.test(typed) && [...typed].length < DIGITS_MINIMUM
    ? `A badge of digits only has at least ${DIGITS_MINIMUM} digits.`
    : undefined;
}

/**
 * The most different texts in the scan box of a tablet, within the window of attempts, that name no pallet and are
 * looked up as badges.
 */
export const SCANNED_TEXTS_MAXIMUM = 30;

/** The normalised form of a badge: scanners differ in case and in what they put around it. */
const prepared = (code: string): string => code.trim().normalize('NFC').toUpperCase();

/**
 * The stored hashes of a badge or PIN of an organization, one for each key of the deployment, today's first. A code
 * with so few possibilities could be guessed from any hash without a key.
 */
export const codeHashes = (keys: SealingKeys, organization: string, code: string): string[] =>
  keys.map((key) =>
    createHmac('sha256', Buffer.from(hkdfSync('sha256', key, '', 'warehouse-dispatch worker v1', 32)))
      .update(`${organization} ${prepared(code)}`)
      .digest('hex'),
  );

/** The audit entry of a tablet; the name of its gate stands among the changes. */
export const auditedTablet = auditing<{ uuid: string; name: string }>('GATE_TABLET', ({ name }) => name);

/** The audit entry of a worker. */
export const auditedWorker = auditing<{ uuid: string; name: string }>('GATE_WORKER', ({ name }) => name);
