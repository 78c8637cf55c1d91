import { refuse } from '../../http/write.ts';
import type { Database } from '../../lib/database.ts';
import { trackStateQuery } from '../../track/store.ts';
import type { Question } from './question.tsx';

/** What retiring a marker would do. */
export async function askToRetire(database: Database, track: string, force: boolean): Promise<Question> {
  const found = await database.first(trackStateQuery(database, track));
  if (!found) return refuse('trackNotFound', 'There is no such track.', { status: 404 });
  const later = found.onOpenManifest === 1 && !force;
  return {
    title: `Retire marker ${found.markerCode}?`,
    text: (
      <p>
        The 1 pallet that carries it, {found.wmsId}, {found.onOpenManifest === 1 ? 'is' : 'is not'} on an open
        manifest. {later ? 'Once that closes' : 'At once'}, scans of this marker will find no pallet.
      </p>
    ),
    yes: later ? 'Retire once it is closed' : 'Retire now',
    no: 'Keep it',
    needed: found.retirement === 'NONE' || (force && found.retirement === 'SCHEDULED'),
  };
}
