import { z } from 'zod';
import type { AppContext } from '../http/types.ts';
import { sha256Hex } from '../lib/hash.ts';
import { randomToken } from '../lib/id.ts';
import { giveSealed, takeSealed } from '../session/sealed-cookie.ts';
import type { Answered } from './commands.ts';
import { CHALLENGE_LIFE_MS } from './rules.ts';

const COOKIE = { name: 'passkey', place: 'challenge for a passkey' } as const;

const challengeSchema = z.object({ challenge: z.string(), purpose: z.string() });

/** The purposes of challenges: a sign-in, or adding a passkey. */
export type Purpose = 'sign in' | `add ${string}`;

/** Make a new challenge (base64url), which only this browser can answer. */
export async function giveChallenge(c: AppContext, purpose: Purpose): Promise<string> {
  const challenge = randomToken();
  await giveSealed(c, COOKIE, { challenge, purpose }, CHALLENGE_LIFE_MS);
  return challenge;
}

/**
 * The challenge that this browser was given for a purpose, and the hash by which it is ensured that it is answered
 * once.
 */
export async function takeChallenge(
  c: AppContext,
  purpose: Purpose,
): Promise<{ challenge: string; answered: Answered } | undefined> {
  const given = await takeSealed(c, COOKIE, challengeSchema);
  if (given?.value.purpose !== purpose) return undefined;
  const { challenge } = given.value;
  return { challenge, answered: { challengeHash: sha256Hex(challenge), expiresDate: given.expiresDate } };
}
