import type { ALERT_TYPES } from './table.ts';

/** The types of alerts that cover pallets. */
export type AlertOfPallets = Extract<
  (typeof ALERT_TYPES)[number],
  'PALLETS_ABOARD' | 'SCAN_WITHOUT_ACTIVE_MANIFEST'
>;

/** A pallet or an unknown marker. */
interface PalletOrMarker {
  /** Null for an unknown marker. */
  wmsId: string | null;
  /** Null for a pallet without a marker. */
  markerCode: number | null;
}

/** Whether a row of an alert is about a pallet or marker: it has the same code or the same WMS id. */
export const isSame = (row: PalletOrMarker, read: PalletOrMarker): boolean =>
  (row.markerCode !== null && row.markerCode === read.markerCode) ||
  (row.wmsId !== null && row.wmsId === read.wmsId);

/** A reading of a pallet. A mark by hand counts as a reading with the same outcome. */
export interface Reading {
  direction: 'LOAD' | 'UNLOAD' | 'OFFLOAD';
  outcome: string;
}

const ON_A_LOAD = ['LOADED', 'WRONGLY_LOADED', 'UNKNOWN_LOADING'];

/**
 * Whether a reading accounts for a pallet that an alert covers. A pallet that was read at a gate without work must
 * become LOADED. A pallet that may still be aboard must be read again: anywhere by an UNLOAD or OFFLOAD, or on a load by
 * a LOAD. A late reading accounts for nothing.
 */
export const accountsFor = (alertType: AlertOfPallets, { direction, outcome }: Reading): boolean => {
  if (alertType === 'SCAN_WITHOUT_ACTIVE_MANIFEST') return outcome === 'LOADED';
  return direction === 'LOAD' ? ON_A_LOAD.includes(outcome) : outcome !== 'SUPERSEDED';
};

/** The pallets of a PALLETS_ABOARD alert that were not read again yet: their number, and the first WMS ids. */
export interface StillAboard {
  count: number;
  wmsIds: string[];
}
