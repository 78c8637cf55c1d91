import type { FC } from 'hono/jsx';
import { TEST_EVENT_TYPE } from '../../../../delivery/webhook/schema.ts';
import type { presentWebhook } from '../../../../delivery/webhook/store.ts';
import { FORMATS } from '../../../../delivery/webhook/table.ts';
import { ALERT_TYPES } from '../../../../dispatch/alert/table.ts';
import { EVENT_TYPES } from '../../../../log/event/table.ts';
import { useWords } from '../../../../messages/context.ts';
import type { Words } from '../../../../messages/words.ts';
import { Deletion } from '../../../ui/confirm/deletion.tsx';
import { ActionButton, Checkboxes, Field, Form, Select, Submit, TextArea } from '../../../ui/form/form.tsx';
import { Card } from '../../../ui/parts/components.tsx';
import { alertTypeIn } from '../alert/alerts.tsx';
import type { WebhookActions } from './actions.ts';
import { eventIn } from './deliveries.tsx';

type Webhook = ReturnType<typeof presentWebhook>;

const eventOptions = (words: Words) => EVENT_TYPES.map((value) => ({ value, label: eventIn(words, value) }));

/** The fields of a webhook, in the forms that create and change one. */
export const WebhookFields: FC<{ webhook?: Webhook; sendsMails: boolean }> = ({ webhook, sendsMails }) => {
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
        options={ALERT_TYPES.map((value) => ({ value, label: alertTypeIn(words, value) }))}
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

export const WebhookForms: FC<{ webhook: Webhook; sendsMails: boolean }> = ({ webhook, sendsMails }) => {
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
