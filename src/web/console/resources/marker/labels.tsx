import { z } from '@hono/zod-openapi';
import type { SQL } from 'drizzle-orm';
import type { FC } from 'hono/jsx';
import type { AppContext } from '../../../../core/http/types.ts';
import { write } from '../../../../core/http/write.ts';
import type { Scope } from '../../../../core/lib/scope.ts';
import { answerLabels } from '../../../../dispatch/label/answer.ts';
import { labelsOfMarkers, type PalletLabel, PRINT_MAXIMUM } from '../../../../dispatch/label/store.ts';
import { coupleAssets, type PalletsOf } from '../../../../dispatch/load/manifest/coupling-commands.ts';
import { useWords } from '../../../../messages/context.ts';
import { type ActionResult, action, type PageContext } from '../../../ui/confirm/action.ts';
import { type Offer, rowsOf } from '../../../ui/list/bulk.tsx';
import { wantsJson } from '../../../ui/page/answer.tsx';
import { Icon } from '../../../ui/parts/icons.tsx';
import { refuseInWords } from '../../../ui/parts/language.ts';

/** The bulk action that prints the labels of chosen pallets. */
export const LABELS: Offer<'labels'> = {
  action: 'labels',
  right: 'see',
  label: ({ t }) => t('load.printLabels'),
  icon: 'print',
  aside: true,
};

const form = z.object(rowsOf(z.uuid()));

/** Finds the labels of rows by uuid. */
export type LabelsOf = (uuids: readonly string[], scope: Scope) => SQL<PalletLabel>;

/** Answer with the labels of the chosen rows. */
export const labelsAction = (labelsOf: LabelsOf) =>
  action('see', form, async (at, _, { row }) => {
    const labels = printable(at, await at.database.all(labelsOf(row, at.database)));
    return opened(at.c, labels, at.words.t('load.labelsReady'));
  });

/** Check the number of labels. @throws 400 for no label, or too many */
export function printable({ words }: PageContext, labels: PalletLabel[]): PalletLabel[] {
  if (labels.length === 0) refuseInWords('validationFailed', words.t('load.noLabel'));
  if (labels.length > PRINT_MAXIMUM) {
    refuseInWords('validationFailed', words.t('load.manyLabels', { count: PRINT_MAXIMUM }));
  }
  return labels;
}

/**
 * Give markers to the pallets that have none, and answer with their labels. A repeat with the same key gives no further
 * markers, and answers with the same labels.
 */
export const giveMarkersAction = <P, F extends z.ZodType>(
  formOf: F,
  palletsOf: (params: P, form: z.output<F>) => PalletsOf,
) =>
  action('operate', formOf, async ({ c, database, words, submission }, params: P, typed: z.output<F>) => {
    const { block, count } = (await write(c, submission, coupleAssets, palletsOf(params, typed))).body;
    if (block === null) refuseInWords('validationFailed', words.t('load.noneToGive'));
    const codes = Array.from({ length: count }, (_, at) => block.firstMarkerCode + at);
    return opened(
      c,
      await database.all(labelsOfMarkers(database, codes)),
      words.t('load.markersGiven', { count }),
    );
  });

/** Answer with labels. A script asks first whether the form is accepted, and then opens the labels in another tab. */
const opened = (
  c: AppContext,
  labels: readonly PalletLabel[],
  done: string,
): ActionResult | Promise<Response> => (wantsJson(c) ? { done } : answerLabels(c, labels, { format: 'PDF' }));

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

/** A link to the label of one pallet, to print it again. `at` is the path of its marker or of its loading record. */
export const LabelLink: FC<{ at: string; of: string }> = ({ at, of }) => {
  const { t } = useWords();
  return (
    <a
      class="button quiet"
      href={`${at}/label.pdf`}
      target="_blank"
      rel="noopener"
      aria-label={t('load.labelOf', { pallet: of })}
    >
      <Icon name="print" /> <span>{t('load.label')}</span>
    </a>
  );
};

/** Links to the labels of a load's pallets. */
export const LabelLinks: FC<{ load: string }> = ({ load }) => {
  const { t } = useWords();
  return (
    <>
      <a class="button quiet" href={`${load}/labels.pdf`} target="_blank" rel="noopener">
        <Icon name="print" /> {t('load.printLabels')}
      </a>{' '}
      <a class="button quiet" href={`${load}/labels.zpl`} download="labels.zpl">
        <Icon name="download" /> {t('load.labelsZpl')}
      </a>
    </>
  );
};
