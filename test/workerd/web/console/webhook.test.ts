import { expect, it } from 'vitest';
import { newTenant } from '../../client.ts';
import { db } from '../../core/writer/requests.ts';
import { signIn } from '../../delivery/live/listener.ts';
import { confirm, confirmationsTo, until } from '../../delivery/webhook/receiver.ts';
import { newDock } from '../../dispatch/load/shipment/dock.ts';
import { pagesOf } from './forms.ts';

it('a webhook page sends a test of a chosen type and resends a delivery', async () => {
  const dock = await newDock();
  const pages = pagesOf(await signIn(dock, 'ADMINISTRATOR'));
  const { body: webhook } = await dock.must('POST', '/webhook', {
    name: 'W',
    url: 'https://receiver.example.com/',
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
    url: 'https://receiver.example.com/',
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

it('a webhook page shows that an e-mail address is not confirmed, and sends the confirmation e-mail again', async () => {
  const dock = await newDock();
  const pages = pagesOf(await signIn(dock, 'ADMINISTRATOR'));
  const address = `page-${crypto.randomUUID()}@example.com`;
  const made = await pages.send('/app/webhook', 'create', {
    name: 'Shift lead',
    url: `mailto:${address}`,
    format: 'EMAIL',
    headerValues: '',
  });
  expect([made.status, made.html]).toEqual([
    200,
    expect.stringContaining('an e-mail that asks for confirmation'),
  ]);
  const [{ uuid }] = (await dock.must('GET', '/webhook')).body.content;
  const path = `/app/webhook/${uuid}`;
  const pending = (await pages.get(path)).html;
  for (const text of [
    'Pending: the recipient has not confirmed the address',
    'Until they confirm, nothing else is sent.',
  ])
    expect(pending).toContain(text);
  expect(pending).not.toContain('Test event');
  expect((await pages.get('/app/webhook')).html).toMatch(/Shift lead[\s\S]*Pending/);
  await until(() => confirmationsTo(address).length === 1);
  const sent = await pages.send(path, 'test', {});
  expect([sent.status, sent.notice]).toEqual([
    303,
    expect.stringContaining('The confirmation e-mail is sent again.'),
  ]);
  await until(() => confirmationsTo(address).length === 2);
  const [{ uuid: delivery }] = (await dock.must('GET', `/webhook/${uuid}/delivery`)).body.content;
  const content = (await pages.get(`/app/webhook-delivery/${delivery}`)).html;
  expect(content).toContain('E-mail that asks for confirmation');
  expect(content).toContain('Do you want e-mails from');
  expect(content).not.toContain('/confirm/');
  await confirm(address);
  const confirmed = (await pages.get(path)).html;
  for (const text of ['Confirmed by the recipient', 'Test event']) expect(confirmed).toContain(text);
  expect(confirmed).not.toContain('Until they confirm');
});
