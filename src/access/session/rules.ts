import ipaddr from 'ipaddr.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/lib/time.ts';

/** A session expires when it was not used for this long, as on a tablet left at a gate. */
export const IDLE_MS = 4 * HOUR_MS;
/** A session expires this long after it began: the longest shift and some more. */
export const LIFE_MS = 16 * HOUR_MS;
/** The precision of `lastSeenDate`. */
export const SEEN_STEP_MS = MINUTE_MS;
/** The most sessions of a user; a new one replaces the one that was idle longest. */
export const SESSIONS_MAXIMUM = 20;

/** The window in which failures are counted together. Failures beyond a limit do not prolong it. */
export const ATTEMPT_WINDOW_MS = 15 * MINUTE_MS;
/** The refusal for whoever has tried too often. */
export const AFTER_ATTEMPTS = { 'Retry-After': String(ATTEMPT_WINDOW_MS / SECOND_MS) };
/**
 * The failures allowed to one address with one account. Other addresses have their own, so a stranger cannot lock
 * anybody out.
 */
export const ACCOUNT_FAILURES_MAXIMUM = 10;
/**
 * The failures allowed to one address with all accounts, as people of a warehouse behind one address make mistakes,
 * too.
 */
export const ADDRESS_FAILURES_MAXIMUM = 100;

/** The prefix length of IPv6 networks: whoever has one address usually has all of its network. */
const IPV6_NETWORK_BITS = 64;

/** What counts as one address: an IPv4 address, or the network of an IPv6 address. Unknown addresses count as one. */
export function addressOf(ip: string | null): string {
  if (ip === null) return 'unknown';
  const address = ipaddr.process(ip);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  const bytes = address.toByteArray().map((byte, index) => (index < IPV6_NETWORK_BITS / 8 ? byte : 0));
  return ipaddr.fromByteArray(bytes).toString();
}

/** The names of the cookies. A browser accepts a `__Host-` cookie over https only, and never from another host. */
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

const NEXT = /^\/app(\/[\w./?=&%-]*)?(\?[\w./?=&%+-]*)?$/;

/**
 * Where a sign-in may redirect to: a path of the operations pages, never another host. Dot segments are resolved, as
 * browsers do, so that none leads out of these pages.
 */
export function safeNextPath(next: string | undefined): string {
  if (next === undefined || !NEXT.test(next) || next.includes('//')) return '/app';
  const { pathname, search } = new URL(next, 'http://localhost');
  return NEXT.test(pathname) ? pathname + search : '/app';
}

/**
 * Whether the browser says that the request comes from one of our own pages. `Sec-Fetch-Site` is defined by W3C Fetch
 * Metadata, `Origin` by RFC 6454; every current browser sends both with a POST, other clients may send neither.
 */
export function isSameOrigin(origin: string, headers: { get(name: string): string | null }): boolean {
  const site = headers.get('Sec-Fetch-Site');
  const from = headers.get('Origin');
  return (site === null || site === 'same-origin') && (from === null || from === origin);
}
