import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { text } from '../../../../core/http/schema.ts';
import type { AppEnv } from '../../../../core/http/types.ts';
import { write } from '../../../../core/http/write.ts';
import { attachManifests } from '../../../../dispatch/load/shipment/lifecycle-commands.ts';
import { shipmentAttachSchema } from '../../../../dispatch/load/shipment/schema.ts';
import { shipmentStateQuery } from '../../../../dispatch/load/shipment/store.ts';
import { action, asTyped, type PageContext } from '../../../ui/confirm/action.ts';
import { TAKES_PHOTOS } from '../../../ui/confirm/photo-file.ts';
import { Form, Submit } from '../../../ui/form/form.tsx';
import { FIND } from '../../../ui/list/filters.tsx';
import { page } from '../../../ui/page/page.tsx';
import { type ByUuid, byUuid, ResourceLink } from '../../../ui/page/resource.tsx';
import { Card } from '../../../ui/parts/components.tsx';
import { refuseInWords } from '../../../ui/parts/language.ts';
import type { View } from '../../../ui/parts/view.ts';
import { signPage } from '../../signing/sign-page.tsx';
import type { LoadActions } from '../load/actions.ts';
import { loadingListPage } from '../load/loading-page.tsx';
import { recordActions } from '../load/record-actions.ts';
import { recordsFilter } from '../load/records.tsx';
import { sharePage } from '../load/share-page.tsx';
import { labelPages } from '../marker/label-page.ts';
import { photoListPage } from '../photo/list-page.tsx';
import { photoActions } from '../photo/photos.tsx';
import { shipmentActions } from './actions.ts';
import { CHOICE, candidatesQuery, chosenManifests, LOOK, lookAction, ManifestChoice } from './choice.tsx';
import { shipmentListing } from './list-page.tsx';
import { newShipmentPage } from './new-page.tsx';
import { manifestsOfShipment, shipmentPage } from './shipment-page.tsx';

const form = asTyped(
  shipmentAttachSchema,
  ({ names }, listed) => ({ manifests: chosenManifests(listed[CHOICE], names) }),
  [CHOICE],
);

const actions = {
  attach: action('operate', form, async ({ c, words, submission }, { uuid }: ByUuid, { manifests }) => {
    await write(c, submission, attachManifests, { identifier: uuid, manifests });
    return {
      done: words.t('make.attached', { count: manifests.length }),
      to: `/app/shipment/${uuid}`,
    };
  }),
  [LOOK]: lookAction('attach', attachView),
};

/** The page that attaches manifests to an existing shipment. */
function attachPage(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/shipment/:uuid/attach',
    right: 'operate',
    feature: 'SHIPMENT',
    params: byUuid,
    query: z.object({ [FIND]: text(0, 255).optional() }),
    view: (at, params, query) => attachView(at, params, query[FIND] ?? ''),
    actions,
  });
}

async function attachView(
  { database, words: { t } }: PageContext,
  { uuid }: ByUuid,
  find: string,
): Promise<View> {
  const {
    shipments: [shipment],
    candidates,
  } = await database.ask({
    shipments: shipmentStateQuery(database, uuid),
    candidates: candidatesQuery(database, find),
  });
  if (!shipment) return refuseInWords('shipmentNotFound', t('make.noShipment'), { status: 404 });
  return {
    title: t('make.attachTo', { name: shipment.externalIdentifier }),
    styles: ['records.css'],
    body: (
      <>
        <Card title={t('make.besides')}>
          <Form<typeof actions> action="attach" several class="making" label={t('load.attach')}>
            <ManifestChoice<typeof actions> candidates={candidates} />
            <Submit<typeof actions> action="attach">{t('make.attach')}</Submit>
          </Form>
        </Card>
        <p>
          <ResourceLink resource="shipment" uuid={uuid}>
            {t('make.back')}
          </ResourceLink>
        </p>
      </>
    ),
  };
}

export function shipmentPages(app: Hono<AppEnv>): void {
  shipmentListing(app);
  // These paths are not uuids, so they must be declared before the page of a shipment.
  newShipmentPage(app);
  attachPage(app);
  sharePage(app, 'shipment');
  labelPages(app, 'shipment');
  signPage(app, 'shipment');
  photoListPage(app, 'shipment');
  loadingListPage(app, 'shipment', manifestsOfShipment);

  page(app, {
    path: '/app/shipment/:uuid',
    right: 'see',
    feature: 'SHIPMENT',
    params: byUuid,
    query: recordsFilter,
    view: shipmentPage,
    ...TAKES_PHOTOS,
    actions: {
      ...shipmentActions(),
      ...photoActions('SHIPMENT'),
      ...recordActions(async (_, uuid) => ({ shipmentIdentifier: uuid })),
    } satisfies LoadActions,
  });
}
