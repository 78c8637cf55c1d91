import { z } from 'zod';
import type { AppContext } from '../../core/http/types.ts';
import { sha256Hex } from '../../core/lib/hash.ts';
import { randomToken } from '../../core/lib/id.ts';
import { onceBySealed, setSealedCookie } from '../session/sealed-cookie.ts';
import type { Answered } from './commands.ts';
import { CHALLENGE_LIFE_MS } from './rules.ts';

const COOKIE = { name: 'passkey', context: 'challenge for a passkey' } as const;

const challengeSchema = z.object({ challenge: z.string(), purpose: z.string() });

/** The purposes of challenges: a sign-in, or adding a passkey. */
export type Purpose = 'sign in' | `add ${string}`;

/** Make a new challenge (base64url) that only this browser can answer. */
export async function setChallenge(c: AppContext, purpose: Purpose): Promise<string> {
  const challenge = randomToken();
  await setSealedCookie(c, COOKIE, { challenge, purpose }, CHALLENGE_LIFE_MS);
  return challenge;
}

/** A challenge of a browser, and the hash that ensures that it is answered only once. */
export interface OpenChallenge {
  challenge: string;
  answered: Answered;
}

/**
 * Decide on the answer to a challenge. `decide` gets the challenge of this browser for the purpose, or undefined. The
 * browser keeps the challenge until the decision.
 */
export const onceByChallenge = <T>(
  c: AppContext,
  purpose: Purpose,
  decide: (given: OpenChallenge | undefined) => Promise<T>,
): Promise<T> =>
  onceBySealed(c, COOKIE, challengeSchema, (state) => {
    if (state?.value.purpose !== purpose) return decide(undefined);
    const { challenge } = state.value;
    return decide({
      challenge,
      answered: { challengeHash: sha256Hex(challenge), expiresDate: state.expiresDate },
    });
  });
