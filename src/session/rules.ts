import ipaddr from 'ipaddr.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../lib/time.ts';

/** A session ends by itself so long after it was last used: a tablet that was left at a gate. */
export const IDLE_MS = 4 * HOUR_MS;
/** A session ends by itself so long after it was begun: the longest shift, with what comes on top. */
export const LIFE_MS = 16 * HOUR_MS;
/** How exact `lastSeenDate` is. */
export const SEEN_STEP_MS = MINUTE_MS;
/** Sessions a user may have; a new one takes the place of the one that was idle longest. */
export const SESSIONS_MAXIMUM = 20;

/** How long failures are counted together. Failures beyond a limit do not prolong it. */
export const ATTEMPT_WINDOW_MS = 15 * MINUTE_MS;
/** What says so to whoever has tried too often. */
export const AFTER_ATTEMPTS = { 'Retry-After': String(ATTEMPT_WINDOW_MS / SECOND_MS) };
/** Failures that an address has with one account. Other addresses have their own: a stranger locks nobody out. */
export const ACCOUNT_FAILURES_MAXIMUM = 10;
/** Failures that an address has with all accounts: a warehouse behind one address has slips of its own. */
export const ADDRESS_FAILURES_MAXIMUM = 100;

/** IPv6 networks are given out by this many bits, so whoever has one address has all of them. */
const IPV6_NETWORK_BITS = 64;

/** What counts as one address of a caller: an IPv4 address, or the network of an IPv6 one; null has one of its own. */
export function addressOf(ip: string | null): string {
  if (ip === null) return 'unknown';
  const address = ipaddr.process(ip);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  const bytes = address.toByteArray().map((byte, index) => (index < IPV6_NETWORK_BITS / 8 ? byte : 0));
  return ipaddr.fromByteArray(bytes).toString();
}

/** Names of the cookies. A browser takes a `__Host-` one from https only, and never from another host. */
export function cookieNames(url: URL): Record<
  'session' | 'tablet' | 'operator' | 'company' | 'passkey' | 'guest' | 'flash',
  string
> & {
  secure: boolean;
} {
  const loopback = /^(127\.0\.0\.1|\[::1\]|localhost|.*\.localhost)$/.test(url.hostname);
  const secure = !(url.protocol === 'http:' && loopback);
  const prefix = secure ? '__Host-' : '';
  return {
    session: `${prefix}session`,
    tablet: `${prefix}tablet`,
    operator: `${prefix}operator`,
    company: `${prefix}company`,
    passkey: `${prefix}passkey`,
    guest: `${prefix}guest`,
    flash: `${prefix}flash`,
    secure,
  };
}

/** Where a sign-in may lead: a path of the operations pages, never another host. */
export function nextPath(next: string | undefined): string {
  return next !== undefined && /^\/app(\/[\w./?=&%-]*)?(\?[\w./?=&%+-]*)?$/.test(next) && !next.includes('//')
    ? next
    : '/app';
}

/**
 * Whether a browser says that one of our own pages sends this. `Sec-Fetch-Site` is by the Fetch Metadata draft of the
 * W3C, `Origin` by RFC 6454; every current browser sends both with a POST, and what is no browser may send neither.
 */
export function isSameOrigin(origin: string, headers: { get(name: string): string | null }): boolean {
  const site = headers.get('Sec-Fetch-Site');
  const from = headers.get('Origin');
  return (site === null || site === 'same-origin') && (from === null || from === origin);
}
