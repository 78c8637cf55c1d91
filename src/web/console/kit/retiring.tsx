import { refuse } from '../../../core/http/write.ts';
import { trackStateQuery } from '../../../dispatch/track/store.ts';
import type { At } from './action.ts';
import type { Question } from './question.tsx';

/** The question before a marker is retired. */
export async function askToRetire(
  { database, words: { t } }: Pick<At, 'database' | 'words'>,
  track: string,
  force: boolean,
): Promise<Question> {
  const found = await database.first(trackStateQuery(database, track));
  if (!found) return refuse('trackNotFound', 'There is no such track.', { status: 404 });
  const open = found.onOpenManifest === 1;
  const later = open && !force;
  const said = { pallet: found.wmsId, open: open ? 'yes' : 'no', later: later ? 'yes' : 'no' };
  return {
    title: t('retire.title', { code: String(found.markerCode) }),
    text: <p>{t('retire.text', said)}</p>,
    yes: t(later ? 'retire.later' : 'retire.now'),
    no: t('ask.keep'),
    needed: found.retirement === 'NONE' || (force && found.retirement === 'SCHEDULED'),
  };
}
