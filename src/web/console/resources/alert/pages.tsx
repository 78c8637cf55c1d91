import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import type { FC } from 'hono/jsx';
import { type AppEnv, origin } from '../../../../core/http/types.ts';
import { write } from '../../../../core/http/write.ts';
import { inList } from '../../../../core/lib/sql.ts';
import { parseViews, type ViewRow } from '../../../../core/lib/view.ts';
import type { ItemResult } from '../../../../core/writer/command.ts';
import { resolveAlert, resolveAlerts } from '../../../../dispatch/alert/commands.ts';
import { alertList, alertView, presentAlert } from '../../../../dispatch/alert/store.ts';
import {
  ALERT_SEVERITIES,
  ALERT_STATUSES,
  ALERT_TYPES,
  LOAD_ALERT_TYPES,
} from '../../../../dispatch/alert/table.ts';
import { action, type PageContext } from '../../../ui/confirm/action.ts';
import { ActionButton } from '../../../ui/form/form.tsx';
import { confirmRows, outcomeOf, rowsOf } from '../../../ui/list/bulk.tsx';
import { itemsInWords } from '../../../ui/list/bulk-rows.ts';
import { GateLink, gateChoices, gatesQuery } from '../../../ui/list/gates.tsx';
import { listing } from '../../../ui/list/listing.tsx';
import { instant } from '../../../ui/list/rows.tsx';
import { type ByUuid, ResourceLink, requireRow, resourcePage, rowQuery } from '../../../ui/page/resource.tsx';
import { PalletId, WithPallets } from '../../../ui/parts/badges.tsx';
import { wordsAmong } from '../../../ui/parts/codes.ts';
import { Badge, Card, Facts, OptionalText } from '../../../ui/parts/components.tsx';
import { Time } from '../../../ui/parts/time.tsx';
import { alertColumns, alertTypeIn, messageIn } from './alerts.tsx';

/** Name the items of a command: an alert by its message, an unknown one by its uuid. */
async function named({ database, words, session }: PageContext, uuids: string[], items: ItemResult[]) {
  const rows = await database.all(sql<ViewRow<typeof alertView>>`SELECT ${alertView} AS view FROM alert
    WHERE alert.uuid ${inList(uuids)} AND +alert.organization_uuid = ${database.organization}`);
  const messages = new Map(
    parseViews(rows).map((alert) => [alert.uuid, messageIn(words, session.organization.timeZone, alert)]),
  );
  return items.map((item) => ({ ...item, name: messages.get(item.name) ?? item.name }));
}

const listActions = {
  resolveAll: action(
    'mark',
    z.object(rowsOf(z.uuid())),
    async (at, _, { row }) => {
      const { c, words, submission } = at;
      const { body } = await write(c, submission, resolveAlerts, { uuids: row });
      return outcomeOf(itemsInWords(words, await named(at, row, body.became)), (counts) =>
        words.t('list.resolved', counts),
      );
    },
    (at, _, chosen) => confirmRows(at, chosen, at.words.t('alert.resolve')),
  ),
};

const actions = {
  resolve: action('mark', z.object({}), async ({ c, words, submission }, { uuid }: ByUuid) => {
    await write(c, submission, resolveAlert, { uuid });
    return { done: words.t('alert.resolved') };
  }),
};

export function alertPages(app: Hono<AppEnv>): void {
  listing(app, {
    path: '/app/alert',
    title: ({ t }) => t('alert.title'),
    right: 'see',
    list: alertList,
    filters: [
      { name: 'status', label: ({ t }) => t('alert.state'), options: ALERT_STATUSES },
      {
        name: 'alertType',
        label: ({ t }) => t('alert.kind'),
        options: ALERT_TYPES,
        say: (words, option) => wordsAmong(ALERT_TYPES, option, (type) => alertTypeIn(words, type)),
      },
      { name: 'severity', label: ({ t }) => t('alert.severity'), options: ALERT_SEVERITIES },
      { name: 'gateExternalId', label: ({ t }) => t('alert.gate'), chosen: true },
      { name: 'trackIdentifier', label: ({ t }) => t('alert.pallet') },
      { name: 'raisedDateAfter', label: ({ t }) => t('alert.raisedFrom'), day: true },
      { name: 'raisedDateBefore', label: ({ t }) => t('alert.raisedBefore'), day: true },
    ],
    tabs: [
      { label: ({ t }) => t('alert.open'), query: 'status=OPEN' },
      { label: ({ t }) => t('alert.resolvedOnes'), query: 'status=RESOLVED' },
      { label: ({ t }) => t('alert.all'), query: '' },
    ],
    columns: ({ words, session }) => [
      ...alertColumns(words, session.organization.timeZone),
      {
        label: words.t('alert.resolvedAt'),
        sort: 'resolvedDate',
        plain: ({ resolvedDate }) => instant(resolvedDate),
      },
    ],
    more: ({ database }) => gatesQuery(database),
    choices: gateChoices,
    empty: ({ t }) => t('alert.empty'),
    first: ({ t }) => t('alert.noneYet'),
    bulk: {
      value: ({ uuid }) => uuid,
      label: (alert, words, zone) => messageIn(words, zone, alert),
      offers: () => [
        { action: 'resolveAll', right: 'mark', label: ({ t }) => t('alert.resolve'), icon: 'done' },
      ],
    },
    actions: listActions,
  });

  resourcePage(app, {
    path: '/app/alert/:uuid',
    right: 'see',
    view: alertPage,
    actions,
  });
}

/** The shipment or manifest of an alert, with a link if the alert is about it and so has its uuid. */
const LoadOf: FC<{ kind: 'shipment' | 'manifest'; alert: ReturnType<typeof presentAlert> }> = ({
  kind,
  alert: { alertType, recordUuid, shipmentExternalId, manifestExternalId },
}) => {
  const name = kind === 'shipment' ? shipmentExternalId : manifestExternalId;
  const isAbout =
    LOAD_ALERT_TYPES.includes(alertType) && (kind === 'shipment' || shipmentExternalId === null);
  if (!isAbout || recordUuid === null || name === null) return <OptionalText of={name} />;
  return (
    <ResourceLink resource={kind} uuid={recordUuid}>
      {name}
    </ResourceLink>
  );
};

async function alertPage(at: PageContext, { uuid }: ByUuid) {
  const { c, database, words } = at;
  const { t } = words;
  const rows = await database.all(rowQuery(database, 'alert', alertView, uuid));
  const stored = requireRow(rows, 'alertEventNotFound', uuid);
  const alert = presentAlert(origin(c), stored);
  return {
    title: alertTypeIn(words, alert.alertType),
    aside: (
      <>
        <Badge status={alert.status} />
        <Badge status={alert.severity} />
      </>
    ),
    body: (
      <Card title={t('alert.one')}>
        <p class="said">
          <WithPallets text={messageIn(words, at.session.organization.timeZone, stored)} />
        </p>
        <Facts
          facts={[
            [t('alert.gate'), <GateLink gate={alert.gate} />],
            [
              t('alert.pallet'),
              alert.trackIdentifier === null ? (
                <OptionalText of={null} />
              ) : (
                <PalletId id={alert.trackIdentifier} />
              ),
            ],
            [
              t('alert.marker'),
              alert.markerCode === null ? (
                <OptionalText of={null} />
              ) : (
                <a href={`/app/marker-code/${alert.markerCode}`}>{alert.markerCode}</a>
              ),
            ],
            ...(alert.count > 1 ? [[t('alert.count'), words.number(alert.count)] as const] : []),
            [t('alert.manifest'), <LoadOf kind="manifest" alert={alert} />],
            [t('alert.shipment'), <LoadOf kind="shipment" alert={alert} />],
            [t('alert.raised'), <Time at={alert.raisedDate} />],
            [t('alert.resolvedAt'), <Time at={alert.resolvedDate} />],
          ]}
        />
        {alert.status === 'OPEN' && at.may('mark') && (
          <ActionButton<typeof actions> action="resolve">{t('alert.resolve')}</ActionButton>
        )}
      </Card>
    ),
  };
}
