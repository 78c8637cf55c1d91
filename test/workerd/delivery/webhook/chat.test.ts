import { beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../../src/core/lib/time.ts';
import { clockIn } from '../../../../src/core/lib/zone.ts';
import { newTenant, operator } from '../../client.ts';
import { type Dock, loadingDock } from '../../dispatch/load/shipment/dock.ts';
import { db, deliveries, Receivers, register, until, verify } from './receiver.ts';

let receivers: Receivers;
let dock: Dock;
beforeEach(async () => {
  receivers = new Receivers();
  dock = await loadingDock();
});

async function listening(more: Record<string, unknown>) {
  const hook = await register(dock, more);
  receivers.at(hook.url, 200);
  return hook;
}

/** Wait until the webhook has a settled delivery for each of these event types, in order. */
async function settled(uuid: string, ...types: string[]) {
  const log = () => deliveries(dock, uuid);
  await until(async () => {
    const found = await log();
    return found.length >= types.length && found.every(({ status }) => status !== 'PENDING');
  });
  expect((await log()).map(({ eventType }) => eventType)).toEqual(types);
  return log();
}

const textsOf = (body: string): string => body.replaceAll('\u2060', '');

describe('a webhook of a chat service', () => {
  it.each(['SLACK', 'TEAMS'])(
    '%s gets a signed message for alerts and completed shipments only',
    async (format) => {
      const hook = await listening({ format });
      expect(hook).toMatchObject({ format, eventTypes: [], alertTypes: [] });
      await dock.scan('X');
      await dock.scan('X', 'UNLOAD');
      for (const pallet of ['A', 'B', 'C']) await dock.scan(pallet);
      await dock.must('POST', '/shipment/S/status/COMPLETED');
      await settled(hook.uuid, 'ALERT_RAISED', 'SHIPMENT_STATUS_CHANGED');
      const [alert, completed] = receivers.of(hook.url).map((received) => {
        verify(hook.secret, received);
        return textsOf(received.body);
      });
      const { content } = (await dock.must('GET', '/alert-event')).body;
      expect(alert).toContain(content[0].deepLink);
      expect(alert).toContain('Critical: Wrong pallet');
      const { body: shipment } = await dock.must('GET', '/shipment/S');
      expect(completed).toContain(shipment.deepLink);
      expect(completed).toContain('Shipment S is completed with 4 of 4 pallets.');
    },
  );

  it('a webhook gets only alerts of the chosen types, also in the format EVENT', async () => {
    const [none, some, event] = [
      await listening({ format: 'SLACK', alertTypes: ['DEVICE_OFFLINE'] }),
      await listening({ format: 'TEAMS', alertTypes: ['DEVICE_OFFLINE', 'WRONGLY_LOADED'] }),
      await listening({ eventTypes: ['ALERT_RAISED'], alertTypes: ['WRONGLY_LOADED'] }),
    ];
    await dock.scan('X');
    await settled(some.uuid, 'ALERT_RAISED');
    await settled(event.uuid, 'ALERT_RAISED');
    expect(await deliveries(dock, none.uuid)).toEqual([]);
    const { body } = await dock.must('POST', `/webhook/${none.uuid}/replay`, {
      sequenceNumberFrom: 1,
      sequenceNumberTo: 1_000,
    });
    expect(body.deliveriesCount).toBe(0);
  });

  it('a message shows a hostile name of a pallet without markup', async () => {
    await dock.couple('<!here>');
    const [slack, teams] = [await listening({ format: 'SLACK' }), await listening({ format: 'TEAMS' })];
    await dock.scan('<!here>');
    await settled(slack.uuid, 'ALERT_RAISED');
    await settled(teams.uuid, 'ALERT_RAISED');
    const [message] = receivers.of(slack.url);
    expect(message!.body).not.toContain('<!here>');
    expect(message!.body).toContain('&lt;!here&gt;');
    expect(receivers.of(teams.url)[0]!.body).not.toContain('<!here>');
  });

  it('a delivery from before the format was changed is no message about a completed shipment', async () => {
    const hook = await register(dock, { eventTypes: ['SHIPMENT_STATUS_CHANGED'] });
    receivers.at(hook.url, () => new Response('no', { status: 500 }));
    await dock.must('POST', '/shipment/S/status/CANCELLED');
    await until(() => receivers.of(hook.url).length > 0);
    receivers.at(hook.url, 200);
    await dock.must('PUT', `/webhook/${hook.uuid}`, { format: 'SLACK' });
    // A slow machine may retry before the format changes.
    const sent = receivers.of(hook.url).length;
    const [delivery] = await deliveries(dock, hook.uuid);
    await dock.must('POST', `/webhook/${hook.uuid}/delivery/${delivery.uuid}/resend`);
    await until(async () => (await deliveries(dock, hook.uuid)).every(({ status }) => status !== 'PENDING'));
    expect((await deliveries(dock, hook.uuid)).map(({ status }) => status)).toContain('SKIPPED');
    expect(receivers.of(hook.url).length).toBe(sent);
  });

  it('a chat webhook gets tests and replayed events', async () => {
    const hook = await listening({ format: 'SLACK' });
    await dock.scan('X');
    await settled(hook.uuid, 'ALERT_RAISED');
    const range = { sequenceNumberFrom: 1, sequenceNumberTo: 1_000 };
    expect((await dock.must('POST', `/webhook/${hook.uuid}/replay`, range)).body.deliveriesCount).toBe(1);
    await until(() => receivers.of(hook.url).length === 2);
    const [first, second] = receivers.of(hook.url);
    expect(second!.body).toBe(first!.body);
    for (const eventType of [null, 'ALERT_RAISED', 'SHIPMENT_STATUS_CHANGED', 'GATE_STATUS_CHANGED'])
      await dock.must('POST', `/webhook/${hook.uuid}/test`, { eventType });
    await until(() => receivers.of(hook.url).length === 6);
    for (const received of receivers.of(hook.url).slice(2)) {
      verify(hook.secret, received);
      expect(received.event.text).toMatch(/^Test: /);
      expect(received.body).toContain(`/app/webhook/${hook.uuid}`);
    }
  });

  it('a chat webhook is refused for events without messages, when created and when changed', async () => {
    const refused = (answer: { status: number; body: { errors: unknown } }) => {
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toMatchObject([
        { field: 'eventTypes', message: expect.stringContaining('ALERT_RAISED and SHIPMENT_STATUS_CHANGED') },
      ]);
    };
    const body = { name: 'Chat', url: 'https://hooks.example.com/chat' };
    for (const eventTypes of [['GATE_STATUS_CHANGED'], ['ALERT_RAISED', 'MANIFEST_UPDATED']])
      for (const format of ['SLACK', 'TEAMS'])
        refused(await dock.call('POST', '/webhook', { ...body, format, eventTypes }));
    expect((await dock.must('GET', '/webhook')).body.content).toEqual([]);
    const hook = await register(dock, { eventTypes: ['MANIFEST_UPDATED'] });
    refused(await dock.call('PUT', `/webhook/${hook.uuid}`, { format: 'SLACK' }));
    expect((await dock.must('GET', `/webhook/${hook.uuid}`)).body.format).toBe('EVENT');
    const eventTypes = ['ALERT_RAISED'];
    const { body: slack } = await dock.must('PUT', `/webhook/${hook.uuid}`, { format: 'SLACK', eventTypes });
    expect(slack).toMatchObject({ format: 'SLACK', eventTypes });
    refused(await dock.call('PUT', `/webhook/${hook.uuid}`, { eventTypes: ['MANIFEST_UPDATED'] }));
    expect((await dock.must('PUT', `/webhook/${hook.uuid}`, { format: 'EPCIS_2_0' })).body.format).toBe(
      'EPCIS_2_0',
    );
    const twice = await dock.call('PUT', `/webhook/${hook.uuid}`, {
      alertTypes: ['WRONGLY_LOADED', 'WRONGLY_LOADED'],
    });
    expect(twice.status).toBe(400);
  });

  it.each([
    ['SLACK', 404, 'no_service', false],
    ['SLACK', 410, 'channel_is_archived', false],
    ['SLACK', 404, 'not found', true],
    ['TEAMS', 404, 'no_service', true],
  ])('%s that answers %i %s stays active: %s', async (format, status, text, active) => {
    const hook = await listening({ format });
    receivers.at(hook.url, () =>
      receivers.of(hook.url).length === 1 ? new Response(text, { status }) : new Response('ok'),
    );
    await dock.scan('X');
    await until(async () => {
      const { body } = await dock.must('GET', `/webhook/${hook.uuid}`);
      return active ? receivers.of(hook.url).length > 1 : !body.active;
    });
    expect((await dock.must('GET', `/webhook/${hook.uuid}`)).body.disabledReason).toBe(
      active ? null : 'GONE',
    );
  });
});

describe('quiet hours', () => {
  const set = async (fromMs: number, toMs: number) => {
    const time = (ms: number) => clockIn('UTC', Date.now() + ms);
    const json = { quietFrom: time(fromMs), quietTo: time(toMs) };
    expect((await operator('PUT', `/organization/${dock.uuid}`, json)).body).toMatchObject(json);
  };

  /** Quiet hours that began an hour ago and will end in an hour. A webhook for Slack, and one of the format EVENT. */
  async function quiet() {
    await set(-HOUR_MS, HOUR_MS);
    return {
      slack: await listening({ format: 'SLACK' }),
      event: await listening({ eventTypes: ['ALERT_RAISED', 'SHIPMENT_STATUS_CHANGED'] }),
    };
  }

  /** Wait until all deliveries for Slack are held. */
  async function held(uuid: string, count: number) {
    await until(async () => (await deliveries(dock, uuid)).length === count);
    for (const { status, attemptsCount, nextAttemptDate } of await deliveries(dock, uuid)) {
      expect({ status, attemptsCount }).toEqual({ status: 'PENDING', attemptsCount: 0 });
      expect(Date.parse(nextAttemptDate) - Date.now()).toBeGreaterThan(HOUR_MS - 2 * MINUTE_MS);
    }
  }

  /** As if half an hour had passed since everything happened, and the quiet hours ended five minutes ago. */
  async function end(uuid: string) {
    const events =
      'UPDATE event SET event_date = event_date - ?1 WHERE id IN (SELECT event_id FROM event_log WHERE organization_uuid = ?2)';
    await db
      .prepare(events)
      .bind(HOUR_MS / 2, dock.uuid)
      .run();
    await set(-HOUR_MS, -5 * MINUTE_MS);
    const due = "UPDATE webhook_delivery SET due_date = ?1 WHERE webhook_uuid = ?2 AND state = 'WAITING'";
    await db.prepare(due).bind(Date.now(), uuid).run();
    // Any request of jobs starts the run that the alarm would start.
    await dock.must('PUT', `/webhook/${uuid}`, { name: 'Chat after quiet hours' });
    await until(async () => (await deliveries(dock, uuid)).every(({ status }) => status !== 'PENDING'));
    return (await deliveries(dock, uuid)).map(({ status }) => status);
  }

  it('quiet hours hold the messages of chats, and then one message lists the alerts that are still open', async () => {
    const { slack, event } = await quiet();
    await dock.scan('X');
    await dock.scan('X', 'UNLOAD');
    for (const code of [900_000_001, 900_000_002]) await dock.scan(code);
    await until(() => receivers.of(event.url).length === 3);
    await held(slack.uuid, 3);
    expect(receivers.of(slack.url)).toEqual([]);

    expect(await end(slack.uuid)).toEqual(['SUCCEEDED', 'SKIPPED', 'SKIPPED']);
    const [message, ...others] = receivers.of(slack.url);
    expect(others).toEqual([]);
    verify(slack.secret, message!);
    expect(message!.event.text).toMatch(/^2 messages since \d\d:\d\d$/);
    expect(message!.body).toContain('900000001');
    expect(message!.body).toContain('900000002');
    expect(message!.body).not.toContain('Pallet X');
    expect(message!.body).toContain('/app/alert?status=OPEN|');
  });

  it('quiet hours end without a message if nothing is open any more', async () => {
    const { slack } = await quiet();
    await dock.scan('X');
    await dock.scan('X', 'UNLOAD');
    await held(slack.uuid, 1);
    expect(await end(slack.uuid)).toEqual(['SKIPPED']);
    expect(receivers.of(slack.url)).toEqual([]);
  });

  it('quiet hours hold the retry of a message that failed before, but not a test', async () => {
    const { slack } = await quiet();
    await set(HOUR_MS, 2 * HOUR_MS);
    receivers.at(slack.url, () => new Response('no', { status: 500 }));
    await dock.scan('X');
    await until(() => receivers.of(slack.url).length > 0);
    await set(-HOUR_MS, HOUR_MS);
    await until(async () => {
      const [{ nextAttemptDate }] = await deliveries(dock, slack.uuid);
      return nextAttemptDate !== null && Date.parse(nextAttemptDate) - Date.now() > HOUR_MS / 2;
    });
    const before = receivers.of(slack.url).length;
    receivers.at(slack.url, 200);
    await dock.must('POST', `/webhook/${slack.uuid}/test`);
    await until(() => receivers.of(slack.url).length > before);
    expect(receivers.of(slack.url).at(-1)!.event.text).toMatch(/^Test/);
  });

  it('quiet hours need two different times', async () => {
    const put = (json: object) => operator('PUT', `/organization/${dock.uuid}`, json);
    for (const [json, field] of [
      [{ quietFrom: '22:00' }, 'quietTo'],
      [{ quietTo: '06:00' }, 'quietFrom'],
      [{ quietFrom: '06:00', quietTo: '06:00' }, 'quietTo'],
      [{ quietFrom: '24:00', quietTo: '06:00' }, 'quietFrom'],
      [{ quietFrom: '6:00', quietTo: '07:00' }, 'quietFrom'],
    ] as const) {
      const { status, body } = await put(json);
      expect([status, body.errors[0].field], JSON.stringify(json)).toEqual([400, field]);
    }
    const both = { quietFrom: '22:00', quietTo: '06:00' };
    expect((await put(both)).body).toMatchObject(both);
    expect((await put({ name: 'Acme' })).body).toMatchObject(both);
    expect((await put({ quietTo: null })).status).toBe(400);
    const none = { quietFrom: null, quietTo: null };
    expect((await put(none)).body).toMatchObject(none);
    const created = await newTenant(both);
    expect((await operator('GET', `/organization/${created.uuid}`)).body).toMatchObject(both);
  });
});
