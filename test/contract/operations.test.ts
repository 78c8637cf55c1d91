import { describe, expect, it } from 'vitest';
import { operator } from '../workerd/client.ts';
import { changesByGet, document, isWrite, type Operation, operations, unlike } from './document.ts';
import { EXAMPLES, exampleOf } from './operations.ts';
import { send, undocumented } from './request.ts';
import { restoredWorld } from './restored-world.ts';
import { type Schema, typesOf } from './schema.ts';

/** Writes that first have to find the organization of their resource. */
const LOOKED_UP = ['resendDeadLetter', 'restoreOrganization'];

/**
 * Run an operation successfully in a restored world. @returns the round trips to D1 of a write: the reads
 * and the commit.
 */
async function tripsOf(operated: Operation): Promise<number> {
  const world = await restoredWorld();
  // These refusals start the writers, which then know the ends of their logs.
  const { slug } = world.tenant;
  const refused = [
    await world.tenant.call('DELETE', '/manifest/nobody'),
    await operator('POST', '/organization', { name: 'Taken', slug }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([404, 409]);
  const answer = await send(operated, world);
  expect([answer.status, undocumented(operated, answer)]).toEqual([
    exampleOf(operated, world.names).status,
    [],
  ]);
  if (!isWrite(operated) && !changesByGet(operated)) return 0;
  return Number(/(\d+) round trips/.exec(answer.headers.get('Server-Timing')!)![1]);
}

describe('the operations of the document', () => {
  it('every operation of the document has an example', () => {
    expect(operations.length).toBeGreaterThan(40);
    expect(unlike(EXAMPLES), 'add an example to test/contract/operations.ts').toEqual([]);
  });

  it.each(operations)('$operationId succeeds by external identifiers, as documented', async (operated) => {
    const limit = LOOKED_UP.includes(operated.operationId) ? 3 : 2;
    const trips = await tripsOf(operated);
    // A new object may have replaced the evicted one of the last world during the call. It knows nothing,
    // so try again.
    if (trips > limit) expect(await tripsOf(operated)).toBeLessThanOrEqual(limit);
  });

  it.each(operations.filter(({ path }) => path.includes('{')))(
    '$operationId succeeds by uuids, as documented',
    async (operated) => {
      const { tenant, uuids } = await restoredWorld();
      // The operator can name a gate only by its external identifier.
      if (operated.operationId === 'deleteGate') return;
      const answer = await send(operated, { tenant, names: uuids });
      expect([answer.status, undocumented(operated, answer)]).toEqual([
        exampleOf(operated, uuids).status,
        [],
      ]);
    },
  );

  it('operation ids have one form and occur once', () => {
    const names = operations.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
    // Generated clients use these names for methods: camel case, without a run of capitals.
    expect(names.filter((name) => !/^([a-z]+)([A-Z][a-z]+)+$/.test(name))).toEqual([]);
  });

  it('operations answer with documented resources: null appears only where the schema allows null', () => {
    const schemas: [string, Schema][] = Object.entries(document.components.schemas);
    expect(schemas.filter(([, schema]) => typesOf(schema).includes('null')).map(([name]) => name)).toEqual(
      [],
    );
  });
});
