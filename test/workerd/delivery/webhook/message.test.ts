import { beforeEach, describe, expect, it } from 'vitest';
import { pruneDeliveries } from '../../../../src/delivery/webhook/message-store.ts';
import { recorded } from '../../statements.ts';
import { asleep, benchOf } from './job.ts';
import { bindings, db, deliveries, happen, log, Receivers, type Tenant, until } from './receiver.ts';

const DAY_MS = 86_400_000;
let receivers: Receivers;
beforeEach(() => {
  receivers = new Receivers();
});

/** The number of rows of deliveries, and of messages, of a webhook. */
const stored = (webhook: string) =>
  db
    .prepare(
      `SELECT (SELECT count(*) FROM webhook_delivery WHERE webhook_uuid = ?1) AS own,
        (SELECT count(*) FROM webhook_message WHERE webhook_uuid = ?1) AS messages`,
    )
    .bind(webhook)
    .first<{ own: number; messages: number }>();

/** A webhook with events that were delivered, in messages of up to five. */
async function delivered(events: number) {
  const bench = await benchOf(receivers, events);
  const { messages } = await bench.run();
  await bench.take(messages, asleep);
  return { ...bench, messages };
}

const untilSent = async (url: string, count: number) => {
  await until(() => receivers.of(url).length >= count);
  expect(receivers.of(url)).toHaveLength(count);
};

const page = async (tenant: Tenant, path: string) => {
  const { status, body, headers } = await tenant.call('GET', path);
  expect(status).toBe(200);
  return { ...body, next: /cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1] };
};

describe('deliveries that succeed at the first attempt', () => {
  it('deliveries that succeed at the first attempt have one row for each message', async () => {
    const { tenant, hook } = await delivered(12);
    expect(await stored(hook.uuid)).toEqual({ own: 0, messages: 3 });
    const all = await deliveries(tenant, hook.uuid);
    expect(
      all.map(({ sequenceNumber, status, attemptsCount, response }) => [
        sequenceNumber,
        status,
        attemptsCount,
        response,
      ]),
    ).toEqual(Array.from({ length: 12 }, (_, index) => [index + 1, 'SUCCEEDED', 1, 'ok']));
    expect(all.map(({ eventIdentifier }) => eventIdentifier).sort()).toEqual(
      receivers
        .of(hook.url)
        .map(({ headers }) => headers.get('webhook-id')!)
        .sort(),
    );
  });

  it('the log of deliveries shows deliveries of messages and of rows once each, in order and by pages', async () => {
    const { tenant, hook, run, take } = await delivered(12);
    receivers.at(hook.url, 500);
    await happen(tenant, 3);
    await take((await run()).messages, asleep);
    receivers.at(hook.url, 200);
    await happen(tenant, 2);
    await run();
    expect(await stored(hook.uuid)).toEqual({ own: 5, messages: 3 });
    const path = `/webhook/${hook.uuid}/delivery`;
    const whole = await page(tenant, `${path}?pageSize=100`);
    const uuids = whole.content.map(({ uuid }: { uuid: string }) => uuid);
    expect([whole.totalElements, new Set(uuids).size]).toEqual([17, 17]);
    const dates = whole.content.map(({ createDate }: { createDate: string }) => createDate);
    expect(dates).toEqual(dates.toSorted().toReversed());
    const walked: string[] = [];
    for (let next: string | undefined = ''; next !== undefined; ) {
      const part = await page(tenant, `${path}?pageSize=5${next && `&cursor=${next}`}`);
      expect(part.totalElements).toBe(17);
      walked.push(...part.content.map(({ uuid }: { uuid: string }) => uuid));
      next = part.next;
    }
    expect(walked).toEqual(uuids);
    const numbers = async (filter: string) =>
      (await page(tenant, `${path}?pageSize=100&${filter}`)).content
        .map(({ sequenceNumber }: { sequenceNumber: number }) => sequenceNumber)
        .sort((one: number, other: number) => one - other);
    expect(await numbers('status=SUCCEEDED')).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
    expect(await numbers('status=PENDING')).toEqual([13, 14, 15, 16, 17]);
    expect(await numbers('eventType=ALERT_RAISED')).toEqual([]);
  });

  it('a page of the log reads no other deliveries', async () => {
    const { tenant, hook } = await delivered(5);
    await db
      .prepare(
        `INSERT INTO webhook_message SELECT organization_uuid, webhook_uuid, create_date - value,
          substr(uuid, 1, 24) || printf('%011x', value) || '0', deliveries, update_date
          FROM webhook_message, json_each(?2) WHERE webhook_uuid = ?1`,
      )
      .bind(hook.uuid, JSON.stringify(Array.from({ length: 2_000 }, (_, index) => index + 1)))
      .run();
    const trips = await recorded(() => tenant.call('GET', `/webhook/${hook.uuid}/delivery`));
    expect(trips.reduce((sum, { rowsRead }) => sum + rowsRead, 0)).toBeLessThan(300);
  });
});

describe('a message with a failure', () => {
  it('each delivery of a message with a failure gets a row, keeps its uuid and is retried alone', async () => {
    const { tenant, hook, run, take } = await benchOf(receivers, 3);
    receivers.at(
      hook.url,
      ({ event }) => new Response('said', { status: event.sequenceNumber === 2 ? 500 : 200 }),
    );
    const { messages } = await run();
    const before = (await deliveries(tenant, hook.uuid)).map(({ uuid }) => uuid);
    expect(messages[0]!.deliveries).toEqual(before);
    await take(messages, asleep);
    expect(await stored(hook.uuid)).toEqual({ own: 3, messages: 0 });
    const after = await deliveries(tenant, hook.uuid);
    expect(after.map(({ uuid, status, attemptsCount }) => [uuid, status, attemptsCount])).toEqual([
      [before[0], 'SUCCEEDED', 1],
      [before[1], 'PENDING', 1],
      [before[2], 'SUCCEEDED', 1],
    ]);
    receivers.at(hook.url, 200);
    const again = await run(Date.now() + 10_000);
    expect(again.messages.map((message) => message.deliveries)).toEqual([[before[1]]]);
    await take(again.messages, asleep);
    expect(receivers.numbers(hook.url).sort()).toEqual([1, 2, 2, 3]);
    expect((await page(tenant, `/webhook/${hook.uuid}/delivery`)).totalElements).toBe(3);
  });
});

describe('a delivery of a message that is sent again', () => {
  it('a delivery of a settled message is sent again with its uuid, its webhook-id and its earlier attempt', async () => {
    const { tenant, hook, run, take } = await delivered(5);
    const [, second] = await deliveries(tenant, hook.uuid);
    const resent = await tenant.call('POST', `/webhook/${hook.uuid}/delivery/${second.uuid}/resend`);
    expect(resent.body).toMatchObject({
      uuid: second.uuid,
      status: 'PENDING',
      attemptsCount: 1,
      sequenceNumber: 2,
    });
    await take((await run()).messages, asleep);
    await untilSent(hook.url, 6);
    const ids = receivers.of(hook.url).filter(({ event }) => event.sequenceNumber === 2);
    expect(new Set(ids.map(({ headers }) => headers.get('webhook-id'))).size).toBe(1);
    const all = await deliveries(tenant, hook.uuid);
    expect(all.map(({ sequenceNumber }) => sequenceNumber)).toEqual([1, 2, 3, 4, 5]);
    expect((await page(tenant, `/webhook/${hook.uuid}/delivery`)).totalElements).toBe(5);
    const unknown = await tenant.call('POST', `/webhook/${hook.uuid}/delivery/${hook.uuid}/resend`);
    expect(unknown.status).toBe(404);
  });

  it('a replay of events in settled, open and no messages has one delivery for each event', async () => {
    const { tenant, hook, run, take } = await delivered(12);
    await happen(tenant, 3);
    // These messages are lost.
    await run();
    const before = await deliveries(tenant, hook.uuid);
    const replay = { sequenceNumberFrom: 4, sequenceNumberTo: 14 };
    expect((await tenant.call('POST', `/webhook/${hook.uuid}/replay`, replay)).body.deliveriesCount).toBe(11);
    // Whole messages get rows. The first message has event 4, so it gets them, too.
    expect(await stored(hook.uuid)).toEqual({ own: 15, messages: 0 });
    for (let runs = 0; runs < 3; runs += 1)
      await take((await run(Date.now() + runs * 31_000)).messages, asleep);
    await untilSent(hook.url, 12 + 12);
    const after = await deliveries(tenant, hook.uuid);
    expect(after.map(({ uuid }) => uuid)).toEqual(before.map(({ uuid }) => uuid));
    expect(after.map(({ status }) => status)).toEqual(Array.from({ length: 15 }, () => 'SUCCEEDED'));
    expect((await page(tenant, `/webhook/${hook.uuid}/delivery`)).totalElements).toBe(15);
  });

  it('an event that a replay has taken before the cursor reaches it is sent once', async () => {
    const { tenant, hook, run, take } = await benchOf(receivers, 4);
    await db.prepare('UPDATE webhook SET active = 0 WHERE uuid = ?1').bind(hook.uuid).run();
    const replay = { sequenceNumberFrom: 2, sequenceNumberTo: 2 };
    await tenant.call('POST', `/webhook/${hook.uuid}/replay`, replay);
    await db.prepare('UPDATE webhook SET active = 1 WHERE uuid = ?1').bind(hook.uuid).run();
    await take((await run()).messages, asleep);
    await untilSent(hook.url, 4);
    expect(receivers.numbers(hook.url).sort()).toEqual([1, 2, 3, 4]);
    expect(await deliveries(tenant, hook.uuid)).toHaveLength(4);
  });
});

describe('messages after their end', () => {
  it('a settled message is not sent again after its row was pruned', async () => {
    const { hook, run, tenant } = await delivered(5);
    const later = Date.now() + 31 * DAY_MS;
    await pruneDeliveries(db, later);
    expect(await stored(hook.uuid)).toEqual({ own: 0, messages: 0 });
    expect((await run(later)).messages).toEqual([]);
    expect(await log(tenant, hook.uuid)).toEqual([]);
    expect((await page(tenant, `/webhook/${hook.uuid}/delivery`)).totalElements).toBe(0);
  });

  it('messages of a deleted webhook are pruned', async () => {
    const { tenant, hook } = await delivered(5);
    expect((await tenant.call('DELETE', `/webhook/${hook.uuid}`)).status).toBe(204);
    expect(await stored(hook.uuid)).toEqual({ own: 0, messages: 1 });
    await pruneDeliveries(db, Date.now() + 31 * DAY_MS);
    expect(await stored(hook.uuid)).toEqual({ own: 0, messages: 0 });
  });

  it('a paused webhook sends no message that was on its way, and sends it once when it is active again', async () => {
    const { tenant, hook, run, take } = await benchOf(receivers, 3);
    const { messages } = await run();
    const { body } = await tenant.call('GET', `/webhook/${hook.uuid}`);
    await tenant.call('PUT', `/webhook/${hook.uuid}`, { ...body, active: false });
    await take(messages, asleep);
    expect(receivers.received).toEqual([]);
    await tenant.call('PUT', `/webhook/${hook.uuid}`, { ...body, active: true });
    await untilSent(hook.url, 3);
    await take(messages, bindings);
    expect(receivers.of(hook.url)).toHaveLength(3);
  });
});
