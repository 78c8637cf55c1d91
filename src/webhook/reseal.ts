import { open, seal } from '../lib/seal.ts';
import {
  headerPlace,
  type KeptHeader,
  type KeptSecret,
  makeWebhookSecret,
  sealSecret,
  secretPlace,
} from './secret.ts';

type Values = Record<string, string | number | null>;

/** Have the row of a webhook hold what can be opened here; whether it is paused, as that could not be done. */
export type Resealing = (row: Values) => Promise<{ row: Values; isPaused: boolean }>;

/** Rows of webhooks of a deployment that has the same key. */
export const asSealed: Resealing = async (row) => ({ row, isPaused: false });

/**
 * Seal what is in the rows of webhooks of another deployment by the key of this one. Where its own key is not given, or does
 * not open them, a webhook is paused: with a new secret, which nobody knows until it is rotated, and without headers.
 */
export const resealing =
  (key: string, formerKey: string | undefined): Resealing =>
  async (row) => {
    const uuid = String(row['uuid']);
    try {
      if (formerKey === undefined) throw new Error('the key is not given');
      const again = async (place: string, sealed: string): Promise<string> =>
        seal(key, place, await open(formerKey, place, sealed));
      const secrets: KeptSecret[] = JSON.parse(String(row['secrets']));
      const headers: KeptHeader[] = JSON.parse(String(row['custom_headers']));
      const resealed = await Promise.all(
        secrets.map(async (secret) => ({ ...secret, sealed: await again(secretPlace(uuid), secret.sealed) })),
      );
      const anew = await Promise.all(
        headers.map(async ({ name, value }) => ({
          name,
          value: await again(headerPlace(uuid, name), value),
        })),
      );
      const opened = { secrets: JSON.stringify(resealed), custom_headers: JSON.stringify(anew) };
      return { row: { ...row, ...opened }, isPaused: false };
    } catch {
      const sealed = await sealSecret(key, uuid, makeWebhookSecret());
      const secrets = JSON.stringify([{ sealed, validUntilDate: null }] satisfies KeptSecret[]);
      return { row: { ...row, secrets, custom_headers: '[]', active: 0 }, isPaused: true };
    }
  };
