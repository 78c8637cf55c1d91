import { createHmac } from 'node:crypto';
import { canonicalJson } from '../../core/lib/hash.ts';
import { open, type SealingKeys, seal } from '../../core/lib/seal.ts';

const PREFIX = 'whsec_';
/** Standard Webhooks asks for 24 to 64 bytes. */
const SECRET_BYTES = 32;

/**
 * The maximum number of secrets that sign at the same time. A further rotation during their overlaps ends the oldest.
 */
export const SECRETS_MAXIMUM = 5;

/** A stored secret: sealed, with the end of its overlap after it was rotated out (epoch milliseconds). */
export interface StoredSecret {
  sealed: string;
  validUntilDate: number | null;
}

/** A stored header, with its value sealed. */
export interface StoredHeader {
  name: string;
  value: string;
}

/** A new secret: `whsec_` + base64 of 32 random bytes (Standard Webhooks 1.0.0). */
export function makeWebhookSecret(): string {
  return PREFIX + Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString('base64');
}

/** The sealing context of a webhook's secret. It can be opened only with the same context. */
export const secretContext = (webhookUuid: string): string => `webhook ${webhookUuid} secret`;
/** The same for a webhook's header. */
export const headerContext = (webhookUuid: string, name: string): string =>
  `webhook ${webhookUuid} header ${name.toLowerCase()}`;

/** Seal a secret of a webhook. */
export const sealSecret = (keys: SealingKeys, webhookUuid: string, secret: string): Promise<string> =>
  seal(keys, secretContext(webhookUuid), secret);

/** Seal the values of headers. Headers without a value stay without one. */
export const sealHeaders = <V extends string | null | undefined>(
  keys: SealingKeys,
  webhookUuid: string,
  headers: readonly { name: string; value?: V }[],
): Promise<{ name: string; value: V extends string ? string : string | null }[]> =>
  Promise.all(
    headers.map(async ({ name, value }) => ({
      name,
      value: (value == null ? null : await seal(keys, headerContext(webhookUuid, name), value)) as string,
    })),
  );

/**
 * The keyed hash that replaces headers in the fingerprint of a request. Without the key, nobody can use it to test
 * guesses of values.
 */
export const standIn = (key: string, idempotencyKey: string, headers: unknown): string =>
  createHmac('sha256', key)
    .update(`${idempotencyKey}\n${canonicalJson(headers)}`)
    .digest('hex');

/** The secrets that sign at a date, the current one first. */
export const openSecrets = (
  keys: SealingKeys,
  webhookUuid: string,
  kept: readonly StoredSecret[],
  now: number,
): Promise<string[]> =>
  Promise.all(
    kept
      .filter(({ validUntilDate }) => validUntilDate === null || validUntilDate > now)
      .map(({ sealed }) => open(keys, secretContext(webhookUuid), sealed)),
  );

/** The headers with their values. */
export const openHeaders = (
  keys: SealingKeys,
  webhookUuid: string,
  kept: readonly StoredHeader[],
): Promise<[string, string][]> =>
  Promise.all(
    kept.map(
      async ({ name, value }): Promise<[string, string]> => [
        name,
        await open(keys, headerContext(webhookUuid, name), value),
      ],
    ),
  );

/**
 * The headers of Standard Webhooks 1.0.0: HMAC-SHA-256 over `id.timestamp.body` by each secret, separated by spaces.
 * @param timestamp seconds since the epoch
 */
export function signedHeaders(
  secrets: readonly string[],
  { id, timestamp, body }: { id: string; timestamp: number; body: string },
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
