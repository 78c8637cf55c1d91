import { addressOf } from '../../access/session/rules.ts';
import type { AppContext } from '../../core/http/types.ts';
import { callerAddress } from '../../core/http/types.ts';
import { ProblemError, refusal } from '../../core/lib/problem.ts';

/**
 * Requests per minute for public pages and documents, from one address and for one link.
 * wrangler.toml has the same values.
 */
export const PUBLIC_LIMITS = { address: 600, link: 300 } as const;
const WINDOW_SECONDS = 60;

type Kind = keyof typeof PUBLIC_LIMITS;

const POLICY = Object.entries(PUBLIC_LIMITS)
  .map(([kind, limit]) => `"${kind}";q=${limit};w=${WINDOW_SECONDS}`)
  .join(', ');

/**
 * Count a request before any store is read. It counts for its address (an IPv6 network is one
 * address) and for its link, if the token has the right form. Each data centre counts its own
 * requests.
 * @throws 429 with Retry-After if one of them is used up
 */
export async function spendPublic(c: AppContext, token: string | null): Promise<void> {
  const address = callerAddress(c);
  await spend(c, 'address', address === null ? null : addressOf(address));
  await spend(c, 'link', token);
  c.header('RateLimit-Policy', POLICY);
}

async function spend(c: AppContext, kind: Kind, key: string | null): Promise<void> {
  const limiter = kind === 'address' ? c.env.PUBLIC_BY_ADDRESS : c.env.PUBLIC_BY_LINK;
  if (key === null) return;
  // If the quota itself fails, the page is shown.
  const { success } = await limiter.limit({ key }).catch(() => ({ success: true }));
  if (success) return;
  const detail = `One ${kind} has ${PUBLIC_LIMITS[kind]} requests a minute.`;
  throw new ProblemError(refusal('rateLimited', detail), {
    'RateLimit-Policy': POLICY,
    RateLimit: `"${kind}";r=0;t=${WINDOW_SECONDS}`,
    'Retry-After': String(WINDOW_SECONDS),
  });
}
