import { describe, expect, it, vi } from 'vitest';
import { type Answer, newGate, operator } from '../../client.ts';
import { operatorLog, verified, wholeLog } from '../../log/audit/logs.ts';
import { type Block, bodyOf, db, faultyD1, newTenant, request, type Tenant, writerOf } from './requests.ts';
import { eventsOf, marks, remember } from './rewinds.ts';

const allocate = async (tenant: Tenant, headers = {}): Promise<number> => {
  const answer = await tenant.call('POST', '/marker-code/allocate?imageDelivery=URL', undefined, headers);
  expect(answer.status).toBe(200);
  return answer.body.entries[0].markerCode;
};

/** A tenant whose store was restored, with the codes, records and events that were lost. */
async function rewound() {
  const tenant = await newTenant({ markerCodeStart: 1 });
  await newGate(tenant, 'G');
  await allocate(tenant);
  await tenant.call('POST', '/manifest', { externalIdentifier: 'BEFORE' });
  const restore = await remember(tenant.uuid);
  const there = (await wholeLog(tenant)).at(-1)!;
  const codes = [await allocate(tenant), await allocate(tenant, { 'Idempotency-Key': 'lost' })];
  await tenant.call('POST', '/manifest', { externalIdentifier: 'LOST' });
  const lost = (await wholeLog(tenant)).at(-1)!;
  const lostEvent = (await eventsOf(tenant)).at(-1).sequenceNumber;
  await restore();
  return { tenant, restore, codes, there, lost, lostEvent };
}

describe('a store that is restored under a living object', () => {
  it('a rewound store returns no answer of the lost time, even if its record was read before', async () => {
    const tenant = await newTenant({ markerCodeStart: 1 });
    await allocate(tenant);
    const restore = await remember(tenant.uuid);
    // The answer of the commit is lost. The store is restored after its record was read.
    const restoring = faultyD1(async (batch) => {
      if (batch === 4) await restore();
      return batch === 2 ? 'after' : null;
    });
    const writer = writerOf(tenant, restoring, undefined, marks());
    const outcomes: Block[] = [];
    for (let count = 0; count < 2; count += 1) {
      outcomes.push(bodyOf<Block>(await writer.execute(request('allocateMarkers', { quantity: 1 }))));
    }
    const codes = outcomes.map(({ firstMarkerCode }) => firstMarkerCode);
    expect(new Set(codes).size).toBe(2);
    const { results } = await db
      .prepare(
        'SELECT first_marker_code AS code FROM marker_allocation WHERE organization_uuid = ? ORDER BY 1',
      )
      .bind(tenant.uuid)
      .all();
    expect(results.slice(-2).map(({ code }) => code)).toEqual(codes);
  });

  it('a rewound store hands out no code twice: the first request gets the next code', async () => {
    const { tenant, codes } = await rewound();
    expect(await allocate(tenant)).toBe(Math.max(...codes) + 1);
    // Its record is lost, so the key belongs to a new request.
    expect(await allocate(tenant, { 'Idempotency-Key': 'lost' })).toBe(Math.max(...codes) + 2);
  });

  it('a rewound store uses no number again, and the first record after the gap names the loss', async () => {
    const { tenant, codes, there, lost, lostEvent } = await rewound();
    const created = await tenant.call('POST', '/manifest', { externalIdentifier: 'LOST' });
    expect(created.status).toBe(201);
    const log = await wholeLog(tenant);
    const index = log.findIndex(({ action }) => action === 'STORE_REWOUND');
    const [before, declared, next] = log.slice(index - 1);
    expect(before!.sequenceNumber).toBe(there.sequenceNumber);
    expect(declared!.sequenceNumber).toBeGreaterThan(lost.sequenceNumber);
    expect(declared!.changes).toEqual([
      {
        field: 'lastSequenceNumber',
        oldValue: declared!.sequenceNumber - 1,
        newValue: there.sequenceNumber,
      },
      { field: 'nextMarkerCode', oldValue: null, newValue: Math.max(...codes) + 1 },
    ]);
    expect(next).toMatchObject({ action: 'MANIFEST_CREATED', sequenceNumber: declared!.sequenceNumber + 1 });

    const events = await eventsOf(tenant);
    const position = events.findIndex((event: { eventType: string }) => event.eventType === 'STORE_REWOUND');
    expect(events[position].sequenceNumber).toBeGreaterThan(lostEvent);
    expect(events[position].data).toEqual({
      lastSequenceNumber: there.sequenceNumber,
      lostSequenceNumber: declared!.sequenceNumber - 1,
      nextMarkerCode: Math.max(...codes) + 1,
    });
    expect(events[position + 1].sequenceNumber).toBe(events[position].sequenceNumber + 1);
  });

  it('a rewound log verifies with its gap and its totals are right', async () => {
    const { tenant, there } = await rewound();
    await allocate(tenant);
    const verdict = await verified(tenant);
    expect(verdict.fault).toBeUndefined();
    expect(verdict.gaps).toEqual([{ from: there.sequenceNumber + 1, to: expect.any(Number) }]);
    const log = await wholeLog(tenant);
    const total = (query: string) =>
      tenant.call('GET', `/audit-log?${query}`).then(({ body }) => body.totalElements);
    expect(await total('')).toBe(log.length);
    const declared = log.find(({ action }) => action === 'STORE_REWOUND')!.sequenceNumber;
    expect(await total(`sequenceNumberFrom=${declared - 5}`)).toBe(log.length - there.sequenceNumber);
    expect(await total(`sequenceNumberTo=${declared - 5}`)).toBe(there.sequenceNumber);
  });

  it('a second rewind is declared again', async () => {
    const { tenant, restore, codes } = await rewound();
    const first = await allocate(tenant);
    await restore();
    expect(await allocate(tenant)).toBe(first + 1);
    expect(first).toBe(Math.max(...codes) + 1);
    const numbers = (await wholeLog(tenant)).map(({ sequenceNumber }) => sequenceNumber);
    expect(numbers).toEqual([...new Set(numbers)]);
    expect((await verified(tenant)).fault).toBeUndefined();
  });

  it("a rewind of the operator's log is declared too", async () => {
    const { results } = await db
      .prepare(
        "SELECT DISTINCT organization_uuid AS uuid FROM audit_log WHERE action = 'ORGANIZATION_CREATED'",
      )
      .all<{ uuid: string }>();
    const create = (slug: string): Promise<Answer> => operator('POST', '/organization', { name: slug, slug });
    await create(`before-${crypto.randomUUID()}`);
    const [{ uuid }] = results as [{ uuid: string }];
    const restore = await remember(uuid);
    await create(`lost-${crypto.randomUUID()}`);
    const [lost] = await operatorLog();
    await restore();
    expect((await create(`after-${crypto.randomUUID()}`)).status).toBe(201);
    const [after, declared] = await operatorLog();
    expect(after!.action).toBe('ORGANIZATION_CREATED');
    expect(declared!.action).toBe('STORE_REWOUND');
    expect(declared!.sequenceNumber).toBeGreaterThan(lost!.sequenceNumber);
  });
});

describe('a writer whose knowledge matches the restored log', () => {
  /**
   * A log that was restored to the state that one writer knows. The watermark of the other writer is
   * further ahead.
   */
  async function known() {
    const tenant = await newTenant({ markerCodeStart: 1 });
    const stale = writerOf(tenant);
    bodyOf(await stale.execute(request('allocateMarkers', { quantity: 1 })));
    const restore = await remember(tenant.uuid);
    const kept = marks();
    bodyOf(await writerOf(tenant, db, undefined, kept).execute(request('allocateMarkers', { quantity: 1 })));
    await restore();
    const writes = () => stale.execute(request('allocateMarkers', { quantity: 1 }));
    return { tenant, kept, writes };
  }

  it('a writer cannot write into a gap that was declared after its state', async () => {
    const { tenant, kept, writes } = await known();
    const other = writerOf(tenant, db, undefined, kept);
    const block = bodyOf<Block>(await other.execute(request('allocateMarkers', { quantity: 1 })));
    expect(bodyOf<Block>(await writes()).firstMarkerCode).toBe(block.lastMarkerCode + 1);
    expect((await verified(tenant)).fault).toBeUndefined();
  });

  it('a writer cannot write where another one is about to declare a gap', async () => {
    const { tenant, kept, writes } = await known();
    // The first batch of a new writer reads, the second one declares the rewind.
    const between = async (batch: number) => {
      if (batch === 2) bodyOf(await writes());
      return null;
    };
    const other = writerOf(tenant, faultyD1(between), undefined, kept);
    bodyOf(await other.execute(request('allocateMarkers', { quantity: 1 })));
    expect((await verified(tenant)).fault).toBeUndefined();
  });
});

describe('a store that is restored to before an unanswered commit, and then to after it', () => {
  it('a store that is rewound twice hands out no code of the undeclared loss', async () => {
    const tenant = await newTenant({ markerCodeStart: 1 });
    const before = await remember(tenant.uuid);
    const kept = marks();
    const unanswered = { ...request('allocateMarkers', { quantity: 1 }), idempotencyKey: 'unanswered' };
    // It ends before its watermark is stored, and so before it answers.
    const ended = writerOf(tenant, db, undefined, { read: () => kept.read(), write: async () => undefined });
    const committed = bodyOf<Block>(await ended.execute(unanswered));
    // The next writer has nothing to commit yet.
    const refused = await writerOf(tenant, db, undefined, kept).execute(
      request('allocateMarkers', { quantity: 1_000_000 }),
    );
    expect(refused.kind).toBe('refused');
    const behind = await remember(tenant.uuid);

    await before();
    const other = await writerOf(tenant, db, undefined, kept).execute(
      request('allocateMarkers', { quantity: 1 }),
    );
    await behind();
    const repeat = await writerOf(tenant, db, undefined, kept).execute(unanswered);
    expect(bodyOf(repeat)).toEqual(committed);
    expect(bodyOf<Block>(other).firstMarkerCode).toBe(committed.lastMarkerCode + 1);
  });
});

describe('a writer that does not know that it was replaced', () => {
  it('a replaced writer cannot continue after the log was restored to its state', async () => {
    const tenant = await newTenant({ markerCodeStart: 1 });
    const kept = marks();
    const allocate = () => request('allocateMarkers', { quantity: 1 });
    let replaced = false;
    const old = writerOf(tenant, db, undefined, {
      read: () => kept.read(),
      write: (mark) => (replaced ? new Promise(() => undefined) : kept.write(mark)),
    });
    bodyOf(await old.execute(allocate()));
    const restore = await remember(tenant.uuid);
    const there = (await wholeLog(tenant)).at(-1)!;
    replaced = true;
    const next = writerOf(tenant, db, undefined, kept);
    bodyOf(await next.execute(allocate()));
    await restore();
    const later = Date.now() + 5_000;
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => later);
    void old.execute(allocate());
    for (let looks = 0; looks < 20; looks += 1) {
      expect((await wholeLog(tenant)).at(-1)).toEqual(there);
    }
    clock.mockRestore();
    expect(bodyOf<Block>(await next.execute(allocate())).firstMarkerCode).toBe(3);
    const log = await wholeLog(tenant);
    expect(log[log.indexOf(log.find(({ action }) => action === 'STORE_REWOUND')!) - 1]).toEqual(there);
  });
});
