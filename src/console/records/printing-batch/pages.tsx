import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { uuid as uuidSchema } from '../../../http/schema.ts';
import { type AppEnv, origin } from '../../../http/types.ts';
import { write } from '../../../http/write.ts';
import { changePrintingBatchStatus } from '../../../printing-batch/commands.ts';
import { PAPERS, type Paper } from '../../../printing-batch/layout.ts';
import { batchList } from '../../../printing-batch/list.ts';
import { TRANSITIONS } from '../../../printing-batch/rules.ts';
import { answerPdf, answerZpl, labelsOf } from '../../../printing-batch/sheet.ts';
import {
  presentPrintingBatch,
  printingBatchView,
  type StoredPrintingBatch,
} from '../../../printing-batch/store.ts';
import { BATCH_STATUSES } from '../../../printing-batch/table.ts';
import { Badge, Card, Facts, Value } from '../../kit/components.tsx';
import { type ByUuid, byUuid, Deleted, found, History, rowQuery, To } from '../../kit/detail.tsx';
import { Do } from '../../kit/form.tsx';
import { listing } from '../../kit/listing.tsx';
import { type At, action, page } from '../../kit/page.tsx';
import { Ask, NOT_ASKED, type Question } from '../../kit/question.tsx';
import { instant } from '../../kit/rows.tsx';
import { Time } from '../../kit/time.tsx';
import { MarkerLink } from '../marker/marker.tsx';

const MOVES = { IN_PROGRESS: 'Printing', COMPLETED: 'Printed', CANCELLED: 'Cancel' } as const;

/** Printing batches, and the sheets of their labels. */
export function printingPages(app: Hono<AppEnv>): void {
  listing(app, {
    path: '/app/printing-batch',
    title: 'Printing batches',
    right: 'seeOffice',
    list: batchList,
    search: 'external identifiers',
    filters: [
      { name: 'status', label: 'Status', options: BATCH_STATUSES },
      { name: 'scannerUuid', label: 'Scanner (uuid)' },
    ],
    columns: () => [
      {
        label: 'Batch',
        value: ({ uuid, externalIdentifier, firstMarkerCode }) => (
          <To resource="printing-batch" uuid={uuid}>
            {externalIdentifier ?? `from ${firstMarkerCode}`}
          </To>
        ),
      },
      { label: 'State', status: ({ status }) => status, narrow: 'evident', sort: 'status' },
      {
        label: 'Labels',
        value: ({ firstMarkerCode, lastMarkerCode }) => lastMarkerCode - firstMarkerCode + 1,
        number: true,
      },
      {
        label: 'First code',
        plain: ({ firstMarkerCode }) => firstMarkerCode,
        number: true,
        sort: 'firstMarkerCode',
      },
      { label: 'Created', sort: 'createDate', plain: ({ createDate }) => instant(createDate) },
    ],
    empty: 'No batch is like this. New ones are made on the page of their scanner.',
  });

  page(app, {
    path: '/app/printing-batch/:uuid',
    right: 'seeOffice',
    params: byUuid,
    view: batchPage,
    actions: {
      status: action(
        'changeOffice',
        z.object({ status: z.enum(BATCH_STATUSES), scanner: uuidSchema }),
        async ({ c }, { uuid }: ByUuid, { status, scanner }) => {
          await write(c, changePrintingBatchStatus, { scannerUuid: scanner, batchUuid: uuid, status });
          return { done: 'The batch has its new status.' };
        },
        async (at, { uuid }, { status }) =>
          status === 'CANCELLED' ? askToCancel(await readBatch(at, uuid)) : NOT_ASKED,
      ),
    },
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

async function readBatch({ database }: At, uuid: string): Promise<StoredPrintingBatch> {
  const rows = await database.all(rowQuery(database, 'printing_batch', printingBatchView, uuid));
  return found(rows, 'printingBatchNotFound', 'printing batch');
}

async function batchPage(at: At, { uuid }: ByUuid) {
  const batch = presentPrintingBatch(origin(at.c), await readBatch(at, uuid));
  const sheet = `/app/printing-batch/${uuid}/sheet`;
  return {
    title: batch.externalIdentifier ?? `Batch from ${batch.firstMarkerCode}`,
    aside: (
      <>
        <Badge status={batch.status} />
        <Deleted deleted={batch.deleted} />
      </>
    ),
    body: (
      <>
        <Card title="Printing batch">
          <Facts
            facts={[
              ['Labels', batch.quantity],
              ['First code', <MarkerLink code={batch.firstMarkerCode} />],
              ['Last code', <MarkerLink code={batch.lastMarkerCode} />],
              ['Printed', batch.printedCount],
              ['Printed as', batch.labelFormat],
              [
                'Scanner',
                <To resource="scanner" uuid={batch.scannerUuid}>
                  Its scanner
                </To>,
              ],
              ['External identifier', <Value of={batch.externalIdentifier} />],
              ['Created', <Time at={batch.createDate} />],
              ['Completed', <Time at={batch.completeDate} />],
            ]}
          />
          <p class="actions">
            {Object.keys(PAPERS).map((paper) => (
              <a class="button quiet" href={`${sheet}.pdf?paper=${paper}`}>
                Labels as PDF, {paper}
              </a>
            ))}
            <a class="button quiet" href={`${sheet}.zpl`}>
              Labels as ZPL
            </a>
          </p>
        </Card>
        {at.may('changeOffice') && !batch.deleted && TRANSITIONS[batch.status].length > 0 && (
          <Card title="Operate">
            <div class="actions">
              {TRANSITIONS[batch.status].map((status) => {
                const Button = status === 'CANCELLED' ? Ask : Do;
                return (
                  <Button action="status" values={{ status, scanner: batch.scannerUuid }} quiet>
                    {MOVES[status as keyof typeof MOVES]}
                  </Button>
                );
              })}
            </div>
          </Card>
        )}
        <History at={at} uuid={uuid} />
      </>
    ),
  };
}

const askToCancel = ({ status, firstMarkerCode, lastMarkerCode }: StoredPrintingBatch): Question => ({
  title: 'Cancel this printing batch?',
  text: (
    <p>
      Its {lastMarkerCode - firstMarkerCode + 1} markers are not printed any more, and no other batch gets
      their codes. Nobody can undo that.
    </p>
  ),
  yes: 'Cancel the batch',
  no: 'Keep it',
  needed: TRANSITIONS[status].includes('CANCELLED'),
});
