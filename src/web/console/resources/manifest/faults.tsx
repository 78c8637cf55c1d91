import type { FC } from 'hono/jsx';
import type { presentManifest } from '../../../../dispatch/load/manifest/store.ts';
import { useWords } from '../../../../messages/context.ts';
import { Form } from '../../../ui/form/form.tsx';
import { Icon } from '../../../ui/parts/icons.tsx';
import type { ManifestActions } from './actions.ts';

/** The maximum number of problems of a kind that are named. There may be as many as pallets. */
const NAMED_MAXIMUM = 20;

/** The problems of a manifest. Pallets without a marker are counted, and a button gives them markers. */
export const Faults: FC<{
  faults: ReturnType<typeof presentManifest>['validationErrors'];
  /** The number of pallets without a marker, and the number that get one at once. */
  uncoupled: number;
  given: number;
  mayGive: boolean;
}> = ({ faults, uncoupled, given, mayGive }) => {
  const { t, labelled } = useWords();
  if (faults === null) return null;
  const kinds = [
    [t('load.duplicated'), faults.duplicatedTracks],
    [t('load.retired'), faults.deactivatedTracks],
    [t('load.leftWith'), faults.leftWith],
  ] as const;
  return (
    <section class="notice warn" aria-label={t('load.hinders')}>
      <ul>
        {uncoupled > 0 && (
          <li class="uncoupled">
            {t('load.uncoupledCount', { count: uncoupled })}{' '}
            {mayGive && (
              <Form<ManifestActions> action="giveMarkers" class="inline">
                <button type="submit" class="button" data-aside>
                  <Icon name="print" /> {t('load.giveMarkers', { count: Math.min(uncoupled, given) })}
                </button>
              </Form>
            )}
          </li>
        )}
        {kinds
          .filter(([, tracks]) => tracks.length > 0)
          .map(([label, tracks]) => (
            <li>
              {labelled(
                label,
                tracks
                  .slice(0, NAMED_MAXIMUM)
                  .map(({ trackIdentifier }) => trackIdentifier)
                  .join(', '),
              )}
              {tracks.length > NAMED_MAXIMUM && ` ${t('load.namedMore')}`}
            </li>
          ))}
      </ul>
    </section>
  );
};
