import ipaddr from 'ipaddr.js';

/** The longest textual form: an IPv6 address with an IPv4 one at its end (RFC 4291 section 2.2). */
const LENGTH_MAXIMUM = 45;

/**
 * The canonical form of an IP address: dotted decimal, also for one that is mapped into IPv6, else that of RFC 5952.
 * Null for any other text, including short and octal forms of IPv4, and zone ids, which are local.
 */
export function canonicalAddress(text: string | undefined): string | null {
  if (text === undefined || text.length > LENGTH_MAXIMUM || text.includes('%')) return null;
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return null;
  const address = ipaddr.process(text);
  return address instanceof ipaddr.IPv6 ? address.toRFC5952String() : address.toString();
}
