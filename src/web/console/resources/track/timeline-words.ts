import { listed } from '../../../../core/lib/text.ts';
import type { Detail, DetailCode } from '../../../../dispatch/track/timeline-rules.ts';
import type { Key } from '../../../../messages/messages.ts';
import type { Words } from '../../../../messages/words.ts';
import { outcomeIn } from '../../board/outcome-words.ts';

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
  receiptTime: 'track.receiptTime',
} as const satisfies Record<DetailCode, Key>;

/** The author of an entry. Null is the service, which has a name in the language of the page. */
export const authorIn = ({ t }: Words, author: string | null): string => author ?? t('actorType.SYSTEM');

/** The details of an entry in the language of the page. Texts of people stay as they are. */
export const detailsIn = (words: Words, details: readonly Detail[]): string =>
  listed(...details.map((detail) => detailIn(words, detail)));

function detailIn(words: Words, detail: Detail): string {
  if ('code' in detail) return words.t(DETAILS[detail.code]);
  if ('markerCode' in detail) return words.t('find.marker', { code: detail.markerCode });
  return 'outcome' in detail ? outcomeIn(words, detail.outcome) : detail.note;
}
