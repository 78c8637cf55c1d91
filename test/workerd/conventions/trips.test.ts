import { expect, it } from 'vitest';
import { worldAnew } from '../../contract/anew.ts';
import { changesByGet, isWrite, operations } from '../../contract/document.ts';
import { send } from '../../contract/request.ts';
import { recorded } from '../statements.ts';

/** Reads that need to know something before they can ask for the rest, with why. */
const MORE: Record<string, string> = {
  listEpcisEvents: 'what left is known before what was aboard is asked for, so that both have a bound',
  listDatabases: 'each database is asked for its size',
  getMetrics: 'each database is asked, and for its size',
  exportOrganization: 'page after page',
  getShipmentSummary:
    'counts say where a page of a truck of any size begins, so that what is read has a bound',
  getProofOfShipment: 'the same',
  getProofOfShipmentData: 'the same',
};

const reads = operations.filter(
  (operation) => !isWrite(operation) && !changesByGet(operation) && !(operation.operationId in MORE),
);

it('every read calls D1 once at most', async () => {
  expect(reads.length).toBeGreaterThan(35);
  const trips: Record<string, number> = {};
  const world = await worldAnew();
  for (const read of reads) {
    // What is known of the credential is good for a while.
    await send(read, world);
    const ways = [world, { ...world, names: world.uuids }];
    for (const way of ways) {
      const asked = await recorded(async () => expect((await send(read, way)).status).toBe(200));
      if (asked.length > 1) trips[read.operationId] = asked.length;
    }
  }
  expect(trips).toEqual({});
}, 300_000);
