import { checkDigit, isSscc } from '../../core/lib/gs1.ts';

/** The business steps of this service's events (CBV 2.0). */
export const BIZ_STEPS = ['loading', 'unloading', 'inspecting', 'shipping'] as const;
export type BizStep = (typeof BIZ_STEPS)[number];

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
    /** A pallet: its SSCC as GS1 Digital Link, else a URI of this host. */
    pallet: (wmsId: string): string => (isSscc(wmsId) ? `${SSCC}${wmsId}` : own('pallet', wmsId)),
    /** A gate: its GLN if it has one, else a URI of this host. */
    gate: ({ uuid, gln }: { uuid: string; gln: string | null }): string =>
      gln === null ? own('gate', uuid) : `${GLN}${gln}`,
    /** A shipment, or a manifest that left by itself. */
    load: (kind: 'SHIPMENT' | 'MANIFEST', uuid: string): string => own(kind.toLowerCase(), uuid),
  };
}

/** The WMS id of the pallet that an EPC names in any of its forms; undefined if it names none. */
export function palletNamed(epc: string, organization: string): string | undefined {
  if (epc.startsWith(SSCC)) return epc.slice(SSCC.length);
  const [, prefix, serial] = /^urn:epc:id:sscc:(\d{6,12})\.(\d{5,11})$/.exec(epc) ?? [];
  if (prefix && serial) {
    const digits = serial.charAt(0) + prefix + serial.slice(1);
    return digits + checkDigit(digits);
  }
  const name = new RegExp(`^https?://[^/]+/epc/${organization}/pallet/([^/]+)$`).exec(epc)?.[1];
  try {
    return name && decodeURIComponent(name);
  } catch {
    return undefined;
  }
}

/** A business step written as a bare word or as a URI of the vocabulary. */
export const bareBizStep = (step: string): string =>
  step.replace(/^(https?:\/\/(ref|ns)\.gs1\.org\/cbv\/BizStep-|urn:epcglobal:cbv:bizstep:)/, '');
