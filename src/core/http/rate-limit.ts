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

/**
 * Spend one request of the organization's quota per minute. The organization's object counts it over all isolates. Sets
 * `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers). @throws 429 with Retry-After if the quota
 * is used up
 */
export async function spendRequest(c: AppContext, organization: OrganizationSettings): Promise<void> {
  const limit = organization.requestsPerMinute;
  const lease = await leaseOf(c, organization.uuid, limit);
  const allowed = lease.granted > 0;
  if (allowed) lease.granted -= 1;
  const resetSeconds = Math.max(1, Math.ceil((lease.resetDate - Date.now()) / SECOND_MS));
  const headers = {
    'RateLimit-Policy': `"org";q=${limit};w=60`,
    RateLimit: `"org";r=${lease.remaining + lease.granted};t=${resetSeconds}`,
  };
  if (!allowed) {
    const detail = `The organization has used its ${limit} requests of this minute.`;
    throw new ProblemError(refusal('rateLimited', detail), {
      ...headers,
      'Retry-After': String(resetSeconds),
    });
  }
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
}

/**
 * The lease of this isolate; a new one if it is spent. A used-up minute stays used up. Each request calls the object
 * itself, because in workerd a request cannot await another request's call.
 */
async function leaseOf(c: AppContext, organization: string, limit: number): Promise<Held> {
  const known = current(organization, limit);
  if (known && (known.granted > 0 || known.remaining === 0)) return known;
  try {
    return await ask(c, organization, limit);
  } catch (error) {
    // The count is unknown. A quota must not hold up a truck.
    console.warn(JSON.stringify({ requestId: c.get('requestId'), quota: String(error) }));
    return { granted: 1, remaining: limit, resetDate: Date.now() + MINUTE_MS, limit };
  }
}

function current(organization: string, limit: number): Held | undefined {
  const known = held.get(organization);
  return known && known.limit === limit && known.resetDate > Date.now() ? known : undefined;
}

async function ask(c: AppContext, organization: string, limit: number): Promise<Held> {
  const wanted = Math.min(LEASED_MAXIMUM, Math.max(1, Math.floor(limit / LEASED_PART)));
  for (;;) {
    const lease = await writerOf(c.env, organization).lease(limit, wanted);
    const known = held.get(organization);
    const kept = known?.limit === limit && known.resetDate === lease.resetDate ? known.granted : 0;
    const taken = { ...lease, granted: lease.granted + kept, limit };
    held.set(organization, taken);
    // Another request may have spent the new lease in the meantime.
    if (taken.granted > 0 || taken.remaining === 0) return taken;
  }
}
