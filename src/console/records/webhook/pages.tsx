import type { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { EVENT_TYPES } from '../../../event/table.ts';
import { askPage } from '../../../http/list-page.ts';
import { type AppEnv, origin } from '../../../http/types.ts';
import { write } from '../../../http/write.ts';
import { createWebhook } from '../../../webhook/commands.ts';
import { deliveryList, webhookList } from '../../../webhook/list.ts';
import { newWebhook } from '../../../webhook/registration.ts';
import { TEST_EVENT_TYPE, webhookCreateSchema } from '../../../webhook/schema.ts';
import { presentDelivery, presentWebhook, type StoredWebhook, webhookView } from '../../../webhook/store.ts';
import { DELIVERY_STATUSES, FORMATS } from '../../../webhook/table.ts';
import { Badge, Card, Facts, Value, words } from '../../kit/components.tsx';
import { type ByUuid, byUuid, Deletion, found, History, rowQuery, To } from '../../kit/detail.tsx';
import { Checkboxes, Do, Field, Form, Select, Submit, TextArea } from '../../kit/form.tsx';
import { countOf, listing, Pager } from '../../kit/listing.tsx';
import { type At, action, asTyped, page } from '../../kit/page.tsx';
import { instant, Table } from '../../kit/rows.tsx';
import { Time } from '../../kit/time.tsx';
import { bodyOf, webhookActions } from './actions.ts';
import { deliveryColumns } from './deliveries.tsx';

/** Deliveries on a page. */
const DELIVERIES_PAGE = 20;
const EVENT_OPTIONS = EVENT_TYPES.map((value) => ({ value, label: words(value) }));
const FORMAT_LABELS = { EVENT: 'Events of this service', EPCIS_2_0: 'EPCIS 2.0' };
const FORMAT_OPTIONS = FORMATS.map((value) => ({ value, label: FORMAT_LABELS[value] }));

const deliveriesQuery = deliveryList.query.pick({ status: true, pageNumber: true });

/** Webhooks, with what was delivered to them. */
export function webhookPages(app: Hono<AppEnv>): void {
  listing(app, {
    path: '/app/webhook',
    title: 'Webhooks',
    right: 'seeOffice',
    list: webhookList,
    filters: [],
    columns: () => [
      {
        label: 'Webhook',
        sort: 'name',
        value: ({ uuid, name }) => (
          <To resource="webhook" uuid={uuid}>
            {name}
          </To>
        ),
      },
      { label: 'State', status: (webhook) => statusOf(webhook), narrow: 'evident' },
      { label: 'Address', value: ({ url }) => url },
      { label: 'Failing since', value: ({ failingSince }) => <Time at={failingSince} /> },
      { label: 'Created', sort: 'createDate', plain: ({ createDate }) => instant(createDate) },
    ],
    empty: 'No webhook is registered.',
    below: (at) =>
      at.may('changeOffice') && (
        <Card title="New webhook">
          <Form action="create" label="New webhook">
            <WebhookFields />
            <Submit>Register</Submit>
          </Form>
        </Card>
      ),
    actions: {
      create: action('changeOffice', asTyped(webhookCreateSchema, bodyOf), async ({ c }, _, body) => {
        const { secret, input } = await newWebhook(c, body);
        const { replayed, body: webhook } = await write(c, createWebhook, input);
        const done = `${webhook.name} is registered.`;
        return replayed ? { done } : { done, secrets: [{ label: 'Signing secret', value: secret }] };
      }),
    },
  });

  page(app, {
    path: '/app/webhook/:uuid',
    right: 'seeOffice',
    params: byUuid,
    query: deliveriesQuery,
    view: webhookPage,
    actions: webhookActions(),
  });
}

const statusOf = ({
  active,
  disabledReason,
}: Pick<StoredWebhook, 'disabledReason'> & { active: 0 | 1 | boolean }) =>
  active ? 'ACTIVE' : disabledReason === null ? 'PAUSED' : 'DISABLED';

const WebhookFields = ({ webhook }: { webhook?: ReturnType<typeof presentWebhook> }) => (
  <>
    <Field name="name" label="Name" value={webhook?.name} maxlength={255} required />
    <Field name="url" label="Address" type="url" value={webhook?.url} maxlength={2_000} required />
    <Checkboxes
      name="eventTypes"
      label="Events; none chosen means all of them"
      options={EVENT_OPTIONS}
      values={webhook?.eventTypes ?? []}
    />
    <Select name="format" label="Format" options={FORMAT_OPTIONS} value={webhook?.format} />
    <TextArea
      name="headerValues"
      label="Custom headers"
      hint={
        webhook === undefined
          ? 'One a line, Name: value. Values are never shown again.'
          : `One a line, Name: value; empty leaves them as they are${
              webhook.customHeaders.length === 0
                ? '.'
                : `: ${webhook.customHeaders.map(({ name }) => name).join(', ')}.`
            }`
      }
    />
  </>
);

async function webhookPage(at: At, { uuid }: ByUuid, query: z.output<typeof deliveriesQuery>) {
  const { c, database } = at;
  const asked = askPage(deliveryList, database, { ...query, pageSize: DELIVERIES_PAGE }, uuid);
  const { webhooks, ...deliveries } = await database.ask({
    webhooks: rowQuery(database, 'webhook', webhookView, uuid),
    ...asked.asks,
  });
  const stored = found(webhooks, 'webhookNotFound', 'webhook');
  const webhook = presentWebhook(origin(c), stored, Date.now());
  const log = asked.page(deliveries);
  return {
    title: webhook.name,
    aside: <Badge status={statusOf(webhook)} />,
    styles: ['records.css'],
    body: (
      <>
        <Card title="Webhook">
          <Facts
            facts={[
              ['Address', webhook.url],
              ['Events', webhook.eventTypes.length === 0 ? 'All' : webhook.eventTypes.map(words).join(', ')],
              ['Format', FORMAT_LABELS[webhook.format]],
              ['Headers', <Value of={webhook.customHeaders.map(({ name }) => name).join(', ')} />],
              ['Failing since', <Time at={webhook.failingSince} />],
              ['Switched off by the service', <Value of={webhook.disabledReason} />],
              ['Earlier secrets sign until', <Time at={webhook.secretOverlapEndDate} />],
              ['Created', <Time at={webhook.createDate} />],
            ]}
          />
        </Card>
        {at.may('changeOffice') && <WebhookForms webhook={webhook} />}
        <Card title="Deliveries" id="deliveries">
          <p class="actions">
            {[undefined, ...DELIVERY_STATUSES].map((status) => (
              <a
                href={`/app/webhook/${uuid}${status ? `?status=${status}` : ''}#deliveries`}
                class="button quiet"
                aria-current={status === query.status?.[0] ? 'true' : undefined}
              >
                {status === undefined ? 'All' : words(status)}
              </a>
            ))}
          </p>
          <Table
            caption={countOf(log)}
            rows={log.rows.map((stored) => presentDelivery(origin(c), stored))}
            empty="Nothing was delivered yet."
            columns={deliveryColumns(at.may('changeOffice'))}
          />
          <Pager page={log} hash="#deliveries" />
        </Card>
        <History at={at} uuid={uuid} />
      </>
    ),
  };
}

const WebhookForms = ({ webhook }: { webhook: ReturnType<typeof presentWebhook> }) => (
  <Card title="Operate">
    <div class="actions">
      <Do action="active" values={{ active: String(!webhook.active) }} quiet>
        {webhook.active ? 'Pause' : 'Switch on'}
      </Do>
      <Do action="rotate" quiet>
        New secret
      </Do>
    </div>
    <Form action="test" class="filters" label="Send a test">
      <Select
        name="eventType"
        label="Test event"
        options={[{ value: TEST_EVENT_TYPE, label: words(TEST_EVENT_TYPE) }, ...EVENT_OPTIONS]}
      />
      <Submit quiet>Send a test</Submit>
    </Form>
    <details class="more">
      <summary>Change it</summary>
      <Form action="update" label="Change the webhook">
        <WebhookFields webhook={webhook} />
        <Submit>Save</Submit>
      </Form>
    </details>
    <details class="more">
      <summary>Deliver events again</summary>
      <Form action="replay" class="filters" label="Deliver events again">
        <Field name="sequenceNumberFrom" label="From number" type="number" min={1} required />
        <Field name="sequenceNumberTo" label="To number" type="number" min={1} required />
        <Submit quiet>Deliver again</Submit>
      </Form>
    </details>
    <Deletion what="webhook" />
  </Card>
);
