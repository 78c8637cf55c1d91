import { sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import type { AppEnv } from '../../../../core/http/types.ts';
import { itemsOf } from '../../../../core/lib/bounded.ts';
import { CONSIGNEE_KEY } from '../../../../dispatch/label/store.ts';
import { manifestList } from '../../../../dispatch/load/manifest/list.ts';
import { manifestView } from '../../../../dispatch/load/manifest/store.ts';
import { BRIEF_LOOK } from '../../../../dispatch/load/manifest/validation-store.ts';
import { LOAD_STATUSES } from '../../../../dispatch/load/shared/status-rules.ts';
import { TAKES_PHOTOS } from '../../../ui/confirm/photo-file.ts';
import { gateChoices, gatesQuery } from '../../../ui/list/gates.tsx';
import { CLOSED, CREATED, listing } from '../../../ui/list/listing.tsx';
import { page } from '../../../ui/page/page.tsx';
import { byUuid, ResourceLink } from '../../../ui/page/resource.tsx';
import { signPage } from '../../signing/sign-page.tsx';
import type { LoadActions } from '../load/actions.ts';
import { newLoad } from '../load/bulk.tsx';
import { loadingListPage } from '../load/loading-page.tsx';
import { gateColumn, loadColumns } from '../load/parts.tsx';
import { recordActions } from '../load/record-actions.ts';
import { recordsFilter } from '../load/records.tsx';
import { sharePage } from '../load/share-page.tsx';
import { shownStatus, withShortManifest } from '../load/short.ts';
import { labelPages } from '../marker/label-page.ts';
import { photoListPage } from '../photo/list-page.tsx';
import { photoActions } from '../photo/photos.tsx';
import { manifestActions } from './actions.ts';
import { MANIFEST_BULK, manifestBulkActions } from './bulk.tsx';
import { FACT_FILTERS, factColumns } from './choices.tsx';
import { manifestPage, shipmentOf } from './manifest-page.tsx';
import { newManifestPage } from './new-page.tsx';

export function manifestPages(app: Hono<AppEnv>): void {
  listing(app, {
    path: '/app/manifest',
    title: ({ t }) => t('load.manifests'),
    right: 'see',
    list: { ...manifestList, view: withShortManifest(manifestView(BRIEF_LOOK)) },
    search: ({ t }) => t('load.inManifests'),
    filters: [
      { name: 'manifestStatus', label: ({ t }) => t('load.state'), options: LOAD_STATUSES },
      { name: 'gateExternalId', label: ({ t }) => t('page.gate'), chosen: true },
      ...FACT_FILTERS,
      ...CLOSED,
      ...CREATED,
    ],
    tabs: [
      { label: ({ t }) => t('load.all'), query: '' },
      { label: ({ t }) => t('tab.PLANNED'), query: 'manifestStatus=PLANNED' },
      { label: ({ t }) => t('tab.TO_DO'), query: 'manifestStatus=TO_DO' },
      { label: ({ t }) => t('tab.IN_PROGRESS'), query: 'manifestStatus=IN_PROGRESS' },
      { label: ({ t }) => t('tab.COMPLETED'), query: 'manifestStatus=COMPLETED' },
    ],
    columns: ({ words }) => [
      {
        label: words.t('kind.MANIFEST'),
        sort: 'externalIdentifier',
        value: ({ uuid, externalIdentifier }) => (
          <ResourceLink resource="manifest" uuid={uuid}>
            {externalIdentifier}
          </ResourceLink>
        ),
        plain: ({ externalIdentifier }) => externalIdentifier,
      },
      gateColumn(words),
      {
        label: words.t('load.state'),
        key: 'state',
        status: ({ manifestStatus, short }) => shownStatus(manifestStatus, short === 1),
        narrow: 'evident',
        sort: 'manifestStatus',
      },
      {
        label: words.t('signer.CONSIGNEE'),
        key: 'consignee',
        plain: ({ customFields }) =>
          itemsOf(customFields).find(({ fieldKey }) => fieldKey === CONSIGNEE_KEY)?.fieldValue ?? null,
        extra: true,
      },
      ...factColumns(words),
      ...loadColumns(words),
    ],
    empty: ({ t }) => t('load.noManifestLike'),
    first: ({ t }) => t('load.firstManifest'),
    next: { path: '/app/manifest/new', label: ({ t }) => t('make.manifest'), right: 'operate' },
    more: ({ database }) => gatesQuery(database),
    choices: gateChoices,
    bulk: MANIFEST_BULK,
    actions: manifestBulkActions,
    beside: newLoad('manifest'),
  });
  // This path is not a uuid, so it must be declared before the page of a manifest.
  newManifestPage(app);

  sharePage(app, 'manifest');
  labelPages(app, 'manifest');
  signPage(app, 'manifest');
  photoListPage(app, 'manifest');
  loadingListPage(app, 'manifest', (_, uuid) => sql`= ${uuid}`);

  page(app, {
    path: '/app/manifest/:uuid',
    right: 'see',
    params: byUuid,
    query: recordsFilter,
    view: manifestPage,
    ...TAKES_PHOTOS,
    actions: {
      ...manifestActions(),
      ...recordActions(shipmentOf),
      ...photoActions('MANIFEST'),
    } satisfies LoadActions,
  });
}
