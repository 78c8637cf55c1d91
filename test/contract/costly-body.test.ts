import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Operation, operation, operations, takesFile } from './document.ts';
import { exampleOf } from './operations.ts';
import { problemFaults } from './problem.ts';
import { send, undocumented } from './request.ts';
import { storedState } from './state.ts';
import { newWorld } from './world.ts';

type Answer = Awaited<ReturnType<typeof send>>;

const JSON_TYPE = { 'Content-Type': 'application/json' };
const PACKED = { ...JSON_TYPE, 'Content-Encoding': 'gzip' };
const withBody = operations.filter(({ body }) => body !== undefined);
const createManifest = operation('createManifest');
const bulkUpsert = operation('bulkUpsertShipments');
/** Every request here is refused and changes nothing, so one world is enough. */
const world = await newWorld();

const sendRaw = (operated: Operation, raw: string): Promise<Answer> =>
  send(operated, world, { raw, headers: JSON_TYPE });
const sendPacked = (operated: Operation, text: string): Promise<Answer> =>
  send(operated, world, { raw: gzipSync(text), headers: PACKED });
/** Arrays within each other, around a value. */
const nested = (levels: number, value = '1'): string => `${'['.repeat(levels)}${value}${']'.repeat(levels)}`;
/** A manifest with an unknown field of so many levels. Each level has an infinite number. */
const infinite = (levels: number): string =>
  `{"externalIdentifier":"x","x":${'[1e400,'.repeat(levels)}1${']'.repeat(levels)}}`;

describe('a body that is nested deep', () => {
  it.each(withBody)('$operationId takes 64 levels and refuses 65 as malformedJson', async (operated) => {
    const before = await storedState(world.tenant);
    const { json } = exampleOf(operated, world.names);
    const answers = await Promise.all(
      [63, 64].map((levels) =>
        sendRaw(
          operated,
          JSON.stringify({ ...(json as object), x: 0 }).replace(/0\}$/, `${nested(levels)}}`),
        ),
      ),
    );
    const [taken, refused] = answers as [Answer, Answer];
    expect(problemFaults(refused, 400, 'malformedJson')).toEqual([]);
    expect(refused.body.detail).toBe(
      'The body is nested deeper than 64 levels. The outermost object or array is level 1.',
    );
    expect(undocumented(operated, refused)).toEqual([]);
    if (takesFile(operated)) return expect(taken.status).toBe(201);
    expect([taken.body.code, taken.body.errors[0].field]).toEqual(['unknownField', 'x']);
    expect(await storedState(world.tenant)).toEqual(before);
  });

  it.each([[20_000], [110_000]])('a packed body of %i levels gets 400 malformedJson', async (levels) => {
    const answer = await sendPacked(createManifest, infinite(levels));
    expect(problemFaults(answer, 400, 'malformedJson')).toEqual([]);
  });
});

describe('a body with many faults', () => {
  it.each([120_000, 130_000])('%i infinite numbers get 400, not 503', async (count) => {
    const raw = `{"externalIdentifier":"x","x":[${'1e400,'.repeat(count - 1)}1e400]}`;
    const answer = await sendPacked(createManifest, raw);
    expect(problemFaults(answer, 400, 'validationFailed')).toEqual([]);
    expect(answer.body.errors).toHaveLength(100);
    expect(answer.body.detail).toBe(
      'More than 100 items of the request are not valid. The first: x: This field is not part of the operation. ' +
        'Only the first 100 failing items are listed.',
    );
  });

  it('a body with more different names than any operation has gets 400', async () => {
    const names = Array.from({ length: 1_001 }, (_, index) => `"${index}":1`);
    const answer = await sendRaw(createManifest, `{${names.join()}}`);
    expect(problemFaults(answer, 400, 'validationFailed')).toEqual([]);
    expect(answer.body.detail).toBe('The body: This must have at most 1000 different names of fields.');
    const fewer = await sendRaw(createManifest, `{${names.slice(1).join()}}`);
    expect(fewer.body.errors).toHaveLength(100);
  });
});

describe('a list with too many items', () => {
  it.each([
    [10_001, 'items: The list must have at most 10000 items.'],
    [2_400_000, 'The body: This must have at most 340000 values.'],
  ])('a bulk upsert of %i items gets 400, and no item is validated', async (count, detail) => {
    const answer = await sendPacked(bulkUpsert, `{"items":[${'1,'.repeat(count - 1)}1]}`);
    expect(problemFaults(answer, 400, 'validationFailed')).toEqual([]);
    expect(answer.body.detail).toBe(detail);
    expect(answer.body.errors).toHaveLength(1);
  });
});
