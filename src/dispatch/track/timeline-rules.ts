/** The author of entries that the service itself makes. */
export const SYSTEM_NAME = 'System';

/** The details of timelines that the service writes itself. They are stored in English. Pages show them in their language. */
export const TIMELINE_DETAILS = {
  lastManifestClosed: 'its last open manifest closed',
  retiresLater: 'once its open manifests are closed',
  damageSeen: 'damaged, as a camera saw it',
  damageOnPhoto: 'damaged, as a photo shows',
} as const;

/** A detail that the service writes. */
export type TimelineDetail = (typeof TIMELINE_DETAILS)[keyof typeof TIMELINE_DETAILS];
