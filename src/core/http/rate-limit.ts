import { ProblemError, refusal } from '../lib/problem.ts';
import { MINUTE_MS, SECOND_MS } from '../lib/time.ts';
import { writerOf } from '../writer/client.ts';
import type { Lease } from '../writer/rate-window.ts';
import type { OrganizationSettings } from '../writer/settings.ts';
import type { AppContext } from './types.ts';

/**
 * An isolate leases this fraction of the quota at a time, so that few requests have to call the organization's object.
 */
const LEASED_PART = 50;
const LEASED_MAXIMUM = 1_000;

interface Held extends Lease {
  limit: number;
}

const held = new Map<string, Held>();

/** The quota after a request: whether the request was allowed, and the requests that this isolate knows to be left. */
interface Spent {
  isAllowed: boolean;
  left: number;
  /** Epoch milliseconds at which the next minute begins. */
  resetDate: number;
}

/**
 * Spend one request of the organization's quota per minute. The organization's object counts it over all isolates. Sets
 * `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers). @throws 429 with Retry-After if the quota
 * is used up
 */
export async function spendRequest(c: AppContext, organization: OrganizationSettings): Promise<void> {
  const limit = organization.requestsPerMinute;
  const { isAllowed, left, resetDate } = await spend(c, organization.uuid, limit);
  const resetSeconds = Math.max(1, Math.ceil((resetDate - Date.now()) / SECOND_MS));
  const headers = {
    'RateLimit-Policy': `"org";q=${limit};w=60`,
    RateLimit: `"org";r=${left};t=${resetSeconds}`,
  };
  if (!isAllowed) {
    const detail = `The organization has used its ${limit} requests of this minute.`;
    throw new ProblemError(refusal('rateLimited', detail), {
      ...headers,
      'Retry-After': String(resetSeconds),
    });
  }
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
}

/**
 * Spend a request of the lease of this isolate, or of a new one if it is spent. A used-up minute stays used up. Each
 * request calls the object itself, because in workerd a request cannot await another request's call.
 */
async function spend(c: AppContext, organization: string, limit: number): Promise<Spent> {
  const known = held.get(organization);
  const isCurrent = known?.limit === limit && known.resetDate > Date.now();
  if (isCurrent && (known.granted > 0 || known.remaining === 0)) return spendOf(known);
  try {
    return await spendNew(c, organization, limit);
  } catch (error) {
    // The count is unknown. A quota must not hold up a truck.
    console.warn(JSON.stringify({ requestId: c.get('requestId'), quota: String(error) }));
    return { isAllowed: true, left: limit, resetDate: Date.now() + MINUTE_MS };
  }
}

async function spendNew(c: AppContext, organization: string, limit: number): Promise<Spent> {
  const wanted = Math.min(LEASED_MAXIMUM, Math.max(1, Math.floor(limit / LEASED_PART)));
  const lease = await writerOf(c.env, organization).lease(limit, wanted);
  // Other requests got leases in the meantime. There is no `await` between this and the spending, so none is lost.
  const known = held.get(organization);
  const kept = known?.limit === limit && known.resetDate === lease.resetDate ? known.granted : 0;
  const taken = { ...lease, granted: lease.granted + kept, limit };
  held.set(organization, taken);
  return spendOf(taken);
}

function spendOf(lease: Held): Spent {
  const isAllowed = lease.granted > 0;
  if (isAllowed) lease.granted -= 1;
  return { isAllowed, left: lease.remaining + lease.granted, resetDate: lease.resetDate };
}
