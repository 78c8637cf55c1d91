import ipaddr from 'ipaddr.js';

/** The longest textual form: an IPv6 address that ends with an IPv4 address (RFC 4291 section 2.2). */
const LENGTH_MAXIMUM = 45;

/**
 * The canonical form of an IP address. IPv4 is dotted decimal, also if it is mapped into IPv6. IPv6 follows RFC 5952.
 * Any other text is null, such as short or octal IPv4. An address with a zone id is null, too, because it is only local.
 */
export function canonicalAddress(text: string | undefined): string | null {
  if (text === undefined || text.length > LENGTH_MAXIMUM || text.includes('%')) return null;
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return null;
  const address = ipaddr.process(text);
  return address instanceof ipaddr.IPv6 ? address.toRFC5952String() : address.toString();
}
