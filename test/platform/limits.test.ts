import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { Env } from '../../src/core/env.ts';
import { platformBindings } from './bindings.ts';
import { invocation as current, Invocation, within, withLimits } from './invocation.ts';
import { LIMITS } from './limits.ts';

const { DB, CALIBRATION, WRITER, ASSETS } = platformBindings(env as unknown as Env);

/** Run D1 queries in a new invocation. */
const invoke = <T>(run: () => Promise<T>): Promise<T> => within(new Invocation(), run);

const one = () => DB.prepare('SELECT 1');

describe('the queries of an invocation', () => {
  it('an invocation makes 1,000 queries and no more', async () => {
    await invoke(async () => {
      for (let batch = 0; batch < 10; batch += 1) await DB.batch(Array.from({ length: 100 }, one));
      await expect(one().run()).rejects.toThrow('Too many API requests by single worker invocation.');
    });
  });

  it('each statement of a batch is a query', async () => {
    const batch = Array.from({ length: LIMITS.queries + 1 }, one);
    await expect(invoke(() => DB.batch(batch))).rejects.toThrow('Too many API requests');
  });

  it('another invocation has its own 1,000 queries', async () => {
    const all = () => DB.batch(Array.from({ length: LIMITS.queries }, one));
    await expect(Promise.all([invoke(all), invoke(all)])).resolves.toHaveLength(2);
  });

  it('an event that reaches an object fills up its queries', async () => {
    const object = new Invocation();
    const all = () => within(object, () => DB.batch(Array.from({ length: LIMITS.queries }, one)));
    await all();
    await expect(all()).rejects.toThrow('Too many API requests');
    object.fillUp();
    await expect(all()).resolves.toHaveLength(LIMITS.queries);
  });

  it('a session of D1 counts in the same way', async () => {
    const batch = Array.from({ length: LIMITS.queries + 1 }, one);
    await expect(invoke(() => DB.withSession().batch(batch))).rejects.toThrow('Too many API requests');
  });
});

describe('the connections of an invocation', () => {
  it('a seventh call waits until a connection is free', async () => {
    const running = { now: 0, most: 0 };
    const invocation = new Invocation();
    const busy = async () => {
      running.now += 1;
      running.most = Math.max(running.most, running.now);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running.now -= 1;
    };
    await Promise.all(Array.from({ length: 40 }, () => invocation.call(0, busy)));
    expect(running).toEqual({ now: 0, most: LIMITS.connections });
  });

  it('a call that fails frees its connection', async () => {
    const invocation = new Invocation();
    const failing = () => invocation.call(0, () => Promise.reject(new Error('down')));
    await Promise.allSettled(Array.from({ length: 10 }, failing));
    await expect(invocation.call(0, async () => 'free')).resolves.toBe('free');
  });

  it('a bucket takes connections, and an object takes none', async () => {
    const invocation = new Invocation();
    const held = Promise.withResolvers<void>();
    const holding = Array.from({ length: LIMITS.connections }, () => invocation.call(0, () => held.promise));
    const reached = { bucket: false };
    const head = within(invocation, () => CALIBRATION.head('any')).then(() => {
      reached.bucket = true;
    });
    const lease = await within(invocation, () => WRITER.get(WRITER.idFromName('any')).lease(1, 1));
    expect(lease).toBeDefined();
    expect(reached.bucket).toBe(false);
    held.resolve();
    await Promise.all([...holding, head]);
    expect(reached.bucket).toBe(true);
  });
});

it('the caches and static assets take connections', async () => {
  const invocation = new Invocation();
  const held = Promise.withResolvers<void>();
  const holding = Array.from({ length: LIMITS.connections }, () => invocation.call(0, () => held.promise));
  const reached: string[] = [];
  const asked = within(invocation, () => [
    caches.default.match('https://cache.invalid/').then(() => reached.push('cache')),
    ASSETS.fetch('https://assets/assets/none').then(() => reached.push('assets')),
  ]);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(reached).toEqual([]);
  held.resolve();
  await Promise.all([...holding, ...asked]);
  expect(reached.sort()).toEqual(['assets', 'cache']);
});

describe('the events of an object', () => {
  it('every method of an object is an event of its one invocation', () => {
    class Base {
      first() {
        return current();
      }
    }
    const Limited = withLimits(
      class extends Base {
        second() {
          return current();
        }
      },
    );
    const [one, other] = [new Limited(), new Limited()];
    expect(one.first()).toBeInstanceOf(Invocation);
    expect(one.second()).toBe(one.first());
    expect(other.first()).not.toBe(one.first());
  });

  it('the object of an organization has limits in every method', async () => {
    const { WRITER: real } = env as unknown as Env;
    const names = await runInDurableObject(real.get(real.idFromName('any')), (object) => [
      ...Object.getOwnPropertyNames(Object.getPrototypeOf(Object.getPrototypeOf(object))),
    ]);
    expect(names).toEqual(
      expect.arrayContaining(['alarm', 'execute', 'fetch', 'forget', 'lease', 'scheduleJobs', 'topUp']),
    );
  });
});

it('an invocation makes 10,000 calls and no more', () => {
  const invocation = new Invocation();
  for (let call = 0; call < LIMITS.subrequests; call += 1) invocation.countSubrequest();
  expect(() => invocation.countSubrequest()).toThrow('Too many subrequests');
});

it('calls of D1 and of objects take the time of both ways', async () => {
  const distant = platformBindings({
    ...(env as unknown as Env),
    PLATFORM_D1_MS: '30',
    PLATFORM_OBJECT_MS: '50',
  });
  const timed = async (ask: () => Promise<unknown>): Promise<number> => {
    const start = performance.now();
    await ask();
    return performance.now() - start;
  };
  const object = distant.WRITER.get(distant.WRITER.idFromName('any'));
  expect(await timed(() => distant.DB.prepare('SELECT 1').run())).toBeGreaterThanOrEqual(59);
  expect(await timed(async () => object.lease(1, 1))).toBeGreaterThanOrEqual(99);
});

describe('the sizes of D1', () => {
  const text = (bytes: number) => 'x'.repeat(bytes);

  it.each([
    { name: 'a parameter', bind: [text(LIMITS.valueBytes)], fault: undefined },
    { name: 'a parameter with a byte too much', bind: [text(LIMITS.valueBytes + 1)], fault: 'TOOBIG' },
    {
      name: 'a parameter in two-byte letters',
      bind: ['é'.repeat(LIMITS.valueBytes / 2 + 1)],
      fault: 'TOOBIG',
    },
    { name: 'a BLOB', bind: [new ArrayBuffer(LIMITS.valueBytes + 1)], fault: 'TOOBIG' },
    { name: '101 parameters', bind: Array(101).fill(1), fault: 'too many SQL variables' },
  ])('D1 takes or refuses $name: $fault', async ({ bind, fault }) => {
    const marks = bind.map(() => '?').join(',');
    const ask = async () =>
      DB.prepare(`SELECT length(coalesce(${marks}${bind.length > 1 ? '' : ', 0'}))`)
        .bind(...bind)
        .all();
    if (fault) await expect(ask()).rejects.toThrow(fault);
    else await expect(ask()).resolves.toBeDefined();
  });

  it('a row with a larger value is not returned', async () => {
    const ask = DB.prepare(`SELECT replace(hex(zeroblob(${LIMITS.valueBytes / 2 + 1})), '0', 'x') AS value`);
    await expect(ask.all()).rejects.toThrow('TOOBIG');
  });

  it('a result of more than 50 MB is not returned', async () => {
    const rows = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
      SELECT hex(zeroblob(900000)) AS value FROM n`;
    await expect(DB.prepare(rows).all()).rejects.toThrow('50 MB');
  });

  it('a statement of more than 100 KB is refused', async () => {
    await expect(DB.prepare(`SELECT 1 -- ${text(LIMITS.statementBytes)}`).all()).rejects.toThrow('TOOBIG');
  });

  it('a function with 33 arguments is refused', async () => {
    const ask = (count: number) =>
      DB.prepare(`SELECT json_array(${Array(count).fill(1).join(', ')}) AS list`).all();
    await expect(ask(32)).resolves.toBeDefined();
    await expect(ask(33)).rejects.toThrow('too many arguments on function');
  });
});
