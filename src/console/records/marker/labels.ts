import { z } from '@hono/zod-openapi';
import type { SQL } from 'drizzle-orm';
import { refuse } from '../../../http/write.ts';
import type { Scope } from '../../../lib/database.ts';
import type { MarkerOf } from '../../../manifest/label-store.ts';
import { answerLabels } from '../../../printing-batch/sheet.ts';
import { type Offer, rowsOf } from '../../kit/bulk.tsx';
import { type Action, action } from '../../kit/page.tsx';

/** Labels of one print; of more, a part is chosen. */
export const LABELS_MAXIMUM = 1_000;

/** Prints the labels of the pallets that are chosen. */
export const LABELS: Offer = {
  action: 'labels',
  right: 'see',
  label: 'Print labels',
  icon: 'print',
  aside: true,
};

const form = z.object({ row: rowsOf(z.uuid()) });

/** Answers the labels of pallets, whose markers `markers` finds by the rows that are chosen. */
export const labelsAction = (markers: (uuids: readonly string[], scope: Scope) => SQL<MarkerOf>): Action =>
  action('see', form, async ({ c, database }, _, { row }) => {
    const found = await database.all(markers(row, database));
    const codes = found.map(({ markerCode }) => markerCode);
    if (codes.length === 0) refuse('validationFailed', 'None of these has a pallet with a marker.');
    if (codes.length > LABELS_MAXIMUM) {
      refuse('validationFailed', `These have more than ${LABELS_MAXIMUM} labels: choose fewer.`);
    }
    return answerLabels(c, codes);
  });
