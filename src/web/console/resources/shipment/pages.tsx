import type { Hono } from 'hono';
import type { AppEnv } from '../../../../core/http/types.ts';
import { TAKES_PHOTOS } from '../../../ui/confirm/photo-file.ts';
import { page } from '../../../ui/page/page.tsx';
import { byUuid } from '../../../ui/page/resource.tsx';
import { signPage } from '../../signing/sign-page.tsx';
import type { LoadActions } from '../load/actions.ts';
import { loadingListPage } from '../load/list-page.tsx';
import { recordActions } from '../load/record-actions.ts';
import { recordsFilter } from '../load/records.tsx';
import { sharePage } from '../load/share-page.tsx';
import { labelPages } from '../marker/label-page.ts';
import { photoActions } from '../photo/actions.ts';
import { photoListPage } from '../photo/list-page.tsx';
import { shipmentActions } from './actions.ts';
import { attachPage } from './attach-page.tsx';
import { shipmentListing } from './list-page.tsx';
import { newShipmentPage } from './new-page.tsx';
import { manifestsOfShipment, shipmentPage } from './one.tsx';

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
