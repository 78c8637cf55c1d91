import { fingerprintOf, type SealingKeys } from '../lib/seal.ts';
import { resealedSecret } from '../oidc/reseal.ts';
import { resealed } from '../webhook/reseal.ts';
import { type KeptSecret, makeWebhookSecret, sealSecret } from '../webhook/secret.ts';

type Values = Record<string, string | number | null>;

/** Have a row with secrets hold what can be opened here; whether it is a webhook that is paused, as that could not be done. */
export type Resealing = (
  table: 'webhook' | 'identity_provider',
  row: Values,
) => Promise<{ row: Values; isPaused: boolean }>;

/**
 * Seal what is in the rows of webhooks of an export by the key of this deployment. Where that is from another one whose key is
 * not given, or does not open them, a webhook is paused: with a new secret, which nobody knows until it is rotated, and
 * without headers, and passwords sign in again beside a company account. What this deployment itself cannot open stays what it is.
 */
export const resealing =
  ([key, ...others]: SealingKeys, isOwn: boolean): Resealing =>
  async (table, row) => {
    const uuid = String(row['uuid']);
    if (table === 'identity_provider') {
      const secret = String(row['client_secret']);
      const anew = await resealedSecret([key, ...others], uuid, secret).catch(() => null);
      if (anew !== null) return { row: { ...row, client_secret: anew }, isPaused: false };
      // Its secret has to be given again, by somebody who can sign in.
      const byPassword = { ...row, password_sign_in: 1, proven_date: null };
      return { row: isOwn ? row : byPassword, isPaused: false };
    }
    const kept = { secrets: String(row['secrets']), custom_headers: String(row['custom_headers']) };
    try {
      const anew = await resealed([key, ...others], { uuid, ...kept });
      return { row: { ...row, ...anew }, isPaused: false };
    } catch {
      if (isOwn) return { row, isPaused: false };
      const sealed = await sealSecret([key], uuid, makeWebhookSecret());
      const secrets = JSON.stringify([{ sealed, validUntilDate: null }] satisfies KeptSecret[]);
      return { row: { ...row, secrets, custom_headers: '[]', active: 0 }, isPaused: true };
    }
  };

/** Whether one of the keys is that of the deployment which a header names. */
export const isOneOf = (keys: readonly string[], fingerprint: string): boolean =>
  keys.some((key) => fingerprintOf(key) === fingerprint);
