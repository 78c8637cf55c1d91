import ipaddr from 'ipaddr.js';

/** Top-level domains without public hosts. A resolver of the network may know hosts below them. */
const LOCAL_NAMES = new Set([
  // RFC 6761: localhost, invalid, test, example. Domains such as example.com are public.
  ...['localhost', 'invalid', 'test', 'example'],
  // RFC 6762 section 3 and appendix G: multicast DNS, and names that private networks use. ICANN reserved internal in 2024.
  ...['local', 'localdomain', 'internal', 'intranet', 'private', 'corp', 'home', 'lan'],
  // RFC 7686, RFC 9476, and RFC 8375 with the other infrastructure names of arpa.
  ...['onion', 'alt', 'arpa'],
  // Names within clusters, and names that ICANN keeps undelegated because networks use them.
  ...['svc', 'consul', 'docker', 'mail', 'domain', 'workgroup'],
]);
/** Public domains that resolve a name to the address spelled in it, or to 127.0.0.1. */
const ECHO_NAMES = new Set(
  'nip.io sslip.io xip.io localtest.me lvh.me vcap.me lacolhost.com traefik.me backname.io'.split(' '),
);
const LOOPBACK = /^http:\/\/127\.0\.0\.1(:\d{1,5})?([/?#]|$)/;

/** Why the service must not send requests to a URL. */
export const URL_FAULTS = {
  CHARACTERS: 'A URL must not contain spaces or control characters.',
  SYNTAX: 'This is not a URL.',
  CREDENTIALS: 'The URL must not contain a user name or password.',
  SCHEME: 'The URL must start with https.',
  PORT: 'The URL must use port 443.',
  HOST: 'The URL must have a public host.',
} as const;
export type UrlFault = keyof typeof URL_FAULTS;

/**
 * Why the service must not send requests to a URL; undefined if it may. The URL must be https on port 443 without user
 * info. Its host must be a public unicast address, or a name that can resolve to such an address. `new URL` parses it
 * as `fetch` does. So decimal, octal, hexadecimal and full-width spellings of addresses are recognised. The function
 * does not resolve names.
 */
export function urlFault(text: string, { allowLoopback }: { allowLoopback: boolean }): UrlFault | undefined {
  if (/[^\x21-\x7e\u00a1-\u{10ffff}]/u.test(text)) return 'CHARACTERS';
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return 'SYNTAX';
  }
  if (url.username !== '' || url.password !== '' || /^[a-z]+:[/\\]*[^/\\?#]*@/i.test(text)) {
    return 'CREDENTIALS';
  }
  // Compared as text: no other spelling of the address is accepted.
  if (allowLoopback && LOOPBACK.test(text) && url.hostname === '127.0.0.1') return undefined;
  if (url.protocol !== 'https:') return 'SCHEME';
  if (url.port !== '') return 'PORT';
  return isPublicHost(url.hostname) ? undefined : 'HOST';
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
