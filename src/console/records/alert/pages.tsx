import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { resolveAlert, resolveAlerts } from '../../../alert/commands.ts';
import { alertList } from '../../../alert/list.ts';
import { alertView, presentAlert } from '../../../alert/store.ts';
import { ALERT_SEVERITIES, ALERT_STATUSES, ALERT_TYPES } from '../../../alert/table.ts';
import { type AppEnv, origin } from '../../../http/types.ts';
import { write } from '../../../http/write.ts';
import { outcomeOf, rowsOf } from '../../kit/bulk.tsx';
import { Badge, Card, Facts, Value, words } from '../../kit/components.tsx';
import { type ByUuid, byUuid, found, GateLink, History, rowQuery } from '../../kit/detail.tsx';
import { Do } from '../../kit/form.tsx';
import { listing } from '../../kit/listing.tsx';
import { type At, action, page } from '../../kit/page.tsx';
import { instant } from '../../kit/rows.tsx';
import { Time } from '../../kit/time.tsx';
import { alertColumns } from './alerts.tsx';

/** Alerts. */
export function alertPages(app: Hono<AppEnv>): void {
  listing(app, {
    path: '/app/alert',
    title: 'Alerts',
    right: 'see',
    list: alertList,
    filters: [
      { name: 'status', label: 'State', options: ALERT_STATUSES },
      { name: 'alertType', label: 'Kind', options: ALERT_TYPES },
      { name: 'severity', label: 'Severity', options: ALERT_SEVERITIES },
      { name: 'gateExternalId', label: 'Gate' },
      { name: 'trackIdentifier', label: 'Pallet' },
    ],
    tabs: [
      { label: 'Open', query: 'status=OPEN' },
      { label: 'Resolved', query: 'status=RESOLVED' },
      { label: 'All', query: '' },
    ],
    columns: () => [
      ...alertColumns,
      { label: 'Resolved', sort: 'resolvedDate', plain: ({ resolvedDate }) => instant(resolvedDate) },
    ],
    empty: 'No alert is like this.',
    bulk: {
      value: ({ uuid }) => uuid,
      label: ({ message }) => message,
      offers: () => [{ action: 'resolveAll', right: 'mark', label: 'Resolve', icon: 'done' }],
    },
    actions: {
      resolveAll: action('mark', z.object({ row: rowsOf(z.uuid()) }), async ({ c }, _, { row }) => {
        const { body } = await write(c, resolveAlerts, { uuids: row });
        return outcomeOf('are resolved.', body.became);
      }),
    },
  });

  page(app, {
    path: '/app/alert/:uuid',
    right: 'see',
    params: byUuid,
    view: alertPage,
    actions: {
      resolve: action('mark', z.object({}), async ({ c }, { uuid }: ByUuid) => {
        await write(c, resolveAlert, { uuid });
        return { done: 'The alert is resolved.' };
      }),
    },
  });
}

async function alertPage(at: At, { uuid }: ByUuid) {
  const { c, database } = at;
  const rows = await database.all(rowQuery(database, 'alert', alertView, uuid));
  const alert = presentAlert(origin(c), found(rows, 'alertEventNotFound', 'alert'));
  return {
    title: words(alert.alertType),
    aside: (
      <>
        <Badge status={alert.status} />
        <Badge status={alert.severity} />
      </>
    ),
    body: (
      <>
        <Card title="Alert">
          <p>{alert.message}</p>
          <Facts
            facts={[
              ['Gate', <GateLink gate={alert.gate} />],
              ['Pallet', <Value of={alert.trackIdentifier} />],
              [
                'Marker',
                alert.markerCode === null ? (
                  <Value of={null} />
                ) : (
                  <a href={`/app/marker-code/${alert.markerCode}`}>{alert.markerCode}</a>
                ),
              ],
              ['Manifest', <Value of={alert.manifestExternalId} />],
              ['Shipment', <Value of={alert.shipmentExternalId} />],
              ['Raised', <Time at={alert.raisedDate} />],
              ['Resolved', <Time at={alert.resolvedDate} />],
            ]}
          />
          {alert.status === 'OPEN' && at.may('mark') && <Do action="resolve">Resolve</Do>}
        </Card>
        <History at={at} uuid={uuid} />
      </>
    ),
  };
}
