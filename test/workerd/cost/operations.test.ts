import { expect, it } from 'vitest';
import { CEILINGS } from '../../bench/ceilings.ts';
import { changesByGet, isWrite, type Operation, operations } from '../../contract/document.ts';
import { exampleOf } from '../../contract/operations.ts';
import { send } from '../../contract/request.ts';
import { restoredWorld } from '../../contract/restored-world.ts';

const writes = operations.filter((operation) => isWrite(operation) || changesByGet(operation));

/**
 * The operators share one log with all tests. Background work of other tests may write into it during a measurement, so a
 * number above the ceiling is measured again.
 */
const MEASURES = 3;

/** The rows that an operation's example writes in a restored world, without the jobs after it. */
async function rowsWrittenBy(operated: Operation): Promise<number> {
  const world = await restoredWorld();
  const answer = await send(operated, world);
  expect([operated.operationId, answer.status]).toEqual([
    operated.operationId,
    exampleOf(operated, world.names).status,
  ]);
  return Number(/(\d+) rows written/.exec(answer.headers.get('Server-Timing')!)![1]);
}

it('each operation that writes has a ceiling of rows, and stays within it', async () => {
  expect(writes.map(({ operationId }) => operationId).toSorted()).toEqual(Object.keys(CEILINGS).toSorted());
  const over: Record<string, number> = {};
  for (const operated of writes) {
    const { operationId } = operated;
    let rows = await rowsWrittenBy(operated);
    for (let again = 1; again < MEASURES && rows > CEILINGS[operationId]!; again++)
      rows = Math.min(rows, await rowsWrittenBy(operated));
    if (rows > CEILINGS[operationId]!) over[operationId] = rows;
  }
  expect(over).toEqual({});
}, 300_000);
