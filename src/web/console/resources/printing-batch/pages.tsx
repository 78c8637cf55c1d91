import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { uuid as uuidSchema } from '../../../../core/http/schema.ts';
import { type AppEnv, origin } from '../../../../core/http/types.ts';
import { write } from '../../../../core/http/write.ts';
import { changePrintingBatchStatus } from '../../../../dispatch/printing-batch/commands.ts';
import { PAPERS, type Paper } from '../../../../dispatch/printing-batch/layout.ts';
import { BATCH_TRANSITIONS } from '../../../../dispatch/printing-batch/rules.ts';
import { answerPdf, answerZpl, labelsOf } from '../../../../dispatch/printing-batch/sheet.ts';
import {
  batchList,
  presentPrintingBatch,
  printingBatchView,
  type StoredPrintingBatch,
} from '../../../../dispatch/printing-batch/store.ts';
import { BATCH_STATUSES } from '../../../../dispatch/printing-batch/table.ts';
import type { Words } from '../../../../messages/words.ts';
import { action, type PageContext } from '../../../ui/confirm/action.ts';
import { Ask, type Confirmation, NOT_ASKED } from '../../../ui/confirm/confirmation.tsx';
import { Deleted } from '../../../ui/confirm/deletion.tsx';
import { ActionButton } from '../../../ui/form/form.tsx';
import { listing } from '../../../ui/list/listing.tsx';
import { instant } from '../../../ui/list/rows.tsx';
import { page } from '../../../ui/page/page.tsx';
import {
  type ByUuid,
  byUuid,
  ResourceLink,
  requireRow,
  resourcePage,
  rowQuery,
} from '../../../ui/page/resource.tsx';
import { Badge, Card, Facts, OptionalText } from '../../../ui/parts/components.tsx';
import { Time } from '../../../ui/parts/time.tsx';
import { MarkerLink } from '../marker/marker.tsx';
import { batchStatusIn, shownBatch } from './words.ts';

const actions = {
  status: action(
    'changeOffice',
    z.object({ status: z.enum(BATCH_STATUSES), scanner: uuidSchema }),
    async ({ c, words, submission }, { uuid }: ByUuid, { status, scanner }) => {
      await write(c, submission, changePrintingBatchStatus, {
        scannerUuid: scanner,
        batchUuid: uuid,
        status,
      });
      return { done: words.t('batch.moved') };
    },
    async (at, { uuid }, { status }) =>
      status === 'CANCELLED' ? confirmBatchCancellation(at.words, await readBatch(at, uuid)) : NOT_ASKED,
  ),
};

/** The pages about printing batches and their sheets of labels. */
export function printingPages(app: Hono<AppEnv>): void {
  listing(app, {
    path: '/app/printing-batch',
    title: ({ t }) => t('batch.all'),
    right: 'seeOffice',
    list: batchList,
    search: ({ t }) => t('batch.inBatches'),
    filters: [
      { name: 'status', label: ({ t }) => t('page.status'), options: BATCH_STATUSES, say: batchStatusIn },
      { name: 'scannerUuid', label: ({ t }) => t('batch.scannerUuid') },
    ],
    columns: ({ words: { t } }) => [
      {
        label: t('batch.title'),
        value: ({ uuid, externalIdentifier, firstMarkerCode }) => (
          <ResourceLink resource="printing-batch" uuid={uuid}>
            {externalIdentifier ?? t('batch.from', { code: String(firstMarkerCode) })}
          </ResourceLink>
        ),
      },
      {
        label: t('load.state'),
        status: ({ status }) => shownBatch(status),
        narrow: 'evident',
        sort: 'status',
      },
      {
        label: t('batch.labels'),
        value: ({ firstMarkerCode, lastMarkerCode }) => lastMarkerCode - firstMarkerCode + 1,
        number: true,
      },
      {
        label: t('batch.first'),
        plain: ({ firstMarkerCode }) => String(firstMarkerCode),
        number: true,
        sort: 'firstMarkerCode',
      },
      { label: t('load.created'), sort: 'createDate', plain: ({ createDate }) => instant(createDate) },
    ],
    empty: ({ t }) => t('batch.noneLike'),
    first: ({ t }) => t('batch.noneYet'),
    next: { path: '/app/scanner', label: ({ t }) => t('menu.scanners'), right: 'seeDevices' },
  });

  resourcePage(app, {
    path: '/app/printing-batch/:uuid',
    right: 'seeOffice',
    view: batchPage,
    actions,
  });

  page(app, {
    path: '/app/printing-batch/:uuid/sheet.pdf',
    right: 'seeOffice',
    params: byUuid,
    query: z.object({ paper: z.enum(Object.keys(PAPERS) as [Paper, ...Paper[]]).default('A4') }),
    view: async (at, { uuid }, { paper }) => answerPdf(at.c, labelsOf(await readBatch(at, uuid), {}), paper),
  });
  page(app, {
    path: '/app/printing-batch/:uuid/sheet.zpl',
    right: 'seeOffice',
    params: byUuid,
    view: async (at, { uuid }) => answerZpl(at.c, labelsOf(await readBatch(at, uuid), {}), 8),
  });
}

async function readBatch({ database }: PageContext, uuid: string): Promise<StoredPrintingBatch> {
  const rows = await database.all(rowQuery(database, 'printing_batch', printingBatchView, uuid));
  return requireRow(rows, 'printingBatchNotFound', uuid);
}

async function batchPage(at: PageContext, { uuid }: ByUuid) {
  const batch = presentPrintingBatch(origin(at.c), await readBatch(at, uuid));
  const { t } = at.words;
  const sheet = `/app/printing-batch/${uuid}/sheet`;
  return {
    title: batch.externalIdentifier ?? t('batch.from', { code: String(batch.firstMarkerCode) }),
    aside: (
      <>
        <Badge status={shownBatch(batch.status)} />
        <Deleted deleted={batch.deleted} />
      </>
    ),
    body: (
      <>
        <Card title={t('batch.title')}>
          <Facts
            facts={[
              [t('batch.labels'), batch.quantity],
              [t('batch.first'), <MarkerLink code={batch.firstMarkerCode} />],
              [t('batch.last'), <MarkerLink code={batch.lastMarkerCode} />],
              [t('batch.printed'), batch.printedCount],
              [t('batch.printedAs'), batch.labelFormat],
              [
                t('batch.scanner'),
                <ResourceLink resource="scanner" uuid={batch.scannerUuid}>
                  {t('batch.itsScanner')}
                </ResourceLink>,
              ],
              [t('batch.external'), <OptionalText of={batch.externalIdentifier} />],
              [t('load.created'), <Time at={batch.createDate} />],
              [t('batch.completedOn'), <Time at={batch.completeDate} />],
            ]}
          />
          <p class="actions">
            {Object.keys(PAPERS).map((paper) => (
              <a class="button quiet" href={`${sheet}.pdf?paper=${paper}`}>
                {t('batch.pdf', { paper })}
              </a>
            ))}
            <a class="button quiet" href={`${sheet}.zpl`}>
              {t('batch.zpl')}
            </a>
          </p>
        </Card>
        {at.may('changeOffice') && !batch.deleted && BATCH_TRANSITIONS[batch.status].length > 0 && (
          <Card title={t('load.operate')}>
            <div class="actions">
              {BATCH_TRANSITIONS[batch.status]
                .filter((status) => status !== 'CREATED')
                .map((status) => {
                  const Button = status === 'CANCELLED' ? Ask : ActionButton;
                  return (
                    <Button<typeof actions>
                      action="status"
                      values={{ status, scanner: batch.scannerUuid }}
                      quiet
                    >
                      {t(`batchStep.${status}`)}
                    </Button>
                  );
                })}
            </div>
          </Card>
        )}
      </>
    ),
  };
}

const confirmBatchCancellation = (
  { t }: Words,
  { status, firstMarkerCode, lastMarkerCode }: StoredPrintingBatch,
): Confirmation => ({
  title: t('batch.cancelTitle'),
  text: <p>{t('batch.cancelText', { count: lastMarkerCode - firstMarkerCode + 1 })}</p>,
  yes: t('batch.cancelYes'),
  no: t('ask.keep'),
  needed: BATCH_TRANSITIONS[status].includes('CANCELLED'),
});
