import { resealedSecret } from '../../access/oidc/reseal.ts';
import { keyFingerprint, type SealingKeys } from '../../core/lib/seal.ts';
import { resealedWebhook } from '../../delivery/webhook/reseal.ts';
import { makeWebhookSecret, type StoredSecret, sealSecret } from '../../delivery/webhook/secret.ts';
import type { Values } from './kinds.ts';

/**
 * Seal the secrets of a row again, so that this deployment can open them. `isPaused`: this was impossible, so the webhook
 * is paused.
 */
export type Resealing = (
  table: 'webhook' | 'identity_provider',
  row: Values,
) => Promise<{ row: Values; isPaused: boolean }>;

/**
 * Seals the secrets in an export with the key of this deployment. The export may have been made with another key that is
 * missing or does not open them. A webhook is then paused, without headers, with a new secret that is unknown until it is
 * rotated. Passwords may be used again beside a company account. Secrets that this deployment's own key could not open
 * before stay unchanged.
 */
export const resealing =
  ([key, ...others]: SealingKeys, isOwn: boolean): Resealing =>
  async (table, row) => {
    const uuid = String(row['uuid']);
    if (table === 'identity_provider') {
      const secret = String(row['client_secret']);
      const anew = await resealedSecret([key, ...others], uuid, secret).catch(() => null);
      if (anew !== null) return { row: { ...row, client_secret: anew }, isPaused: false };
      // Somebody who can sign in has to enter the client secret again.
      const byPassword = { ...row, password_sign_in: 1, proven_date: null };
      return { row: isOwn ? row : byPassword, isPaused: false };
    }
    const kept = { secrets: String(row['secrets']), custom_headers: String(row['custom_headers']) };
    try {
      const anew = await resealedWebhook([key, ...others], { uuid, ...kept });
      return { row: { ...row, ...anew }, isPaused: false };
    } catch {
      if (isOwn) return { row, isPaused: false };
      const sealed = await sealSecret([key], uuid, makeWebhookSecret());
      const secrets = JSON.stringify([{ sealed, validUntilDate: null }] satisfies StoredSecret[]);
      return { row: { ...row, secrets, custom_headers: '[]', active: 0 }, isPaused: true };
    }
  };

/** Whether one of the keys has the fingerprint in the header. */
export const isOneOf = (keys: readonly string[], fingerprint: string): boolean =>
  keys.some((key) => keyFingerprint(key) === fingerprint);
