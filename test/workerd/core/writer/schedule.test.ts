import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Allowance, allowed, UsedUp } from '../../../../src/core/lib/allowance.ts';
import worker from '../../../../src/worker.ts';
import { wrappedD1 } from '../../../d1.ts';
import { LIMITS } from '../../../platform/limits.ts';
import { bindings } from '../../access/database/places.ts';

const { DB } = bindings;
const DAY_MS = 86_400_000;
const NAMES = ['DB', ...Array.from({ length: 11 }, (_, index) => `DB_${index + 1}`)];

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue(undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Databases in which rows expire without end: each deletion finds as many as it may delete. */
function endlessDatabases() {
  const statements: Record<string, string[]> = Object.fromEntries(NAMES.map((name) => [name, []]));
  const databases = NAMES.map((name) => {
    const db = wrappedD1(DB, async <T>(texts: readonly string[], ask: () => Promise<T>) => {
      statements[name]!.push(...texts);
      const [text] = texts as [string];
      if (text.includes('AS is_expired'))
        return { rowid: 1, id: 1, organization_uuid: '1', scan_id: '1', expired: 10_000 } as T;
      if (/^\s*DELETE/.test(text) && texts.length === 1)
        return { results: [], meta: { changes: 5_000 } } as T;
      return ask();
    });
    return [name, db];
  });
  return { env: { ...bindings, ...Object.fromEntries(databases) }, statements };
}

const run = (cron: string, env: object) =>
  worker.scheduled({ cron } as ScheduledController, env as typeof bindings);

describe('a run of the daily schedule', () => {
  it('stays within the statements of an invocation, and shares them among the databases', async () => {
    const { env, statements } = endlessDatabases();
    await run('17 3 * * *', env);
    const counts = Object.values(statements).map(({ length }) => length);
    const total = counts.reduce((sum, count) => sum + count, 0);
    expect(total).toBeLessThanOrEqual(LIMITS.queries);
    expect(total).toBeGreaterThan(LIMITS.queries * 0.8);
    expect(Math.min(...counts)).toBeGreaterThan(LIMITS.queries / NAMES.length / 2);
  });

  it('deletes from each table on one of the days, also where rows expire without end', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { env, statements } = endlessDatabases();
    const today = Date.now();
    for (let day = 0; day < 12; day += 1) {
      vi.setSystemTime(today + day * DAY_MS);
      await run('17 3 * * *', env);
    }
    const tables = statements['DB_11']!.flatMap((text) => /DELETE FROM (\w+)/.exec(text)?.[1] ?? []);
    expect([...new Set(tables)].sort()).toEqual(
      expect.arrayContaining([
        'dead_letter',
        'event',
        'gate_tablet',
        'idempotency',
        'operation',
        'recent_answer',
        'retention_due',
        'scan',
        'session',
        'webhook_delivery',
      ]),
    );
  });
});

describe('an allowance of statements', () => {
  const db = (allowance: Allowance) => allowed(DB, allowance);
  const one = (of: D1Database) => of.prepare('SELECT ?1 AS one').bind(1);

  it('every kind of call takes from the allowance, and a call beyond it is not made', async () => {
    const of = db(new Allowance(6));
    expect(await one(of).first('one')).toBe(1);
    expect((await one(of).all()).results).toEqual([{ one: 1 }]);
    expect((await one(of).run()).success).toBe(true);
    const session = of.withSession();
    expect(await session.batch([one(session as never), one(session as never)])).toHaveLength(2);
    expect(session.getBookmark()).toEqual(expect.any(String));
    await expect(of.batch([one(of), one(of)])).rejects.toThrow(UsedUp);
    expect(await one(of).first('one')).toBe(1);
    await expect(one(of).first()).rejects.toThrow(UsedUp);
  });

  it('work with a share takes no more than it, and gives back the rest', async () => {
    const whole = new Allowance(10);
    await whole.share(2, async (share) => {
      share.take(3);
      expect(() => share.take(3)).toThrow(UsedUp);
      expect(() => whole.take(6)).toThrow(UsedUp);
      whole.take(5);
    });
    await expect(
      whole.share(1, async (share) => {
        share.take(1);
        throw new Error('the work failed');
      }),
    ).rejects.toThrow('the work failed');
    whole.take(1);
    expect(() => whole.take(1)).toThrow(UsedUp);
  });
});
