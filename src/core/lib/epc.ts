import { checkDigit, isSscc } from './gs1.ts';

/** URIs of pallets: GS1 Digital Link, EPC URIs, and the URIs in EPCIS events of this service. */

/** Phones show links without their scheme. Early links have the name of the AI. */
const DIGITAL_LINK =
  /^(?:(?:https?:)?\/\/[^/?#\s]+|[\w-]+(?:\.[\w-]+)+(?::\d+)?)(?:\/[^?#\s]*)?\/(?:00|sscc)\/(\d{18})\/?(?:[?#]\S*)?$/i;
const EPC = /^urn:epc:(?:id:sscc:|tag:sscc-96:[0-7]\.)(\d{6,12})\.(\d{5,11})$/i;
/** The URI that EPCIS events have for a pallet without SSCC. Its host may have changed since. */
const OWN = /^https?:\/\/[^/?#\s]+\/epc\/([\da-f-]{36})\/pallet\/([^/?#\s]+)$/i;
/** The number of digits of an SSCC without its check digit. */
const SSCC_DIGITS = 17;

/** The SSCC in a GS1 Digital Link or in an EPC URI. */
export function ssccInUri(text: string): string | undefined {
  const [, prefix, serial] = EPC.exec(text) ?? [];
  if (prefix !== undefined && serial !== undefined) {
    const digits = serial.charAt(0) + prefix + serial.slice(1);
    return digits.length === SSCC_DIGITS ? digits + checkDigit(digits) : undefined;
  }
  const sscc = DIGITAL_LINK.exec(decoded(text) ?? text)?.[1];
  return sscc !== undefined && isSscc(sscc) ? sscc : undefined;
}

/** The WMS id in the URI of a pallet of this organization. */
export function wmsIdInUri(text: string, organization: string): string | undefined {
  const [, owner, name] = OWN.exec(text) ?? [];
  return owner?.toLowerCase() === organization.toLowerCase() ? decoded(name!) : undefined;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
