import ipaddr from 'ipaddr.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/lib/time.ts';

/** A session expires after this long without use, for example on a tablet left at a gate. */
export const IDLE_MS = 4 * HOUR_MS;
/** A session expires this long after its start: the longest shift and some more. */
export const LIFE_MS = 16 * HOUR_MS;
/** The precision of `lastSeenDate`. */
export const SEEN_STEP_MS = MINUTE_MS;
/** The maximum number of sessions per user. A new session replaces the session that was idle longest. */
export const SESSIONS_MAXIMUM = 20;
/** The stored length of the name of a browser (User-Agent). */
export const USER_AGENT_MAXIMUM = 300;

/** The window of a count of failures. Failures beyond a limit do not extend it. */
export const ATTEMPT_WINDOW_MS = 15 * MINUTE_MS;
/** The header of the refusal after too many attempts. */
export const AFTER_ATTEMPTS = { 'Retry-After': String(ATTEMPT_WINDOW_MS / SECOND_MS) };
/**
 * The allowed failures of one IP address with one account. Each address has its own count, so a stranger cannot lock a
 * user out.
 */
export const ACCOUNT_FAILURES_MAXIMUM = 10;
/**
 * The allowed failures of an IP address with all accounts. The workers of a warehouse behind one address make mistakes,
 * too.
 */
export const ADDRESS_FAILURES_MAXIMUM = 100;

/** The prefix length of IPv6 networks. The user of one address usually controls the whole network. */
const IPV6_NETWORK_BITS = 64;

/** The address for a count: an IPv4 address, or the network of an IPv6 address. All unknown addresses count as one. */
export function addressOf(ip: string | null): string {
  if (ip === null) return 'unknown';
  const address = ipaddr.process(ip);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  const bytes = address.toByteArray().map((byte, index) => (index < IPV6_NETWORK_BITS / 8 ? byte : 0));
  return ipaddr.fromByteArray(bytes).toString();
}

/** Hosts that `npm start` serves by http: this machine, and its addresses in the local network. A deployment has a name. */
const LOCAL_HOST = /^(\d+(\.\d+){3}|\[[\da-f:.]+\]|localhost|.*\.localhost)$/;

/** The names of the cookies. A browser accepts a `__Host-` cookie only over https, and never from another host. */
export function cookieNames(url: URL): Record<
  'session' | 'tablet' | 'operator' | 'company' | 'passkey' | 'guest' | 'flash',
  string
> & {
  secure: boolean;
} {
  const secure = !(url.protocol === 'http:' && LOCAL_HOST.test(url.hostname));
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

const NEXT = /^\/app(\/[\w./=&%-]*)?(\?[\w./?=&%+-]*)?$/;

/**
 * The path after a sign-in: a path of the operations pages, never another host. Dot segments are resolved, as browsers
 * do, so that none leads out of these pages.
 */
export function safeNextPath(next: string | undefined): string {
  if (next === undefined || !NEXT.test(next) || next.includes('//')) return '/app';
  const { pathname, search } = new URL(next, 'http://localhost');
  return NEXT.test(pathname) ? pathname + search : '/app';
}

/**
 * Whether a request comes from a page of this service, according to the browser. `Sec-Fetch-Site` is defined by W3C
 * Fetch Metadata, `Origin` by RFC 6454. Every current browser sends both with a POST. Other clients may send neither.
 */
export function isSameOrigin(origin: string, headers: { get(name: string): string | null }): boolean {
  const site = headers.get('Sec-Fetch-Site');
  const from = headers.get('Origin');
  return (site === null || site === 'same-origin') && (from === null || from === origin);
}
