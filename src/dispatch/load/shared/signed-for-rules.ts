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
