import { z } from '@hono/zod-openapi';
import type { SQL } from 'drizzle-orm';
import type { FC } from 'hono/jsx';
import type { AppContext } from '../../../../core/http/types.ts';
import { write } from '../../../../core/http/write.ts';
import type { Scope } from '../../../../core/lib/scope.ts';
import { coupleAssets, type PalletsOf } from '../../../../dispatch/manifest/coupling-commands.ts';
import type { MarkerOf } from '../../../../dispatch/manifest/label-store.ts';
import { answerLabels } from '../../../../dispatch/printing-batch/sheet.ts';
import { useWords } from '../../../../messages/context.ts';
import { type ActionResult, action } from '../../kit/action.ts';
import { wantsJson } from '../../kit/answer.tsx';
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
    return labelsOf(c, codes, words.t('load.labelsReady'));
  });

/**
 * Give markers to the pallets that have none, and answer with their labels. A repeat with the same key gives no further
 * markers, and answers with the same labels.
 */
export const giveMarkersAction = <P, F extends z.ZodType>(
  formOf: F,
  palletsOf: (params: P, form: z.output<F>) => PalletsOf,
) =>
  action('operate', formOf, async ({ c, words, submission }, params: P, typed: z.output<F>) => {
    const { block, count } = (await write(c, submission, coupleAssets, palletsOf(params, typed))).body;
    if (block === null) refuseInWords('validationFailed', words.t('load.noneToGive'));
    const codes = Array.from({ length: count }, (_, at) => block.firstMarkerCode + at);
    return labelsOf(c, codes, words.t('load.markersGiven', { count }));
  });

/** Answer with labels. A script asks first whether the form is accepted, and then opens the labels in another tab. */
const labelsOf = (c: AppContext, codes: readonly number[], done: string): ActionResult | Promise<Response> =>
  wantsJson(c) ? { done } : answerLabels(c, codes);

/** The bulk action that gives markers to the pallets of chosen manifests or shipments. */
export const GIVE_MARKERS: Offer<'giveMarkers'> = {
  action: 'giveMarkers',
  right: 'operate',
  label: ({ t }) => t('load.giveMarkersTo'),
  icon: 'print',
  aside: true,
};

/** The bulk action on the chosen manifests or shipments. */
export const giveMarkersToRows = (of: PalletsOf['of']) =>
  giveMarkersAction(form, (_: unknown, { row }) => ({ of, uuids: row }));

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
