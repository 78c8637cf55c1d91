import { z } from '@hono/zod-openapi';
import type { SQL } from 'drizzle-orm';
import type { FC } from 'hono/jsx';
import type { Scope } from '../../../../core/lib/scope.ts';
import type { MarkerOf } from '../../../../dispatch/manifest/label-store.ts';
import { answerLabels } from '../../../../dispatch/printing-batch/sheet.ts';
import { useWords } from '../../../../messages/context.ts';
import { action } from '../../kit/action.ts';
import { type Offer, rowsOf } from '../../kit/bulk.tsx';
import { Icon } from '../../kit/icons.tsx';
import { refuseInWords } from '../../kit/language.ts';

/** The maximum number of labels of one print. A longer list has to be printed in parts. */
export const LABELS_MAXIMUM = 1_000;

/** The bulk action that prints the labels of chosen pallets. */
export const LABELS: Offer<'labels'> = {
  action: 'labels',
  right: 'see',
  label: ({ t }) => t('load.printLabels'),
  icon: 'print',
  aside: true,
};

const form = z.object(rowsOf(z.uuid()));

/** Answer with the labels of pallets. `markers` finds the markers of the chosen rows. */
export const labelsAction = (markers: (uuids: readonly string[], scope: Scope) => SQL<MarkerOf>) =>
  action('see', form, async ({ c, database, words }, _, { row }) => {
    const found = await database.all(markers(row, database));
    const codes = found.map(({ markerCode }) => markerCode);
    if (codes.length === 0) refuseInWords('validationFailed', words.t('load.noLabel'));
    if (codes.length > LABELS_MAXIMUM) {
      refuseInWords('validationFailed', words.t('load.manyLabels', { count: LABELS_MAXIMUM }));
    }
    return answerLabels(c, codes);
  });

/** A link to the label of one pallet, to print it again. */
export const LabelLink: FC<{ code: number; of: string }> = ({ code, of }) => {
  const { t } = useWords();
  return (
    <a
      class="button quiet"
      href={`/app/marker-code/${code}/label.pdf`}
      target="_blank"
      rel="noopener"
      aria-label={t('load.labelOf', { pallet: of })}
    >
      <Icon name="print" /> <span>{t('load.label')}</span>
    </a>
  );
};
