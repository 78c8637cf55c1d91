import type { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import type { FC } from 'hono/jsx';
import type { ListedPage } from '../../../../core/http/list-page.ts';
import { type AppEnv, origin } from '../../../../core/http/types.ts';
import { refuse } from '../../../../core/http/write.ts';
import { bucketOf } from '../../../../core/lib/bucket.ts';
import { parseJson } from '../../../../core/lib/json.ts';
import { useWords } from '../../../../messages/context.ts';
import type { Words } from '../../../../messages/words.ts';
import { archiveList } from '../../../../storage/archive/list.ts';
import { readObject, readRecords } from '../../../../storage/archive/objects.ts';
import { type AnyDocument, presentDocument } from '../../../../storage/archive/present.ts';
import { archivedQuery, notArchived } from '../../../../storage/archive/store.ts';
import { ARCHIVED_TYPES } from '../../../../storage/archive/table.ts';
import type { SummaryRecord } from '../../../pages/store.ts';
import type { PageContext } from '../../../ui/confirm/action.ts';
import { Deleted } from '../../../ui/confirm/deletion.tsx';
import { CustomFields } from '../../../ui/list/custom-fields.tsx';
import { listing } from '../../../ui/list/listing.tsx';
import { countOf, Pager } from '../../../ui/list/pager.tsx';
import { instant, Table } from '../../../ui/list/rows.tsx';
import { type ByUuid, ResourceLink, resourcePage } from '../../../ui/page/resource.tsx';
import { Badge, Card, Facts, OptionalText } from '../../../ui/parts/components.tsx';
import { Time } from '../../../ui/parts/time.tsx';
import { loadFacts, PublicLinks } from '../load/parts.tsx';
import { sharePage } from '../load/share-page.tsx';

/** Pallets of an archived load on a page. */
const RECORDS_PAGE = 50;

const pageQuery = archiveList.query.pick({ pageNumber: true });

/** The pages about archived shipments and manifests. */
export function archivePages(app: Hono<AppEnv>): void {
  listing(app, {
    path: '/app/archive',
    title: ({ t }) => t('menu.archive'),
    right: 'see',
    list: archiveList,
    search: ({ t }) => t('archive.search'),
    filters: [
      { name: 'entityType', label: ({ t }) => t('archive.kind'), options: ARCHIVED_TYPES, say: sayKind },
      { name: 'closeDateAfter', label: ({ t }) => t('archive.closedFrom'), day: true },
      { name: 'closeDateBefore', label: ({ t }) => t('archive.closedBefore'), day: true },
    ],
    columns: ({ words: { t } }) => [
      {
        label: t('archive.identifier'),
        sort: 'externalIdentifier',
        plain: ({ externalIdentifier }) => externalIdentifier,
        value: ({ uuid, externalIdentifier }) => (
          <ResourceLink resource="archive" uuid={uuid}>
            {externalIdentifier}
          </ResourceLink>
        ),
      },
      { label: t('archive.kind'), plain: ({ entityType }) => t(`kind.${entityType}`) },
      { label: t('load.created'), sort: 'createDate', plain: ({ createDate }) => instant(createDate) },
      { label: t('load.closed'), sort: 'closeDate', plain: ({ closeDate }) => instant(closeDate) },
    ],
    empty: ({ t }) => t('archive.empty'),
    first: ({ t }) => t('archive.noneYet'),
  });

  sharePage(app, 'archive');

  resourcePage(app, {
    path: '/app/archive/:uuid',
    right: 'see',
    query: pageQuery,
    view: archivedPage,
  });
}

async function archivedPage(at: PageContext, { uuid }: ByUuid, { pageNumber }: z.output<typeof pageQuery>) {
  const { c, database, words } = at;
  const { t } = words;
  const location = await database.first(archivedQuery(database, uuid, { deleted: true }));
  if (!location) return refuse('archiveNotFound', notArchived(uuid));
  const document = await readObject<AnyDocument>(bucketOf(c.env), location);
  const shown = presentDocument(origin(c), location, parseJson(document.view));
  const skip = (pageNumber - 1) * RECORDS_PAGE;
  const left = Math.min(RECORDS_PAGE, document.recordsCount - skip);
  const pallets: ListedPage<SummaryRecord> = {
    rows: await readRecords<SummaryRecord>(bucketOf(c.env), database, location, skip, left),
    total: document.recordsCount,
    pageNumber,
    pageSize: RECORDS_PAGE,
    sort: archiveList.sorting.default,
    next: undefined,
  };
  return {
    title: shown.externalIdentifier,
    styles: ['records.css'],
    scripts: ['copy.js'],
    aside: (
      <>
        <Badge status={'status' in shown ? shown.status : shown.manifestStatus} />
        <Deleted deleted={shown.deleted} />
      </>
    ),
    body: (
      <>
        <Card title={t('archive.in', { kind: location.entityType })}>
          <Facts
            facts={[
              ...loadFacts(words, shown),
              ...('notes' in shown
                ? ([[t('archive.notes'), <OptionalText of={shown.notes} />]] as const)
                : []),
              [t('archive.since'), <Time at={location.archiveDate} />],
            ]}
          />
          <PublicLinks of={shown} page={`/app/archive/${uuid}`} />
        </Card>
        {'manifests' in shown && <Members of={shown.manifests} />}
        <Card title={t('page.pallets')} id="pallets">
          <Table
            caption={countOf(pallets)}
            rows={pallets.rows}
            empty={t('load.noPallets')}
            columns={[
              {
                label: t('archive.pallet'),
                value: ({ trackIdentifier, markerCode }) =>
                  trackIdentifier ?? t('load.unknownMarker', { code: String(markerCode) }),
              },
              { label: t('load.status'), value: ({ loadingStatus }) => <Badge status={loadingStatus} /> },
              {
                label: t('page.marker'),
                value: ({ markerCode }) => <OptionalText of={markerCode} />,
                number: true,
              },
              { label: t('archive.loadedAt'), value: ({ loadingDate }) => <Time at={loadingDate} /> },
            ]}
          />
          <Pager page={pallets} hash="#pallets" />
        </Card>
        <CustomFields fields={shown.customFields} />
      </>
    ),
  };
}

const Members: FC<{ of: readonly { manifestUuid: string; manifestExternalId: string }[] }> = ({ of }) => {
  const { t } = useWords();
  return (
    <Card title={t('load.manifests')}>
      <Table
        caption={t('archive.manifests', { count: of.length })}
        rows={of}
        empty={t('load.noManifests')}
        columns={[
          {
            label: t('kind.MANIFEST'),
            value: ({ manifestUuid, manifestExternalId }) => (
              <ResourceLink resource="archive" uuid={manifestUuid}>
                {manifestExternalId}
              </ResourceLink>
            ),
          },
        ]}
      />
    </Card>
  );
};

const sayKind = ({ t }: Words, kind: string): string =>
  t(kind === 'SHIPMENT' ? 'kind.SHIPMENT' : 'kind.MANIFEST');
