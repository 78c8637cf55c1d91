import { expect, it } from 'vitest';
import { execute, ofService } from '../../../src/core/writer/client.ts';
import { changesByGet, isWrite, operations } from '../../contract/document.ts';
import { send } from '../../contract/request.ts';
import { restoredWorld } from '../../contract/restored-world.ts';
import type { World } from '../../contract/world.ts';
import type { Answer } from '../client.ts';
import { bindings } from '../failing.ts';
import { costOf, recordedAlone } from '../statements.ts';

/** Reads that need a second round trip, with the reason. */
const MORE: Record<string, string> = {
  listEpcisEvents: 'the departures are read before their pallets, so that both reads have a limit',
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
      const asked = await recordedAlone(async () => expect((await send(read, way)).status).toBe(200));
      if (asked.length > 1) trips[read.operationId] = asked.length;
    }
  }
  expect(trips).toEqual({});
}, 300_000);

/** Writes that need another round trip if the organization's object has just started, with the reason. */
const COLD_MORE: Record<string, string> = {
  ...Object.fromEntries(
    ['deleteScanner', 'deleteLocalManager', 'deleteAgent', 'recordHeartbeat'].map((name) => [
      name,
      'it reads by the time after which a device of the organization is silent',
    ]),
  ),
};
/** Writes whose route reads before the command, with the reason. */
const ROUTE_READS: Record<string, string> = {
  resendDeadLetter: 'the route reads the message of the dead letter',
  restoreOrganization: 'the route reads the end of the log of the organization',
};

const writes = operations.filter((operation) => isWrite(operation) || changesByGet(operation));

const tripsOf = (answer: Answer): number => costOf(answer).trips;

/** The operations that call D1 more often than `most`, in a world that `prepare` has prepared. */
async function tripsOver(most: (name: string) => number, prepare: (world: World) => Promise<unknown>) {
  const over: Record<string, number> = {};
  for (const write of writes) {
    const world = await restoredWorld();
    await prepare(world);
    const answer = await send(write, world);
    expect([write.operationId, answer.status]).toEqual([write.operationId, expect.toBeOneOf(SUCCESS)]);
    const trips = tripsOf(answer);
    if (trips > most(write.operationId)) over[write.operationId] = trips;
  }
  return over;
}

const SUCCESS = [200, 201, 202, 204];

it('a write to an object that has just started calls D1 twice: for all reads, and to commit', async () => {
  expect(writes.length).toBeGreaterThan(70);
  const most = (name: string) => (name in COLD_MORE || name in ROUTE_READS ? 3 : 2);
  expect(await tripsOver(most, async () => undefined)).toEqual({});
}, 300_000);

it('a write to a running object calls D1 twice at most: to read, and to commit', async () => {
  const most = (name: string) => (name in ROUTE_READS ? 3 : 2);
  const start = ({ tenant }: World) => execute(bindings, tenant.uuid, ofService('noteSilence', {}));
  expect(await tripsOver(most, start)).toEqual({});
}, 300_000);

it.each(['allocateMarkers', 'createApiKey', 'bulkUpsertShipments'])(
  'the write %s needs no reads, so it calls a running object once and D1 once',
  async (name) => {
    const world = await restoredWorld();
    await execute(bindings, world.tenant.uuid, ofService('noteSilence', {}));
    const write = writes.find(({ operationId }) => operationId === name)!;
    expect(tripsOf(await send(write, world))).toBe(1);
  },
);

it('get-and-couple of a new pallet calls D1 once, and twice if the object has just started', async () => {
  const { tenant } = await restoredWorld();
  const couple = (wmsId: string) => tenant.call('POST', '/track/get-and-couple', { wmsId });
  expect([tripsOf(await couple('P-1')), tripsOf(await couple('P-2'))]).toEqual([2, 1]);
});
