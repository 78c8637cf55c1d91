import { withinAddressQuota, withinQuota } from '../../access/session/request.ts';
import type { AppContext } from '../../core/http/types.ts';
import { ProblemError, refusal } from '../../core/lib/problem.ts';

/**
 * Requests per minute for public pages and documents, from one IP address and for one link.
 * wrangler.toml has the same values.
 */
export const PUBLIC_LIMITS = { address: 600, link: 300 } as const;
const WINDOW_SECONDS = 60;

const POLICY = Object.entries(PUBLIC_LIMITS)
  .map(([kind, limit]) => `"${kind}";q=${limit};w=${WINDOW_SECONDS}`)
  .join(', ');

/**
 * Count a request before any store is read. It counts for its IP address and for its link, if the token
 * has the right form.
 * @throws 429 with Retry-After if one of them is used up
 */
export async function spendPublic(c: AppContext, token: string | null): Promise<void> {
  if (!(await withinAddressQuota(c))) throw usedUp('address');
  if (!(await withinQuota(c.env.PUBLIC_BY_LINK, token))) throw usedUp('link');
  c.header('RateLimit-Policy', POLICY);
}

function usedUp(kind: keyof typeof PUBLIC_LIMITS): ProblemError {
  const detail = `This ${kind} has used its ${PUBLIC_LIMITS[kind]} requests of this minute.`;
  return new ProblemError(refusal('rateLimited', detail), {
    'RateLimit-Policy': POLICY,
    RateLimit: `"${kind}";r=0;t=${WINDOW_SECONDS}`,
    'Retry-After': String(WINDOW_SECONDS),
  });
}
