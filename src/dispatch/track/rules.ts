/** The statuses of a track in filters and answers. */
export const TRACK_STATUSES = ['ACTIVE', 'FLAGGED', 'SCHEDULED_FOR_RETIREMENT', 'NOT_ACTIVE'] as const;

type TrackStatus = (typeof TRACK_STATUSES)[number];

/** The columns that decide the status of a track. */
export interface TrackState {
  retirement: 'NONE' | 'SCHEDULED' | 'RETIRED';
  flagged: 0 | 1;
}

/** The status of a track. Retirement has priority over a flag. */
export function trackStatus({ retirement, flagged }: TrackState): TrackStatus {
  if (retirement === 'RETIRED') return 'NOT_ACTIVE';
  if (retirement === 'SCHEDULED') return 'SCHEDULED_FOR_RETIREMENT';
  return flagged === 1 ? 'FLAGGED' : 'ACTIVE';
}

/** The name of a pallet among the things that the writer remembers. */
export const palletName = (wmsId: string): string => `pallet ${wmsId}`;

export const ACTIVITY_TYPES = [
  'COUPLED',
  'SEEN',
  'LOADED',
  'NOT_LOADED',
  'UNLOADED',
  'OFFLOADED',
  'FLAGGED',
  'UNFLAGGED',
  'COMMENTED',
  'RETIRED',
  'REACTIVATED',
  'ATTACHED',
  'DETACHED',
  'DELETED',
] as const;

export type ActivityType = (typeof ACTIVITY_TYPES)[number];

/** The name that the API shows for the author of entries that the service itself makes. */
export const SYSTEM_NAME = 'System';

/** The texts of the API for details that the service writes itself. Pages have texts in their language. */
export const TIMELINE_DETAILS = {
  lastManifestClosed: 'its last open manifest closed',
  retiresLater: 'once its open manifests are closed',
  damageSeen: 'damaged, as a camera saw it',
  damageOnPhoto: 'damaged, as a photo shows',
  startsAgain: 'its order left the load, so it starts again',
  stillAboard: 'still on the truck, but its load does not have it any more',
  readElsewhere: 'read on another truck since',
  takenBack: 'taken back',
  deletedByHand: 'record of a wrong pallet, deleted by hand',
  receiptTime: 'the time of receipt, because the clock of the device is wrong',
} as const;

/** A detail that the service writes itself. */
export type DetailCode = keyof typeof TIMELINE_DETAILS;

/**
 * A stored detail of a timeline entry. It is a code of the service, the marker of a coupling, the result of a scan, or the
 * text of a person.
 */
export type Detail = { code: DetailCode } | { markerCode: number } | { outcome: string } | { note: string };

export const codeDetails = (code: DetailCode): Detail[] => [{ code }];

/** The details of an entry with the text of a person; null without a text. */
export const noteDetails = (note: string | null): Detail[] | null => (note === null ? null : [{ note }]);

/** The details of an entry as the API shows them. */
export const detailsText = (details: readonly Detail[]): string =>
  details
    .map((detail) => {
      if ('code' in detail) return TIMELINE_DETAILS[detail.code];
      if ('markerCode' in detail) return `marker ${detail.markerCode}`;
      return 'outcome' in detail ? detail.outcome : detail.note;
    })
    .join('; ');
