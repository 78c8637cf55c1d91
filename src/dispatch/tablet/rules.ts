import { createHash, createHmac, hkdfSync } from 'node:crypto';
import type { Permission } from '../../access/user/rules.ts';
import { nameText } from '../../core/http/schema.ts';
import type { SealingKeys } from '../../core/lib/seal.ts';
import { DAY_MS, MINUTE_MS } from '../../core/lib/time.ts';
import { auditing } from '../../core/writer/audited.ts';
import type { OrganizationSettings } from '../../core/writer/settings.ts';
import { badgeKey, LISTED_DIGITS, preparedCode, textOfCode } from './badge-rules.ts';

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

/** The possible uses of the code of a worker. */
export const CODE_KINDS = ['PIN', 'BADGE', 'BOTH'] as const;
export type CodeKind = (typeof CODE_KINDS)[number];

/** Whether a code is a PIN, a badge, or fits both. A short code of digits is no badge, and a long one no PIN. */
export function kindOfCode(code: string): CodeKind | undefined {
  const typed = textOfCode(code);
  const isPin = PIN_PATTERN.test(typed);
  const isBadge = !/^\p{Nd}+$/u.test(typed) || [...typed].length >= DIGITS_MINIMUM;
  return isPin && isBadge ? 'BOTH' : isPin ? 'PIN' : isBadge ? 'BADGE' : undefined;
}

type Asks = OrganizationSettings['gateWorkerIdentification'];

/** Whether tablets that ask for this take a code of this kind. Tablets that do not ask may ask for either later. */
export const isAskedFor = (asks: Asks, kind: CodeKind): boolean =>
  asks === 'NONE' || kind === 'BOTH' || kind === asks;

/**
 * The error in a new badge or PIN, according to the setting of the organization. Undefined if it is
 * valid.
 */
export function faultOfCode(asks: Asks, code: string): string | undefined {
  const kind = kindOfCode(code);
  if (kind && isAskedFor(asks, kind)) return undefined;
  if (asks === 'PIN') return 'A PIN has 6 to 12 digits.';
  return asks === 'BADGE'
    ? `A badge with only digits needs at least ${DIGITS_MINIMUM} digits.`
    : `A PIN has 6 to 12 digits. A badge with only digits needs at least ${DIGITS_MINIMUM} digits.`;
}

/**
 * The maximum number of different texts from a tablet's scan box that are looked up as badges in a window of
 * attempts. Only texts that name no pallet count.
 */
export const SCANNED_TEXTS_MAXIMUM = 30;

/**
 * The stored hashes of a badge or PIN, one for each key of the deployment, current key first. A PIN
 * has so few possible values that a hash without a key could be reversed by guessing.
 */
export const codeHashes = (keys: SealingKeys, organization: string, code: string): string[] =>
  keys.map((key) =>
    createHmac('sha256', Buffer.from(hkdfSync('sha256', key, '', 'warehouse-dispatch worker v1', 32)))
      .update(`${organization} ${preparedCode(code)}`)
      .digest('hex'),
  );

/**
 * Hide or show the key of a badge with a key of the deployment. The stored text is useless without that key. The mask
 * depends on the hash of the badge, so each badge has its own.
 */
function masked(sealing: string, codeHash: string, key: string): string {
  const secret = Buffer.from(hkdfSync('sha256', sealing, '', 'warehouse-dispatch badge key v1', 32));
  const mask = createHmac('sha256', secret).update(codeHash).digest();
  const hidden = [...Buffer.from(key, 'hex')].map((byte, index) => byte ^ mask[index]!);
  return Buffer.from(hidden).toString('hex');
}

/** The stored parts of a badge or PIN. A PIN could be guessed by trying all of them, so tablets do not get it. */
export interface StoredCode {
  codeHash: string;
  offlineKey: string | null;
  codeKind: CodeKind;
}

/** The stored form of a valid badge or PIN with the current key of the deployment. */
export async function storedCode(keys: SealingKeys, organization: string, code: string): Promise<StoredCode> {
  const codeHash = codeHashes(keys, organization, code)[0]!;
  const codeKind = kindOfCode(code)!;
  const key = codeKind === 'PIN' ? undefined : await badgeKey(organization, code);
  return { codeHash, codeKind, offlineKey: key ? masked(keys[0], codeHash, key) : null };
}

/**
 * The proofs of a worker's badge at a tablet (see `badgeProof`), one for each key of the deployment. It is not stored which
 * of these keys has hidden the key of the badge.
 */
export const proofsOf = (
  keys: SealingKeys,
  { codeHash, offlineKey }: Pick<StoredCode, 'codeHash' | 'offlineKey'>,
  tablet: string,
): string[] =>
  offlineKey === null
    ? []
    : keys.map((sealing) =>
        createHmac('sha256', Buffer.from(masked(sealing, codeHash, offlineKey), 'hex'))
          .update(tablet)
          .digest('hex'),
      );

/** The badges that a tablet recognizes without a connection: the hash of the proof, and the name of the worker. */
export const listedBadges = (
  keys: SealingKeys,
  workers: readonly (Pick<StoredCode, 'codeHash' | 'offlineKey'> & { name: string })[],
  tablet: string,
): [hash: string, name: string][] =>
  workers.flatMap((worker) =>
    proofsOf(keys, worker, tablet).map((proof): [string, string] => [
      createHash('sha256').update(proof).digest('hex').slice(0, LISTED_DIGITS),
      worker.name,
    ]),
  );

/** The audit entry of a tablet. Its gate is in the changes. */
export const auditedTablet = auditing<{ uuid: string; name: string }>('GATE_TABLET', ({ name }) => name);

export const auditedWorker = auditing<{ uuid: string; name: string }>('GATE_WORKER', ({ name }) => name);

/** Name of a tablet. */
export const tabletName = nameText(100);
/** Name of a worker. */
export const workerName = nameText(100);
