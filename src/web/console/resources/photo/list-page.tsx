import { type SQL, sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import type { AppEnv } from '../../../../core/http/types.ts';
import type { Database } from '../../../../core/lib/database.ts';
import { parseViews, type ViewRow } from '../../../../core/lib/view.ts';
import { photoList, photosOfLoadCountQuery, photosOfLoadQuery } from '../../../../dispatch/photo/store.ts';
import { countOf, Pager } from '../../../ui/list/pager.tsx';
import { page } from '../../../ui/page/page.tsx';
import { byUuid, ResourceLink, requireRow } from '../../../ui/page/resource.tsx';
import { Card, Empty } from '../../../ui/parts/components.tsx';
import { PHOTOS_SHOWN, PhotoGrid, photoActions } from './photos.tsx';

type Kind = 'shipment' | 'manifest';

const nameQuery = (
  { organization }: Database,
  kind: Kind,
  uuid: string,
): SQL<ViewRow<SQL<{ name: string }>>> => sql`SELECT json_object('name', external_identifier) AS view
  FROM ${sql.identifier(kind)} WHERE uuid = ${uuid} AND organization_uuid = ${organization}
    AND deleted_date IS NULL`;

/** All photos of a load, page by page. The page of the load shows the first ones. */
export function photoListPage(app: Hono<AppEnv>, kind: Kind): void {
  const type = kind === 'shipment' ? 'SHIPMENT' : 'MANIFEST';
  const { deletePhoto } = photoActions(type);
  page(app, {
    path: `/app/${kind}/:uuid/photos`,
    right: 'see',
    ...(kind === 'shipment' ? { feature: 'SHIPMENT' as const } : {}),
    params: byUuid,
    query: photoList.query.pick({ pageNumber: true }),
    async view({ database, may, words: { t } }, { uuid }, { pageNumber }) {
      const load = { kind: type, uuid } as const;
      const { names, photos, counts } = await database.ask({
        names: nameQuery(database, kind, uuid),
        photos: photosOfLoadQuery(database, load, PHOTOS_SHOWN, (pageNumber - 1) * PHOTOS_SHOWN),
        counts: photosOfLoadCountQuery(database, load),
      });
      const { name } = requireRow(names, kind === 'shipment' ? 'shipmentNotFound' : 'manifestNotFound', uuid);
      const rows = parseViews(photos);
      const listed = { rows, total: counts[0]!.total, pageNumber, pageSize: PHOTOS_SHOWN };
      return {
        title: t('photo.of', { name }),
        styles: ['records.css'],
        body: (
          <>
            <p class="actions">
              <ResourceLink resource={kind} uuid={uuid}>
                {name}
              </ResourceLink>
            </p>
            <Card title={t('photo.title')} class="photos" id="photos">
              {rows.length === 0 ? <Empty>{t('photo.none')}</Empty> : <p class="hint">{countOf(listed)}</p>}
              <PhotoGrid photos={rows} mayDelete={may('operate')} />
              <Pager page={listed} />
            </Card>
          </>
        ),
      };
    },
    actions: { deletePhoto },
  });
}
