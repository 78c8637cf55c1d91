import { refuseMissing } from '../../../core/http/write.ts';
import { trackStateQuery } from '../../../dispatch/track/store.ts';
import type { PageContext } from './action.ts';
import type { Confirmation } from './confirmation.tsx';

/** The question before a marker is retired. */
export async function confirmRetirement(
  { database, words: { t } }: Pick<PageContext, 'database' | 'words'>,
  track: string,
  force: boolean,
): Promise<Confirmation> {
  const found = await database.first(trackStateQuery(database, track));
  if (!found) return refuseMissing('trackNotFound', track);
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
