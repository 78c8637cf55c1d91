import { listed } from '../../../../core/lib/text.ts';
import { SCAN_OUTCOMES } from '../../../../dispatch/loading/table.ts';
import {
  partsOfDetail,
  SYSTEM_NAME,
  TIMELINE_DETAILS,
  type TimelineDetail,
} from '../../../../dispatch/track/timeline-rules.ts';
import type { Key } from '../../../../messages/messages.ts';
import type { Words } from '../../../../messages/words.ts';
import { FLAG_REASONS, outcomeIn } from '../../board/outcome-words.ts';

/** Matches the detail of a coupling. */
const MARKER = /^marker (\d+)$/;

/** The messages for the details that the service writes. */
const DETAILS = {
  [TIMELINE_DETAILS.lastManifestClosed]: 'track.byManifest',
  [TIMELINE_DETAILS.retiresLater]: 'track.retiresLater',
  [TIMELINE_DETAILS.startsAgain]: 'track.startsAgain',
  [TIMELINE_DETAILS.stillAboard]: 'track.stillAboard',
  [TIMELINE_DETAILS.readElsewhere]: 'track.readElsewhere',
  [TIMELINE_DETAILS.takenBack]: 'track.takenBack',
  [TIMELINE_DETAILS.receiptTime]: 'track.receiptTime',
  ...FLAG_REASONS,
} as const satisfies Record<TimelineDetail, Key>;

/** The author of an entry in the language of the page. The service itself has no name. */
export const authorIn = ({ t }: Words, author: string): string =>
  author === SYSTEM_NAME ? t('actorType.SYSTEM') : author;

const isWritten = (details: string): details is TimelineDetail => Object.hasOwn(DETAILS, details);

/** A stored detail of the timeline in the language of the page. Comments of people stay as they are. */
export const detailIn = (words: Words, details: string): string =>
  listed(...partsOfDetail(details).map((part) => partIn(words, part)));

function partIn(words: Words, details: string): string {
  const { t } = words;
  const code = MARKER.exec(details)?.[1];
  if (code !== undefined) return t('find.marker', { code });
  if (isWritten(details)) return t(DETAILS[details]);
  const outcome = SCAN_OUTCOMES.find((known) => known === details);
  return outcome === undefined ? details : outcomeIn(words, outcome);
}
