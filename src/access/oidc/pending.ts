import { z } from 'zod';
import type { AppContext } from '../../core/http/types.ts';
import { MINUTE_MS } from '../../core/lib/time.ts';
import { onceBySealed, setSealedCookie } from '../session/sealed-cookie.ts';

/** How long a sign-in at the provider may take. */
const LIFE_MS = 10 * MINUTE_MS;
const COOKIE = { name: 'company', context: 'sign-in at a provider' } as const;

const pendingSchema = z.object({
  organization: z.string(),
  next: z.string(),
  /** The path of the redirect URI. */
  callback: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
});

/** The state of a sign-in at a provider. */
export type PendingSignIn = z.output<typeof pendingSchema>;

/** Store the state of the sign-in in the browser, sealed. */
export const setPending = (c: AppContext, pending: PendingSignIn): Promise<void> =>
  setSealedCookie(c, COOKIE, pending, LIFE_MS);

/**
 * Decide a sign-in on the state that the browser sent back. The browser keeps the state until then. It is undefined if
 * it belongs to another host, is invalid or has expired.
 */
export const onceByPending = <T>(
  c: AppContext,
  decide: (pending: PendingSignIn | undefined) => Promise<T>,
): Promise<T> => onceBySealed(c, COOKIE, pendingSchema, (state) => decide(state?.value));
