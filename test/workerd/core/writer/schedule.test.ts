import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Allowance, allowed, UsedUp } from '../../../../src/core/lib/allowance.ts';
import { wrappedD1 } from '../../../d1.ts';
import { LIMITS } from '../../../platform/limits.ts';
import { bindings } from '../../access/database/places.ts';
import { DAILY, deliverTurn, EVERY_MINUTE, runSchedule, turnsOf } from '../../schedule.ts';

const { DB } = bindings;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const NAMES = ['DB', ...Array.from({ length: 149 }, (_, index) => `DB_${index + 1}`)];

let warned: () => string;
beforeEach(() => {
  const { mock } = vi.spyOn(console, 'warn').mockReturnValue(undefined);
  warned = () => mock.calls.flat().join('\n');
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Databases in which rows expire without end: each deletion finds as many as it may delete. */
function endlessDatabases(names: readonly string[]) {
  const statements: Record<string, string[]> = Object.fromEntries(names.map((name) => [name, []]));
  const databases = names.map((name) => {
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

describe('a daily turn', () => {
  it('stays within the statements of an invocation, and each database has as many', async () => {
    const { env, statements } = endlessDatabases(NAMES.slice(0, 4));
    const turns = await runSchedule(DAILY, env, 0);
    expect(turns.map(({ isDone }) => isDone)).toEqual([false, false, false, false]);
    for (const { length } of Object.values(statements)) {
      expect(length).toBeLessThanOrEqual(LIMITS.queries);
      expect(length).toBeGreaterThan(LIMITS.queries * 0.9);
    }
    expect(warned()).toContain('The allowance of D1 statements is used up.');
  });

  it('is repeated, and its attempts delete from each table, also where rows expire without end', async () => {
    const { env, statements } = endlessDatabases(['DB', 'DB_1']);
    await runSchedule(DAILY, env);
    const tables = statements['DB_1']!.flatMap((text) => /DELETE FROM (\w+)/.exec(text)?.[1] ?? []);
    expect([...new Set(tables)].sort()).toEqual(
      expect.arrayContaining([
        'dead_letter',
        'event',
        'gate_turn',
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

describe('the messages of a schedule', () => {
  const env = { ...bindings, ...Object.fromEntries(NAMES.map((name) => [name, DB])) };

  it('there is one for each of 150 databases, in another order every time', async () => {
    const [one, other] = [await turnsOf(EVERY_MINUTE, env), await turnsOf(EVERY_MINUTE, env)];
    const names = one.map(({ body }) => body.database);
    expect(names.toSorted()).toEqual(NAMES.toSorted());
    expect(names).not.toEqual(other.map(({ body }) => body.database));
    expect(one.every(({ body, delaySeconds }) => body.schedule === 'minute' && delaySeconds === 0)).toBe(
      true,
    );
  });

  it('daily turns start one after another', async () => {
    const turns = await turnsOf(DAILY, env);
    expect(turns.every(({ body }) => body.schedule === 'day')).toBe(true);
    expect(turns.map(({ delaySeconds }) => delaySeconds)).toEqual(NAMES.map((_, index) => index * 15));
  });

  it('a batch that cannot be sent does not stop the others, and the run fails', async () => {
    const sizes: number[] = [];
    const SCHEDULE_QUEUE = {
      sendBatch: async (batch: unknown[]) => {
        sizes.push(batch.length);
        if (batch.length === 100) throw new Error('Queue sendBatch failed: Internal Server Error');
      },
    };
    const { default: worker } = await import('../../../../src/worker.ts');
    const sent = worker.scheduled({ cron: EVERY_MINUTE } as never, { ...env, SCHEDULE_QUEUE } as never);
    await expect(sent).rejects.toThrow('Turns could not be sent');
    expect(sizes).toEqual([100, 50]);
  });

  it.each([
    ['older than a minute', { database: 'DB', schedule: 'minute' }, MINUTE_MS + 1],
    ['of a daily turn older than a day', { database: 'DB', schedule: 'day' }, DAY_MS + 1],
    ['of a database that is not bound', { database: 'DB_77', schedule: 'minute' }, 0],
    ['of an unknown schedule', { database: 'DB', schedule: 'week' }, 0],
  ])('a message %s is dropped', async (_, body, age) => {
    const statements: string[] = [];
    const watched = wrappedD1(DB, (texts, ask) => {
      statements.push(...texts);
      return ask();
    });
    const timestamp = new Date(Date.now() - age);
    expect(await deliverTurn({ ...bindings, DB: watched }, body, { timestamp })).toBe('ack');
    expect([statements, warned()]).toEqual([[], expect.stringContaining('"dropped"')]);
  });
});

describe('an allowance', () => {
  const db = (allowance: Allowance) => allowed(DB, allowance);
  const one = (of: D1Database) => of.prepare('SELECT ?1 AS one').bind(1);

  it('every kind of call takes from the allowance, and a call beyond it is not made', async () => {
    const of = db(new Allowance(6, MINUTE_MS));
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

  it('no call is made after its time', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const of = db(new Allowance(6, MINUTE_MS));
    vi.setSystemTime(Date.now() + MINUTE_MS);
    expect(await one(of).first('one')).toBe(1);
    vi.setSystemTime(Date.now() + 1);
    await expect(one(of).first()).rejects.toThrow('The time of the turn is used up.');
  });
});
