import { beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../../src/core/lib/time.ts';
import { clockIn } from '../../../../src/core/lib/zone.ts';
import { ADDRESS_HOUR_MAXIMUM, hourOf } from '../../../../src/delivery/webhook/mail-rules.ts';
import { refusing, sent } from '../../../platform/mail.ts';
import { operator } from '../../client.ts';
import { type Dock, loadingDock } from '../../dispatch/load/shipment/dock.ts';
import { db, deliveries, Receivers, register, registerMail, until } from './receiver.ts';

let dock: Dock;
let address: string;
let receivers: Receivers;
beforeEach(async () => {
  receivers = new Receivers();
  dock = await loadingDock();
  address = `dock-${crypto.randomUUID()}@example.com`;
});

const mailed = (more: Record<string, unknown> = {}) => registerMail(dock, address, more);
const mails = () => sent.filter(({ to }) => to === address);

/** Copy the latest event, as if it had happened this often. */
async function repeat(copies: number) {
  const { last } = (await db
    .prepare('SELECT max(sequence_number) AS last FROM event_log WHERE organization_uuid = ?1')
    .bind(dock.uuid)
    .first<{ last: number }>())!;
  await db
    .prepare(
      `INSERT INTO event_log (organization_uuid, sequence_number, uuid, event_type, event_date, entity_type, entity_uuid, data)
       SELECT organization_uuid, sequence_number + 1 + value, format('%08x-0000-7000-8000-%012x', value, value), event_type, event_date, entity_type, entity_uuid,
         data FROM event_log, json_each(?2) WHERE organization_uuid = ?1 AND sequence_number = ?3`,
    )
    .bind(dock.uuid, JSON.stringify(Array.from({ length: copies }, (_, index) => index)), last)
    .run();
}

/** Any request of jobs starts the run that the alarm would start. */
const run = (uuid: string) => dock.must('PUT', `/webhook/${uuid}`, { name: `Run ${crypto.randomUUID()}` });

const stored = async (uuid: string) => {
  const { results } = await db
    .prepare(
      `SELECT state, count(*) AS count, count(DISTINCT digest_uuid) AS digests FROM webhook_delivery
       WHERE webhook_uuid = ?1 AND sequence_number IS NOT NULL GROUP BY state ORDER BY state`,
    )
    .bind(uuid)
    .all<{ state: string; count: number; digests: number }>();
  return Object.fromEntries(results.map(({ state, count }) => [state, count]));
};

/** As if the hour or the quiet hours of the deliveries that wait had ended. */
async function due(uuid: string) {
  const past = 'UPDATE mail_recipient SET hour_date = ?1 WHERE organization_uuid = ?2';
  await db
    .prepare(past)
    .bind(hourOf(Date.now()) - HOUR_MS, dock.uuid)
    .run();
  const now = "UPDATE webhook_delivery SET due_date = ?1 WHERE webhook_uuid = ?2 AND state = 'WAITING'";
  await db.prepare(now).bind(Date.now(), uuid).run();
  await run(uuid);
}

describe('the limit of e-mails', () => {
  it('a storm of 10,000 alerts sends e-mails up to 20 in an hour, and one about the rest', {
    timeout: 60_000,
  }, async () => {
    const { uuid } = await mailed({ active: false });
    // The confirmation e-mail is one of the 20.
    const alerts = ADDRESS_HOUR_MAXIMUM - 1;
    await dock.scan('X');
    await repeat(9_999);
    await dock.must('PUT', `/webhook/${uuid}`, { active: true });
    await until(async () => {
      const { SUCCEEDED = 0, WAITING = 0 } = await stored(uuid);
      return SUCCEEDED + WAITING === 10_000 && mails().length >= alerts;
    }, 50_000);
    expect(mails()).toHaveLength(19);
    expect(await stored(uuid)).toEqual({ SUCCEEDED: 9_999, WAITING: 1 });

    await due(uuid);
    await until(() => mails().length > alerts);
    await until(async () => (await stored(uuid))['WAITING'] === undefined);
    expect(mails()).toHaveLength(20);
    const { subject, text } = mails().at(-1)!;
    expect(subject).toMatch(/^9981 messages since \d\d:\d\d \(9971 not listed\)$/);
    expect(text.length).toBeLessThan(5_000);
    const skipped = await dock.must('GET', `/webhook/${uuid}/delivery?status=SKIPPED&pageSize=1`);
    expect(skipped.body.totalElements).toBe(9_980);
  });
});

describe('the message about several events', () => {
  const quiet = async (fromMs: number, toMs: number) => {
    const time = (ms: number) => clockIn('UTC', Date.now() + ms);
    const json = { quietFrom: time(fromMs), quietTo: time(toMs) };
    expect((await operator('PUT', `/organization/${dock.uuid}`, json)).status).toBe(200);
  };
  const night = () => quiet(-HOUR_MS, HOUR_MS);
  const morning = () => quiet(-HOUR_MS, -5 * MINUTE_MS);
  const held = async (uuid: string, count: number) => {
    await until(async () => (await deliveries(dock, uuid)).length === count);
    for (const { status } of await deliveries(dock, uuid)) expect(status).toBe('PENDING');
  };
  const statusesOf = async (uuid: string) => (await deliveries(dock, uuid)).map(({ status }) => status);

  it('an event of the quiet hours that comes after the message is not listed twice', async () => {
    await night();
    const { uuid } = await mailed();
    for (const code of [900_000_001, 900_000_002]) await dock.scan(code);
    await held(uuid, 2);
    await morning();
    await due(uuid);
    await until(() => mails().length === 1);
    expect(mails()[0]!.subject).toMatch(/^2 messages since /);
    await dock.scan(900_000_003);
    const late =
      'UPDATE event SET event_date = event_date - ?1 WHERE id IN (SELECT event_id FROM event_log WHERE organization_uuid = ?2)';
    await db
      .prepare(late)
      .bind(HOUR_MS / 2, dock.uuid)
      .run();
    await until(() => mails().length === 2);
    expect(mails()[1]!.text).toContain('900000003');
    expect(mails()[1]!.text).not.toContain('900000001');
    expect(await statusesOf(uuid)).toEqual(['SUCCEEDED', 'SKIPPED', 'SUCCEEDED']);
  });

  it('an event that already has a delivery does not lead the message about later events', async () => {
    const { uuid } = await mailed();
    await dock.scan(900_000_001);
    await until(() => mails().length === 1);
    await dock.must('PUT', `/webhook/${uuid}`, { active: false });
    await night();
    await dock.scan(900_000_002);
    // As if a replay had delivered the first event before a run came to it.
    await db.prepare('UPDATE webhook SET position = 0 WHERE uuid = ?1').bind(uuid).run();
    await dock.must('PUT', `/webhook/${uuid}`, { active: true });
    await until(async () => (await statusesOf(uuid)).join() === 'SUCCEEDED,PENDING');
    await morning();
    await due(uuid);
    await until(() => mails().length === 2);
    expect(mails()[1]!.text).toContain('900000002');
  });

  it('a message that failed for good is shown for all its events, and is sent when the platform recovers', async () => {
    await night();
    const { uuid } = await mailed();
    for (const code of [900_000_001, 900_000_002]) await dock.scan(code);
    await held(uuid, 2);
    await morning();
    refusing.set(address, 'E_INTERNAL_SERVER_ERROR');
    await due(uuid);
    await until(async () => (await deliveries(dock, uuid))[0]!.attemptsCount > 0);
    const failed =
      "UPDATE webhook_delivery SET state = 'FAILED', claim = NULL, due_date = NULL WHERE webhook_uuid = ?1 AND digest_uuid = uuid";
    await db.prepare(failed).bind(uuid).run();
    expect(await statusesOf(uuid)).toEqual(['FAILED', 'FAILED']);
    const filtered = await dock.must('GET', `/webhook/${uuid}/delivery?status=FAILED`);
    expect(filtered.body.content).toHaveLength(2);

    refusing.delete(address);
    await dock.scan(900_000_003);
    await until(() => mails().length === 2);
    const digest = mails().find(({ subject }) => subject.includes('messages since'))!;
    expect(digest.text).toContain('900000001');
    expect(digest.text).toContain('900000002');
    await until(async () => (await statusesOf(uuid)).join() === 'SUCCEEDED,SKIPPED,SUCCEEDED');
  });

  it('a delivery that a message lists can be sent again alone', async () => {
    await night();
    const { uuid } = await mailed();
    for (const code of [900_000_001, 900_000_002]) await dock.scan(code);
    await held(uuid, 2);
    await morning();
    await due(uuid);
    await until(() => mails().length === 1);
    const [first, second] = await deliveries(dock, uuid);
    await dock.must('POST', `/webhook/${uuid}/delivery/${second!.uuid}/resend`);
    await until(() => mails().length === 2);
    expect(mails()[1]!.text).not.toContain('900000001');
    await dock.must('POST', `/webhook/${uuid}/delivery/${first!.uuid}/resend`);
    await until(() => mails().length === 3);
    expect(mails()[2]!.text).toContain('900000001');
  });

  it('a webhook for programs gets each event that waited in one message for people', async () => {
    await night();
    const slack = await register(dock, { format: 'SLACK' });
    receivers.at(slack.url, 200);
    for (const code of [900_000_001, 900_000_002, 900_000_003]) await dock.scan(code);
    await held(slack.uuid, 3);
    await dock.must('PUT', `/webhook/${slack.uuid}`, { format: 'EVENT' });
    await due(slack.uuid);
    await until(() => receivers.of(slack.url).length === 3);
    expect(new Set(receivers.numbers(slack.url)).size).toBe(3);
    expect(await statusesOf(slack.uuid)).toEqual(['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED']);
  });
});
