import { ssccInTag, ssccInUri, wmsIdInUri } from '../../pallet/epc.ts';
import { ssccOf, ssccSpellings } from '../../pallet/gs1.ts';

/** The business steps of this service's events (CBV 2.0). */
export const BIZ_STEPS = ['loading', 'unloading', 'inspecting', 'shipping'] as const;
type BizStep = (typeof BIZ_STEPS)[number];

/** All business steps of the vocabulary. A query may name a step that has no events here. */
export const CBV_BIZ_STEPS = (
  'accepting arriving assembling collecting commissioning consigning creating_class_instance cycle_counting ' +
  'decommissioning departing destroying disassembling dispensing encoding entering_exiting holding inspecting ' +
  'installing killing loading other packing picking receiving removing repackaging repairing replacing reserving ' +
  'retail_selling sampling sensor_reporting shipping staging_outbound stock_taking stocking storing transporting ' +
  'unloading unpacking void_shipping'
).split(' ');

/** The meaning of a timeline entry in EPCIS. */
interface Meaning {
  bizStep: BizStep;
  disposition?: 'damaged' | 'conformant';
}

/** Entries that are events by themselves. */
export const HAPPENINGS: Record<string, Meaning> = {
  LOADED: { bizStep: 'loading' },
  UNLOADED: { bizStep: 'unloading' },
  OFFLOADED: { bizStep: 'unloading' },
  FLAGGED: { bizStep: 'inspecting', disposition: 'damaged' },
  UNFLAGGED: { bizStep: 'inspecting', disposition: 'conformant' },
};
/** The entry that takes an earlier one back: the reported event did not happen. */
export const CORRECTION = 'NOT_LOADED';

const SSCC = 'https://id.gs1.org/00/';
const GLN = 'https://id.gs1.org/414/';

/** Makes the identifiers of an organization's things; `links` is the origin of its URIs. */
export function urisOf(links: string, organization: string) {
  const own = (kind: string, name: string) =>
    `${links}/epc/${organization}/${kind}/${encodeURIComponent(name)}`;
  return {
    /** A pallet: its SSCC as GS1 Digital Link, in whichever spelling it is stored, else a URI of this host. */
    pallet(wmsId: string): string {
      const sscc = ssccOf(wmsId);
      return sscc === undefined ? own('pallet', wmsId) : `${SSCC}${sscc}`;
    },
    /** A gate: its GLN if it has one, else a URI of this host. */
    gate: ({ uuid, gln }: { uuid: string; gln: string | null }): string =>
      gln === null ? own('gate', uuid) : `${GLN}${gln}`,
    /** A shipment, or a manifest that left by itself. */
    load: (kind: 'SHIPMENT' | 'MANIFEST', uuid: string): string => own(kind.toLowerCase(), uuid),
  };
}

/** The WMS ids that a pallet may have that an EPC names in any of its forms. An SSCC has several spellings. */
export function palletsNamed(epc: string, organization: string): string[] {
  const name = ssccInUri(epc) ?? wmsIdInUri(epc, organization);
  if (name === undefined) return [];
  const sscc = ssccOf(name);
  return sscc === undefined ? [name] : ssccSpellings(sscc);
}

/** Why a text is not the URI of an EPC; undefined if it is. */
export function epcFault(text: string): string | undefined {
  const sscc = ssccOf(text) ?? ssccInTag(text);
  if (sscc !== undefined) return `An EPC is a URI. For this SSCC, use ${SSCC}${sscc}.`;
  if (text.includes('|'))
    return 'Separate several EPCs by commas, not by |. Or send the parameter once for each EPC.';
  if (/^urn:epc:idpat:/i.test(text)) return 'Patterns are not supported. Use the URI of one pallet.';
  if (/^(https?:\/\/[^/?#]+\/|urn:[a-z0-9-]+:)[!#-;=?-[\]_a-z~\u00a1-\u{10ffff}]+$/iu.test(text))
    return undefined;
  return `An EPC is a URI: ${SSCC}{SSCC}, urn:epc:id:sscc:…, or the URI of the pallet in an event.`;
}

/** A business step written as a bare word or as a URI of the vocabulary. */
export const bareBizStep = (step: string): string =>
  step.replace(/^(https?:\/\/(ref|ns)\.gs1\.org\/cbv\/BizStep-|urn:epcglobal:cbv:bizstep:)/, '');
