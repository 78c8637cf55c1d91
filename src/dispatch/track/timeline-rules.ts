/** The author of entries that the service itself makes. */
export const SYSTEM_NAME = 'System';

/** The details of timelines that the service writes itself. They are stored in English. Pages show them in their language. */
export const TIMELINE_DETAILS = {
  lastManifestClosed: 'its last open manifest closed',
  retiresLater: 'once its open manifests are closed',
  damageSeen: 'damaged, as a camera saw it',
  damageOnPhoto: 'damaged, as a photo shows',
  startsAgain: 'its order left the load, so it starts again',
  stillAboard: 'still on the truck, but its load does not have it any more',
  readElsewhere: 'read on another truck since',
  takenBack: 'taken back',
  receiptTime: 'the time of receipt, because the clock of the device is wrong',
} as const;

/** Separates the parts of a detail with two parts. */
const PARTS = '; ';

/** A detail of a scan that has the time of receipt. */
export const withReceiptTime = (details: string | null): string =>
  [...(details === null ? [] : [details]), TIMELINE_DETAILS.receiptTime].join(PARTS);

/** The parts of a detail that the service writes. Texts of people are one part. */
export function partsOfDetail(details: string): string[] {
  const last = `${PARTS}${TIMELINE_DETAILS.receiptTime}`;
  return details.endsWith(last) ? [details.slice(0, -last.length), TIMELINE_DETAILS.receiptTime] : [details];
}

/** A detail that the service writes. */
export type TimelineDetail = (typeof TIMELINE_DETAILS)[keyof typeof TIMELINE_DETAILS];
