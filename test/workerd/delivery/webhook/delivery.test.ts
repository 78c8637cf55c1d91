import { beforeEach, expect, it } from 'vitest';
import { FAILING_MAXIMUM_MS } from '../../../../src/delivery/webhook/rules.ts';
import {
  db,
  deliveries,
  happen,
  newTenant,
  Receivers,
  register,
  type Tenant,
  until,
  verify,
} from './receiver.ts';

let receivers: Receivers;
let tenant: Tenant;
beforeEach(async () => {
  receivers = new Receivers();
  tenant = await newTenant();
});

const settled = (uuid: string, count: number) =>
  until(async () => {
    const found = await deliveries(tenant, uuid);
    return found.length >= count && found.every(({ status }) => status !== 'PENDING');
  });

it('the webhook delivers each event as the log shows it, and the official library verifies it', async () => {
  await happen(tenant);
  const hook = await register(tenant);
  receivers.at(hook.url, 204);
  await happen(tenant, 2);
  await settled(hook.uuid, 2);
  const { body: log } = await tenant.call('GET', '/event?afterSequence=1');
  for (const received of receivers.of(hook.url)) {
    expect(log.content).toContainEqual(verify(hook.secret, received));
    expect(received.headers.get('webhook-id')).toBe(received.event.eventIdentifier);
    expect(received.headers.get('content-type')).toBe('application/json');
    expect(received.redirect).toBe('manual');
  }
  expect(receivers.numbers(hook.url)).toEqual([2, 3]);
  const [first] = await deliveries(tenant, hook.uuid);
  expect(first).toMatchObject({
    eventIdentifier: receivers.received[0]!.event.eventIdentifier,
    eventType: 'MANIFEST_STATUS_CHANGED',
    sequenceNumber: 2,
    status: 'SUCCEEDED',
    attemptsCount: 1,
    nextAttemptDate: null,
    statusCode: 204,
    attempts: [{ statusCode: 204, error: null }],
  });
});

it('a delivery has links of the host that registered the webhook', async () => {
  const url = 'https://links.example.com/';
  const body = { name: 'Links', url };
  const path = `http://${tenant.slug}.localhost:8787/integration/rest/api/v1/webhook`;
  await tenant.call('POST', '/webhook', { name: 'Other', url: 'https://other.example.com/' });
  const worker = (await import('../../client.ts')).call;
  await worker('POST', path, { headers: { 'X-AUTH-KEY': tenant.key }, json: body });
  receivers.at(url, 200);
  await happen(tenant);
  await until(() => receivers.of(url).length === 1);
  expect(receivers.of(url)[0]!.event.data.deepLink).toMatch(`http://${tenant.slug}.localhost:8787/app/`);
});

it('a webhook receives only events that match its filter', async () => {
  const none = await register(tenant, { eventTypes: ['COUPLING_FAILED'] });
  const some = await register(tenant, { eventTypes: ['COUPLING_FAILED', 'MANIFEST_STATUS_CHANGED'] });
  for (const { url } of [none, some]) receivers.at(url, 200);
  await happen(tenant);
  await settled(some.uuid, 1);
  expect(await deliveries(tenant, none.uuid)).toEqual([]);
});

it.each([500, 302, 308, 400, 404, 429])(
  'a delivery that was answered %i is sent again with the same id',
  async (status) => {
    const hook = await register(tenant);
    const trap = 'https://trap.example.com/';
    receivers.at(trap, 200);
    receivers.at(hook.url, () =>
      receivers.of(hook.url).length < 3
        ? new Response('no', { status, headers: { Location: trap } })
        : new Response('yes'),
    );
    await happen(tenant);
    await settled(hook.uuid, 1);
    const got = receivers.of(hook.url);
    expect(got).toHaveLength(3);
    expect(new Set(got.map(({ headers }) => headers.get('webhook-id'))).size).toBe(1);
    for (const received of got) verify(hook.secret, received);
    const [delivery] = await deliveries(tenant, hook.uuid);
    expect(delivery).toMatchObject({
      status: 'SUCCEEDED',
      attemptsCount: 3,
      statusCode: 200,
      response: 'yes',
    });
    expect(delivery.attempts.map((attempt: { statusCode: number }) => attempt.statusCode)).toEqual([
      status,
      status,
      200,
    ]);
    expect(delivery.attempts[0]).toMatchObject({
      response: 'no',
      error: expect.stringContaining(String(status)),
    });
    // The target of a redirect is never requested.
    expect(receivers.of(trap)).toEqual([]);
    expect((await tenant.call('GET', `/webhook/${hook.uuid}`)).body.failingSince).toBeNull();
  },
);

it('a delivery waits as long as Retry-After asks', async () => {
  const hook = await register(tenant);
  receivers.at(hook.url, () =>
    receivers.of(hook.url).length === 1
      ? new Response('later', { status: 429, headers: { 'Retry-After': '2' } })
      : new Response('ok'),
  );
  await happen(tenant);
  await until(() => receivers.of(hook.url).length === 2);
  await settled(hook.uuid, 1);
  const [{ attempts }] = await deliveries(tenant, hook.uuid);
  const [first, second] = attempts.map(({ attemptDate }: { attemptDate: string }) => Date.parse(attemptDate));
  expect(second - first).toBeGreaterThanOrEqual(2_000);
});

it('a receiver that does not answer within 15 seconds counts as a failure and does not delay other receivers', async () => {
  const [hanging, other] = [await register(tenant), await register(tenant)];
  receivers.at(hanging.url, () =>
    receivers.of(hanging.url).length === 1 ? new Promise(() => {}) : new Response('ok'),
  );
  receivers.at(other.url, 200);
  const begin = performance.now();
  await happen(tenant, 3);
  await settled(other.uuid, 3);
  expect(performance.now() - begin).toBeLessThan(8_000);
  await until(
    async () => (await deliveries(tenant, hanging.uuid)).every(({ status }) => status === 'SUCCEEDED'),
    25_000,
  );
  const [late] = (await deliveries(tenant, hanging.uuid)).filter(({ attemptsCount }) => attemptsCount === 2);
  expect(late.attempts[0]).toMatchObject({ statusCode: null, error: 'No answer within 15 seconds.' });
  expect(late.attempts[0].durationMs).toBeGreaterThanOrEqual(14_900);
  // The claim lasts longer than the request, so no second consumer sent it.
  expect(receivers.of(hanging.url)).toHaveLength(4);
}, 40_000);

it('a slow receiver gets at most 60 deliveries at a time, and more as soon as it answers', async () => {
  const paused = await register(tenant, { active: false });
  await happen(tenant, 130);
  let [open, most] = [0, 0];
  receivers.at(paused.url, async () => {
    open += 1;
    most = Math.max(most, open);
    await new Promise((resolve) => setTimeout(resolve, 400));
    open -= 1;
    return new Response('late');
  });
  const start = performance.now();
  await tenant.call('PUT', `/webhook/${paused.uuid}`, { active: true });
  await until(() => new Set(receivers.numbers(paused.url)).size === 130);
  expect(most).toBeLessThanOrEqual(60);
  // It did not wait for the sweep, which runs every 5 seconds.
  expect(performance.now() - start).toBeLessThan(4_000);
});

it('a delivery stores 1,000 characters of an answer and reads no more than needed', async () => {
  const hook = await register(tenant);
  let read = 0;
  receivers.at(hook.url, () => {
    const part = new TextEncoder().encode('é\u0000'.repeat(1_000));
    const endless = new ReadableStream({
      pull(controller) {
        read += part.byteLength;
        controller.enqueue(part);
      },
    });
    return new Response(endless);
  });
  await happen(tenant);
  await settled(hook.uuid, 1);
  const [{ response }] = await deliveries(tenant, hook.uuid);
  expect(response).toBe('é\ufffd'.repeat(500));
  expect(read).toBeLessThan(50_000);
});

it('a 410 disables a webhook with an alert, and re-activation sends the waiting events', async () => {
  const [gone, other] = [await register(tenant), await register(tenant)];
  receivers.at(gone.url, 410);
  receivers.at(other.url, 200);
  await happen(tenant);
  const get = async () => (await tenant.call('GET', `/webhook/${gone.uuid}`)).body;
  await until(async () => !(await get()).active);
  expect(await get()).toMatchObject({ disabledReason: 'GONE', disabledDate: expect.any(String) });
  const alerts = async () => (await tenant.call('GET', '/alert-event')).body.content;
  expect(await alerts()).toMatchObject([
    { alertType: 'WEBHOOK_DISABLED', status: 'OPEN', recordUuid: gone.uuid },
  ]);
  // Other webhooks receive the alert.
  await until(() => receivers.of(other.url).some(({ event }) => event.eventType === 'ALERT_RAISED'));
  const alert = receivers.of(other.url).find(({ event }) => event.eventType === 'ALERT_RAISED')!;
  expect(alert.event.data).toEqual((await alerts())[0]);

  await happen(tenant, 2);
  expect(receivers.numbers(gone.url)).toEqual([1]);
  receivers.at(gone.url, 200);
  const { body } = await tenant.call('PUT', `/webhook/${gone.uuid}`, { active: true });
  expect(body).toMatchObject({ active: true, disabledReason: null, disabledDate: null, failingSince: null });
  await until(() => new Set(receivers.numbers(gone.url)).size === 4);
  expect(await alerts()).toMatchObject([{ status: 'RESOLVED', resolvedDate: expect.any(String) }]);
  const actions = (
    await db
      .prepare(
        "SELECT action, actor_type FROM audit_log WHERE organization_uuid = ?1 AND action = 'WEBHOOK_DISABLED'",
      )
      .bind(tenant.uuid)
      .all()
  ).results;
  expect(actions).toEqual([{ action: 'WEBHOOK_DISABLED', actor_type: 'SYSTEM' }]);
});

it('five days of failures disable a webhook, and a shorter time does not', async () => {
  const hook = await register(tenant);
  receivers.at(hook.url, 500);
  const failingFor = (milliseconds: number) =>
    db
      .prepare('UPDATE webhook SET failing_since = ?2 WHERE uuid = ?1')
      .bind(hook.uuid, Date.now() - milliseconds)
      .run();
  const get = async () => (await tenant.call('GET', `/webhook/${hook.uuid}`)).body;
  await failingFor(FAILING_MAXIMUM_MS - 60_000);
  await happen(tenant);
  await until(() => receivers.of(hook.url).length >= 2);
  expect((await get()).active).toBe(true);
  await failingFor(FAILING_MAXIMUM_MS);
  await until(async () => !(await get()).active);
  expect((await get()).disabledReason).toBe('FAILING');
  receivers.at(hook.url, 200);
  await tenant.call('PUT', `/webhook/${hook.uuid}`, { active: true });
  await until(() => new Set(receivers.numbers(hook.url)).size === 2);
});

it('a paused webhook loses nothing', async () => {
  const hook = await register(tenant);
  receivers.at(hook.url, 200);
  await happen(tenant);
  await settled(hook.uuid, 1);
  await tenant.call('PUT', `/webhook/${hook.uuid}`, { active: false });
  await happen(tenant, 5);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(receivers.numbers(hook.url)).toEqual([1]);
  await tenant.call('PUT', `/webhook/${hook.uuid}`, { active: true });
  await settled(hook.uuid, 6);
  expect(receivers.numbers(hook.url).sort()).toEqual([1, 2, 3, 4, 5, 6]);
});

it('a deleted webhook receives nothing', async () => {
  const hook = await register(tenant, { active: false });
  receivers.at(hook.url, 200);
  await tenant.call('POST', `/webhook/${hook.uuid}/test`);
  await until(() => receivers.of(hook.url).length === 1);
  expect((await tenant.call('DELETE', `/webhook/${hook.uuid}`)).status).toBe(204);
  await happen(tenant);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(receivers.of(hook.url)).toHaveLength(1);
  for (const [method, path, json] of [
    ['GET', ''],
    ['PUT', '', {}],
    ['DELETE', ''],
    ['POST', '/rotate-secret', {}],
    ['POST', '/test'],
    ['POST', '/replay', { sequenceNumberFrom: 1, sequenceNumberTo: 1 }],
    ['GET', '/delivery'],
  ] as const) {
    const { status, body } = await tenant.call(method, `/webhook/${hook.uuid}${path}`, json);
    expect([method, path, status, body.code]).toEqual([method, path, 404, 'webhookNotFound']);
  }
});
