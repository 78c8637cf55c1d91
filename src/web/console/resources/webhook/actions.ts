import { z } from '@hono/zod-openapi';
import { write } from '../../../../core/http/write.ts';
import { deleteWebhook, rotateWebhookSecret, updateWebhook } from '../../../../delivery/webhook/commands.ts';
import {
  replayWebhook,
  resendDelivery,
  testWebhook,
} from '../../../../delivery/webhook/delivery-commands.ts';
import { changedWebhook, newSecret } from '../../../../delivery/webhook/registration.ts';
import {
  CONFIRMATION_EVENT_TYPE,
  replaySchema,
  TEST_EVENT_TYPE,
  testSchema,
  webhookUpdateSchema,
} from '../../../../delivery/webhook/schema.ts';
import { action, asTyped } from '../../../ui/confirm/action.ts';
import { confirmDeletion } from '../../../ui/confirm/deletion.tsx';
import type { ByUuid } from '../../../ui/page/resource.tsx';

/** How long both secrets sign after a rotation, in seconds: a day. */
const OVERLAP_SECONDS = 86_400;

/** Headers from lines such as `Name: value`. */
const headersOf = (lines = '') =>
  lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const colon = line.indexOf(':');
      return { name: line.slice(0, Math.max(colon, 0)).trim(), value: line.slice(colon + 1).trim() };
    });

/** A webhook from its form, checked by a schema. */
export const asWebhook = <S extends z.ZodType>(schema: S): z.ZodType<z.output<S>> =>
  asTyped(
    schema,
    ({ name, url, format, headerValues }, { eventTypes, alertTypes }) => {
      const customHeaders = headersOf(headerValues);
      return {
        name,
        url,
        eventTypes,
        alertTypes,
        format,
        ...(customHeaders.length === 0 ? {} : { customHeaders }),
      };
    },
    ['eventTypes', 'alertTypes'],
  );

export function webhookActions() {
  const replay = asTyped(replaySchema, ({ sequenceNumberFrom, sequenceNumberTo }) => ({
    sequenceNumberFrom: Number(sequenceNumberFrom),
    sequenceNumberTo: Number(sequenceNumberTo),
  }));
  return {
    test: action(
      'changeOffice',
      testSchema,
      async ({ c, words, submission }, { uuid }: ByUuid, { eventType }) => {
        const { body } = await write(c, submission, testWebhook, {
          uuid,
          eventType: eventType ?? TEST_EVENT_TYPE,
        });
        return { done: words.t(body.eventType === CONFIRMATION_EVENT_TYPE ? 'hook.asked' : 'hook.tested') };
      },
    ),
    resend: action(
      'changeOffice',
      z.object({ deliveryUuid: z.uuid() }),
      async ({ c, words, submission }, { uuid }: ByUuid, { deliveryUuid }) => {
        await write(c, submission, resendDelivery, { uuid, deliveryUuid });
        return { done: words.t('sent.resent') };
      },
    ),
    active: action(
      'changeOffice',
      z.object({ active: z.enum(['true', 'false']) }),
      async ({ c, words, submission }, { uuid }: ByUuid, { active }) => {
        await write(
          c,
          submission,
          updateWebhook,
          await changedWebhook(c, uuid, { active: active === 'true' }),
        );
        return { done: words.t(active === 'true' ? 'hook.isOn' : 'hook.isOff') };
      },
    ),
    update: action(
      'changeOffice',
      asWebhook(webhookUpdateSchema),
      async ({ c, words, submission }, { uuid }: ByUuid, body) => {
        await write(c, submission, updateWebhook, await changedWebhook(c, uuid, body));
        return { done: words.t('hook.changed') };
      },
    ),
    rotate: action('changeOffice', z.object({}), async ({ c, words, submission }, { uuid }: ByUuid) => {
      const { secret, input } = await newSecret(c, uuid, OVERLAP_SECONDS);
      const { replayed } = await write(c, submission, rotateWebhookSecret, input);
      const done = words.t('hook.rotated');
      return replayed ? { done } : { done, secrets: [{ label: words.t('hook.secret'), value: secret }] };
    }),
    replay: action('changeOffice', replay, async ({ c, words, submission }, { uuid }: ByUuid, range) => {
      const { body } = await write(c, submission, replayWebhook, {
        uuid,
        ...range,
      });
      return { done: words.t('hook.replayed', { count: body.deliveriesCount }) };
    }),
    delete: action(
      'changeOffice',
      z.object({}),
      async ({ c, words, submission }, { uuid }: ByUuid) => {
        await write(c, submission, deleteWebhook, { uuid });
        return { done: words.t('hook.deleted'), to: '/app/webhook' };
      },
      confirmDeletion('webhook', ({ t }) => t('hook.deletion')),
    ),
  };
}

export type WebhookActions = ReturnType<typeof webhookActions>;
