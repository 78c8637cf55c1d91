import { checkDigit, isSscc } from './gs1.ts';

/**
 * Texts that name a pallet by its EPC: GS1 Digital Link, EPC URIs, the data of RFID tags, and the URIs in EPCIS events of
 * this service.
 */

/** Phones show links without their scheme. Early links have the name of the AI. */
const DIGITAL_LINK =
  /^(?:(?:https?:)?\/\/[^/?#\s]+|[\w-]+(?:\.[\w-]+)+(?::\d+)?)(?:\/[^?#\s]*)?\/(?:00|sscc)\/(\d{18})\/?(?:[?#]\S*)?$/i;
const EPC = /^urn:epc:(?:id:sscc:|tag:sscc-96:[0-7]\.)(\d{6,12})\.(\d{5,11})$/i;
/** The URI that EPCIS events have for a pallet without SSCC. Its host may have changed since. */
const OWN = /^https?:\/\/[^/?#\s]+\/epc\/([\da-f-]{36})\/pallet\/([^/?#\s]+)$/i;
/** The number of digits of an SSCC without its check digit. */
const SSCC_DIGITS = 17;
/** The data of a tag in an EPC URI. */
const RAW = /^urn:epc:raw:\d{2,3}\.x(?=[\da-f]{24,}$)/i;
/** Texts before the data of a tag: a heading, and the prefix of hexadecimal numbers. */
const TAG_LABEL = /^(?:EPC\b[\s.:#=-]*)?(?:0x)?/i;
/** The protocol control word of a tag with 96 bits, which some readers send before its data. */
const CONTROL_WORD = /^3[04]00(?=[\da-f]{24}$)/i;
/** The SSCC+ scheme. Its first digit behind the header is 8 or more if other data follow the SSCC. */
const SSCC_PLUS = /^F9(?:[0-7](\d{18})0{3}|[89A-F](\d{18})[\dA-F]{3,})$/;
/** The SSCC-96 scheme: the header, the filter, the partition, the SSCC and 24 reserved bits. */
const SSCC_96 = /^31[\dA-F]{16}0{6}$/;
/** The bits of the company prefix in SSCC-96, by partition. It has 12 digits in partition 0, 11 in partition 1, and so on. */
const PREFIX_BITS = [40, 37, 34, 30, 27, 24, 20];
/** The bits of the company prefix and the serial reference together. */
const KEY_BITS = 58;
const RESERVED_BITS = 24;
/** The number of hexadecimal digits of the shortest tag data. */
const TAG_DIGITS_MINIMUM = 24;

/** The SSCC in a GS1 Digital Link or in an EPC URI. */
export function ssccInUri(text: string): string | undefined {
  const [, prefix, serial] = EPC.exec(text) ?? [];
  if (prefix !== undefined && serial !== undefined) return ssccOfParts(prefix, serial);
  if (RAW.test(text)) return ssccInTag(text.replace(RAW, ''));
  const sscc = DIGITAL_LINK.exec(decoded(text) ?? text)?.[1];
  return sscc !== undefined && isSscc(sscc) ? sscc : undefined;
}

/** The SSCC of a company prefix and a serial reference. The first digit of the serial reference is its extension digit. */
function ssccOfParts(prefix: string, serial: string): string | undefined {
  const digits = serial.charAt(0) + prefix + serial.slice(1);
  return digits.length === SSCC_DIGITS ? digits + checkDigit(digits) : undefined;
}

/**
 * The SSCC in the data of an RFID tag, in hexadecimal digits with or without blanks, hyphens and colons. The schemes
 * are SSCC-96 and SSCC+ of the GS1 Tag Data Standard 2.0.
 */
export function ssccInTag(text: string): string | undefined {
  // Most texts of a long list end here.
  if (text.length < TAG_DIGITS_MINIMUM) return undefined;
  const data = text
    .replace(TAG_LABEL, '')
    .replace(/[\s:-]/g, '')
    .replace(CONTROL_WORD, '')
    .toUpperCase();
  const plus = SSCC_PLUS.exec(data);
  if (plus && data.length % 4 === 0) {
    const sscc = (plus[1] ?? plus[2])!;
    return isSscc(sscc) ? sscc : undefined;
  }
  return SSCC_96.test(data) ? ssccIn96Bits(BigInt(`0x${data}`)) : undefined;
}

function ssccIn96Bits(bits: bigint): string | undefined {
  const partition = Number(BigInt.asUintN(3, bits >> BigInt(RESERVED_BITS + KEY_BITS)));
  const prefixBits = PREFIX_BITS[partition];
  if (prefixBits === undefined) return undefined;
  const key = BigInt.asUintN(KEY_BITS, bits >> BigInt(RESERVED_BITS));
  const serialBits = KEY_BITS - prefixBits;
  const prefixDigits = 12 - partition;
  const prefix = String(key >> BigInt(serialBits)).padStart(prefixDigits, '0');
  const serial = String(BigInt.asUintN(serialBits, key)).padStart(SSCC_DIGITS - prefixDigits, '0');
  // The bits can also hold a number with too many digits. Then the SSCC is too long.
  return ssccOfParts(prefix, serial);
}

/** The WMS id in the URI of a pallet of this organization. */
export function wmsIdInUri(text: string, organization: string): string | undefined {
  const [, owner, name] = OWN.exec(text) ?? [];
  return owner?.toLowerCase() === organization.toLowerCase() ? decoded(name!) : undefined;
}

function decoded(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
