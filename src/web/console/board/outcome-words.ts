import { listed } from '../../../core/lib/text.ts';
import type { ScanOutcome } from '../../../dispatch/loading/gate-view-rules.ts';
import type { Detail, DetailCode } from '../../../dispatch/track/rules.ts';
import type { Key } from '../../../messages/messages.ts';
import type { Words } from '../../../messages/words.ts';

/** The messages for results of earlier scans. The messages `scan.*` also say what the person at the gate has to do. */
const OUTCOMES = {
  LOADED: 'status.LOADED',
  UNLOADED: 'status.UNLOADED',
  OFFLOADED: 'status.OFFLOADED',
  WRONGLY_LOADED: 'status.WRONGLY_LOADED',
  UNKNOWN_LOADING: 'status.UNKNOWN_LOADING',
  NO_ACTIVE_MANIFEST: 'outcome.NO_ACTIVE_MANIFEST',
  NOT_LOADED: 'scan.NOT_LOADED',
  SUPERSEDED: 'scan.SUPERSEDED',
  NOT_RECOGNIZED: 'scan.NOT_RECOGNIZED',
} as const satisfies Record<ScanOutcome, Key>;

/** The result of a recorded scan in words. */
export const outcomeIn = ({ t }: Words, outcome: ScanOutcome): string => t(OUTCOMES[outcome]);

/** The messages for the details that the service writes itself. */
const DETAILS = {
  lastManifestClosed: 'track.byManifest',
  retiresLater: 'track.retiresLater',
  damageSeen: 'note.seenDamaged',
  damageOnPhoto: 'note.photoDamaged',
  startsAgain: 'track.startsAgain',
  stillAboard: 'track.stillAboard',
  readElsewhere: 'track.readElsewhere',
  takenBack: 'track.takenBack',
  deletedByHand: 'track.deletedByHand',
  receiptTime: 'track.receiptTime',
} as const satisfies Record<DetailCode, Key>;

/** The details of an entry in the language of the page. Texts of people stay as they are. */
export const detailsIn = (words: Words, details: readonly Detail[]): string =>
  listed(...details.map((detail) => detailIn(words, detail)));

function detailIn(words: Words, detail: Detail): string {
  if ('code' in detail) return words.t(DETAILS[detail.code]);
  if ('markerCode' in detail) return words.t('find.marker', { code: detail.markerCode });
  return 'outcome' in detail ? outcomeIn(words, detail.outcome as ScanOutcome) : detail.note;
}
