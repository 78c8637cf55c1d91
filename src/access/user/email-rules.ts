import { isAscii, lowerAscii } from '../../core/lib/text.ts';
import { EMAIL_MAXIMUM, EMAIL_PATTERN } from './rules.ts';

/** RFC 6531: a local part of letters with marks, digits and signs. No character is invisible. */
const LOCAL = /^(?!\.)(?:\.?(?:[!#$%&'*+/=?^_`{|}~-]|(?!\p{DI})[\p{L}\p{N}](?:(?!\p{DI})\p{M})*))+$/u;
const LOCAL_OCTETS_MAXIMUM = 64;
/** An international domain: letters, marks, digits and hyphens. */
const DOMAIN = /^(?:(?!\p{DI})[\p{L}\p{M}\p{N}.-])+$/u;

const octets = (text: string): number => new TextEncoder().encode(text).length;

/** Whether a text has a character that a normal form replaces by ASCII, such as the Kelvin sign by `K`. */
const imitatesAscii = (text: string): boolean =>
  [...text].some((character) => !isAscii(character) && isAscii(character.normalize('NFC')));

/** A domain in ASCII (`xn--…`). Undefined if it is not valid, or has characters that IDNA replaces by others. */
function asciiDomain(domain: string): string | undefined {
  const composed = domain.normalize('NFC');
  if (!DOMAIN.test(domain) || imitatesAscii(domain) || composed !== domain.normalize('NFKC'))
    return undefined;
  const url = `http://${composed.toLowerCase()}`;
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

/** The parts of an international address in the form in which they are compared; undefined for any other text. */
function international(text: string): string | undefined {
  if (octets(text) > EMAIL_MAXIMUM) return undefined;
  const at = text.lastIndexOf('@');
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || !LOCAL.test(local) || octets(local) > LOCAL_OCTETS_MAXIMUM || imitatesAscii(local))
    return undefined;
  const ascii = isAscii(domain) ? lowerAscii(domain) : asciiDomain(domain);
  return ascii !== undefined && EMAIL_PATTERN.test(`x@${ascii}`)
    ? `${lowerAscii(local.normalize('NFC'))}@${ascii}`
    : undefined;
}

/** Whether a text is an e-mail address, also an international one (RFC 6531). */
export const isEmail = (text: string): boolean =>
  isAscii(text) ? EMAIL_PATTERN.test(text) : international(text) !== undefined;

/**
 * The form in which addresses are compared. The case of ASCII letters does not matter. Other letters count exactly, in
 * NFC. A domain counts in ASCII, because `bücher.example` and `xn--bcher-kva.example` are one domain.
 */
export const emailKey = (text: string): string =>
  (isAscii(text) ? undefined : international(text)) ?? lowerAscii(text);
