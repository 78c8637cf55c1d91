import { expect, it } from 'vitest';
import { changesByGet, isWrite, operations } from '../../contract/document.ts';
import { send } from '../../contract/request.ts';
import { restoredWorld } from '../../contract/restored-world.ts';
import { recorded } from '../statements.ts';

/** Reads that need a second round trip, with the reason. */
const MORE: Record<string, string> = {
  listEpcisEvents: 'the departures are read before their pallets, so that both reads have a limit',
  listDatabases: 'each database is asked for its size',
  getMetrics: 'each database is asked, and for its size',
  exportOrganization: 'page after page',
  getShipmentSummary:
    'counts show where a page of a truck begins, so that the read has a limit for a truck of any size',
  getProofOfShipment: 'the same',
  getProofOfShipmentData: 'the same',
};

const reads = operations.filter(
  (operation) => !isWrite(operation) && !changesByGet(operation) && !(operation.operationId in MORE),
);

it('every read calls D1 once at most', async () => {
  expect(reads.length).toBeGreaterThan(35);
  const trips: Record<string, number> = {};
  const world = await restoredWorld();
  for (const read of reads) {
    // The first request caches the credential.
    await send(read, world);
    const ways = [world, { ...world, names: world.uuids }];
    for (const way of ways) {
      const asked = await recorded(async () => expect((await send(read, way)).status).toBe(200));
      if (asked.length > 1) trips[read.operationId] = asked.length;
    }
  }
  expect(trips).toEqual({});
}, 300_000);
