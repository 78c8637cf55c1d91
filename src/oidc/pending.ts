import { z } from 'zod';
import type { AppContext } from '../http/types.ts';
import { MINUTE_MS } from '../lib/time.ts';
import { giveSealed, takeSealed } from '../session/sealed-cookie.ts';

/** How long somebody may take at the provider. */
const LIFE_MS = 10 * MINUTE_MS;
const COOKIE = { name: 'company', place: 'sign-in at a provider' } as const;

const pendingSchema = z.object({
  organization: z.string(),
  next: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
});

/** A sign-in that is under way at a provider. */
export type PendingSignIn = z.output<typeof pendingSchema>;

/** Have the browser take along what it has to come back with, sealed. */
export const givePending = (c: AppContext, pending: PendingSignIn): Promise<void> =>
  giveSealed(c, COOKIE, pending, LIFE_MS);

/** What the browser has come back with, once: undefined where that is not of this host, not ours, or too old. */
export const takePending = async (c: AppContext): Promise<PendingSignIn | undefined> =>
  (await takeSealed(c, COOKIE, pendingSchema))?.value;
