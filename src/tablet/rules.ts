import { createHmac, hkdfSync } from 'node:crypto';
import type { SealingKeys } from '../lib/seal.ts';
import { DAY_MS, MINUTE_MS } from '../lib/time.ts';
import type { Permission } from '../user/rules.ts';
import { auditing } from '../writer/audited.ts';

/** How long a link pairs a device. */
export const LINK_LIFE_MS = 15 * MINUTE_MS;
/** A worker who did nothing for so long is not taken to be there any more. */
export const QUIET_MS = 15 * MINUTE_MS;
/** As long as browsers keep a cookie at most (RFC 6265bis); whoever comes gets a new one. */
export const COOKIE_LIFE_MS = 400 * DAY_MS;
/** How long it is known who worked where and what was revoked: for what still waits on a device. */
export const TURN_LIFE_MS = 30 * DAY_MS;

/** Tablets of a gate, and of an organization, that are paired or may be; the list of them has no pages. */
export const OF_GATE_MAXIMUM = 20;
export const TABLETS_MAXIMUM = 1_000;
/** Workers of an organization: the list of them has no pages. */
export const WORKERS_MAXIMUM = 500;
/** What a tablet may do: load at its gate. */
export const TABLET_PERMISSIONS: readonly Permission[] = ['APP_LOGIN', 'OPERATIONAL_APP_LOGIN'];

/** What is typed of a PIN. */
export const PIN_PATTERN = /^\d{6,12}$/;

/** A badge as it is compared: scanners differ in case and in what they put around it. */
const prepared = (code: string): string => code.trim().normalize('NFC').toUpperCase();

/**
 * What is stored of a badge or PIN of an organization: by each key of the deployment, the first of which is today's. What has
 * so few possibilities is guessed from any hash that can be computed without a key.
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
