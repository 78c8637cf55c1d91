import { describe, expect, it } from 'vitest';
import { newTenant, type Tenant } from '../../client.ts';
import { db, faultyD1 } from '../../core/writer/requests.ts';
import { Background, type Death } from './background.ts';
import { eventsOf } from './finished.ts';

const SECOND_MS = 1_000;

/** Couplings of new pallets that are accepted but not sent. */
async function accepted(background: Background, ...wmsIds: string[]): Promise<string[]> {
  const operations: string[] = [];
  for (const wmsId of wmsIds) {
    const { operationUuid } = await background.run<{ operationUuid: string }>('acceptAllocateAndCouple', {
      wmsId,
      customFields: [],
      clientId: null,
    });
    operations.push(operationUuid);
  }
  return operations;
}

const statusOf = async (tenant: Tenant, operation: string): Promise<string> =>
  (await tenant.call('GET', `/operation/${operation}`)).body.status;

const message = ({ tenant }: Background, operation: string) => ({ organization: tenant.uuid, operation });

/** The events of operations, by operation. */
async function eventTypesOf(tenant: Tenant): Promise<Record<string, string[]>> {
  const events = await eventsOf(tenant);
  expect(events.map(({ sequenceNumber }) => sequenceNumber)).toEqual(events.map((_, index) => index + 1));
  const byOperation = Map.groupBy(events, ({ operationId }) => operationId as string);
  return Object.fromEntries([...byOperation].map(([id, of]) => [id, of.map(({ eventType }) => eventType)]));
}

const SUCCEEDED = ['COUPLING_SUCCEEDED', 'OPERATION_COMPLETED'];

describe('the job', () => {
  it('the operation job sends accepted operations and repeats less often', async () => {
    const background = new Background(await newTenant());
    const [one, two] = (await accepted(background, 'P', 'Q')) as [string, string];
    const start = Date.now();
    const sent = () => background.queue.splice(0).map(({ operation }) => operation);
    expect(await background.job(start - 60 * SECOND_MS)).toBeLessThanOrEqual(start);
    expect(sent()).toEqual([]);
    expect(await background.job(start)).toBe(start + 5 * SECOND_MS);
    expect(sent()).toEqual([one, two]);
    expect(await background.job(start + 4 * SECOND_MS)).toBe(start + 5 * SECOND_MS);
    expect(sent()).toEqual([]);
    await background.deliver([message(background, one)]);
    let now = start;
    for (let time = 0; time < 11; time += 1) {
      now += 5 * SECOND_MS;
      expect(await background.job(now)).toBe(now + 5 * SECOND_MS);
      expect(sent()).toEqual([two]);
    }
    now += 5 * SECOND_MS;
    for (let time = 0; time < 60; time += 1) {
      expect(await background.job(now)).toBe(now + 5 * SECOND_MS);
      expect(sent()).toEqual(time === 0 ? [two] : []);
      now += 5 * SECOND_MS;
    }
    await background.job(now);
    expect(sent()).toEqual([two]);
    await background.deliver([message(background, two)]);
    expect(await background.job(now + 3_600 * SECOND_MS)).toBeNull();
    expect(sent()).toEqual([]);
  });

  it.each([
    ['the object restarts', 1],
    ['the clock went back', -86_400],
  ])(
    'the operation job sends all open operations where %s, however often they were sent',
    async (why, later) => {
      const background = new Background(await newTenant());
      await accepted(background, 'P', 'Q');
      let now = Date.now();
      for (let time = 0; time < 13; time += 1) {
        await background.job(now);
        now += 5 * SECOND_MS;
      }
      background.queue.length = 0;
      await background.job(now);
      expect(background.queue).toEqual([]);
      if (why.startsWith('the object')) background.restart();
      const next = await background.job(now + later * SECOND_MS);
      expect(next).toBeLessThanOrEqual(now + later * SECOND_MS + 5 * SECOND_MS);
      expect(background.queue).toHaveLength(2);
      await background.deliver(background.queue.splice(0));
      expect(await background.job(now + later * SECOND_MS)).toBeNull();
    },
  );

  it('the operation job sends any number in the order of acceptance', async () => {
    const background = new Background(await newTenant());
    const wmsIds = Array.from({ length: 130 }, (_, index) => `P${index}`);
    const operations = await accepted(background, ...wmsIds);
    const now = Date.now();
    expect(await background.job(now)).toBeLessThanOrEqual(now);
    await background.job(now);
    expect(background.queue.map(({ operation }) => operation).sort()).toEqual(operations.sort());
  });
});

describe('a consumer', () => {
  it('the operation consumer tolerates repeated, reordered, concurrent and empty messages', async () => {
    const background = new Background(await newTenant());
    const { tenant } = background;
    const operations = await accepted(background, 'P', 'Q', 'R');
    const messages = operations.map((operation) => message(background, operation)).reverse();
    const none = message(background, crypto.randomUUID());
    const settled = await Promise.all([
      background.deliver([...messages, messages[0]!, none]),
      background.deliver([...messages].reverse()),
      background.deliver([messages[1]!]),
    ]);
    expect(new Set(settled.flat())).toEqual(new Set(['ack']));
    await background.deliver(messages);
    expect(await eventTypesOf(tenant)).toEqual(Object.fromEntries(operations.map((id) => [id, SUCCEEDED])));
    expect((await tenant.call('GET', '/track')).body.totalElements).toBe(3);
  });

  it('the operation consumer asks nothing about finished operations', async () => {
    const background = new Background(await newTenant());
    const [operation] = await accepted(background, 'P');
    await background.deliver([message(background, operation!)]);
    expect(background.commands).toBe(1);
    await background.deliver([message(background, operation!), message(background, operation!)]);
    expect(background.commands).toBe(1);
  });

  it('the operation consumer retries a message of a newer version', async () => {
    const background = new Background(await newTenant());
    const [operation] = await accepted(background, 'P');
    const sent = message(background, operation!);
    expect(await background.deliver([{ ...sent, after: 'another' }])).toEqual(['retry']);
    expect(background.commands).toBe(0);
    expect(await background.deliver([sent])).toEqual(['ack']);
  });

  it.each<[Death, string]>([
    ['before', 'PENDING'],
    ['after', 'SUCCEEDED'],
    ['refused', 'PENDING'],
    ['defect', 'PENDING'],
  ])(
    'an operation consumer that dies %s the command leaves it %s, and the next one finishes it',
    async (death, status) => {
      const background = new Background(await newTenant());
      const [one, two] = (await accepted(background, 'P', 'Q')) as [string, string];
      const messages = [message(background, one), message(background, two), message(background, one)];
      expect(await background.deliver(messages, { death })).toEqual(['retry', 'ack', 'retry']);
      expect([await statusOf(background.tenant, one), await statusOf(background.tenant, two)]).toEqual([
        status,
        'SUCCEEDED',
      ]);
      expect(await background.deliver(messages)).toEqual(['ack', 'ack', 'ack']);
      expect(await eventTypesOf(background.tenant)).toEqual({ [one]: SUCCEEDED, [two]: SUCCEEDED });
    },
  );

  it.each(['before', 'after'] as const)(
    'an operation consumer whose store fails %s a batch has one outcome',
    async (kind) => {
      const tenant = await newTenant();
      const healthy = new Background(tenant);
      const operations = await accepted(healthy, 'P', 'Q', 'R', 'S', 'T', 'U');
      for (const [index, operation] of operations.entries()) {
        const faulty = new Background(
          tenant,
          faultyD1((batch) => (batch === index + 1 ? kind : null)),
        );
        await faulty.deliver([message(faulty, operation)]);
      }
      await healthy.drain();
      expect(await eventTypesOf(tenant)).toEqual(Object.fromEntries(operations.map((id) => [id, SUCCEEDED])));
    },
  );

  it('the operation consumer returns malformed messages and takes the others', async () => {
    const background = new Background(await newTenant());
    const [operation] = await accepted(background, 'P');
    const bad = [null, 'x', {}, { organization: 'x', operation }, { organization: background.tenant.uuid }];
    const settled = await background.deliver([...bad, message(background, operation!)]);
    expect(settled).toEqual([...bad.map(() => 'retry'), 'ack']);
  });

  it('the operation consumer ignores an operation of another organization', async () => {
    const [background, other] = [new Background(await newTenant()), new Background(await newTenant())];
    const [operation] = await accepted(background, 'P');
    expect(await other.deliver([message(other, operation!)])).toEqual(['ack']);
    expect(other.commands).toBe(0);
    expect(await statusOf(background.tenant, operation!)).toBe('PENDING');
    expect(await other.run<{ finished: boolean }>('carryOutCoupling', { operationUuid: operation })).toEqual({
      finished: true,
    });
    expect(await statusOf(background.tenant, operation!)).toBe('PENDING');
  });
});

describe('between acceptance and execution', () => {
  it('a pallet coupled between acceptance and execution fails the operation, and its code stays allocated', async () => {
    const background = new Background(await newTenant({ markerCodeStart: 1 }));
    const { tenant } = background;
    const [operation] = await accepted(background, 'P');
    await background.run('allocateAndCouple', { wmsId: 'P', customFields: [], clientId: null });
    await background.drain();
    const error = {
      code: 'wmsIdAlreadyCoupled',
      message: 'WMS id "P" has a track that is not retired. Retire or delete it first.',
    };
    expect((await tenant.call('GET', `/operation/${operation}`)).body).toMatchObject({
      status: 'FAILED',
      succeededCount: 0,
      failedCount: 1,
      results: [{ index: 0, identifier: 'P', status: 'FAILED', error }],
    });
    expect(await eventsOf(tenant)).toMatchObject([
      {
        eventType: 'COUPLING_FAILED',
        operationId: operation,
        entityType: 'TRACK',
        entityUuid: null,
        entityExternalId: 'P',
        data: null,
        error,
      },
      { eventType: 'OPERATION_COMPLETED', data: { status: 'FAILED' }, error: null },
    ]);
    expect((await tenant.call('GET', '/marker-code/1')).body).toMatchObject({ markerCode: 1, track: null });
    expect((await tenant.call('GET', '/track/P')).body.markerCode).toBe(2);
  });

  it.each([
    ['the marker is coupled', 'markerAlreadyCoupled'],
    ['the client is deleted', 'clientNotFound'],
  ])('%s between acceptance and execution makes the operation fail with %s', async (_, code) => {
    const tenant = await newTenant({ markerCodeStart: 1 });
    const background = new Background(tenant);
    await tenant.call('POST', '/client', { displayName: 'C', externalId: 'C' });
    await background.run('allocateMarkers', { quantity: 1 });
    const coupling = { markerCode: 1, wmsId: 'P', customFields: [], clientId: 'C' };
    const { operationUuid } = await background.run<{ operationUuid: string }>('acceptCoupling', coupling);
    if (code === 'clientNotFound') await tenant.call('DELETE', '/client/C');
    else await background.run('coupleTrack', { ...coupling, wmsId: 'Q' });
    await background.drain();
    const { body } = await tenant.call('GET', `/operation/${operationUuid}`);
    expect(body).toMatchObject({ status: 'FAILED', results: [{ error: { code } }] });
    expect((await eventTypesOf(tenant))[operationUuid]).toEqual(['COUPLING_FAILED', 'OPERATION_COMPLETED']);
  });

  it('two operations accepted for one pallet or marker couple it once', async () => {
    const background = new Background(await newTenant({ markerCodeStart: 1 }));
    await background.run('allocateMarkers', { quantity: 2 });
    const pairs = [
      [1, 'P'],
      [1, 'P'],
      [1, 'Q'],
      [2, 'P'],
    ] as const;
    const operations: string[] = [];
    for (const [markerCode, wmsId] of pairs) {
      const input = { markerCode, wmsId, customFields: [], clientId: null };
      operations.push(
        (await background.run<{ operationUuid: string }>('acceptCoupling', input)).operationUuid,
      );
    }
    await background.drain();
    const found = await Promise.all(
      operations.map(async (id) => (await background.tenant.call('GET', `/operation/${id}`)).body),
    );
    expect(found.map(({ results: [{ error }] }) => error?.code ?? null)).toEqual([
      null,
      null,
      'markerAlreadyCoupled',
      'wmsIdAlreadyCoupled',
    ]);
  });
});

it('the operation consumer leaves operations of other organizations alone', async () => {
  const [one, two] = [new Background(await newTenant()), new Background(await newTenant())];
  const [[operation], [other]] = [await accepted(one, 'P'), await accepted(two, 'P')];
  await one.drain();
  expect([await statusOf(one.tenant, operation!), await statusOf(two.tenant, other!)]).toEqual([
    'SUCCEEDED',
    'PENDING',
  ]);
  const { results } = await db.prepare('SELECT sent_count FROM operation WHERE uuid = ?1').bind(other).all();
  expect(results).toEqual([{ sent_count: 0 }]);
});
