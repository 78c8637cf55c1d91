import { beforeEach, describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../../../src/log/event/table.ts';
import { EVENT_DOCS } from '../../../../src/web/docs/events.ts';
import { storedState } from '../../../contract/state.ts';
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

const url = 'https://hooks.example.com/in';

describe('registration', () => {
  it('registering a webhook returns the secret once and shows the webhook without it', async () => {
    const headers = { 'Idempotency-Key': 'once' };
    const body = { name: 'WMS', url, eventTypes: ['ALERT_RAISED'] };
    const created = await tenant.call('POST', '/webhook', body, headers);
    expect(created.status).toBe(201);
    expect(created.headers.get('Location')).toBe(`/integration/rest/api/v1/webhook/${created.body.uuid}`);
    expect(created.headers.get('Cache-Control')).toBe('no-store');
    const { secret, ...shown } = created.body;
    expect(secret).toMatch(/^whsec_/);
    expect(shown).toMatchObject({ ...body, active: true, disabledReason: null, customHeaders: [] });
    const again = await tenant.call('POST', '/webhook', body, headers);
    expect([again.status, again.body]).toEqual([201, { ...shown, secret: null }]);
    expect((await tenant.call('GET', `/webhook/${shown.uuid}`)).body).toEqual(shown);
    expect((await tenant.call('GET', '/webhook')).body.content).toEqual([shown]);
  });

  it.each([
    [{ url: 'https://10.0.0.1/' }, 'url'],
    [{ url: 'https://169.254.169.254/' }, 'url'],
    [{ url: 'http://example.com/' }, 'url'],
    [{ url: 'https://example.com:444/' }, 'url'],
    [{ url: 'http://localhost:8787/' }, 'url'],
    [{ url: `https://example.com/${'a'.repeat(2_000)}` }, 'url'],
    [{ url: undefined }, 'url'],
    [{ name: '' }, 'name'],
    [{ eventTypes: ['OTHER'] }, 'eventTypes[0]'],
    [{ eventTypes: ['ALERT_RAISED', 'ALERT_RAISED'] }, 'eventTypes'],
    [{ customHeaders: [{ name: 'Webhook-Id', value: 'x' }] }, 'customHeaders[0].name'],
    [{ customHeaders: [{ name: 'Host', value: 'x' }] }, 'customHeaders[0].name'],
    [{ customHeaders: [{ name: 'X-A', value: 'a\r\nB: c' }] }, 'customHeaders[0].value'],
    [{ customHeaders: [{ name: 'X-A', value: null }] }, 'customHeaders[0].value'],
    [{ customHeaders: ['X-A', 'x-a'].map((name) => ({ name, value: 'x' })) }, 'customHeaders'],
  ])('registering a webhook refuses %j', async (wrong, field) => {
    const { status, body } = await tenant.call('POST', '/webhook', { name: 'WMS', url, ...wrong });
    expect([status, body.errors[0].field]).toEqual([400, field]);
    const hook = await register(tenant, { active: false });
    if ('url' in wrong && wrong.url) {
      expect((await tenant.call('PUT', `/webhook/${hook.uuid}`, wrong)).status).toBe(400);
    }
  });

  it('an organization has 50 webhooks at most', async () => {
    for (let index = 0; index < 50; index += 1) await register(tenant, { active: false });
    const { status, body } = await tenant.call('POST', '/webhook', { name: 'One more', url });
    expect([status, body.code]).toEqual([409, 'webhookLimitReached']);
  });

  it('registering a webhook allows loopback where that is enabled', async () => {
    expect((await tenant.call('POST', '/webhook', { name: 'L', url: 'http://127.0.0.1:9/x' })).status).toBe(
      201,
    );
  });
});

describe('headers', () => {
  const value = 'Bearer very-secret-token';

  it('custom headers are sent and never shown or logged, and an omitted value stays', async () => {
    const customHeaders = [{ name: 'Authorization', value }];
    const hook = await register(tenant, { customHeaders });
    receivers.at(hook.url, 200);
    expect(hook.customHeaders).toEqual([{ name: 'Authorization', value: null }]);
    const put = (headers: object[], more = {}) =>
      tenant.call(
        'PUT',
        `/webhook/${hook.uuid}`,
        { customHeaders: headers, ...more },
        { 'Idempotency-Key': 'k' },
      );
    await put(
      [
        { name: 'authorization', value: null },
        { name: 'X-Other', value: 'other-secret' },
      ],
      { name: 'Kept' },
    );
    const missing = await tenant.call('PUT', `/webhook/${hook.uuid}`, { customHeaders: [{ name: 'X-New' }] });
    expect([missing.status, missing.body.errors[0].field]).toEqual([400, 'customHeaders[0].value']);
    await happen(tenant);
    await until(() => receivers.of(hook.url).length === 1);
    const { headers } = receivers.of(hook.url)[0]!;
    expect([headers.get('authorization'), headers.get('x-other')]).toEqual([value, 'other-secret']);
    const other = await put([{ name: 'authorization', value: 'another' }], { name: 'Kept' });
    expect(other.body.code).toBe('idempotencyKeyReused');
  });

  it('custom headers and secrets are in no row in clear and in no refusal', async () => {
    const hook = await register(tenant, { customHeaders: [{ name: 'Authorization', value }] });
    const { body: rotated } = await tenant.call('POST', `/webhook/${hook.uuid}/rotate-secret`, {});
    const stored = JSON.stringify(await storedState(tenant));
    for (const secret of [value, hook.secret, rotated.secret]) {
      expect(secret.length).toBeGreaterThan(10);
      expect(stored).not.toContain(secret.replace('whsec_', ''));
    }
    for (const customHeaders of [
      [{ name: 'Authorization', value: `${value}\n` }],
      [`Authorization: ${value}`],
      { Authorization: value },
    ]) {
      const { status, body } = await tenant.call('POST', '/webhook', { name: 'W', url, customHeaders });
      expect(status).toBe(400);
      expect(JSON.stringify(body)).not.toContain(value);
    }
  });

  it('custom headers sealed for one webhook do not open in another', async () => {
    const [one, other] = [
      await register(tenant, { customHeaders: [{ name: 'Authorization', value }] }),
      await register(tenant, { customHeaders: [{ name: 'Authorization', value: 'mine' }] }),
    ];
    receivers.at(other.url, 200);
    await db
      .prepare(
        'UPDATE webhook SET custom_headers = (SELECT custom_headers FROM webhook WHERE uuid = ?1) WHERE uuid = ?2',
      )
      .bind(one.uuid, other.uuid)
      .run();
    await tenant.call('POST', `/webhook/${other.uuid}/test`);
    await until(async () => (await deliveries(tenant, other.uuid))[0].status === 'FAILED');
    expect(await deliveries(tenant, other.uuid)).toMatchObject([
      { error: 'Not sent: the encrypted secrets cannot be read.' },
    ]);
    expect(receivers.of(other.url)).toEqual([]);
  });
});

describe('rotation', () => {
  it('both webhook secrets sign until the overlap ends', async () => {
    const hook = await register(tenant);
    receivers.at(hook.url, 200);
    const rotate = (overlapSeconds?: number) =>
      tenant.call(
        'POST',
        `/webhook/${hook.uuid}/rotate-secret`,
        overlapSeconds === undefined ? undefined : { overlapSeconds },
      );
    const { body: second } = await rotate();
    expect(Date.parse(second.secretOverlapEndDate) - Date.now()).toBeGreaterThan(86_390_000);
    await happen(tenant);
    await until(() => receivers.received.length === 1);
    for (const secret of [hook.secret, second.secret]) verify(secret, receivers.received[0]!);
    const { body: third } = await rotate(0);
    expect(third.secretOverlapEndDate).toBeNull();
    await happen(tenant);
    await until(() => receivers.received.length === 2);
    verify(third.secret, receivers.received[1]!);
    for (const secret of [hook.secret, second.secret]) {
      expect(() => verify(secret, receivers.received[1]!)).toThrow();
    }
  });
});

describe('a test', () => {
  it('a webhook test is sent once, signed, also while paused, and says that nothing happened', async () => {
    const hook = await register(tenant, { active: false });
    receivers.at(hook.url, 500);
    const { status, body } = await tenant.call('POST', `/webhook/${hook.uuid}/test`);
    expect([status, body]).toMatchObject([
      200,
      { status: 'PENDING', eventType: 'WEBHOOK_TEST', sequenceNumber: null },
    ]);
    await until(async () => (await deliveries(tenant, hook.uuid))[0].status === 'FAILED');
    expect(receivers.received).toHaveLength(1);
    expect(verify(hook.secret, receivers.received[0]!)).toMatchObject({
      eventIdentifier: body.eventIdentifier,
      eventType: 'WEBHOOK_TEST',
      sequenceNumber: null,
      organizationUuid: tenant.uuid,
      data: null,
    });
    expect((await tenant.call('GET', `/webhook/${hook.uuid}`)).body.failingSince).toBeNull();
  });
});

describe('replay', () => {
  it('a replay delivers matching events again, also earlier ones, under the same ids', async () => {
    await happen(tenant, 2);
    const hook = await register(tenant);
    receivers.at(hook.url, 200);
    await happen(tenant, 2);
    await until(() => receivers.received.length === 2);
    const replay = (sequenceNumberFrom: number, sequenceNumberTo: number) =>
      tenant.call('POST', `/webhook/${hook.uuid}/replay`, { sequenceNumberFrom, sequenceNumberTo });
    const { status, body } = await replay(2, 1_000);
    expect([status, body]).toEqual([
      200,
      { sequenceNumberFrom: 2, sequenceNumberTo: 1_000, deliveriesCount: 3 },
    ]);
    await until(() => receivers.received.length === 5);
    expect(receivers.numbers(hook.url).sort()).toEqual([2, 3, 3, 4, 4]);
    const ids = receivers.received.map(({ headers }) => headers.get('webhook-id'));
    expect(new Set(ids).size).toBe(3);
    await tenant.call('PUT', `/webhook/${hook.uuid}`, { eventTypes: ['ALERT_RAISED'] });
    expect((await replay(1, 4)).body.deliveriesCount).toBe(0);
    for (const [from, to] of [
      [2, 1],
      [0, 1],
      [1, 10_001],
    ] as const) {
      expect((await replay(from, to)).status).toBe(400);
    }
  });
});

it('a delivery in any state can be sent again by its id', async () => {
  const hook = await register(tenant);
  receivers.at(hook.url, 200);
  await happen(tenant);
  await tenant.call('POST', `/webhook/${hook.uuid}/test`);
  await until(() => receivers.received.length === 2);
  const [one, other] = await deliveries(tenant, hook.uuid);
  for (const [index, { uuid, eventIdentifier }] of [one, other].entries()) {
    await until(async () =>
      (await deliveries(tenant, hook.uuid)).every(({ status }) => status === 'SUCCEEDED'),
    );
    const { status, body } = await tenant.call('POST', `/webhook/${hook.uuid}/delivery/${uuid}/resend`);
    expect([status, body.uuid, body.status]).toEqual([200, uuid, 'PENDING']);
    await until(() => receivers.received.length === 3 + index);
    expect(receivers.received.at(-1)!.headers.get('webhook-id')).toBe(eventIdentifier);
  }
  const second = await register(tenant);
  for (const [of, uuid, code] of [
    [second.uuid, one.uuid, 'webhookDeliveryNotFound'],
    [hook.uuid, crypto.randomUUID(), 'webhookDeliveryNotFound'],
    [crypto.randomUUID(), one.uuid, 'webhookNotFound'],
  ]) {
    const refused = await tenant.call('POST', `/webhook/${of}/delivery/${uuid}/resend`);
    expect([refused.status, refused.body.code]).toEqual([404, code]);
  }
});

it('the trace of a request continues in its deliveries, with a span per attempt', async () => {
  const hook = await register(tenant, { eventTypes: ['MANIFEST_STATUS_CHANGED'] });
  let answers = 0;
  receivers.at(hook.url, () => new Response('', { status: ++answers === 1 ? 500 : 200 }));
  const [trace, span] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
  const sent = `00-${trace}-${span}-01`;
  const make = (externalIdentifier: string, traceparent: string) =>
    tenant.call('POST', '/manifest', { externalIdentifier }, { traceparent });
  await make('M-1', sent);
  await until(() => receivers.received.length === 2);
  const traced = receivers.received.map(({ headers }) => headers.get('traceparent')!);
  for (const header of traced) expect(header).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`));
  expect(new Set([sent, ...traced]).size).toBe(3);
  expect(JSON.stringify((await tenant.call('GET', '/event')).body)).not.toContain(trace);
  const none = [
    '',
    `00-${'0'.repeat(32)}-${span}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `ff-${trace}-${span}-01`,
  ];
  for (const [index, header] of [...none, `00-${trace}`, `00-${trace.toUpperCase()}-${span}-01`].entries()) {
    await make(`N-${index}`, header);
    await until(() => receivers.received.length === 3 + index);
    expect([header, receivers.received.at(-1)!.headers.has('traceparent')]).toEqual([header, false]);
  }
});

it('a webhook test can be of any event type, with example data and no number', async () => {
  const hook = await register(tenant, { active: false });
  receivers.at(hook.url, 200);
  for (const eventType of EVENT_TYPES) {
    const { status, body } = await tenant.call('POST', `/webhook/${hook.uuid}/test`, { eventType });
    expect([status, body.eventType, body.sequenceNumber]).toEqual([200, eventType, null]);
  }
  await until(() => receivers.received.length === EVENT_TYPES.length);
  const events = receivers.received.map((received) => verify(hook.secret, received) as typeof received.event);
  expect(new Set(events.map(({ eventType }) => eventType))).toEqual(new Set(EVENT_TYPES));
  for (const { eventType, data, error, entityType, ...event } of events) {
    expect(event).toMatchObject({ sequenceNumber: null, organizationUuid: tenant.uuid, operationId: null });
    expect([eventType, data === null]).toEqual([eventType, eventType === 'COUPLING_FAILED']);
    expect([eventType, error === null]).toEqual([eventType, eventType !== 'COUPLING_FAILED']);
    const documented = EVENT_DOCS[eventType as keyof typeof EVENT_DOCS].entityType;
    expect([eventType, [documented].flat()]).toEqual([eventType, expect.arrayContaining([entityType])]);
  }
  const ids = receivers.received.map(({ headers }) => headers.get('webhook-id'));
  expect(new Set(ids)).toEqual(new Set(events.map(({ eventIdentifier }) => eventIdentifier)));
  expect((await tenant.call('GET', '/event')).body.content).toEqual([]);
  for (const wrong of [{ eventType: 'OTHER' }, { type: 'ALERT_RAISED' }])
    expect((await tenant.call('POST', `/webhook/${hook.uuid}/test`, wrong)).status).toBe(400);
});

it('the delivery log can be filtered', async () => {
  const hook = await register(tenant);
  receivers.at(hook.url, 200);
  await happen(tenant);
  await tenant.call('POST', `/webhook/${hook.uuid}/test`);
  await until(async () =>
    (await deliveries(tenant, hook.uuid)).every(({ status }) => status === 'SUCCEEDED'),
  );
  const count = async (query: string) =>
    (await tenant.call('GET', `/webhook/${hook.uuid}/delivery?${query}`)).body.totalElements;
  expect(await count('status=SUCCEEDED')).toBe(2);
  expect(await count('status=PENDING,FAILED')).toBe(0);
  expect(await count('eventType=WEBHOOK_TEST')).toBe(1);
  expect((await tenant.call('GET', `/webhook/${hook.uuid}/delivery?status=OTHER`)).status).toBe(400);
});
