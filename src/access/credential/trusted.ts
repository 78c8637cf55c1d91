import { SECOND_MS } from '../../core/lib/time.ts';
import { isSecretForm } from './secret.ts';
import type { CredentialRow } from './store.ts';
import type { CredentialKind } from './table.ts';

/** How long an isolate caches credentials. A revocation takes effect everywhere after at most this time. */
const TRUSTED_MS = 5 * SECOND_MS;
const TRUSTED_MAXIMUM = 2_000;

/** Keyed by the secret itself, so that checksum and hash are not computed again for a cached secret. */
type Known<F> = Map<string, { found: F; readDate: number }>;
const all = new Set<{ clear(): void }>();

/** Clear the cached credentials and settings of this isolate, because it has changed some. */
export function forgetCredentials(): void {
  for (const known of all) known.clear();
}

/** Find credentials by secret, caching valid ones for a short time. */
export function trusting<F extends CredentialRow, S>(
  find: (store: S, secret: string) => Promise<F | undefined>,
): (kind: CredentialKind, secret: string | undefined, store: S) => Promise<F | undefined> {
  const known: Known<F> = new Map();
  all.add(known);

  async function lookUp(kind: CredentialKind, secret: string, store: S, now: number): Promise<F | undefined> {
    const trusted = known.get(secret);
    if (trusted && now - trusted.readDate < TRUSTED_MS) return trusted.found;
    known.delete(secret);
    if (!isSecretForm(secret, kind)) return undefined;
    const found = await find(store, secret);
    if (!found) return undefined;
    if (known.size >= TRUSTED_MAXIMUM) known.delete(known.keys().next().value!);
    known.set(secret, { found, readDate: now });
    return found;
  }

  return async (kind, secret, store) => {
    const now = Date.now();
    const found = secret === undefined ? undefined : await lookUp(kind, secret, store, now);
    return found?.kind === kind && isValid(found, now) ? found : undefined;
  };
}

/** Whether a credential, and the secret that led to it, are valid at a date. */
export const isValid = (found: CredentialRow, now: number): boolean =>
  found.revokedDate === null &&
  (found.expiresDate === null || found.expiresDate > now) &&
  (found.validUntilDate === null || found.validUntilDate > now);
