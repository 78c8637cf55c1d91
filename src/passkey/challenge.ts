import { z } from 'zod';
import type { AppContext } from '../http/types.ts';
import { sha256Hex } from '../lib/hash.ts';
import { randomToken } from '../lib/id.ts';
import { giveSealed, takeSealed } from '../session/sealed-cookie.ts';
import type { Answered } from './commands.ts';
import { CHALLENGE_LIFE_MS } from './rules.ts';

const COOKIE = { name: 'passkey', place: 'challenge for a passkey' } as const;

const challengeSchema = z.object({ challenge: z.string(), purpose: z.string() });

/** What a challenge is for: a sign-in, or a passkey that a session adds. */
export type Purpose = 'sign in' | `add ${string}`;

/** A new challenge (base64url), which this browser alone can answer. */
export async function giveChallenge(c: AppContext, purpose: Purpose): Promise<string> {
  const challenge = randomToken();
  await giveSealed(c, COOKIE, { challenge, purpose }, CHALLENGE_LIFE_MS);
  return challenge;
}

/** The challenge that this browser was given for a purpose, and by what it is known not to be answered twice. */
export async function takeChallenge(
  c: AppContext,
  purpose: Purpose,
): Promise<{ challenge: string; answered: Answered } | undefined> {
  const given = await takeSealed(c, COOKIE, challengeSchema);
  if (given?.value.purpose !== purpose) return undefined;
  const { challenge } = given.value;
  return { challenge, answered: { challengeHash: sha256Hex(challenge), expiresDate: given.expiresDate } };
}
