import { z } from 'zod';
import type { AppContext } from '../http/types.ts';
import { MINUTE_MS } from '../lib/time.ts';
import { giveSealed, takeSealed } from '../session/sealed-cookie.ts';

/** How long a sign-in at the provider may take. */
const LIFE_MS = 10 * MINUTE_MS;
const COOKIE = { name: 'company', place: 'sign-in at a provider' } as const;

const pendingSchema = z.object({
  organization: z.string(),
  next: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
});

/** A sign-in under way at a provider. */
export type PendingSignIn = z.output<typeof pendingSchema>;

/** Store the state of the sign-in in the browser, sealed. */
export const givePending = (c: AppContext, pending: PendingSignIn): Promise<void> =>
  giveSealed(c, COOKIE, pending, LIFE_MS);

/**
 * The state that the browser sent back, which can be used once; undefined where it is of another host, invalid or
 * expired.
 */
export const takePending = async (c: AppContext): Promise<PendingSignIn | undefined> =>
  (await takeSealed(c, COOKIE, pendingSchema))?.value;
