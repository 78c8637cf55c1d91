import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Answer, ORIGIN } from '../workerd/client.ts';
import { envOver, FAILURES, type Fault, failingD1, fetchOver } from '../workerd/failing.ts';
import { isWrite, type Operation, operations } from './document.ts';
import { exampleOf } from './operations.ts';
import { problemFaults } from './problem.ts';
import { credentials, pathOf, send } from './request.ts';
import { restoredWorld } from './restored-world.ts';
import { storedState } from './state.ts';
import type { World } from './world.ts';

const keyOf = ({ names }: World) => ({ 'Idempotency-Key': names.unused });

beforeEach(() => {
  for (const level of ['warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation(() => undefined);
});

/** Send an operation's example while D1 fails. @returns the answer, and whether the fault happened. */
async function during(fault: Fault, operated: Operation, world: World) {
  const { tenant, names } = world;
  const { db, calls } = failingD1(fault);
  const example = exampleOf(operated, names);
  const headers = {
    ...credentials(operated, { tenant }),
    ...(isWrite(operated) ? keyOf(world) : {}),
    ...(example.json === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(example.type === undefined ? {} : { 'Content-Type': example.type }),
  };
  const text = example.raw ?? (example.json === undefined ? undefined : JSON.stringify(example.json));
  const body = text === undefined ? {} : { body: text };
  const request = new Request(`${ORIGIN}${pathOf(operated, example)}`, {
    method: operated.method,
    headers,
    ...body,
  });
  return { answer: await fetchOver(envOver(db), request), failed: calls.count >= fault.from };
}

/**
 * The differences between an answer and the documented answer for a failing store. Pages and `/health`
 * return no problem.
 */
function outageFaults({ path }: Operation, answer: Answer & { text: string }): string[] {
  const { status, headers, body } = answer;
  const summary = [status, headers.get('Retry-After')].join();
  // It shows which databases do not answer.
  if (path.endsWith('/metrics')) return /_up\{database="DB"\} 0\n/.test(answer.text) ? [] : [answer.text];
  if (summary !== '503,2') return [`${summary}: ${answer.text.slice(0, 300)}`];
  if (path === '/health') return JSON.stringify(body) === '{"status":"DOWN"}' ? [] : [answer.text];
  if (path.startsWith('/public/') && !path.endsWith('.json')) {
    return headers.get('Content-Type') === 'text/html; charset=utf-8' ? [] : ['no page'];
  }
  return problemFaults(answer, 503, 'temporarilyUnavailable');
}

describe('while D1 fails, every operation', () => {
  it.each(Object.entries(FAILURES))(
    'every operation answers 503 with Retry-After (%s) while D1 fails, and changes nothing',
    async (_, message) => {
      const world = await restoredWorld();
      const before = await storedState(world.tenant);
      const found: string[] = [];
      let reached = 0;
      await Promise.all(
        operations.map(async (operated) => {
          const { answer, failed } = await during({ message, from: 1 }, operated, world);
          if (!failed) return;
          reached += 1;
          found.push(...outageFaults(operated, answer).map((fault) => `${operated.operationId} ${fault}`));
        }),
      );
      expect(found).toEqual([]);
      // All but the image of a code, which needs no D1.
      expect(reached).toBe(operations.length - 1);
      expect(await storedState(world.tenant)).toEqual(before);
    },
  );
});

/** The stored state without the rows that the sweep of orphans cleans up. */
async function facts({ tenant }: World): Promise<string> {
  const { calibration_orphan: _, ...stored } = await storedState(tenant);
  return JSON.stringify(stored);
}

describe('D1 that fails in the middle of a write', () => {
  it.each(operations.filter(isWrite))(
    'a D1 failure in the middle of $operationId leaves nothing half done, and its key still has one effect',
    async (operated) => {
      const world = await restoredWorld();
      const { status } = exampleOf(operated, world.names);
      const states = new Set([await facts(world)]);
      for (let from = 1, reached = true; reached; from += 1) {
        // The call takes effect, but its answer and all later calls fail.
        const fault = { message: FAILURES.full, from, late: true };
        const { answer, failed } = await during(fault, operated, world);
        if (answer.status !== status) expect([from, outageFaults(operated, answer)]).toEqual([from, []]);
        states.add(await facts(world));
        reached = failed;
      }
      // The state before, and the state after the one effect.
      expect(states.size).toBeLessThanOrEqual(2);
      const repeat = await send(operated, world, { headers: keyOf(world) });
      expect([repeat.status, repeat.headers.get('Idempotent-Replayed')]).toEqual([status, 'true']);
      // Accepted operations run in the background during the repeat.
      if (status !== 202) states.add(await facts(world));
      expect(states.size).toBeLessThanOrEqual(2);
    },
  );
});

describe('a failure of D1 that passes', () => {
  it.each([FAILURES.locked, FAILURES.lost])(
    'a read does not notice a short D1 failure (%s)',
    async (message) => {
      const world = await restoredWorld();
      const reads = operations.filter((operated) => !isWrite(operated));
      for (const operated of reads) {
        for (const from of [1, 2]) {
          const { answer } = await during({ message, from, to: from + 1 }, operated, world);
          const { status } = exampleOf(operated, world.names);
          expect([operated.operationId, from, answer.status]).toEqual([operated.operationId, from, status]);
        }
      }
    },
  );
});

describe('a defect of our own', () => {
  it.each([
    'D1_ERROR: no such table: manifest: SQLITE_ERROR',
    'D1_ERROR: near "SELCT": syntax error at offset 0: SQLITE_ERROR',
    'D1_ERROR: UNIQUE constraint failed: manifest.uuid: SQLITE_CONSTRAINT',
    "D1_TYPE_ERROR: Type 'undefined' not supported for value 'undefined'",
  ])('a defect of our own (%s) makes a read a 500, without a second try', async (message) => {
    const world = await restoredWorld();
    for (const operated of operations.filter((item) => !isWrite(item))) {
      const { answer, failed } = await during({ message, from: 1 }, operated, world);
      if (!failed) continue;
      if (operated.operationId === 'getHealth') {
        expect([answer.status, answer.body]).toEqual([503, { status: 'DOWN' }]);
        continue;
      }
      expect([operated.operationId, problemFaults(answer, 500, 'internalError')]).toEqual([
        operated.operationId,
        [],
      ]);
    }
  });

  it.each([
    [RangeError, 'Maximum call stack size exceeded'],
    [TypeError, 'Network connection lost.'],
  ])(
    'a %o in our own code is a 500 and is logged as an error, also with the text of an outage',
    async (kind, message) => {
      const world = await restoredWorld();
      for (const operated of operations.filter(({ operationId }) =>
        /^(get|create)Manifest$/.test(operationId),
      )) {
        vi.mocked(console.error).mockClear();
        const { answer } = await during({ message, from: 1, kind }, operated, world);
        expect([operated.operationId, problemFaults(answer, 500, 'internalError')]).toEqual([
          operated.operationId,
          [],
        ]);
        expect(vi.mocked(console.error).mock.calls.flat().join()).toContain(message);
      }
    },
  );
});
