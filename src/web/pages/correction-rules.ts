import { definiteInstant } from '../../core/lib/date.ts';
import { isoDate } from '../../core/lib/time.ts';
import type { ACTOR_TYPES } from '../../core/writer/audit-table.ts';
import { PHOTO_KINDS, type PhotoKind } from '../../dispatch/photo/rules.ts';

/** The things that a correction changes: the status of a record, a fact about the transport, or a photo. */
export const CORRECTED_FIELDS = [
  'loadingStatus',
  'carrier',
  'vehicle',
  'seal',
  'plannedDepartureDate',
  'photo',
] as const;
export type CorrectedField = (typeof CORRECTED_FIELDS)[number];

/** The facts about the transport, by the role of their custom field. */
const FACTS = {
  CARRIER: 'carrier',
  VEHICLE: 'vehicle',
  SEAL: 'seal',
  PLANNED_DEPARTURE: 'plannedDepartureDate',
} as const satisfies Record<string, CorrectedField>;
type FactRole = keyof typeof FACTS;

/** A change after completion that the proof of the load shows. The date is in epoch milliseconds. */
export interface Correction {
  /** The revision of the proof that it made, from 1 in the order of the revisions. Changes of one request share it. */
  number: number;
  date: number;
  actorType: (typeof ACTOR_TYPES)[number];
  field: CorrectedField;
  /** The manifest of a loading record or of a photo. */
  manifestExternalId: string | null;
  /** The pallet of a loading record or of a photo. */
  trackIdentifier: string | null;
  markerCode: number | null;
  photoKind: PhotoKind | null;
  /**
   * A loading status, the text of a fact, or the SHA-256 of a photo. A departure is in ISO 8601. Null before something
   * was added, and after it was removed.
   */
  oldValue: string | null;
  newValue: string | null;
}

/** An audit record of a correction. */
export interface CorrectionRow {
  date: number;
  actorType: Correction['actorType'];
  entityType: 'ASSET_LOADING' | 'SHIPMENT' | 'PHOTO';
  entityExternalId: string | null;
  /** The marker of the loading record, if the record still exists. */
  markerCode: number | null;
}

/** The changes of an audit record, by field. A custom field with a role has the role as its name. */
export type CorrectionChanges = Partial<Record<string, readonly [oldValue: unknown, newValue: unknown]>>;

type Unnumbered = Omit<Correction, 'number' | 'date' | 'actorType'>;

/** The corrections of an audit record: one for each changed fact of a shipment, otherwise one. */
export function correctionsIn(row: CorrectionRow, changes: CorrectionChanges): Unnumbered[] {
  const [oldOf, newOf] = [0, 1].map((at) => (field: string) => textOf(changes[field]?.[at])) as [
    (field: string) => string | null,
    (field: string) => string | null,
  ];
  const either = (field: string): string | null => newOf(field) ?? oldOf(field);
  const blank = { manifestExternalId: null, trackIdentifier: null, markerCode: null, photoKind: null };
  if (row.entityType === 'ASSET_LOADING') {
    const markerCode = row.markerCode ?? (changes['markerCode']?.[0] as number | null | undefined) ?? null;
    return [
      {
        ...blank,
        field: 'loadingStatus',
        manifestExternalId: either('manifest'),
        trackIdentifier: row.entityExternalId,
        markerCode,
        oldValue: oldOf('loadingStatus'),
        newValue: newOf('loadingStatus'),
      },
    ];
  }
  if (row.entityType === 'PHOTO') {
    return [
      {
        ...blank,
        field: 'photo',
        manifestExternalId: either('manifestExternalId'),
        trackIdentifier: either('trackIdentifier'),
        photoKind: PHOTO_KINDS.find((kind) => kind === either('kind')) ?? null,
        oldValue: oldOf('sha256'),
        newValue: newOf('sha256'),
      },
    ];
  }
  return (Object.keys(FACTS) as FactRole[])
    .filter((role) => role in changes)
    .map((role) => ({
      ...blank,
      field: FACTS[role],
      oldValue: factText(role, oldOf(role)),
      newValue: factText(role, newOf(role)),
    }));
}

/** A recorded value. The log may hold the digest of a long value. */
const textOf = (value: unknown): string | null =>
  value === null || value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value);

function factText(role: FactRole, text: string | null): string | null {
  const date = text === null || role !== 'PLANNED_DEPARTURE' ? Number.NaN : definiteInstant(text);
  return Number.isSafeInteger(date) ? isoDate(date) : text;
}
