import { getCookie, setCookie } from 'hono/cookie';
import { z } from 'zod';
import { settingsOf } from '../env.ts';
import { type AppContext, origin } from '../http/types.ts';
import { open, seal } from '../lib/seal.ts';
import { MINUTE_MS, SECOND_MS } from '../lib/time.ts';
import { cookieNames } from '../session/rules.ts';

/** How long somebody may take at the provider. */
const LIFE_MS = 10 * MINUTE_MS;
const PLACE = 'sign-in at a provider';

const pendingSchema = z.object({
  organization: z.string(),
  next: z.string(),
  origin: z.string(),
  expiresDate: z.number(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
});

/** A sign-in that is under way at a provider. */
export type PendingSignIn = Omit<z.output<typeof pendingSchema>, 'origin' | 'expiresDate'>;

function give(c: AppContext, value: string, maxAge: number): void {
  const { secure } = cookieNames(new URL(c.req.url));
  // Lax: the provider leads the browser back by a link.
  setCookie(c, nameOf(c), value, { path: '/', httpOnly: true, sameSite: 'Lax', secure, maxAge });
}

const nameOf = (c: AppContext): string => `${cookieNames(new URL(c.req.url)).secure ? '__Host-' : ''}company`;

/** Have the browser take along what it has to come back with, sealed. */
export async function givePending(c: AppContext, pending: PendingSignIn): Promise<void> {
  const kept = { ...pending, origin: origin(c), expiresDate: Date.now() + LIFE_MS };
  give(c, await seal(settingsOf(c.env).sealingKeys, PLACE, JSON.stringify(kept)), LIFE_MS / SECOND_MS);
}

/** What the browser has come back with, once: undefined where that is not of this host, not ours, or too old. */
export async function takePending(c: AppContext): Promise<PendingSignIn | undefined> {
  const sealed = getCookie(c, nameOf(c));
  if (!sealed) return undefined;
  give(c, '', 0);
  const text = await open(settingsOf(c.env).sealingKeys, PLACE, sealed).catch(() => 'null');
  const { success, data } = pendingSchema.safeParse(JSON.parse(text));
  return success && data.origin === origin(c) && data.expiresDate > Date.now() ? data : undefined;
}
