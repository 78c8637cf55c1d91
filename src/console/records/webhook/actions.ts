import { z } from '@hono/zod-openapi';
import { write } from '../../../http/write.ts';
import { deleteWebhook, rotateWebhookSecret, updateWebhook } from '../../../webhook/commands.ts';
import { replayWebhook, resendDelivery, testWebhook } from '../../../webhook/delivery-commands.ts';
import { changedWebhook, newSecret } from '../../../webhook/registration.ts';
import { replaySchema, TEST_EVENT_TYPE, testSchema, webhookUpdateSchema } from '../../../webhook/schema.ts';
import { askToDelete, type ByUuid } from '../../kit/detail.tsx';
import { type Action, action, asTyped } from '../../kit/page.tsx';
import type { Typed } from '../../kit/view.ts';

/** How long both secrets sign after one is rotated, in seconds: a day. */
const OVERLAP_SECONDS = 86_400;

/** `Name: value`, one a line. */
const headersOf = (lines: string | undefined) =>
  (lines ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const colon = line.indexOf(':');
      return { name: line.slice(0, Math.max(colon, 0)).trim(), value: line.slice(colon + 1).trim() };
    });

/** A webhook as its form sends it. */
export const bodyOf = ({ name, url, eventTypes, format, headerValues }: Typed) => {
  const customHeaders = headersOf(headerValues as string | undefined);
  return {
    name,
    url,
    eventTypes: [eventTypes ?? []].flat(),
    format,
    ...(customHeaders.length === 0 ? {} : { customHeaders }),
  };
};

/** What the forms on the page of a webhook do. */
export function webhookActions(): Record<string, Action> {
  const replay = asTyped(replaySchema, ({ sequenceNumberFrom, sequenceNumberTo }) => ({
    sequenceNumberFrom: Number(sequenceNumberFrom),
    sequenceNumberTo: Number(sequenceNumberTo),
  }));
  return {
    test: action('changeOffice', testSchema, async ({ c }, { uuid }: ByUuid, { eventType }) => {
      await write(c, testWebhook, { uuid, eventType: eventType ?? TEST_EVENT_TYPE });
      return { done: 'A test is on its way; what comes of it stands among the deliveries.' };
    }),
    resend: action(
      'changeOffice',
      z.object({ deliveryUuid: z.uuid() }),
      async ({ c }, { uuid }: ByUuid, { deliveryUuid }) => {
        await write(c, resendDelivery, { uuid, deliveryUuid });
        return { done: 'The delivery is sent again.' };
      },
    ),
    active: action(
      'changeOffice',
      z.object({ active: z.enum(['true', 'false']) }),
      async ({ c }, { uuid }: ByUuid, { active }) => {
        await write(c, updateWebhook, await changedWebhook(c, uuid, { active: active === 'true' }));
        return {
          done: active === 'true' ? 'The webhook is active.' : 'The webhook pauses; its events wait.',
        };
      },
    ),
    update: action(
      'changeOffice',
      asTyped(webhookUpdateSchema, bodyOf),
      async ({ c }, { uuid }: ByUuid, body) => {
        await write(c, updateWebhook, await changedWebhook(c, uuid, body));
        return { done: 'The webhook is changed.' };
      },
    ),
    rotate: action('changeOffice', z.object({}), async ({ c }, { uuid }: ByUuid) => {
      const { secret, input } = await newSecret(c, uuid, OVERLAP_SECONDS);
      const { replayed } = await write(c, rotateWebhookSecret, input);
      const done = 'The webhook has a new secret; the old one signs for another day.';
      return replayed ? { done } : { done, secrets: [{ label: 'Signing secret', value: secret }] };
    }),
    replay: action('changeOffice', replay, async ({ c }, { uuid }: ByUuid, range) => {
      const { body } = await write(c, replayWebhook, {
        uuid,
        ...range,
      });
      return { done: `${body.deliveriesCount} deliveries are made again.` };
    }),
    delete: action(
      'changeOffice',
      z.object({}),
      async ({ c }, { uuid }: ByUuid) => {
        await write(c, deleteWebhook, { uuid });
        return { done: 'The webhook is deleted.', to: '/app/webhook' };
      },
      askToDelete('webhook', 'Nothing is sent to it any more, also not what waits.'),
    ),
  };
}
