import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newTenant, type Tenant } from '../../client.ts';
import { type Block, bodyOf, db, request, writerOf } from '../../core/writer/requests.ts';
import { newBatch, newScanner } from './batches.ts';

const STATUSES = ['IN_PROGRESS', 'COMPLETED', 'CANCELLED'] as const;

/** All blocks allocated to the organization, in ascending order. */
async function blocksOf(tenant: Tenant): Promise<Block[]> {
  const { results } = await db
    .prepare(
      `SELECT first_marker_code AS firstMarkerCode, last_marker_code AS lastMarkerCode FROM marker_allocation
        WHERE organization_uuid = ?1 ORDER BY first_marker_code`,
    )
    .bind(tenant.uuid)
    .all<Block>();
  return results;
}

/** The blocks of all batches in ascending order, also of deleted batches. */
async function batchBlocks(tenant: Tenant, path: string): Promise<(Block & { quantity: number })[]> {
  const query = 'includeDeleted=true&pageSize=100&sort.sortBy=firstMarkerCode';
  const { body } = await tenant.call('GET', `${path}?${query}`);
  return body.content;
}

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('create' as const), quantity: fc.integer({ min: 1, max: 9 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('pdf', 'zpl', 'repeat', 'status', 'delete', 'fail'),
      which: fc.nat({ max: 20 }),
      status: fc.constantFrom(...STATUSES),
    }),
  },
);

describe('the codes of printing batches', () => {
  it('only creating a printing batch allocates codes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
        const tenant = await newTenant({ markerCodeStart: 11 });
        const path = await newScanner(tenant);
        const made: { at: string; quantity: number }[] = [];
        for (const { kind, ...more } of steps) {
          if ('quantity' in more) {
            const key = { 'Idempotency-Key': `batch-${made.length}` };
            const { body } = await tenant.call('POST', path, { quantity: more.quantity }, key);
            made.push({ at: `${path}/${body.uuid}`, quantity: more.quantity });
            continue;
          }
          const index = made.length === 0 ? -1 : more.which % made.length;
          const batch = made[index];
          if (kind === 'fail') await tenant.call('POST', path, { quantity: 1_001 });
          else if (!batch) continue;
          else if (kind === 'repeat') {
            const key = { 'Idempotency-Key': `batch-${index}` };
            const { headers } = await tenant.call('POST', path, { quantity: batch.quantity }, key);
            expect(headers.get('Idempotent-Replayed')).toBe('true');
          } else if (kind === 'status') await tenant.call('GET', `${batch.at}/status/${more.status}`);
          else if (kind === 'delete') await tenant.call('DELETE', batch.at);
          else await tenant.call('GET', `${batch.at}/sheet.${kind}`);
        }
        let next = 11;
        const expected = made.map(({ quantity }) => {
          next += quantity;
          return { firstMarkerCode: next - quantity, lastMarkerCode: next - 1 };
        });
        expect(await blocksOf(tenant)).toEqual(expected);
        expect(await batchBlocks(tenant, path)).toMatchObject(expected);
      }),
      { numRuns: 12 },
    );
  });

  it('the codes of printing batches are blocks without gaps beside other allocations', async () => {
    const tenant = await newTenant({ markerCodeStart: 7 });
    const paths = [await newScanner(tenant), await newScanner(tenant, 'Other')];
    const wanted = Array.from({ length: 60 }, (_, index) => ({ index, quantity: 1 + ((index * 7) % 13) }));
    await Promise.all(
      wanted.map(async ({ index, quantity }) => {
        const key = { 'Idempotency-Key': `k${index}` };
        const [method, path, json] = [
          ['POST', paths[index % 2]!, { quantity }],
          ['POST', `/marker-code/allocate?quantity=${quantity}&imageDelivery=URL`, undefined],
          ['POST', '/track/get-and-couple?imageDelivery=URL', { wmsId: `P${index}` }],
        ][index % 3] as [string, string, object | undefined];
        // Both attempts arrive at once, as after a client's timeout.
        const answers = await Promise.all([
          tenant.call(method, path, json, key),
          tenant.call(method, path, json, key),
        ]);
        expect(answers.map(({ status }) => status)).toEqual(index % 3 === 0 ? [201, 201] : [200, 200]);
        expect(answers[1]!.body).toEqual(answers[0]!.body);
      }),
    );
    const blocks = await blocksOf(tenant);
    expect(blocks).toHaveLength(wanted.length);
    let next = 7;
    for (const { firstMarkerCode, lastMarkerCode } of blocks) {
      expect(firstMarkerCode).toBe(next);
      next = lastMarkerCode + 1;
    }
    const batches = [...(await batchBlocks(tenant, paths[0]!)), ...(await batchBlocks(tenant, paths[1]!))];
    expect(batches).toHaveLength(20);
    for (const { firstMarkerCode, lastMarkerCode, quantity } of batches) {
      expect(blocks).toContainEqual({ firstMarkerCode, lastMarkerCode });
      expect(quantity).toBe(lastMarkerCode - firstMarkerCode + 1);
    }
    expect(batches.map(({ quantity }) => quantity).sort()).toEqual(
      wanted
        .filter(({ index }) => index % 3 === 0)
        .map(({ quantity }) => quantity)
        .sort(),
    );
  });

  it('two writers of one organization never share the codes of a batch', async () => {
    const tenant = await newTenant({ markerCodeStart: 1 });
    const scannerUuid = (await newScanner(tenant)).split('/')[2]!;
    const writers = Array.from({ length: 3 }, () => writerOf(tenant));
    const create = () =>
      request('createPrintingBatch', {
        scannerUuid,
        quantity: 2,
        externalIdentifier: null,
        labelFormat: 'PDF',
      });
    for (const writer of writers) bodyOf(await writer.execute(create()));
    const outcomes = await Promise.all(
      Array.from({ length: 18 }, (_, index) => writers[index % writers.length]!.execute(create())),
    );
    const first = outcomes.map((outcome) => bodyOf<Block>(outcome).firstMarkerCode).sort((a, b) => a - b);
    expect(first).toEqual(Array.from({ length: 18 }, (_, index) => 7 + index * 2));
    expect(await blocksOf(tenant)).toHaveLength(21);
  });

  it('the tables refuse codes that belong to two batches', async () => {
    const tenant = await newTenant();
    const { batch, at } = await newBatch(tenant, await newScanner(tenant));
    await tenant.call('DELETE', at);
    const again = db
      .prepare(
        `INSERT INTO printing_batch SELECT 'other', organization_uuid, scanner_uuid, NULL, NULL, status, label_format,
          first_marker_code, last_marker_code, NULL, create_date, update_date, NULL
          FROM printing_batch WHERE uuid = ?1`,
      )
      .bind(batch.uuid);
    await expect(again.run()).rejects.toThrow(/UNIQUE constraint failed/);
  });
});
