import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DeliverMessage, Env } from '../../../../src/core/env.ts';
import { ON_REQUEST } from '../../../../src/core/writer/jobs.ts';
import { pruneDeliveries } from '../../../../src/delivery/webhook/message-store.ts';
import { TIMEOUT_MS } from '../../../../src/delivery/webhook/send.ts';
import { faultyD1 } from '../../core/writer/requests.ts';
import { asleep, benchOf } from './job.ts';
import { bindings, db, deliveries, happen, Receivers, until } from './receiver.ts';

const DAY_MS = 86_400_000;
let receivers: Receivers;
beforeEach(() => {
  receivers = new Receivers();
});
afterEach(() => vi.useRealTimers());

const bench = (events: number) => benchOf(receivers, events);
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('messages', () => {
  it('queue messages are small references of one webhook, with each delivery in one message', async () => {
    const { run, tenant, hook } = await bench(20);
    const { messages } = await run();
    expect(messages.map(({ deliveries: { length } }) => length)).toEqual([5, 5, 5, 5]);
    expect(new Set(messages.flatMap((message) => message.deliveries)).size).toBe(20);
    for (const message of messages) {
      expect(message).toMatchObject({ organization: tenant.uuid, webhook: hook.uuid });
      expect(JSON.stringify(message).length).toBeLessThan(500);
    }
  });

  it('lost messages are sent again after half a minute, later each time, or at once by a new instance', async () => {
    const { run, take, restart, distinct } = await bench(8);
    const now = Date.now();
    expect((await run(now)).messages).toHaveLength(2);
    const quiet = await run(now + 1);
    expect(quiet.messages).toEqual([]);
    expect(quiet.next).toBeLessThanOrEqual(now + 1 + 5_000);
    expect((await run(now + 30_000)).messages).toHaveLength(2);
    expect((await run(now + 60_000)).messages).toEqual([]);
    expect((await run(now + 90_000)).messages).toHaveLength(2);
    restart();
    const { messages } = await run(now + 90_001);
    expect(messages).toHaveLength(2);
    await take(messages.slice(0, 1));
    restart();
    for (const message of (await run(now + 90_002)).messages) await take([message]);
    expect(distinct()).toEqual(numbers(8));
    expect(receivers.received).toHaveLength(8);
    expect((await run(now + 90_003)).next).toBeNull();
  });

  it('repeated messages, at once and late, send each event once', async () => {
    const { run, take, hook } = await bench(10);
    const { messages } = await run();
    await Promise.all(Array.from({ length: 5 }, () => take(messages)));
    await take(messages);
    expect(receivers.of(hook.url)).toHaveLength(10);
  });

  it('messages in any order deliver all events with their numbers', async () => {
    const { run, take, distinct } = await bench(20);
    const { messages } = await run();
    for (const message of messages.reverse()) await take([message]);
    expect(distinct()).toEqual(numbers(20));
  });

  it('messages are acknowledged, and are retried only if D1 does not answer', async () => {
    const { run, take } = await bench(1);
    const { messages } = await run();
    const down = { ...bindings, DB: faultyD1(() => 'before') } as Env;
    expect(await take(messages, down)).toEqual({ acked: [], retried: messages });
    expect(await take(messages)).toEqual({ acked: messages, retried: [] });
    expect((await take([null as unknown as DeliverMessage])).retried).toHaveLength(1);
  });
});

it('a message of a newer version is retried, and nothing is sent', async () => {
  const { run, take, distinct } = await bench(1);
  const { messages } = await run();
  const newer = messages.map((message) => ({ ...message, order: 'STRICT' }));
  expect(await take(newer)).toEqual({ acked: [], retried: newer });
  expect(distinct()).toEqual([]);
  expect(await take(messages)).toEqual({ acked: messages, retried: [] });
  expect(distinct()).toEqual(numbers(1));
});

describe('a consumer that dies', () => {
  // The consumer's calls to D1: the claim and the outcome.
  it.each([
    ['before the claim', 1, 'before', 0],
    ['after the claim, before it sends', 1, 'after', 0],
    ['after it has sent, before the outcome is written', 2, 'before', 1],
    ['after the outcome is written', 2, 'after', 1],
  ] as const)('a consumer that dies %s is replaced once its lease ends', async (_, dies, when, sent) => {
    const { run, take, distinct, hook } = await bench(1);
    const { messages } = await run();
    const dead = { ...bindings, DB: faultyD1((batch) => (batch === dies ? when : null)) } as Env;
    await take(messages, dead);
    expect(receivers.of(hook.url)).toHaveLength(sent);
    const open = await db
      .prepare(
        `SELECT value ->> 'dueDate' AS due, value ->> 'openedDate' IS NULL AS unopened FROM webhook w, json_each(open_messages)
         WHERE w.uuid = ?1 AND key NOT IN (SELECT uuid FROM webhook_message)`,
      )
      .bind(hook.uuid)
      .first<{ due: number; unopened: number }>();
    expect(open === null).toBe(dies === 2 && when === 'after');
    if (open) {
      const { due, unopened } = open;
      // A valid claim prevents a second delivery.
      await take(messages);
      const again = await run(due + 1);
      expect(again.messages).toHaveLength(unopened > 0 ? 0 : 1);
      await take(again.messages);
    }
    await until(() => distinct().length === 1);
    expect(receivers.of(hook.url).length).toBeLessThanOrEqual(2);
  });

  it('a consumer that dies while its webhook is paused causes no further runs and loses nothing', async () => {
    const { run, take, distinct, hook, tenant } = await bench(1);
    const { messages } = await run();
    await take(messages, { ...bindings, DB: faultyD1((batch) => (batch === 1 ? 'after' : null)) } as Env);
    const { body } = await tenant.call('GET', `/webhook/${hook.uuid}`);
    const set = (active: boolean) => tenant.call('PUT', `/webhook/${hook.uuid}`, { ...body, active });
    expect((await set(false)).status).toBe(200);
    const later = await run(Date.now() + 60_000);
    expect([later.messages, later.next]).toEqual([[], ON_REQUEST]);
    expect(receivers.received).toEqual([]);
    expect((await set(true)).status).toBe(200);
    await until(() => distinct().length === 1);
    expect(receivers.of(hook.url)).toHaveLength(1);
  });

  it('a consumer loses its claim to its successor and only logs its attempt', async () => {
    const { run, take, hook, tenant } = await bench(1);
    const { messages } = await run();
    let answer: (response: Response) => void = () => undefined;
    receivers.at(hook.url, () =>
      receivers.received.length === 1
        ? new Promise((resolve) => {
            answer = resolve;
          })
        : new Response('second'),
    );
    const slow = take(messages);
    await until(() => receivers.received.length === 1);
    const later = Date.now() + 60_000;
    const again = await run(later);
    await take(again.messages);
    answer(new Response('first', { status: 500 }));
    await slow;
    const [delivery] = await deliveries(tenant, hook.uuid);
    expect(delivery).toMatchObject({ status: 'SUCCEEDED', attemptsCount: 2 });
    expect(delivery.attempts.map(({ response }: { response: string }) => response)).toEqual([
      'second',
      'first',
    ]);
  });
});

describe('a change between the two round trips of a run', () => {
  const ids = (messages: DeliverMessage[]) => messages.flatMap((message) => message.deliveries);

  it('two runs at the same time send each delivery in one message', async () => {
    const { run } = await bench(20);
    const now = Date.now();
    let other: DeliverMessage[] = [];
    const { messages } = await run(now, async () => {
      other = (await run(now)).messages;
    });
    expect([ids(messages).length, new Set(ids(other)).size]).toEqual([0, 20]);
  });

  it('a delivery that has just succeeded is not queued again', async () => {
    const { run, take, hook } = await bench(1);
    const late = (await run()).messages;
    const { messages } = await run(Date.now() + 31_000, () => take(late, asleep));
    await take(messages, asleep);
    expect(receivers.of(hook.url)).toHaveLength(1);
  });

  /** Bindings of a consumer that claims deliveries and dies before it sends. */
  const claimOnly = (): Env =>
    ({ ...bindings, DB: faultyD1((batch) => (batch === 1 ? 'after' : null)) }) as Env;

  it('a delivery that another consumer has just claimed stays with it', async () => {
    const { run, take } = await bench(1);
    await take((await run()).messages, claimOnly());
    const later = Date.now() + 60_000;
    const { messages } = await run(later, async () => {
      const other = await run(later);
      expect(other.messages).toHaveLength(1);
      await take(other.messages, claimOnly());
    });
    expect(messages).toEqual([]);
  });

  it('a delivery that has just been claimed until its earlier due date stays with its consumer', async () => {
    const { run, take, restart } = await bench(1);
    const now = Date.now();
    const late = (await run(now)).messages;
    restart();
    // The message is due after 30 seconds. A claim from now on ends later.
    vi.useFakeTimers({ toFake: ['Date'], now: now + 22_000 });
    const { messages } = await run(now + 22_000, () => take(late, claimOnly()));
    expect(messages).toEqual([]);
  });

  it('a delivery whose message was opened late stays with its consumer for as long as an attempt may take', async () => {
    const { run, take } = await bench(1);
    const now = Date.now();
    const late = (await run(now)).messages;
    // The message is due again after 30 seconds.
    const opened = now + 29_000;
    vi.useFakeTimers({ toFake: ['Date'], now: opened });
    await take(late, claimOnly());
    expect((await run(opened + TIMEOUT_MS)).messages).toEqual([]);
    expect((await run(opened + 2 * TIMEOUT_MS)).messages).toHaveLength(1);
  });

  it.each([
    ['an event without a delivery', 0, null],
    ['a delivery', 1, 'WAITING'],
  ])('%s waits if its webhook has just been paused', async (_, runs, left) => {
    const { run, hook, tenant, distinct } = await bench(1);
    for (let earlier = 0; earlier < runs; earlier += 1) await run();
    const set = async (active: boolean) => {
      const { body } = await tenant.call('GET', `/webhook/${hook.uuid}`);
      expect((await tenant.call('PUT', `/webhook/${hook.uuid}`, { ...body, active })).status).toBe(200);
    };
    const { messages } = await run(Date.now() + 31_000, () => set(false));
    expect(messages).toEqual([]);
    const state = 'SELECT state FROM webhook_delivery WHERE webhook_uuid = ?1';
    expect(await db.prepare(state).bind(hook.uuid).first('state')).toBe(left);
    await set(true);
    await until(() => distinct().length === 1);
    expect(receivers.of(hook.url)).toHaveLength(1);
  });
});

describe('the state of a receiver', () => {
  const failingSince = (uuid: string) =>
    db.prepare('SELECT failing_since FROM webhook WHERE uuid = ?1').bind(uuid).first<number>('failing_since');

  it('a receiver that took one of several deliveries counts as healthy', async () => {
    const { run, take, hook } = await bench(2);
    receivers.at(hook.url, async ({ event }) => {
      if (event.sequenceNumber === 1) return new Response('no', { status: 500 });
      await until(async () => (await failingSince(hook.uuid)) !== null);
      return new Response('yes');
    });
    await take((await run()).messages, asleep);
    expect(await failingSince(hook.uuid)).toBeNull();
  });

  it('a failing receiver is tried again before it is disabled', async () => {
    const { run, take, tenant, hook } = await bench(2);
    await db
      .prepare('UPDATE webhook SET failing_since = ?1 WHERE uuid = ?2')
      .bind(Date.now() - 6 * DAY_MS, hook.uuid)
      .run();
    receivers.at(hook.url, async ({ event }) => {
      if (event.sequenceNumber === 2) return new Response('yes');
      await until(async () => (await failingSince(hook.uuid)) === null);
      return new Response('no', { status: 500 });
    });
    await take((await run()).messages);
    expect((await tenant.call('GET', `/webhook/${hook.uuid}`)).body.active).toBe(true);
    expect(await failingSince(hook.uuid)).toBeGreaterThan(Date.now() - DAY_MS);
  });
});

describe('a clock that jumps', () => {
  it.each([10 * DAY_MS, -10 * DAY_MS])('a clock jump of %i ms loses no delivery', async (jump) => {
    const { run, take, distinct, hook } = await bench(3);
    const begin = Date.now();
    const { messages } = await run(begin);
    receivers.at(hook.url, 500);
    await take(messages);
    receivers.at(hook.url, 200);
    vi.useFakeTimers({ toFake: ['Date'], now: begin + jump });
    const again = await run(Date.now());
    await take(again.messages);
    expect(distinct()).toEqual(numbers(3));
    expect(await run(Date.now() + 1)).toMatchObject({ messages: [], next: null });
  });
});

describe('the job', () => {
  it('the delivery job creates deliveries of many events in bounded runs, each once', async () => {
    const { run, take, distinct, tenant, hook } = await bench(1);
    const copies = 1_199;
    await db
      .prepare(
        `INSERT INTO event_log (organization_uuid, sequence_number, uuid, event_type, event_date, entity_type, entity_uuid, data)
         SELECT organization_uuid, 2 + value, 'e-' || value, event_type, event_date, entity_type, entity_uuid, data
         FROM event_log, json_each(?2) WHERE organization_uuid = ?1`,
      )
      .bind(tenant.uuid, JSON.stringify(Array.from({ length: copies }, (_, index) => index)))
      .run();
    for (let runs = 0; distinct().length < copies + 1; runs += 1) {
      expect(runs).toBeLessThan(25);
      const { messages } = await run();
      expect(messages.flatMap((message) => message.deliveries).length).toBeLessThanOrEqual(60);
      await take(messages, asleep);
    }
    expect(distinct()).toEqual(numbers(copies + 1));
    expect(receivers.of(hook.url)).toHaveLength(copies + 1);
  });

  it('the delivery job keeps a few of a webhook in flight and continues as they finish or are lost', async () => {
    const { run, take, restart } = await bench(150);
    const now = Date.now();
    const sizes = (messages: DeliverMessage[]) => messages.flatMap((message) => message.deliveries).length;
    const { messages, next } = await run(now);
    expect([sizes(messages), next]).toEqual([60, now + 5_000]);
    expect(sizes((await run(now + 1)).messages)).toBe(0);
    await take(messages.slice(0, 3), asleep);
    expect(sizes((await run(now + 2)).messages)).toBe(15);
    // Lost messages are sent again without delaying others.
    expect(sizes((await run(now + 31_000)).messages)).toBe(60);
    expect(sizes((await run(now + 31_001)).messages)).toBe(0);
    restart();
    expect(sizes((await run(now + 31_002)).messages)).toBe(60);
    expect(sizes((await run(now + 62_000)).messages)).toBe(60);
    expect(sizes((await run(now + 62_001)).messages)).toBe(30);
  });

  it('a run of the delivery job reads each delivery in flight once, and no waiting delivery that it may not take', async () => {
    const { run, take } = await bench(160);
    const now = Date.now();
    const first = await run(now);
    expect([first.roundTrips, first.rowsRead < 2_100 || first.rowsRead]).toEqual([2, true]);
    const full = await run(now + 1);
    expect([full.roundTrips, full.rowsRead < 100 || full.rowsRead]).toEqual([1, true]);
    await take(first.messages, asleep);
    const next = await run(now + 2);
    expect([next.roundTrips, next.rowsRead < 800 || next.rowsRead]).toEqual([2, true]);
  });

  it('a run of the delivery job reads no delivery that waits for a paused webhook', async () => {
    const { run, restart, hook } = await bench(60);
    await run();
    restart();
    await run();
    for (const statement of [
      "UPDATE webhook_delivery SET state = 'WAITING', claim = NULL, due_date = 0 WHERE webhook_uuid = ?1",
      'UPDATE webhook SET active = 0 WHERE uuid = ?1',
    ]) {
      await db.prepare(statement).bind(hook.uuid).run();
    }
    const { next, rowsRead } = await run();
    expect([next, rowsRead < 30 || rowsRead]).toEqual([ON_REQUEST, true]);
  });

  it('the delivery job sends a few to a failing receiver, and all once it is back', async () => {
    const { run, take, distinct, hook } = await bench(40);
    await db.prepare('UPDATE webhook SET failing_since = 1 WHERE uuid = ?1').bind(hook.uuid).run();
    const now = Date.now();
    const { messages, next } = await run(now);
    expect(messages.flatMap((message) => message.deliveries)).toHaveLength(10);
    expect(next).toBe(now + 5_000);
    await take(messages);
    await take((await run(now + 1)).messages);
    expect(distinct()).toEqual(numbers(40));
  });

  it('the delivery job reschedules deliveries that failed during an outage', async () => {
    const { run, take, distinct, hook, tenant } = await bench(2);
    receivers.at(hook.url, 500);
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      await db
        .prepare("UPDATE webhook_delivery SET due_date = 0 WHERE webhook_uuid = ?1 AND state = 'WAITING'")
        .bind(hook.uuid)
        .run();
      await take((await run()).messages);
    }
    const given = await deliveries(tenant, hook.uuid);
    expect(given.map(({ status, attemptsCount }) => [status, attemptsCount])).toEqual([
      ['FAILED', 10],
      ['FAILED', 10],
    ]);
    receivers.at(hook.url, 200);
    await happen(tenant);
    await take((await run()).messages);
    await until(async () => {
      await take((await run()).messages);
      return (await deliveries(tenant, hook.uuid)).every(({ status }) => status === 'SUCCEEDED');
    });
    expect(distinct()).toEqual([1, 2, 3]);
  });

  it('the delivery job sleeps without an active webhook and skips pruned events', async () => {
    const { run, take, tenant, hook } = await bench(4);
    await db
      .prepare('DELETE FROM event_log WHERE organization_uuid = ?1 AND sequence_number < 3')
      .bind(tenant.uuid)
      .run();
    await take((await run()).messages);
    expect(receivers.numbers(hook.url).sort()).toEqual([3, 4]);
    await db.prepare('UPDATE webhook SET active = 0 WHERE uuid = ?1').bind(hook.uuid).run();
    expect((await run()).next).toBe(ON_REQUEST);
  });

  it('the delivery job sends nothing of an event that was pruned on its way', async () => {
    const { run, take, tenant, hook } = await bench(1);
    const { messages } = await run();
    await db.prepare('DELETE FROM event_log WHERE organization_uuid = ?1').bind(tenant.uuid).run();
    await take(messages);
    expect(receivers.received).toEqual([]);
    expect(await deliveries(tenant, hook.uuid)).toMatchObject([
      { status: 'FAILED', error: 'Not sent: the event is no longer in the log.' },
    ]);
  });
});

it('deliveries are pruned after 30 days', async () => {
  const { run, take, tenant, hook } = await bench(2);
  await take((await run()).messages);
  await pruneDeliveries(db, Date.now() + 29 * DAY_MS);
  expect(await deliveries(tenant, hook.uuid)).toHaveLength(2);
  await pruneDeliveries(db, Date.now() + 31 * DAY_MS);
  expect(await deliveries(tenant, hook.uuid)).toEqual([]);
});
