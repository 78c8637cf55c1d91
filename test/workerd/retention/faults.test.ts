import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Env } from '../../../src/core/env.ts';
import { sweepOrphans } from '../../../src/dispatch/calibration/objects.ts';
import { bindings } from '../access/database/places.ts';
import { bucketWith } from '../dispatch/calibration/files.ts';
import type { Dock } from '../dispatch/load/shipment/dock.ts';
import { envOver, FAILURES, failingD1 } from '../failing.ts';
import { bodiesOf, bucket, got, keepFor, keysOf, plan, retain, runOnce, shownOf } from './archives.ts';
import { expectAllThere, expectDone, HOUR_MS, world } from './whole.ts';

/**
 * A bucket whose calls with these names fail from a number on. With `late`, they take effect before they
 * fail.
 */
function failingBucket(names: readonly ('put' | 'head')[], from: number, late: boolean) {
  const calls = { count: 0 };
  const failing =
    (name: 'put' | 'head') =>
    async (...given: never[]) => {
      calls.count += 1;
      const call = () => (bucket[name] as (...all: never[]) => Promise<unknown>)(...given);
      if (calls.count < from) return call();
      if (late && calls.count === from) await call();
      throw new Error('the bucket does not answer');
    };
  const faulty = bucketWith(Object.fromEntries(names.map((name) => [name, failing(name)])));
  return { bucket: faulty, calls };
}

afterEach(() => vi.restoreAllMocks());

/** Run the job with some bindings until it ends or fails. After a failure it wants to run again. */
async function runUntilFailure(dock: Dock, env: Partial<Env>): Promise<void> {
  vi.spyOn(console, 'warn').mockReturnValue(undefined);
  vi.spyOn(console, 'error').mockReturnValue(undefined);
  await plan(dock);
  for (;;) {
    const next = await runOnce(dock, env).catch(() => 'failed');
    if (typeof next !== 'number' || next > Date.now()) return;
  }
}

describe('wherever it ends, nothing is lost or doubled', () => {
  it.each([false, true])(
    'archiving loses and doubles nothing if it ends at any call of the bucket; late: %s',
    async (late) => {
      let at = 1;
      for (; ; at += 5) {
        const gone = await world();
        const faulty = failingBucket(['put', 'head'], at, late);
        await runUntilFailure(gone.dock, { CALIBRATION: faulty.bucket });
        await expectAllThere(gone);
        await expectDone(gone);
        if (faulty.calls.count < at) break;
      }
      expect(at).toBeGreaterThan(10);
    },
  );

  it.each([false, true])(
    'archiving loses and doubles nothing if it ends at any call of D1 and stays down; late: %s',
    async (late) => {
      let at = 1;
      for (; ; at += 13) {
        const gone = await world();
        const faulty = failingD1({ message: FAILURES.lost, from: at, late });
        await runUntilFailure(gone.dock, envOver(faulty.db));
        await expectAllThere(gone);
        await expectDone(gone);
        if (faulty.calls.count < at) break;
      }
      expect(at).toBeGreaterThan(20);
    },
    240_000,
  );

  it('archiving loses and doubles nothing if any single call of D1 fails, late or not', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 40 }), fc.boolean(), async (at, late) => {
        const gone = await world();
        const faulty = failingD1({ message: FAILURES.lost, from: at, to: at, late });
        await runUntilFailure(gone.dock, envOver(faulty.db));
        await expectAllThere(gone);
        await expectDone(gone);
      }),
      { numRuns: 6 },
    );
  }, 240_000);

  it('archiving loses and doubles nothing if two run at the same time', async () => {
    const gone = await world();
    vi.spyOn(console, 'warn').mockReturnValue(undefined);
    await plan(gone.dock);
    for (let run = 0; run < 4; run += 1) {
      await Promise.all([runOnce(gone.dock), runOnce(gone.dock)]);
      await expectAllThere(gone);
    }
    await expectDone(gone);
  });
});

/** A bucket that runs an action before its n-th call with this name. */
function runBefore(at: number, happen: () => Promise<unknown>, name: 'put' | 'head' = 'put'): R2Bucket {
  let calls = 0;
  return bucketWith({
    async [name](...given: never[]) {
      calls += 1;
      if (calls === at) await happen();
      return (bucket[name] as (...all: never[]) => Promise<unknown>)(...given);
    },
  });
}

describe('changes during the copy', () => {
  it.each([1, 2, 3, 4, 5])(
    'a correction before object %i is copied makes the copy start again',
    async (at) => {
      const { dock } = await world();
      const correct = () =>
        dock.must('PATCH', '/shipment/S/asset-loading/track/D/status', {
          status: 'LOADED',
          gateExternalId: 'G',
        });
      await runUntilFailure(dock, { CALIBRATION: runBefore(at, correct) });
      // Retention noticed the change, and pages show the current state.
      expect((await dock.must('GET', '/archive')).body.totalElements).toBe(0);
      const pages = await shownOf(dock);
      expect(pages.bodies.join()).toContain('"revision":2');
      const before = await got(dock, '/shipment/S');
      const { uuid } = (await dock.must('GET', '/shipment/S')).body;
      await retain(dock);
      expect(await bodiesOf(pages.urls)).toEqual(pages.bodies);
      expect(await got(dock, `/archive/${uuid}`)).toBe(before);
    },
  );

  it('a changed field or a damaged pallet makes the copy start again', async () => {
    for (const change of [
      (dock: Dock) => dock.must('PATCH', '/track/D/flag', { damaged: true, reason: 'dented' }),
      (dock: Dock) =>
        bindings.DB.prepare('UPDATE gate SET name = ?2 WHERE organization_uuid = ?1')
          .bind(dock.uuid, 'New')
          .run(),
    ]) {
      const { dock } = await world();
      await runUntilFailure(dock, { CALIBRATION: runBefore(5, () => change(dock)) });
      expect((await dock.must('GET', '/archive')).body.totalElements).toBe(0);
      const pages = await shownOf(dock);
      await retain(dock);
      expect(await bodiesOf(pages.urls)).toEqual(pages.bodies);
    }
  });

  it('a load whose retention becomes longer during the copy stays in the database', async () => {
    const gone = await world();
    await runUntilFailure(gone.dock, { CALIBRATION: runBefore(5, () => keepFor(gone.dock, 3_650)) });
    await retain(gone.dock);
    expect(await expectAllThere(gone)).toBe('living');
  });

  it('a reactivated pallet stays, and a changed one is archived with its change', async () => {
    const { dock } = await world();
    const change = async () => {
      await dock.must('PATCH', '/track/B/revert-retirement');
      await dock.must('POST', '/track/A/comments', { additionalInfo: 'the last word' });
    };
    // The calls are four documents, one object with records, and then the pallets of a manifest.
    await runUntilFailure(dock, { CALIBRATION: runBefore(6, change) });
    await runUntilFailure(dock, {});
    await retain(dock);
    expect((await dock.must('GET', '/track/B')).body.trackStatus).toBe('ACTIVE');
    const { keys } = await keysOf(dock);
    const texts = await Promise.all(keys.map(async (key) => (await bucket.get(key))!.text()));
    const comments = texts.filter((text) => text.includes('the last word'));
    expect(comments.length).toBe(1);
    const { results } = await bindings.DB.prepare(
      'SELECT object_key FROM archive_object WHERE organization_uuid = ?',
    )
      .bind(dock.uuid)
      .all<{ object_key: string }>();
    expect(results.length).toBeGreaterThan(0);
    const named = await Promise.all(
      results.map(async ({ object_key }) => (await bucket.get(object_key))!.text()),
    );
    expect(named.join()).not.toMatch(/"wms_id":"B","marker_code":\d+,"retirement"/);
  });

  it('objects that are queued for deletion are written again', async () => {
    const gone = await world();
    const sweep = () => sweepOrphans(bindings.DB, bucket, Date.now() + HOUR_MS + 1);
    await runUntilFailure(gone.dock, { CALIBRATION: runBefore(5, sweep, 'head') });
    expect(await expectAllThere(gone)).toBe('living');
    await expectDone(gone);
  });

  it('archived bytes that were altered in the bucket give 503, not false data', async () => {
    const { dock, pages } = await world();
    await retain(dock);
    vi.spyOn(console, 'error').mockReturnValue(undefined);
    const { keys } = await keysOf(dock);
    for (const key of keys) {
      const text = await (await bucket.get(key))!.text();
      await bucket.put(key, text.replaceAll('LOADED', 'LOADER'));
    }
    for (const shown of await bodiesOf(pages.urls)) expect(shown).toMatch(/^503 /);
  });
});
