import type { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import type { FC } from 'hono/jsx';
import { askPage, pageOf } from '../../../../core/http/list-page.ts';
import { type AppEnv, origin } from '../../../../core/http/types.ts';
import { write } from '../../../../core/http/write.ts';
import { createWebhook } from '../../../../delivery/webhook/commands.ts';
import { deliveryList, webhookList } from '../../../../delivery/webhook/list.ts';
import { senderOf } from '../../../../delivery/webhook/mail.ts';
import { newWebhook } from '../../../../delivery/webhook/registration.ts';
import { TEST_EVENT_TYPE, webhookCreateSchema } from '../../../../delivery/webhook/schema.ts';
import {
  presentDelivery,
  presentWebhook,
  type StoredWebhook,
  webhookView,
} from '../../../../delivery/webhook/store.ts';
import { DELIVERY_STATUSES, FORMATS } from '../../../../delivery/webhook/table.ts';
import { ALERT_TYPES } from '../../../../dispatch/alert/table.ts';
import { EVENT_TYPES } from '../../../../log/event/table.ts';
import { useWords } from '../../../../messages/context.ts';
import type { Words } from '../../../../messages/words.ts';
import { action, type PageContext } from '../../../ui/confirm/action.ts';
import { Deletion } from '../../../ui/confirm/deletion.tsx';
import { ActionButton, Checkboxes, Field, Form, Select, Submit, TextArea } from '../../../ui/form/form.tsx';
import { listing } from '../../../ui/list/listing.tsx';
import { countOf, Pager } from '../../../ui/list/pager.tsx';
import { instant, Table } from '../../../ui/list/rows.tsx';
import { type ByUuid, ResourceLink, requireRow, resourcePage, rowQuery } from '../../../ui/page/resource.tsx';
import { Badge, Card, Facts, OptionalText, statusIn } from '../../../ui/parts/components.tsx';
import { Time } from '../../../ui/parts/time.tsx';
import { alertTypeIn } from '../alert/alerts.tsx';
import { asWebhook, type WebhookActions, webhookActions } from './actions.ts';
import { deliveryColumns, eventIn, faultIn } from './deliveries.tsx';
import { deliveryPages } from './delivery-page.tsx';

type Webhook = ReturnType<typeof presentWebhook>;

const eventOptions = (words: Words) => EVENT_TYPES.map((value) => ({ value, label: eventIn(words, value) }));

/** The fields of a webhook, in the forms that create and change one. */
const WebhookFields: FC<{ webhook?: Webhook; sendsMails: boolean }> = ({ webhook, sendsMails }) => {
  const words = useWords();
  const { t } = words;
  const names = webhook?.customHeaders.map(({ name }) => name).join(', ');
  return (
    <>
      <Field name="name" label={t('hook.name')} value={webhook?.name} />
      <Field name="url" label={t('hook.address')} type="url" value={webhook?.url} />
      <Checkboxes
        name="eventTypes"
        label={t('hook.eventsOf')}
        options={eventOptions(words)}
        values={webhook?.eventTypes ?? []}
      />
      <Checkboxes
        name="alertTypes"
        label={t('hook.alertsOf')}
        word={(value: (typeof ALERT_TYPES)[number]) => alertTypeIn(words, value)}
        values={webhook?.alertTypes ?? []}
      />
      <Select
        name="format"
        label={t('hook.format')}
        options={FORMATS.map((format) => ({ value: format, label: t('hook.formats', { format }) }))}
        value={webhook?.format}
        hint={sendsMails ? t('hook.formatHint') : `${t('hook.formatHint')} ${t('hook.noMails')}`}
      />
      <TextArea
        name="headerValues"
        label={t('hook.custom')}
        hint={
          webhook === undefined
            ? t('hook.headersNew')
            : names
              ? t('hook.headersNamed', { names })
              : t('hook.headersKept')
        }
      />
    </>
  );
};

/** The form for a test. A recipient who has not confirmed gets no test. */
const TestForm: FC = () => {
  const words = useWords();
  const { t } = words;
  return (
    <Form<WebhookActions> action="test" class="filters" label={t('hook.test')}>
      <Select
        name="eventType"
        label={t('hook.testEvent')}
        options={[{ value: TEST_EVENT_TYPE, label: eventIn(words, TEST_EVENT_TYPE) }, ...eventOptions(words)]}
      />
      <Submit quiet>{t('hook.test')}</Submit>
    </Form>
  );
};

const WebhookForms: FC<{ webhook: Webhook; sendsMails: boolean }> = ({ webhook, sendsMails }) => {
  const { t } = useWords();
  return (
    <Card title={t('hook.operate')}>
      <div class="actions">
        <ActionButton<WebhookActions> action="active" values={{ active: String(!webhook.active) }} quiet>
          {t(webhook.active ? 'hook.pause' : 'hook.on')}
        </ActionButton>
        <ActionButton<WebhookActions> action="rotate" quiet>
          {t('hook.rotate')}
        </ActionButton>
      </div>
      {webhook.confirmation === 'PENDING' ? null : <TestForm />}
      <details class="more">
        <summary>{t('hook.changeIt')}</summary>
        <Form<WebhookActions> action="update" label={t('hook.change')}>
          <WebhookFields webhook={webhook} sendsMails={sendsMails} />
          <Submit>{t('made.save')}</Submit>
        </Form>
      </details>
      <details class="more">
        <summary>{t('hook.replay')}</summary>
        <Form<WebhookActions> action="replay" class="filters" label={t('hook.replay')}>
          <Field name="sequenceNumberFrom" label={t('hook.from')} type="number" />
          <Field name="sequenceNumberTo" label={t('hook.to')} type="number" />
          <Submit quiet>{t('hook.deliver')}</Submit>
        </Form>
      </details>
      <Deletion<WebhookActions> what="webhook" />
    </Card>
  );
};

/** Deliveries on a page. */
const DELIVERIES_PAGE = 20;
const deliveriesQuery = deliveryList.query.pick({ status: true, pageNumber: true });

const createActions = {
  create: action(
    'changeOffice',
    asWebhook(webhookCreateSchema),
    async ({ c, words, submission }, _, body) => {
      const { secret, input } = await newWebhook(c, body);
      const { replayed, body: webhook } = await write(c, submission, createWebhook, input);
      const isPending = webhook.confirmation === 'PENDING';
      const done = words.t(isPending ? 'hook.registeredPending' : 'hook.registered', { name: webhook.name });
      return replayed ? { done } : { done, secrets: [{ label: words.t('hook.secret'), value: secret }] };
    },
  ),
};

/** The pages about webhooks and their deliveries. */
export function webhookPages(app: Hono<AppEnv>): void {
  listing(app, {
    path: '/app/webhook',
    title: ({ t }) => t('hook.title'),
    right: 'seeOffice',
    list: webhookList,
    filters: [],
    columns: ({ words: { t } }) => [
      {
        label: t('hook.one'),
        sort: 'name',
        value: ({ uuid, name }) => (
          <ResourceLink resource="webhook" uuid={uuid}>
            {name}
          </ResourceLink>
        ),
      },
      { label: t('hook.state'), status: (webhook) => statusOf(webhook), narrow: 'evident' },
      { label: t('hook.address'), value: ({ url }) => url },
      { label: t('hook.failing'), value: ({ failingSince }) => <Time at={failingSince} /> },
      { label: t('made.created'), sort: 'createDate', plain: ({ createDate }) => instant(createDate) },
    ],
    empty: ({ t }) => t('hook.empty'),
    below: (at) =>
      at.may('changeOffice') && (
        <Card title={at.words.t('hook.new')}>
          <Form<typeof createActions> action="create" label={at.words.t('hook.new')} draft>
            <WebhookFields sendsMails={senderOf(at.c.env) !== undefined} />
            <Submit>{at.words.t('hook.register')}</Submit>
          </Form>
        </Card>
      ),
    actions: createActions,
  });

  resourcePage(app, {
    path: '/app/webhook/:uuid',
    right: 'seeOffice',
    query: deliveriesQuery,
    view: webhookPage,
    actions: webhookActions(),
  });
  deliveryPages(app);
}

function statusOf({
  active,
  confirmation,
  disabledReason,
}: Pick<StoredWebhook, 'confirmation' | 'disabledReason'> & { active: 0 | 1 | boolean }) {
  if (!active) return disabledReason === null ? 'PAUSED' : 'DISABLED';
  return confirmation === 'PENDING' ? confirmation : 'ACTIVE';
}

async function webhookPage(at: PageContext, { uuid }: ByUuid, query: z.output<typeof deliveriesQuery>) {
  const { c, database, words } = at;
  const { t } = words;
  const asked = askPage(deliveryList, database, { ...query, pageSize: DELIVERIES_PAGE }, uuid);
  const { webhooks, ...deliveries } = await database.ask({
    webhooks: rowQuery(database, 'webhook', webhookView, uuid),
    ...asked.asks,
  });
  const stored = requireRow(webhooks, 'webhookNotFound', uuid);
  const webhook = presentWebhook(origin(c), stored, Date.now());
  const log = await pageOf(c, database, asked, deliveries);
  return {
    title: webhook.name,
    aside: <Badge status={statusOf(webhook)} />,
    styles: ['records.css'],
    body: (
      <>
        <Card title={t('hook.one')}>
          <Facts
            facts={[
              [t('hook.address'), webhook.url],
              [
                t('hook.events'),
                webhook.eventTypes.length === 0
                  ? t('hook.all')
                  : webhook.eventTypes.map((type) => eventIn(words, type)).join(', '),
              ],
              [
                t('hook.alerts'),
                webhook.alertTypes.length === 0
                  ? t('hook.all')
                  : ALERT_TYPES.filter((type) => webhook.alertTypes.includes(type))
                      .map((type) => alertTypeIn(words, type))
                      .join(', '),
              ],
              [t('hook.format'), t('hook.formats', { format: webhook.format })],
              [
                t('hook.headers'),
                <OptionalText of={webhook.customHeaders.map(({ name }) => name).join(', ')} />,
              ],
              ...(webhook.confirmation === null
                ? []
                : [
                    [
                      t('hook.confirmation'),
                      t('hook.confirmations', { state: webhook.confirmation }),
                    ] satisfies [string, string],
                  ]),
              [t('hook.failing'), <Time at={webhook.failingSince} />],
              [
                t('hook.off'),
                <OptionalText
                  of={webhook.disabledReason && t('hook.reasons', { reason: webhook.disabledReason })}
                />,
              ],
              [t('hook.overlap'), <Time at={webhook.secretOverlapEndDate} />],
              [t('made.created'), <Time at={webhook.createDate} />],
            ]}
          />
          {webhook.confirmation === 'PENDING' && (
            <>
              <p>{t('hook.confirmationHint')}</p>
              {at.may('changeOffice') && (
                <p class="actions">
                  <ActionButton<WebhookActions> action="test" quiet>
                    {t('sent.resend')}
                  </ActionButton>
                </p>
              )}
            </>
          )}
        </Card>
        {at.may('changeOffice') && (
          <WebhookForms webhook={webhook} sendsMails={senderOf(c.env) !== undefined} />
        )}
        <Card title={t('sent.title')} id="deliveries">
          <p class="actions">
            {[undefined, ...DELIVERY_STATUSES].map((status) => (
              <a
                href={`/app/webhook/${uuid}${status ? `?status=${status}` : ''}#deliveries`}
                class="button quiet"
                aria-current={status === query.status?.[0] ? 'true' : undefined}
              >
                {status === undefined ? t('hook.all') : statusIn(words, status)}
              </a>
            ))}
          </p>
          <Table
            caption={countOf(log)}
            rows={log.rows.map((stored) => presentDelivery(origin(c), stored, faultIn(words)))}
            empty={t('sent.none')}
            columns={deliveryColumns(words, at.may('changeOffice'))}
          />
          <Pager page={log} hash="#deliveries" />
        </Card>
      </>
    ),
  };
}
