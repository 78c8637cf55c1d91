import ipaddr from 'ipaddr.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../lib/time.ts';

/** The pauses after the first failure, the second and so on. After the last one a delivery has failed. */
export const RETRY_WAITS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const;

/** A pause is randomly up to this much longer, so that deliveries that failed together are not retried together. */
const JITTER = 0.1;
/** The longest pause that a receiver can ask for. */
const RETRY_AFTER_MAXIMUM_MS = 24 * HOUR_MS;
/** A webhook whose receiver fails for this long is switched off. */
export const FAILING_MAXIMUM_MS = 5 * DAY_MS;

/** Whether a receiver fails for so long that its webhook is switched off. */
export const failsForLong = ({ failingSince }: { failingSince: number | null }, now: number): boolean =>
  failingSince !== null && now - failingSince >= FAILING_MAXIMUM_MS;

/**
 * Milliseconds until the next attempt after this number of failures; null where there is none. A `Retry-After` of the
 * receiver can make it longer, up to a day, but not shorter, and is not divided. @param random in [0, 1)
 */
export function retryWait(
  failures: number,
  { random, divisor, retryAfterMs }: { random: number; divisor: number; retryAfterMs: number | null },
): number | null {
  const wait = RETRY_WAITS_MS[failures - 1];
  if (wait === undefined) return null;
  const scheduled = (wait * (1 + JITTER * random)) / divisor;
  return Math.ceil(Math.max(scheduled, Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAXIMUM_MS)));
}

/**
 * The pause that a `Retry-After` header asks for (RFC 9110 section 10.2.3), in seconds or as a date, in milliseconds;
 * null for none.
 */
export function parseRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  if (/^\d{1,10}$/.test(text)) return Number(text) * SECOND_MS;
  const date = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** Domains without public hosts (RFC 6761, 6762, 7686, 8375, and those that networks use internally). */
const LOCAL_NAMES = new Set('localhost local internal intranet private corp home lan arpa onion'.split(' '));
/** Public domains whose names resolve to the address that they spell, or to 127.0.0.1. */
const ECHO_NAMES = new Set(
  'nip.io sslip.io xip.io localtest.me lvh.me vcap.me lacolhost.com traefik.me backname.io'.split(' '),
);
const LOOPBACK = /^http:\/\/127\.0\.0\.1(:\d{1,5})?([/?#]|$)/;

/**
 * Why events may not be sent to a URL; undefined where they may: it has to be https on port 443 without user info, at a
 * public unicast address or a name that can have one. The URL is parsed by `new URL`, as `fetch` does, so decimal,
 * octal, hexadecimal and full-width spellings of addresses are recognised. What a name resolves to is not known here:
 * see README.md.
 */
export function urlFault(text: string, { allowLoopback }: { allowLoopback: boolean }): string | undefined {
  if (/[^\x21-\x7e\u00a1-\u{10ffff}]/u.test(text)) return 'A URL has no spaces and control characters.';
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return 'This is not a URL.';
  }
  if (url.username !== '' || url.password !== '' || /^[a-z]+:[/\\]*[^/\\?#]*@/i.test(text)) {
    return 'A URL of a webhook names no user.';
  }
  // Compared as text: no other spelling of the address is accepted.
  if (allowLoopback && LOOPBACK.test(text) && url.hostname === '127.0.0.1') return undefined;
  if (url.protocol !== 'https:') return 'A webhook is sent by https.';
  if (url.port !== '') return 'A webhook is sent to port 443.';
  return isPublicHost(url.hostname) ? undefined : 'A webhook is sent to a public host.';
}

function isPublicHost(host: string): boolean {
  if (host.startsWith('[')) return isPublicAddress(host.slice(1, -1));
  if (ipaddr.IPv4.isValid(host)) return isPublicAddress(host);
  const labels = host.replace(/\.$/, '').split('.');
  const [domain = '', top = ''] = labels.slice(-2);
  if (labels.length < 2 || labels.includes('') || !/^[a-z]/.test(top)) return false;
  return !LOCAL_NAMES.has(top) && !ECHO_NAMES.has(`${domain}.${top}`);
}

/** The range of IPv6 that is assigned to global unicast addresses (RFC 4291 section 2.4, IANA). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

function isPublicAddress(text: string): boolean {
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(GLOBAL_UNICAST);
}

/** Headers that belong to the service or to the connection (RFC 9110 section 7.6.1). */
const OWN_HEADERS = new Set(
  (
    'host content-length content-type content-encoding transfer-encoding connection keep-alive te trailer upgrade ' +
    'proxy-connection proxy-authenticate proxy-authorization expect date user-agent accept-encoding via forwarded'
  ).split(' '),
);

/**
 * Whether a webhook may have a header of this name: it is a token (RFC 9110 section 5.6.2) and not one of the service's
 * own.
 */
export function isCustomHeader(name: string): boolean {
  const folded = name.toLowerCase();
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/.test(folded) || OWN_HEADERS.has(folded)) return false;
  return !/^(webhook-|cf-|x-forwarded-|sec-)/.test(folded);
}
