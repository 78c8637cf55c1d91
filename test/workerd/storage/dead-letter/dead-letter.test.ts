import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import type { Env } from '../../../../src/core/env.ts';
import { consume } from '../../../../src/queues.ts';
import { deadLetterConsumer } from '../../../../src/storage/dead-letter/consumer.ts';
import { pruneDeadLetters } from '../../../../src/storage/dead-letter/store.ts';
import { newTenant, operator } from '../../client.ts';
import { db } from '../../core/writer/requests.ts';
import { Background } from '../../log/operation/background.ts';

const DAY_MS = 86_400_000;
const real = env as unknown as Env;

/** Deliver dead messages of a queue with this full name. @returns the outcome of each message. */
async function bury(queue: string, bodies: unknown[], ids?: string[], given: Env = real): Promise<string[]> {
  const settled: string[] = [];
  const messages = bodies.map((body, index) => ({
    id: ids?.[index] ?? crypto.randomUUID(),
    body,
    ack: () => settled.push('ack'),
    retry: () => settled.push('retry'),
  }));
  await consume({ queue, messages } as unknown as MessageBatch, given, { waitUntil() {} });
  return settled;
}

const letters = async (filter: string) => (await operator('GET', `/dead-letter?${filter}`)).body;

it('a dead letter is stored once, newest first', async () => {
  const tenant = await newTenant();
  const body = { organization: tenant.uuid, operation: crypto.randomUUID() };
  const id = crypto.randomUUID();
  expect(await bury('warehouse-dispatch-operation-dead', [body, body], [id, id])).toEqual(['ack', 'ack']);
  expect(await bury('warehouse-dispatch-operation-dead-staging', [{ ...body, more: 'é"\u0001' }])).toEqual([
    'ack',
  ]);
  const { content, totalElements } = await letters(`organizationUuid=${tenant.uuid}`);
  expect(totalElements).toBe(2);
  expect(content).toMatchObject([
    { body: { ...body, more: 'é"\u0001' } },
    {
      organizationUuid: tenant.uuid,
      queue: 'operation',
      body,
      reason: expect.stringContaining('every attempt'),
      resendCount: 0,
      resendDate: null,
    },
  ]);
  expect((await letters(`organizationUuid=${tenant.uuid}&queue=webhook`)).totalElements).toBe(0);
  expect((await letters('queue=operation&pageSize=1')).content).toHaveLength(1);
});

it.each([null, 'text', { organization: 'x' }, [1]])(
  'a dead letter %j without an organization is stored',
  async (body) => {
    const queue = `q-${crypto.randomUUID().slice(0, 8)}`;
    await deadLetterConsumer(queue)(
      { messages: [{ id: '1', body, ack: () => {}, retry: () => {} }] } as unknown as MessageBatch,
      real,
    );
    expect((await letters(`queue=${queue}`)).content).toMatchObject([{ organizationUuid: null, body }]);
  },
);

it('a dead letter that cannot be stored returns to the queue', async () => {
  const broken = {
    DB: {
      withSession: () => {
        throw new Error('down');
      },
    },
  } as unknown as Env;
  expect(await bury('warehouse-dispatch-operation-dead', [{}, {}], undefined, broken)).toEqual([
    'retry',
    'retry',
  ]);
});

it('resending a dead letter completes its work through the real queue', async () => {
  const tenant = await newTenant();
  const { operationUuid } = await new Background(tenant).run<{ operationUuid: string }>(
    'acceptAllocateAndCouple',
    { wmsId: 'P', customFields: [], clientId: null },
  );
  await bury('warehouse-dispatch-operation-dead', [{ organization: tenant.uuid, operation: operationUuid }]);
  const [{ uuid }] = (await letters(`organizationUuid=${tenant.uuid}`)).content;
  const headers = { 'Idempotency-Key': 'once' };
  const resend = () => operator('POST', `/dead-letter/${uuid}/resend`, undefined, headers);
  const sent = await resend();
  expect([sent.status, sent.body]).toMatchObject([200, { uuid, resendCount: 1 }]);
  expect(sent.body.resendDate).not.toBeNull();
  const repeated = await resend();
  expect([repeated.headers.get('Idempotent-Replayed'), repeated.body]).toEqual(['true', sent.body]);
  await expect
    .poll(async () => (await tenant.call('GET', `/operation/${operationUuid}`)).body.status, {
      timeout: 5_000,
    })
    .toBe('SUCCEEDED');
  const { results } = await db
    .prepare(
      `SELECT actor_type FROM audit_log WHERE organization_uuid = ?1 AND action = 'DEAD_LETTER_RESENT'`,
    )
    .bind(tenant.uuid)
    .all();
  expect(results).toEqual([{ actor_type: 'OPERATOR' }]);
});

it('resending refuses an unknown dead letter and a dead letter without its queue', async () => {
  for (const uuid of [crypto.randomUUID(), 'x']) {
    const { status, body } = await operator('POST', `/dead-letter/${uuid}/resend`);
    expect([status, body.code]).toEqual([404, 'deadLetterNotFound']);
  }
  const queue = `q-${crypto.randomUUID().slice(0, 8)}`;
  await deadLetterConsumer(queue)(
    { messages: [{ id: '1', body: {}, ack: () => {}, retry: () => {} }] } as unknown as MessageBatch,
    real,
  );
  const [{ uuid }] = (await letters(`queue=${queue}`)).content;
  const gone = await operator('POST', `/dead-letter/${uuid}/resend`);
  expect([gone.status, gone.body.code]).toEqual([503, 'temporarilyUnavailable']);
});

it('dead letters are stored for 90 days', async () => {
  const tenant = await newTenant();
  await bury('warehouse-dispatch-operation-dead', [{ organization: tenant.uuid }]);
  const count = async () => (await letters(`organizationUuid=${tenant.uuid}`)).totalElements;
  await pruneDeadLetters(db, Date.now() + 89 * DAY_MS);
  expect(await count()).toBe(1);
  await pruneDeadLetters(db, Date.now() + 91 * DAY_MS);
  expect(await count()).toBe(0);
});
