import { expect, it } from 'vitest';
import { newTenant } from '../../client.ts';
import { db } from '../../core/writer/requests.ts';
import { signIn } from '../../delivery/live/listener.ts';
import { newDock } from '../../dispatch/shipment/dock.ts';
import { pagesOf } from './forms.ts';

it('a webhook page sends a test of a chosen type and resends a delivery', async () => {
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

it('a delivery page shows the sent content without secrets and resends it once', async () => {
  const dock = await newDock();
  const pages = pagesOf(await signIn(dock, 'ADMINISTRATOR'));
  const viewer = pagesOf(await signIn(dock, 'FORKLIFT_OPERATOR'));
  const { body: webhook } = await dock.must('POST', '/webhook', {
    name: `W "><script>alert(1)</script>`,
    url: 'https://receiver.invalid/',
    eventTypes: [],
    customHeaders: [{ name: 'X-Token', value: 'hidden-header-value' }],
  });
  await dock.must('POST', `/webhook/${webhook.uuid}/test`, {});
  await dock.must('POST', '/manifest', { externalIdentifier: 'TOLD', assets: [] });
  await dock.must('POST', '/manifest/TOLD/status/TO_DO');
  const [sealed] = JSON.parse(
    (await db
      .prepare('SELECT custom_headers FROM webhook WHERE uuid = ?1')
      .bind(webhook.uuid)
      .first<string>('custom_headers'))!,
  );
  const other = pagesOf(await signIn(await newTenant(), 'ADMINISTRATOR'));
  const deliveries = async () =>
    (await dock.must('GET', `/webhook/${webhook.uuid}/delivery?pageSize=100`)).body.content;
  await expect.poll(async () => (await deliveries()).length, { timeout: 10_000 }).toBeGreaterThan(1);
  for (const { uuid, eventIdentifier, sequenceNumber } of await deliveries()) {
    const page = `/app/webhook-delivery/${uuid}`;
    const { html } = await pages.get(page);
    for (const text of [eventIdentifier, 'X-Token', 'webhook-signature', 'Body'])
      expect(html).toContain(text);
    expect(html).toContain(sequenceNumber === null ? '&quot;WEBHOOK_TEST&quot;' : '&quot;TOLD&quot;');
    for (const text of ['hidden-header-value', sealed.value, webhook.secret, '<script>alert'])
      expect(html).not.toContain(text);
    const key = crypto.randomUUID();
    expect((await pages.send(page, 'resend', {}, key)).status).toBe(303);
    expect((await pages.send(page, 'resend', {}, key)).status).toBe(303);
    expect((await viewer.get(page)).status).toBe(403);
    expect((await other.get(page)).status).toBe(404);
    expect((await other.send(page, 'resend', {})).status).toBe(404);
  }
  expect((await dock.must('GET', '/audit-log?action=WEBHOOK_DELIVERY_RESENT')).body.content.length).toBe(
    (await deliveries()).length,
  );
  expect((await pages.get(`/app/webhook-delivery/${crypto.randomUUID()}`)).status).toBe(404);
});
