/** The statuses of a track in filters and answers. */
export const TRACK_STATUSES = ['ACTIVE', 'FLAGGED', 'SCHEDULED_FOR_RETIREMENT', 'NOT_ACTIVE'] as const;

export type TrackStatus = (typeof TRACK_STATUSES)[number];

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
