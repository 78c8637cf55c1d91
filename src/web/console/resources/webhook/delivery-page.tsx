import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import type { FC } from 'hono/jsx';
import { type AppEnv, origin } from '../../../../core/http/types.ts';
import { write } from '../../../../core/http/write.ts';
import type { Database } from '../../../../core/lib/database.ts';
import type { ViewRow } from '../../../../core/lib/view.ts';
import { formats } from '../../../../delivery/event-format/formats.ts';
import { resendDelivery } from '../../../../delivery/webhook/delivery-commands.ts';
import { deliveryNamed, deliveryRows } from '../../../../delivery/webhook/message-store.ts';
import { testOf } from '../../../../delivery/webhook/send.ts';
import {
  deliveryView,
  presentDelivery,
  type StoredDelivery,
  senderOfWebhook,
} from '../../../../delivery/webhook/store.ts';
import type { WebhookFormat } from '../../../../delivery/webhook/table.ts';
import { eventsQuery, type StoredEvent } from '../../../../log/event/present.ts';
import { useWords } from '../../../../messages/context.ts';
import { action, type PageContext } from '../../../ui/confirm/action.ts';
import { ActionButton } from '../../../ui/form/form.tsx';
import { Table } from '../../../ui/list/rows.tsx';
import { page } from '../../../ui/page/page.tsx';
import { type ByUuid, byUuid, ResourceLink, requireRow } from '../../../ui/page/resource.tsx';
import { Badge, Card, Facts } from '../../../ui/parts/components.tsx';
import { Time } from '../../../ui/parts/time.tsx';
import { Attempts, eventIn, faultIn, typeOf } from './deliveries.tsx';

/** The maximum number of characters of a body on a page. */
const BODY_MAXIMUM = 40_000;

const actions = {
  resend: action('changeOffice', z.object({}), async (at, { uuid: deliveryUuid }: ByUuid) => {
    const { deliveries } = await at.database.ask({
      deliveries: deliveryQuery(at.database, deliveryUuid),
    });
    const { webhookUuid } = requireRow(deliveries, 'webhookDeliveryNotFound', deliveryUuid);
    await write(at.c, at.submission, resendDelivery, { uuid: webhookUuid, deliveryUuid });
    return { done: at.words.t('sent.resent') };
  }),
};

/**
 * The page of a delivery: its content, the answer to each attempt, and a button to send it again.
 */
export function deliveryPages(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/webhook-delivery/:uuid',
    right: 'seeOffice',
    params: byUuid,
    view: deliveryPage,
    actions,
  });
}

/**
 * The webhook of a delivery: the fields that decide the content, and only the names of its headers.
 */
interface Receiver {
  uuid: string;
  name: string;
  url: string;
  format: WebhookFormat;
  linkOrigin: string;
  sender: string;
  headerNames: string | null;
}

/** The webhook of a delivery of the organization. */
const webhookOf = (database: Database, uuid: string): SQL => sql`(SELECT h.uuid FROM webhook h
  WHERE h.organization_uuid = ${database.organization}
    AND EXISTS (SELECT 1 FROM ${deliveryRows(database, { webhook: sql`h.uuid`, delivery: deliveryNamed(uuid) })}))`;

const ofDelivery = (database: Database, selected: SQL, uuid: string): SQL => sql`SELECT ${selected}
  FROM ${deliveryRows(database, { webhook: webhookOf(database, uuid), delivery: deliveryNamed(uuid) })} AS webhook_delivery`;

const deliveryQuery = (database: Database, uuid: string): SQL<ViewRow<typeof deliveryView>> =>
  ofDelivery(database, sql`${deliveryView} AS view`, uuid) as SQL<ViewRow<typeof deliveryView>>;

const receiverQuery = (database: Database, uuid: string): SQL<Receiver> => sql`SELECT uuid, name, url, format,
    link_origin AS "linkOrigin", ${senderOfWebhook} AS sender, (SELECT group_concat(json_extract(value, '$.name'), ' ')
      FROM json_each(webhook.custom_headers)) AS "headerNames"
  FROM webhook WHERE uuid = ${webhookOf(database, uuid)} AND organization_uuid = ${database.organization}`;

async function deliveryPage(at: PageContext, { uuid }: ByUuid) {
  const { c, database } = at;
  const { t } = at.words;
  const { deliveries, events, webhooks } = await database.ask({
    deliveries: deliveryQuery(database, uuid),
    events: eventsQuery(database, sql`(${ofDelivery(database, sql`sequence_number`, uuid)})`),
    webhooks: receiverQuery(database, uuid),
  });
  const stored = requireRow(deliveries, 'webhookDeliveryNotFound', uuid);
  const [receiver] = webhooks;
  const delivery = presentDelivery(origin(c), stored, faultIn(at.words));
  const body = receiver && (await bodyOf(database, receiver, stored, events));
  return {
    title: eventIn(at.words, delivery.eventType),
    aside: <Badge status={delivery.status} />,
    styles: ['records.css'],
    body: (
      <>
        <Card title={t('sent.one')}>
          <Facts
            facts={[
              [
                t('hook.one'),
                <ResourceLink resource="webhook" uuid={delivery.webhookUuid}>
                  {receiver?.name ?? delivery.webhookUuid}
                </ResourceLink>,
              ],
              [t('hook.address'), receiver?.url ?? '–'],
              [t('sent.number'), delivery.sequenceNumber ?? '–'],
              [t('sent.next'), <Time at={delivery.nextAttemptDate} />],
              [t('made.created'), <Time at={delivery.createDate} />],
            ]}
          />
          {at.may('changeOffice') && receiver && (
            <p class="actions">
              <ActionButton<typeof actions> action="resend">{t('sent.resend')}</ActionButton>
            </p>
          )}
        </Card>
        <Card title={at.words.labelled(t('sent.attempts'), at.words.number(delivery.attemptsCount))}>
          <Attempts attempts={delivery.attempts} />
        </Card>
        {receiver && (
          <Card title={t('sent.what')}>
            {receiver.format !== 'EMAIL' && <Headers receiver={receiver} id={delivery.eventIdentifier} />}
            <h3>{t('sent.body')}</h3>
            <Body text={body} isKnown={events.length > 0 || stored.sequenceNumber === null} />
          </Card>
        )}
      </>
    ),
  };
}

/** Events never change. So the content computed now equals the content that was sent. */
async function bodyOf(
  database: Database,
  receiver: Receiver,
  delivery: StoredDelivery,
  events: readonly StoredEvent[],
): Promise<string | undefined> {
  const { sequenceNumber, eventIdentifier, eventType, createDate } = delivery;
  const { format } = receiver;
  if (sequenceNumber !== null)
    return (await formats[format].bodies(database, receiver, events)).get(sequenceNumber);
  const type = typeOf(eventType);
  if (!type) return undefined;
  const tested = { eventUuid: eventIdentifier, eventType: type, createDate };
  return formats[format].test(testOf(database.organization, receiver, tested));
}

const Body: FC<{ text: string | undefined; isKnown: boolean }> = ({ text, isKnown }) => {
  const { t } = useWords();
  if (text === undefined) return <p>{t(isKnown ? 'sent.skipped' : 'sent.gone')}</p>;
  const whole = JSON.stringify(JSON.parse(text), null, 2);
  return (
    <>
      {whole.length > BODY_MAXIMUM && (
        <p class="hint">{t('sent.cut', { count: BODY_MAXIMUM, total: whole.length })}</p>
      )}
      <pre class="sent" tabindex={0}>
        {whole.slice(0, BODY_MAXIMUM).toWellFormed()}
      </pre>
    </>
  );
};

/** The headers of Standard Webhooks and the headers of the webhook, without secrets. */
const Headers: FC<{ receiver: Receiver; id: string }> = ({ receiver, id }) => {
  const { t } = useWords();
  const own = (receiver.headerNames ?? '').split(' ').filter(Boolean);
  const rows = [
    { name: 'Content-Type', value: 'application/json' },
    { name: 'webhook-id', value: id },
    ...['webhook-timestamp', 'webhook-signature'].map((name) => ({ name, value: t('sent.signed') })),
    ...own.map((name) => ({ name, value: t('sent.hidden') })),
  ];
  return (
    <Table
      caption={t('sent.all', { count: rows.length })}
      rows={rows}
      empty=""
      columns={[
        { label: t('sent.header'), plain: ({ name }) => name },
        { label: t('sent.value'), plain: ({ value }) => value },
      ]}
    />
  );
};
