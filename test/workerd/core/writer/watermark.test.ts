import { describe, expect, it } from 'vitest';
import type { Watermark, WatermarkStore } from '../../../../src/core/writer/writer-state.ts';
import { verified, wholeLog } from '../../log/audit/logs.ts';
import { type Block, bodyOf, db, faultyD1, newTenant, request, writerOf } from './requests.ts';
import { eventsOf, marks, remember } from './rewinds.ts';

describe('the watermark of a writer', () => {
  it('a watermark behind the log after a crash is not taken for a rewind', async () => {
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
  ])(
    'a watermark covers the commit of another object before a request that %s is answered',
    async (_, lives) => {
      const tenant = await newTenant({ markerCodeStart: 1 });
      const kept = marks();
      const allocated = request('allocateMarkers', { quantity: 1 });
      const other = writerOf(tenant, db, undefined, kept);
      if (lives) await other.execute(request('allocateMarkers', { quantity: 1 }));
      const restore = await remember(tenant.uuid);
      const log = async () => (await wholeLog(tenant)).filter(({ requestId }) => requestId === 'test');
      // It ends when D1 has confirmed the commit, before its watermark is stored. So no caller gets an
      // answer.
      const ended: WatermarkStore = {
        read: () => kept.read(),
        write: async (mark) =>
          (await log()).length > (lives ? 1 : 0) ? new Promise(() => undefined) : await kept.write(mark),
      };
      void writerOf(tenant, db, undefined, ended).execute(allocated);
      while ((await log()).length < (lives ? 2 : 1));
      // The edge sends the command again.
      const block = bodyOf<Block>(await other.execute(allocated));
      await restore();
      const next = writerOf(tenant, db, undefined, kept).execute(request('allocateMarkers', { quantity: 1 }));
      expect(bodyOf<Block>(await next).firstMarkerCode).toBe(block.lastMarkerCode + 1);
    },
  );

  it('the answer waits for the watermark, and nothing else does', async () => {
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
});

describe('the declaration of a rewind', () => {
  it('a crash before the declaration is written does not declare the rewind twice', async () => {
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
    ['back again', false],
    ['forward again', true],
  ])(
    'a declaration is covered before others can read it, if the store is then put %s',
    async (_, forward) => {
      const tenant = await newTenant({ markerCodeStart: 1 });
      const kept = marks();
      const restore = await remember(tenant.uuid);
      const first = request('allocateMarkers', { quantity: 1 });
      bodyOf(await writerOf(tenant, db, undefined, kept).execute(first));
      const undo = await remember(tenant.uuid);
      await restore();
      const declared = async () => (await wholeLog(tenant)).find(({ action }) => action === 'STORE_REWOUND');
      // It ends when D1 has confirmed the declaration. Nothing that it writes after that is stored.
      const ended: WatermarkStore = {
        read: () => kept.read(),
        write: async (mark) =>
          (await declared()) ? new Promise<void>(() => undefined) : await kept.write(mark),
      };
      void writerOf(tenant, db, undefined, ended).execute(request('allocateMarkers', { quantity: 1 }));
      while (!(await declared()));
      const [read, event] = [await declared(), (await eventsOf(tenant)).at(-1)];
      await (forward ? undo() : restore());
      let declaring: Watermark | undefined;
      const watched: WatermarkStore = {
        read: () => kept.read(),
        write: async (mark) => {
          if (mark.declaring) declaring = mark;
          await kept.write(mark);
        },
      };
      const allocateOn = (on: WatermarkStore) =>
        writerOf(tenant, db, undefined, on).execute(request('allocateMarkers', { quantity: 1 }));
      expect(bodyOf<Block>(await allocateOn(watched)).firstMarkerCode).toBe(2);
      expect((await declared())?.sequenceNumber).toBeGreaterThan(read!.sequenceNumber);
      expect((await eventsOf(tenant)).at(-1).sequenceNumber).toBeGreaterThan(event.sequenceNumber);
      // It is not declared twice if this writer ends in the same way, either.
      kept.mark = declaring;
      expect(bodyOf<Block>(await allocateOn(kept)).firstMarkerCode).toBe(3);
      const rewinds = (await wholeLog(tenant)).filter(({ action }) => action === 'STORE_REWOUND');
      expect(rewinds).toHaveLength(1);
    },
  );

  /**
   * A tenant that has lost a code. Its writers end as soon as D1 has confirmed a declaration. `mark` is
   * their watermark.
   */
  async function lostOnce() {
    const tenant = await newTenant({ markerCodeStart: 1 });
    const kept = marks();
    const restore = await remember(tenant.uuid);
    const on = (store: WatermarkStore) =>
      writerOf(tenant, db, undefined, store).execute(request('allocateMarkers', { quantity: 1 }));
    bodyOf(await on(kept));
    const declared = async () => (await wholeLog(tenant)).filter(({ action }) => action === 'STORE_REWOUND');
    const declares = async () => {
      const before = (await declared()).length;
      const ended = async () => (await declared()).length > before;
      void on({
        read: () => kept.read(),
        write: async (mark) => ((await ended()) ? new Promise(() => undefined) : kept.write(mark)),
      });
      while (!(await ended()));
      return { record: (await declared()).at(-1)!, event: (await eventsOf(tenant)).at(-1) };
    };
    return { tenant, kept, restore, allocate: () => on(kept), declared, declares };
  }

  it('the declaration of an earlier rewind is not taken for the last declaration that others read', async () => {
    const { tenant, restore, allocate, declared, declares } = await lostOnce();
    await restore();
    await declares();
    const first = await remember(tenant.uuid);
    await restore();
    const { record, event } = await declares();
    await first();
    bodyOf(await allocate());
    expect((await declared()).at(-1)!.sequenceNumber).toBeGreaterThan(record.sequenceNumber);
    expect((await eventsOf(tenant)).at(-1).sequenceNumber).toBeGreaterThan(event.sequenceNumber);
    expect((await verified(tenant)).fault).toBeUndefined();
  });

  it('a writer finds its declaration behind records that it has not seen', async () => {
    const { tenant, kept, restore, allocate, declared, declares } = await lostOnce();
    // A writer commits this and ends before its watermark is stored.
    const seen = kept.mark;
    bodyOf(await allocate());
    const forward = await remember(tenant.uuid);
    kept.mark = seen;
    await restore();
    await declares();
    await forward();
    await declares();
    bodyOf(await allocate());
    expect(await declared()).toHaveLength(1);
    expect((await verified(tenant)).fault).toBeUndefined();
  });

  it('a late declaration does not make one rewind two', async () => {
    const tenant = await newTenant({ markerCodeStart: 1 });
    const kept = marks();
    const allocateOn = (database = db) =>
      writerOf(tenant, database, undefined, kept).execute(request('allocateMarkers', { quantity: 1 }));
    const restore = await remember(tenant.uuid);
    bodyOf(await allocateOn());
    await restore();
    const before = kept.mark;
    const late = { read: async () => before, write: async () => undefined };
    // The writer gives up the first declaration. It takes effect while the second one is on its way.
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
