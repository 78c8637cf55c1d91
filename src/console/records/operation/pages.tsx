import type { Hono } from 'hono';
import { type AppEnv, origin } from '../../../http/types.ts';
import { refuse } from '../../../http/write.ts';
import { operationList } from '../../../operation/list.ts';
import { presentOperation, readOperation } from '../../../operation/store.ts';
import { OPERATION_STATUSES, OPERATION_TYPES } from '../../../operation/table.ts';
import { Badge, Card, Facts, Value, words } from '../../kit/components.tsx';
import { byUuid, History, To } from '../../kit/detail.tsx';
import { listing } from '../../kit/listing.tsx';
import { page } from '../../kit/page.tsx';
import { instant, Table } from '../../kit/rows.tsx';
import { Time } from '../../kit/time.tsx';

/** Results that a page shows; those that failed stand before the others. */
const RESULTS_MAXIMUM = 200;

/** Background work and what came of it. */
export function operationPages(app: Hono<AppEnv>): void {
  listing(app, {
    path: '/app/operation',
    title: 'Operations',
    right: 'seeOffice',
    list: operationList,
    filters: [
      { name: 'status', label: 'Status', options: OPERATION_STATUSES },
      { name: 'operationType', label: 'Kind', options: OPERATION_TYPES },
    ],
    columns: () => [
      {
        label: 'Operation',
        value: ({ operationId, operationType }) => (
          <To resource="operation" uuid={operationId}>
            {words(operationType)}
          </To>
        ),
      },
      { label: 'State', status: ({ status }) => status, narrow: 'evident' },
      { label: 'Items', value: ({ totalCount }) => totalCount, number: true },
      { label: 'Succeeded', value: ({ succeededCount }) => succeededCount, number: true },
      { label: 'Failed', value: ({ failedCount }) => failedCount, number: true },
      { label: 'Accepted', sort: 'createDate', plain: ({ createDate }) => instant(createDate) },
      { label: 'Finished', value: ({ finishDate }) => <Time at={finishDate} /> },
    ],
    empty: 'No operation is like this.',
  });

  page(app, {
    path: '/app/operation/:uuid',
    right: 'seeOffice',
    params: byUuid,
    async view(at, { uuid }) {
      const stored = await readOperation(at.database, uuid);
      if (!stored) return refuse('operationNotFound', 'There is no such operation.');
      const operation = presentOperation(origin(at.c), stored);
      const results = (operation.results ?? []).toSorted(
        (a, b) => Number(b.status === 'FAILED') - Number(a.status === 'FAILED') || a.index - b.index,
      );
      return {
        title: words(operation.operationType),
        aside: <Badge status={operation.status} />,
        body: (
          <>
            <Card title="Operation">
              <Facts
                facts={[
                  ['Items', operation.totalCount],
                  ['Succeeded', operation.succeededCount],
                  ['Failed', operation.failedCount],
                  ['Accepted', <Time at={operation.createDate} />],
                  ['Finished', <Time at={operation.finishDate} />],
                  ['Operation id', operation.operationId],
                ]}
              />
            </Card>
            <Card title="Results">
              <Table
                caption={
                  results.length > RESULTS_MAXIMUM
                    ? `${RESULTS_MAXIMUM} of ${results.length}, failed ones first`
                    : `${results.length} items, failed ones first`
                }
                rows={results.slice(0, RESULTS_MAXIMUM)}
                empty="No items."
                columns={[
                  { label: 'Item', value: ({ identifier }) => identifier },
                  { label: 'Status', value: ({ status }) => <Badge status={status} /> },
                  { label: 'Why', value: ({ error }) => <Value of={error?.message} /> },
                ]}
              />
            </Card>
            <History at={at} uuid={uuid} />
          </>
        ),
      };
    },
  });
}
