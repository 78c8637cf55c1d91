import { describe, expect, it, vi } from 'vitest';
import type { Mark, Marks } from '../../../src/writer/mark.ts';
import { operatorLog, verified, wholeLog } from '../audit/logs.ts';
import { type Answer, newGate, operator } from '../client.ts';
import { type Block, bodyOf, db, faultyD1, newTenant, request, type Tenant, writerOf } from './requests.ts';

/** What the store has of an organization now; calling it puts the store back to that. */
async function remember(organization: string): Promise<() => Promise<void>> {
  const { results } = await db
    .prepare(`SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND sql LIKE '%organization_uuid%'
      AND name NOT IN ('organization_number', 'built_in_authority')`)
    .all<{ name: string }>();
  const kept: [string, Record<string, unknown>[]][] = [];
  for (const { name } of results) {
    const rows = await db
      .prepare(`SELECT * FROM ${name} WHERE organization_uuid = ?1`)
      .bind(organization)
      .all();
    kept.push([name, rows.results]);
  }
  return async () => {
    await db.batch(
      kept.flatMap(([name, rows]) => [
        db.prepare(`DELETE FROM ${name} WHERE organization_uuid = ?1`).bind(organization),
        ...rows.map((row) => {
          const columns = Object.keys(row);
          const values = columns.map((_, index) => `?${index + 1}`);
          return db
            .prepare(`INSERT OR REPLACE INTO ${name} (${columns.join(', ')}) VALUES (${values.join(', ')})`)
            .bind(...Object.values(row));
        }),
      ]),
    );
  };
}

const allocate = async (tenant: Tenant, headers = {}): Promise<number> => {
  const answer = await tenant.call('POST', '/marker-code/allocate?imageDelivery=URL', undefined, headers);
  expect(answer.status).toBe(200);
  return answer.body.entries[0].markerCode;
};

const eventsOf = async (tenant: Tenant) => (await tenant.call('GET', '/event?limit=1000')).body.content;

/** Marks that a test looks into, as the object's storage would keep them. */
function marks(): Marks & { mark: Mark | undefined } {
  return {
    mark: undefined,
    async read() {
      return this.mark;
    },
    async write(mark) {
      this.mark = mark;
    },
  };
}

/** A tenant whose store was put back: what it had been given and told by then. */
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

describe('a store that is put back under a living object', () => {
  it('answers nothing of the lost time, though its record was found before', async () => {
    const tenant = await newTenant({ markerCodeStart: 1 });
    await allocate(tenant);
    const restore = await remember(tenant.uuid);
    // The answer of the commit is lost, and the store is put back once its record was read.
    const putBack = faultyD1(async (batch) => {
      if (batch === 5) await restore();
      return batch === 2 ? 'after' : null;
    });
    const writer = writerOf(tenant, putBack, undefined, marks());
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

  it('costs no code twice: the first request is answered, with the next code', async () => {
    const { tenant, codes } = await rewound();
    expect(await allocate(tenant)).toBe(Math.max(...codes) + 1);
    // Its record is lost, so the key is a new request.
    expect(await allocate(tenant, { 'Idempotency-Key': 'lost' })).toBe(Math.max(...codes) + 2);
  });

  it('uses no number again, and the first record behind the gap says what is lost', async () => {
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
    const told = events.findIndex((event: { eventType: string }) => event.eventType === 'STORE_REWOUND');
    expect(events[told].sequenceNumber).toBeGreaterThan(lostEvent);
    expect(events[told].data).toEqual({
      lastSequenceNumber: there.sequenceNumber,
      lostSequenceNumber: declared!.sequenceNumber - 1,
      nextMarkerCode: Math.max(...codes) + 1,
    });
    expect(events[told + 1].sequenceNumber).toBe(events[told].sequenceNumber + 1);
  });

  it('leaves a log that verifies, with its gap, and is counted right', async () => {
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

  it('is told again when it happens again', async () => {
    const { tenant, restore, codes } = await rewound();
    const first = await allocate(tenant);
    await restore();
    expect(await allocate(tenant)).toBe(first + 1);
    expect(first).toBe(Math.max(...codes) + 1);
    const numbers = (await wholeLog(tenant)).map(({ sequenceNumber }) => sequenceNumber);
    expect(numbers).toEqual([...new Set(numbers)]);
    expect((await verified(tenant)).fault).toBeUndefined();
  });

  it('is told of the operator’s log, too', async () => {
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

describe('a writer that knows the log as it is once more', () => {
  /** A log that was put back to what one writer knows of it, under another whose mark is further on. */
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

  it('cannot write into the gap that was declared behind it', async () => {
    const { tenant, kept, writes } = await known();
    const other = writerOf(tenant, db, undefined, kept);
    const block = bodyOf<Block>(await other.execute(request('allocateMarkers', { quantity: 1 })));
    expect(bodyOf<Block>(await writes()).firstMarkerCode).toBe(block.lastMarkerCode + 1);
    expect((await verified(tenant)).fault).toBeUndefined();
  });

  it('cannot write where another is just about to declare a gap', async () => {
    const { tenant, kept, writes } = await known();
    // The first batch of a fresh writer reads, the second declares.
    const between = async (batch: number) => {
      if (batch === 2) bodyOf(await writes());
      return null;
    };
    const other = writerOf(tenant, faultyD1(between), undefined, kept);
    bodyOf(await other.execute(request('allocateMarkers', { quantity: 1 })));
    expect((await verified(tenant)).fault).toBeUndefined();
  });
});

describe('a writer that was replaced and has not heard of it', () => {
  it('cannot go on where the log was put back to what it knows', async () => {
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

describe('the mark of a writer', () => {
  it('is not taken for a rewind when it is behind, as after a crash between commit and mark', async () => {
    const tenant = await newTenant({ markerCodeStart: 1 });
    const kept = marks();
    bodyOf(await writerOf(tenant, db, undefined, kept).execute(request('allocateMarkers', { quantity: 1 })));
    const behind = kept.mark;
    bodyOf(await writerOf(tenant, db, undefined, kept).execute(request('allocateMarkers', { quantity: 1 })));
    kept.mark = behind;
    const next = await writerOf(tenant, db, undefined, kept).execute(
      request('allocateMarkers', { quantity: 1 }),
    );
    expect(bodyOf<Block>(next).firstMarkerCode).toBe(3);
    expect((await wholeLog(tenant)).map(({ action }) => action)).not.toContain('STORE_REWOUND');
  });

  it.each([
    ['begins', false],
    ['lives', true],
  ])('covers what another object has committed before one that %s answers it', async (_, lives) => {
    const tenant = await newTenant({ markerCodeStart: 1 });
    const kept = marks();
    const allocated = request('allocateMarkers', { quantity: 1 });
    const other = writerOf(tenant, db, undefined, kept);
    if (lives) await other.execute(request('allocateMarkers', { quantity: 1 }));
    const restore = await remember(tenant.uuid);
    const log = async () => (await wholeLog(tenant)).filter(({ requestId }) => requestId === 'test');
    // It ends once D1 has confirmed the commit, and before its mark is safe: nobody is answered.
    const ended: Marks = {
      read: () => kept.read(),
      write: async (mark) =>
        (await log()).length > (lives ? 1 : 0) ? new Promise(() => undefined) : await kept.write(mark),
    };
    void writerOf(tenant, db, undefined, ended).execute(allocated);
    while ((await log()).length < (lives ? 2 : 1));
    // The edge asks again.
    const block = bodyOf<Block>(await other.execute(allocated));
    await restore();
    const next = writerOf(tenant, db, undefined, kept).execute(request('allocateMarkers', { quantity: 1 }));
    expect(bodyOf<Block>(await next).firstMarkerCode).toBe(block.lastMarkerCode + 1);
  });

  it('is waited for by the answer, and by nothing else', async () => {
    const tenant = await newTenant({ markerCodeStart: 1 });
    const kept = marks();
    const held = Promise.withResolvers<void>();
    let holds = false;
    const writer = writerOf(tenant, db, undefined, {
      read: () => kept.read(),
      write: (mark) => (holds ? held.promise : kept.write(mark)),
    });
    bodyOf(await writer.execute(request('allocateMarkers', { quantity: 1 })));
    holds = true;
    const answers: number[] = [];
    const all = [1, 2, 3].map(async (number) => {
      bodyOf(await writer.execute(request('allocateMarkers', { quantity: 1 })));
      answers.push(number);
    });
    while ((await wholeLog(tenant)).filter(({ action }) => action === 'MARKERS_ALLOCATED').length < 4);
    expect(answers).toEqual([]);
    held.resolve();
    await Promise.all(all);
    expect(answers).toHaveLength(3);
  });

  it('does not make a declared rewind another one when a crash kept it from being written', async () => {
    const tenant = await newTenant({ markerCodeStart: 1 });
    const kept = marks();
    const allocateOn = () =>
      writerOf(tenant, db, undefined, kept).execute(request('allocateMarkers', { quantity: 1 }));
    const restore = await remember(tenant.uuid);
    bodyOf(await allocateOn());
    const before = kept.mark;
    await restore();
    expect(bodyOf<Block>(await allocateOn()).firstMarkerCode).toBe(2);
    kept.mark = before;
    expect(bodyOf<Block>(await allocateOn()).firstMarkerCode).toBe(3);
    const rewinds = (await wholeLog(tenant)).filter(({ action }) => action === 'STORE_REWOUND');
    expect(rewinds).toHaveLength(1);
  });

  it.each([
    ['back once more', false],
    ['forward again', true],
  ])('covers a declaration before others can read it, if the store is then put %s', async (_, forward) => {
    const tenant = await newTenant({ markerCodeStart: 1 });
    const kept = marks();
    const restore = await remember(tenant.uuid);
    const first = request('allocateMarkers', { quantity: 1 });
    bodyOf(await writerOf(tenant, db, undefined, kept).execute(first));
    const undo = await remember(tenant.uuid);
    await restore();
    const declared = async () => (await wholeLog(tenant)).find(({ action }) => action === 'STORE_REWOUND');
    // It ends once D1 has confirmed the declaration: nothing that it writes from then on is kept.
    const ended: Marks = {
      read: () => kept.read(),
      write: async (mark) =>
        (await declared()) ? new Promise<void>(() => undefined) : await kept.write(mark),
    };
    void writerOf(tenant, db, undefined, ended).execute(request('allocateMarkers', { quantity: 1 }));
    while (!(await declared()));
    const [read, event] = [await declared(), (await eventsOf(tenant)).at(-1)];
    await (forward ? undo() : restore());
    let declaring: Mark | undefined;
    const watched: Marks = {
      read: () => kept.read(),
      write: async (mark) => {
        if (mark.declaring) declaring = mark;
        await kept.write(mark);
      },
    };
    const allocateOn = (on: Marks) =>
      writerOf(tenant, db, undefined, on).execute(request('allocateMarkers', { quantity: 1 }));
    expect(bodyOf<Block>(await allocateOn(watched)).firstMarkerCode).toBe(2);
    expect((await declared())?.sequenceNumber).toBeGreaterThan(read!.sequenceNumber);
    expect((await eventsOf(tenant)).at(-1).sequenceNumber).toBeGreaterThan(event.sequenceNumber);
    // Nor is it declared twice if this one ended so, too.
    kept.mark = declaring;
    expect(bodyOf<Block>(await allocateOn(kept)).firstMarkerCode).toBe(3);
    const rewinds = (await wholeLog(tenant)).filter(({ action }) => action === 'STORE_REWOUND');
    expect(rewinds).toHaveLength(1);
  });

  it('does not make one rewind two when its declaration comes late', async () => {
    const tenant = await newTenant({ markerCodeStart: 1 });
    const kept = marks();
    const allocateOn = (database = db) =>
      writerOf(tenant, database, undefined, kept).execute(request('allocateMarkers', { quantity: 1 }));
    const restore = await remember(tenant.uuid);
    bodyOf(await allocateOn());
    await restore();
    const before = kept.mark;
    const late = { read: async () => before, write: async () => undefined };
    // The first declaration is given up, and takes effect while the second is on its way.
    const faulty = faultyD1(async (batch) => {
      if (batch === 4) {
        const first = writerOf(tenant, db, undefined, late);
        bodyOf(await first.execute(request('allocateMarkers', { quantity: 1 })));
      }
      return batch === 2 ? 'before' : null;
    });
    expect(bodyOf<Block>(await allocateOn(faulty)).firstMarkerCode).toBe(3);
    const rewinds = (await wholeLog(tenant)).filter(({ action }) => action === 'STORE_REWOUND');
    expect(rewinds).toHaveLength(1);
    expect((await verified(tenant)).fault).toBeUndefined();
  });
});
