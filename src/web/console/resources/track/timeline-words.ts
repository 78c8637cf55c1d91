import type { Words } from '../../../../messages/words.ts';
import { isStatus, statusIn } from '../../kit/components.tsx';

/** Matches the detail of a coupling. */
const MARKER = /^marker (\d+)$/;

/** A stored detail of the timeline in the language of the page. Comments of people stay as they are. */
export function detailIn(words: Words, details: string): string {
  const { t } = words;
  const code = MARKER.exec(details)?.[1];
  if (code !== undefined) return t('find.marker', { code });
  if (details === 'its last open manifest closed') return t('track.byManifest');
  if (details === 'damaged, as a camera saw it') return t('track.seenDamaged');
  return isStatus(details) ? statusIn(words, details) : details;
}
