import { runInDurableObject } from 'cloudflare:test';
import { expect } from 'vitest';
import type { DeliverMessage, Env } from '../../../../src/core/env.ts';
import { Database } from '../../../../src/core/lib/database.ts';
import { databasesOf } from '../../../../src/core/lib/databases.ts';
import { formats } from '../../../../src/delivery/event-format/formats.ts';
import { webhookConsumer } from '../../../../src/delivery/webhook/consumer.ts';
import { dispatchWebhooks } from '../../../../src/delivery/webhook/dispatch.ts';
import { bindings, db, happen, newTenant, type Receivers, register, until } from './receiver.ts';

/** An object that is never woken, so that it does nothing next to the test. */
export const asleep = {
  ...bindings,
  WRITER: { idFromName: () => '', get: () => ({ scheduleJobs: async () => undefined }) },
} as unknown as Env;

/**
 * A tenant with an active webhook and events that its object does not know. The test itself sends and
 * consumes messages.
 */
export async function benchOf(receivers: Receivers, events: number) {
  const tenant = await newTenant();
  const hook = await register(tenant, { active: false });
  receivers.at(hook.url, 200);
  await happen(tenant, events);
  // The events are written without the object, which knows no active webhook. It must be idle by now, or it
  // would send some itself.
  const object = bindings.WRITER.get(bindings.WRITER.idFromName(tenant.uuid));
  await until(
    async () => (await runInDurableObject(object, (_, { storage }) => storage.getAlarm())) === null,
  );
  await db.prepare('UPDATE webhook SET active = 1 WHERE uuid = ?1').bind(hook.uuid).run();
  let lastRun: number | null = null;
  const take = async (messages: DeliverMessage[], env: Env = bindings) => {
    const acked: unknown[] = [];
    const retried: unknown[] = [];
    const background: Promise<unknown>[] = [];
    const batch = {
      queue: 'warehouse-dispatch-webhook',
      messages: messages.map((body) => ({
        body,
        ack: () => acked.push(body),
        retry: () => retried.push(body),
      })),
    } as unknown as MessageBatch;
    await webhookConsumer(formats)(batch, env, { waitUntil: (promise) => background.push(promise) });
    await Promise.all(background);
    return { acked, retried };
  };
  return {
    tenant,
    hook,
    take,
    /** Restart the object. */
    restart: () => {
      lastRun = null;
    },
    /**
     * Run the job. `between` runs once, after the first round trip. @returns its messages, when it wants to run
     * again, and the rows that D1 read for it.
     */
    async run(now = Date.now(), between?: () => Promise<unknown>) {
      const messages: DeliverMessage[] = [];
      const sendBatch = async (batch: { body: DeliverMessage }[]) => {
        messages.push(...batch.map(({ body }) => body));
      };
      const env = { ...bindings, WEBHOOK_QUEUE: { sendBatch } } as unknown as Env;
      const database = new Database(tenant.uuid, databasesOf(env));
      const ask = database.ask.bind(database);
      database.ask = async (asks) => {
        const rows = await ask(asks);
        if (database.roundTrips === 1) await between?.();
        return rows;
      };
      const next = await dispatchWebhooks({ env, database, now, lastRun });
      lastRun = now;
      if (messages.length > 0) expect(database.roundTrips).toBe(2);
      return { messages, next, roundTrips: database.roundTrips, rowsRead: database.rowsRead };
    },
    distinct: () => [...new Set(receivers.numbers(hook.url))].sort((a, b) => a - b),
  };
}
