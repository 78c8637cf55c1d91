import { expect, it } from 'vitest';
import { signIn } from '../live/listener.ts';
import { newDock } from '../shipment/dock.ts';
import { pagesOf } from './forms.ts';

it('a webhook is sent a test of a type that is chosen, and a delivery again from the log', async () => {
  const dock = await newDock();
  const pages = pagesOf(await signIn(dock, 'ADMINISTRATOR'));
  const { body: webhook } = await dock.must('POST', '/webhook', {
    name: 'W',
    url: 'https://receiver.invalid/',
    eventTypes: [],
  });
  const path = `/app/webhook/${webhook.uuid}`;
  const log = async () => (await dock.must('GET', `/webhook/${webhook.uuid}/delivery`)).body.content;
  expect((await pages.send(path, 'test', { eventType: 'MANIFEST_STATUS_CHANGED' })).status).toBe(303);
  const [delivery] = await log();
  expect(delivery).toMatchObject({ eventType: 'MANIFEST_STATUS_CHANGED', sequenceNumber: null });
  const { html } = await pages.get(path);
  expect(html).toContain('Send again: Manifest status changed');
  const resend = { deliveryUuid: delivery.uuid };
  const key = crypto.randomUUID();
  expect((await pages.send(path, 'resend', resend, key)).status).toBe(303);
  expect((await pages.send(path, 'resend', resend, key)).status).toBe(303);
  const { body } = await dock.must('GET', '/audit-log?action=WEBHOOK_DELIVERY_RESENT');
  expect(body.totalElements).toBe(1);
  const other = { deliveryUuid: crypto.randomUUID() };
  expect((await pages.send(path, 'resend', other)).status).toBe(404);
});
