import { sha256Hex } from '../../core/lib/hash.ts';
import { taggedToken } from '../../core/lib/id.ts';
import { DAY_MS } from '../../core/lib/time.ts';
import type { StoredInvite } from './rules.ts';

/** How long a link for setting a password is valid. */
export const INVITE_LIFE_MS = 7 * DAY_MS;

/** Make a link that lets a user set a password once: `{origin}/app/invite/{token}`. It is valid for `lifeMs`. */
export function makeInvite(
  origin: string,
  organization: string,
  now: number,
  lifeMs = INVITE_LIFE_MS,
): { link: string; stored: StoredInvite } {
  const token = taggedToken(organization);
  return {
    link: `${origin}/app/invite/${token}`,
    stored: { hash: sha256Hex(token), expiresDate: now + lifeMs },
  };
}
