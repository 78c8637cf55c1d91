import type { Hono } from 'hono';
import { type AppEnv, origin } from '../../../../core/http/types.ts';
import { refuseMissing } from '../../../../core/http/write.ts';
import { operationList, presentOperation, readOperation } from '../../../../log/operation/store.ts';
import { OPERATION_STATUSES, OPERATION_TYPES } from '../../../../log/operation/table.ts';
import type { Words } from '../../../../messages/words.ts';
import { listing } from '../../../ui/list/listing.tsx';
import { instant, Table } from '../../../ui/list/rows.tsx';
import { ResourceLink, resourcePage } from '../../../ui/page/resource.tsx';
import { codeAmong } from '../../../ui/parts/codes.ts';
import { Badge, Card, Facts, OptionalText, statusIn } from '../../../ui/parts/components.tsx';
import { Time } from '../../../ui/parts/time.tsx';

/** The maximum number of results on a page. Failed results come first. */
const RESULTS_MAXIMUM = 200;

function typeIn(words: Words, option: string): string {
  const type = codeAmong(OPERATION_TYPES, option);
  return type === undefined ? statusIn(words, option) : words.t(`operationType.${type}`);
}

/** The pages about background operations and their results. */
export function operationPages(app: Hono<AppEnv>): void {
  listing(app, {
    path: '/app/operation',
    title: ({ t }) => t('operation.title'),
    right: 'seeOffice',
    list: operationList,
    filters: [
      { name: 'status', label: ({ t }) => t('operation.status'), options: OPERATION_STATUSES },
      {
        name: 'operationType',
        label: ({ t }) => t('operation.kind'),
        options: OPERATION_TYPES,
        say: (words, option) => typeIn(words, option),
      },
    ],
    columns: ({ words, words: { t } }) => [
      {
        label: t('operation.one'),
        value: ({ operationId, operationType }) => (
          <ResourceLink resource="operation" uuid={operationId}>
            {typeIn(words, operationType)}
          </ResourceLink>
        ),
      },
      { label: t('operation.state'), status: ({ status }) => status, narrow: 'evident' },
      { label: t('operation.items'), value: ({ totalCount }) => totalCount, number: true },
      { label: t('operation.succeeded'), value: ({ succeededCount }) => succeededCount, number: true },
      { label: t('operation.failed'), value: ({ failedCount }) => failedCount, number: true },
      { label: t('operation.accepted'), sort: 'createDate', plain: ({ createDate }) => instant(createDate) },
      { label: t('operation.finished'), value: ({ finishDate }) => <Time at={finishDate} /> },
    ],
    empty: ({ t }) => t('operation.empty'),
    first: ({ t }) => t('operation.noneYet'),
  });

  resourcePage(app, {
    path: '/app/operation/:uuid',
    right: 'seeOffice',
    async view(at, { uuid }) {
      const { words } = at;
      const { t } = words;
      const stored = await readOperation(at.database, uuid);
      if (!stored) return refuseMissing('operationNotFound', uuid);
      const operation = presentOperation(origin(at.c), stored);
      const results = (operation.results ?? []).toSorted(
        (a, b) => Number(b.status === 'FAILED') - Number(a.status === 'FAILED') || a.index - b.index,
      );
      return {
        title: typeIn(words, operation.operationType),
        aside: <Badge status={operation.status} />,
        body: (
          <>
            <Card title={t('operation.one')}>
              <Facts
                facts={[
                  [t('operation.items'), operation.totalCount],
                  [t('operation.succeeded'), operation.succeededCount],
                  [t('operation.failed'), operation.failedCount],
                  [t('operation.accepted'), <Time at={operation.createDate} />],
                  [t('operation.finished'), <Time at={operation.finishDate} />],
                  [t('operation.id'), operation.operationId],
                ]}
              />
            </Card>
            <Card title={t('operation.results')}>
              <Table
                caption={
                  results.length > RESULTS_MAXIMUM
                    ? t('operation.some', { shown: RESULTS_MAXIMUM, total: results.length })
                    : t('operation.itemsOf', { count: results.length })
                }
                rows={results.slice(0, RESULTS_MAXIMUM)}
                empty={t('operation.noItems')}
                columns={[
                  { label: t('operation.item'), value: ({ identifier }) => identifier },
                  { label: t('operation.status'), value: ({ status }) => <Badge status={status} /> },
                  { label: t('operation.why'), value: ({ error }) => <OptionalText of={error?.message} /> },
                ]}
              />
            </Card>
          </>
        ),
      };
    },
  });
}
