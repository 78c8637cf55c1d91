import { DAY_MS } from '../../../core/lib/time.ts';

/** A line of a signature: its points `[x, y]`. */
export type Stroke = [x: number, y: number][];

/** The box of a signature. The origin is the upper left corner. */
export const SIGNATURE_BOX = { width: 1_000, height: 400 } as const;
/** Limits of one signature, so that every proof stays small. Bytes are of the JSON of the strokes. */
export const STROKES_MAXIMUM = 100;
export const POINTS_MAXIMUM = 2_000;
export const STROKES_BYTES_MAXIMUM = 32_768;
/** Signatures of a load, including superseded ones. */
export const SIGNATURES_MAXIMUM = 20;
export const SIGNER_NAME_LENGTH = 200;
/** How long a signing link works. It is also the time after completion in which a load can be signed with a link. */
export const SIGNING_MS = 30 * DAY_MS;

/** The facts of a load that a signature covers. A date is in epoch milliseconds. */
export interface SignedFacts {
  loadedAssetsCount: number;
  totalAssetsCount: number;
  /** Loading records of wrong pallets and unknown markers. */
  invalidCount: number;
  /** How often the loading records have changed. */
  recordChanges: number;
  carrier: string | null;
  vehicle: string | null;
  seal: string | null;
  plannedDepartureDate: number | null;
  /** The revision of the proof. 0 before completion. */
  revision: number;
}

/** The statuses in which a load is signed. */
export const SIGNED_STATUSES = ['PLANNED', 'TO_DO', 'IN_PROGRESS', 'COMPLETED'] as const;

/** The load as it was when a signature was given. It is stored with the signature. */
export interface SignedFor extends SignedFacts {
  status: (typeof SIGNED_STATUSES)[number];
  /** SHA-256 (hex) of the data of the proof, for a signature after completion. */
  digest: string | null;
}

/** The possible differences between a load and the load that was signed. */
export const SIGNED_CHANGES = [
  'loadedAssetsCount',
  'totalAssetsCount',
  'invalidCount',
  'records',
  'carrier',
  'vehicle',
  'seal',
  'plannedDepartureDate',
  'corrections',
] as const;
export type SignedChange = (typeof SIGNED_CHANGES)[number];

const COUNTS = ['loadedAssetsCount', 'totalAssetsCount', 'invalidCount'] as const;
const FACTS = ['carrier', 'vehicle', 'seal', 'plannedDepartureDate'] as const;

/**
 * The differences between a load now and when it was signed. `records`: other pallets with the same counts. The status is
 * not compared, because each load with a proof is COMPLETED.
 */
export function changesSince(signed: SignedFacts, now: SignedFacts): SignedChange[] {
  const counts = COUNTS.filter((name) => signed[name] !== now[name]);
  const hasMoved = counts.length === 0 && signed.recordChanges !== now.recordChanges;
  return [
    ...counts,
    ...(hasMoved ? (['records'] as const) : []),
    ...FACTS.filter((name) => signed[name] !== now[name]),
    ...(signed.revision === now.revision ? [] : (['corrections'] as const)),
  ];
}
