import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProblemError } from '../../../../src/core/lib/problem.ts';
import {
  CALLERS_MAXIMUM,
  MEMORY_MAXIMUM,
  type Permit,
  REST_MAXIMUM_MS,
  SHARE_MAXIMUM,
  Turns,
  WAIT_MAXIMUM_MS,
} from '../../../../src/core/lib/turns.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const lasting = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
const passed = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

/** The result of a request for a permit: `IN`, or the code of its refusal. Undefined while it waits. */
function watched(entering: Promise<Permit>): { became?: string } {
  const seen: { became?: string } = {};
  entering.then(
    () => {
      seen.became = 'IN';
    },
    (error) => {
      seen.became = (error as ProblemError).refusal.code;
    },
  );
  return seen;
}

/** Starts a request that ends without notice: no timer of it fires. */
function abandoned<T>(start: () => Promise<T>): Promise<T> {
  const { setTimeout: real } = globalThis;
  globalThis.setTimeout = (() => 0) as never;
  try {
    return start();
  } finally {
    globalThis.setTimeout = real;
  }
}

/** Pieces of work that note when they begin and end. */
function pieces(turns: Turns) {
  const log: string[] = [];
  const starts: number[] = [];
  const work = async (owner: string, name: string, milliseconds: number, permit?: Permit): Promise<void> => {
    const { work: turn } = permit ?? (await turns.enter(owner));
    await turn(async () => {
      starts.push(Date.now());
      log.push(`${name} begins`);
      await lasting(milliseconds);
      log.push(`${name} ends`);
    });
  };
  return { log, starts, work };
}

describe('turns of the thread', () => {
  it('pieces of work run one at a time, and the pieces of an owner in their order', async () => {
    const { log, work } = pieces(new Turns());
    const all = [1, 2, 3].map((number) => work('A', `A${number}`, 20));
    await passed(1_000);
    await Promise.all(all);
    expect(log).toEqual(['A1 begins', 'A1 ends', 'A2 begins', 'A2 ends', 'A3 begins', 'A3 ends']);
  });

  it('owners take turns, however many pieces of one of them wait', async () => {
    const { log, work } = pieces(new Turns());
    const all = Array.from({ length: 5 }, (_, index) => work('A', `A${index}`, 20));
    await passed(5);
    all.push(work('B', 'B0', 20), work('B', 'B1', 20), work('C', 'C0', 20));
    await passed(2_000);
    await Promise.all(all);
    const begun = log.filter((line) => line.endsWith('begins')).map((line) => line.slice(0, 2));
    expect(begun).toEqual(['A0', 'A1', 'B0', 'C0', 'A2', 'B1', 'A3', 'A4']);
  });

  it.each([
    { piece: 20, rest: 20 },
    { piece: 45, rest: 45 },
    { piece: 400, rest: REST_MAXIMUM_MS },
  ])('after a piece of $piece ms the thread rests for $rest ms', async ({ piece, rest }) => {
    const { starts, work } = pieces(new Turns());
    const all = [work('A', 'A', piece), work('B', 'B', piece)];
    await passed(2_000);
    await Promise.all(all);
    const pause = starts[1]! - starts[0]! - piece;
    expect(pause).toBeGreaterThanOrEqual(rest);
    // A caller checks every 10 ms whether it is its turn.
    expect(pause).toBeLessThanOrEqual(rest + 11);
  });

  it('a failing piece fails its request only, and the next one follows', async () => {
    const turns = new Turns();
    const { log, work } = pieces(turns);
    const failing = turns.take('A', ({ work: turn }) =>
      turn(() => {
        throw new Error('no such sheet');
      }),
    );
    const failed = expect(failing).rejects.toThrow('no such sheet');
    const next = work('A', 'next', 5);
    await passed(500);
    await Promise.all([failed, next]);
    expect(log).toEqual(['next begins', 'next ends']);
  });

  it('a request that ended while it waited loses its place at once, and a request that ended at work after two seconds', async () => {
    const turns = new Turns();
    const { log, work } = pieces(turns);
    const at = await turns.enter('B');
    const first = work('A', 'first', 50);
    await passed(5);
    void abandoned(() => at.work(() => undefined));
    const second = work('C', 'second', 5);
    await passed(500);
    expect(log).toContain('second ends');
    void at.work(() => new Promise(() => undefined));
    const third = work('C', 'third', 5);
    await passed(1_900);
    expect(log).not.toContain('third begins');
    await passed(400);
    expect(log).toContain('third ends');
    await Promise.all([first, second, third]);
  });

  it('no owner waits for more than one piece of each other owner', async () => {
    const OWNERS = ['A', 'B', 'C', 'D'];
    const request = fc.record({
      owner: fc.constantFrom(...OWNERS),
      at: fc.integer({ min: 0, max: 300 }),
      pieces: fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 12 }), async (requests) => {
        const turns = new Turns();
        const starts: string[] = [];
        let running = 0;
        const all = requests.map(async ({ owner, at, pieces: lengths }) => {
          await lasting(at);
          const permit = await turns.enter(owner);
          for (const length of lengths) {
            const seen = starts.length;
            // Another piece of the same owner may be in front.
            const own = { first: waiting.get(owner) ?? 0 };
            waiting.set(owner, own.first + 1);
            await permit.work(async () => {
              waiting.set(owner, waiting.get(owner)! - 1);
              running += 1;
              expect(running).toBe(1);
              const between = starts.slice(seen);
              for (const other of OWNERS.filter((each) => each !== owner)) {
                const count = between.filter((each) => each === other).length;
                expect(count).toBeLessThanOrEqual(own.first + 1);
              }
              starts.push(owner);
              await lasting(length);
              running -= 1;
            });
          }
          permit.leave();
        });
        const waiting = new Map<string, number>();
        await passed(60_000);
        await Promise.all(all);
        expect(starts).toHaveLength(requests.flatMap(({ pieces: lengths }) => lengths).length);
      }),
      { numRuns: 60 },
    );
  });
});

describe('shares of the memory', () => {
  it('an owner may have 16 requests, and one more is refused at once with 503', async () => {
    const turns = new Turns();
    const permits = await Promise.all(Array.from({ length: CALLERS_MAXIMUM }, () => turns.enter('A')));
    await expect(turns.enter('A')).rejects.toThrow(ProblemError);
    await expect(turns.enter('A')).rejects.toMatchObject({ refusal: { code: 'temporarilyUnavailable' } });
    expect(watched(turns.enter('B'))).toEqual({});
    permits[0]!.leave();
    await turns.enter('A');
  });

  it('requests that wait for memory count, too', async () => {
    const turns = new Turns();
    const all = Array.from({ length: CALLERS_MAXIMUM + 1 }, () => watched(turns.enter('A', SHARE_MAXIMUM)));
    await passed(100);
    expect(all.map(({ became }) => became)).toEqual([
      'IN',
      ...Array.from({ length: CALLERS_MAXIMUM - 1 }, () => undefined),
      'temporarilyUnavailable',
    ]);
  });

  it.each([
    { held: [], wants: 1, becomes: 'IN' },
    { held: [['A', SHARE_MAXIMUM]], wants: 1, becomes: undefined },
    { held: [['A', SHARE_MAXIMUM - 1]], wants: 1, becomes: 'IN' },
    { held: [['A', SHARE_MAXIMUM / 2]], wants: SHARE_MAXIMUM / 2 + 1, becomes: undefined },
    // More than the share counts as the share, so that it can be served.
    { held: [], wants: 10 * MEMORY_MAXIMUM, becomes: 'IN' },
    { held: [['A', 1]], wants: 10 * MEMORY_MAXIMUM, becomes: undefined },
    { held: [['B', SHARE_MAXIMUM]], wants: SHARE_MAXIMUM, becomes: 'IN' },
    {
      held: [
        ['B', SHARE_MAXIMUM],
        ['C', SHARE_MAXIMUM],
      ],
      wants: 1,
      becomes: undefined,
    },
    {
      held: [
        ['B', SHARE_MAXIMUM],
        ['C', SHARE_MAXIMUM],
      ],
      wants: 0,
      becomes: 'IN',
    },
  ] as { held: [string, number][]; wants: number; becomes: string | undefined }[])(
    'with $held held, a request of A for $wants bytes becomes $becomes',
    async ({ held, wants, becomes }) => {
      const turns = new Turns();
      for (const [owner, bytes] of held) await turns.enter(owner, bytes);
      const asked = watched(turns.enter('A', wants));
      await passed(1_000);
      expect(asked.became).toBe(becomes);
    },
  );

  it('a waiting request enters when another one leaves, and is refused with 503 after five seconds', async () => {
    const turns = new Turns();
    const first = await turns.enter('A', SHARE_MAXIMUM);
    const [second, third] = [
      watched(turns.enter('A', SHARE_MAXIMUM)),
      watched(turns.enter('A', SHARE_MAXIMUM)),
    ];
    await passed(WAIT_MAXIMUM_MS - 100);
    first.leave();
    await passed(20);
    expect([second.became, third.became]).toEqual(['IN', undefined]);
    await passed(200);
    expect(third.became).toBe('temporarilyUnavailable');
  });

  it('a large request of one owner gets its permit although others send small requests', async () => {
    const turns = new Turns();
    const held = [await turns.enter('B', SHARE_MAXIMUM), await turns.enter('C', SHARE_MAXIMUM)];
    const large = watched(turns.enter('A', SHARE_MAXIMUM));
    await passed(50);
    const small = watched(turns.enter('D', 1));
    held[0]!.leave();
    await passed(50);
    expect([large.became, small.became]).toEqual(['IN', undefined]);
  });

  it('a permit lasts as long as its request, and ends two seconds after a request that ended without notice', async () => {
    const turns = new Turns();
    const alive = await turns.enter('A', SHARE_MAXIMUM);
    const waiting = watched(turns.enter('A', SHARE_MAXIMUM));
    await passed(WAIT_MAXIMUM_MS - 500);
    expect(waiting.became).toBeUndefined();
    alive.leave();
    await passed(600);
    await abandoned(() => turns.enter('B', SHARE_MAXIMUM));
    const next = watched(turns.enter('B', SHARE_MAXIMUM));
    await passed(1_900);
    expect(next.became).toBeUndefined();
    await passed(200);
    expect(next.became).toBe('IN');
  });

  it('the turns block nobody if the clock goes back', async () => {
    const turns = new Turns();
    await abandoned(() => turns.enter('A', SHARE_MAXIMUM));
    vi.setSystemTime(Date.now() - 3_600_000);
    const next = watched(turns.enter('A', SHARE_MAXIMUM));
    await passed(100);
    expect(next.became).toBe('IN');
  });
});
