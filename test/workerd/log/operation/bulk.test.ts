import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { storedItems } from '../../../../src/dispatch/load/shipment/rules.ts';
import { newTenant, type Tenant } from '../../client.ts';
import { db } from '../../core/writer/requests.ts';
import { Background, type Death } from './background.ts';
import { eventsOf, finished } from './finished.ts';
import { auditOf, fieldsOf, newShipper, seedShipments } from './shipments.ts';

interface Item {
  shipmentExternalId: string;
  customFields: { fieldKey: string; fieldValue: string | null }[];
}
type ErrorBehaviour = 'PROCEED' | 'ROLLBACK';
type Fields = Record<string, Map<string, string>>;

const field = (fieldKey: string, fieldValue: string | null) => ({ fieldKey, fieldValue });
const item = (shipmentExternalId: string, ...fields: [string, string | null][]): Item => ({
  shipmentExternalId,
  customFields: fields.map(([key, value]) => field(key, value)),
});
const upsert = (tenant: Tenant, items: Item[], errorBehaviour?: ErrorBehaviour) =>
  tenant.call('POST', '/shipment/bulk-upsert', { items, ...(errorBehaviour ? { errorBehaviour } : {}) });
const codesOf = ({ results }: { results: { error: { code: string } | null }[] }) =>
  results.map(({ error }) => error?.code ?? null);

/**
 * A simple model of a bulk upsert. It takes the fields by shipment, and returns the problem code of each
 * item and the new fields.
 */
function model(before: Fields, keys: string[], items: Item[], errorBehaviour: ErrorBehaviour) {
  const after: Fields = Object.fromEntries(Object.entries(before).map(([id, of]) => [id, new Map(of)]));
  const codes = items.map(({ shipmentExternalId, customFields }) => {
    const of = after[shipmentExternalId];
    if (!of) return 'shipmentNotFound';
    for (const { fieldKey, fieldValue } of customFields) {
      if (!keys.includes(fieldKey)) return 'customFieldNotConfigured';
      const blank = fieldValue === null || fieldValue.trim() === '';
      if (fieldKey.startsWith('n') && !blank && !Number.isFinite(Number(fieldValue))) {
        return 'customFieldNotNumeric';
      }
    }
    for (const { fieldKey, fieldValue } of customFields) {
      if (fieldValue === null || fieldValue.trim() === '') of.delete(fieldKey);
      else of.set(fieldKey, fieldValue);
    }
    return null;
  });
  const rolledBack = errorBehaviour === 'ROLLBACK' && codes.some((code) => code !== null);
  return rolledBack ? { codes: codes.map((code) => code ?? 'rolledBack'), after: before } : { codes, after };
}

const shown = (fields: Record<string, Iterable<[string, string]>>) =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([id, of]) => [id, Object.fromEntries(of)] as const)
      .filter(([, of]) => Object.keys(of).length > 0),
  );

const arbitraryItem = fc.record({
  shipmentExternalId: fc.constantFrom('S0', 'S1', 'S2', 'S3', 'S3', 'NONE'),
  customFields: fc.uniqueArray(
    fc.record({
      fieldKey: fc.oneof({ weight: 9, arbitrary: fc.constantFrom('a', 'b', '1', 'n') }, fc.constant('z')),
      fieldValue: fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom('1', '2', '4.5') },
        fc.constantFrom(null, '', ' \u3000', 'x', 'é"\u0001$.[0]'),
      ),
    }),
    { maxLength: 4, selector: ({ fieldKey }) => fieldKey },
  ),
});

describe('a bulk upsert', () => {
  it.each(['PROCEED', 'ROLLBACK'] as const)(
    'a bulk upsert follows the plain model, %s',
    async (errorBehaviour) => {
      const keys = ['a', 'b', '1', 'n'];
      const tenant = await newShipper(...keys);
      await seedShipments(tenant, 4);
      let fields: Fields = { S0: new Map(), S1: new Map(), S2: new Map(), S3: new Map() };
      await fc.assert(
        fc.asyncProperty(fc.array(arbitraryItem, { minLength: 1, maxLength: 12 }), async (items) => {
          const { codes, after } = model(fields, keys, items, errorBehaviour);
          const operation = await finished(tenant, await upsert(tenant, items, errorBehaviour));
          expect(codesOf(operation)).toEqual(codes);
          expect(shown(await fieldsOf(tenant))).toEqual(shown(after));
          const failed = codes.filter((code) => code !== null).length;
          expect(operation).toMatchObject({
            operationType: 'SHIPMENT_BULK_UPSERT',
            totalCount: items.length,
            succeededCount: items.length - failed,
            failedCount: failed,
            status: failed === 0 ? 'SUCCEEDED' : failed === items.length ? 'FAILED' : 'PARTIALLY_SUCCEEDED',
            results: items.map(({ shipmentExternalId: identifier }, index) => ({
              index,
              identifier,
              status: codes[index] === null ? 'SUCCEEDED' : 'FAILED',
            })),
          });
          fields = after;
        }),
        { numRuns: 40 },
      );
      const events = await eventsOf(tenant);
      expect(new Set(events.map(({ eventType }) => eventType))).toEqual(new Set(['OPERATION_COMPLETED']));
      expect(new Set(events.map(({ operationId }) => operationId)).size).toBe(events.length);
    },
  );

  it('a bulk upsert names the fault of an item, takes uuids, and proceeds by default', async () => {
    const tenant = await newShipper('a', 'n');
    const [uuid] = await seedShipments(tenant, 2);
    const operation = await finished(
      tenant,
      await upsert(tenant, [
        item(uuid!.toUpperCase(), ['a', '1'], ['n', '2']),
        item('S1', ['a', '1'], ['b', '2']),
        item('S1', ['n', 'many']),
        item('NONE', ['b', '']),
      ]),
    );
    expect(operation.results.map(({ error }: { error: unknown }) => error)).toEqual([
      null,
      {
        code: 'customFieldNotConfigured',
        message:
          'customFields[1].fieldKey: Custom field "b" is not configured for shipments of the organization.',
      },
      {
        code: 'customFieldNotNumeric',
        message: 'customFields[0].fieldValue: Custom field "n" takes a number.',
      },
      { code: 'shipmentNotFound', message: 'Shipment "NONE" does not exist.' },
    ]);
    expect(operation.status).toBe('PARTIALLY_SUCCEEDED');
    expect(await fieldsOf(tenant)).toEqual({
      S0: [
        ['a', '1'],
        ['n', '2'],
      ],
    });
  });

  it('a bulk upsert keeps the field order, moves the update date and audits each shipment once', async () => {
    const tenant = await newShipper('a', 'b', 'c');
    await seedShipments(tenant, 2);
    await finished(tenant, await upsert(tenant, [item('S0', ['c', '1'], ['a', '2'])]));
    const before = (await tenant.call('GET', '/shipment/S0')).body;
    const again = [item('S0', ['a', '3'], ['b', '4']), item('S0', ['c', ' ']), item('S1', ['a', ''])];
    await finished(tenant, await upsert(tenant, again));
    const after = (await tenant.call('GET', '/shipment/S0')).body;
    expect(after.customFields).toMatchObject([field('a', '3'), field('b', '4')]);
    expect(after.updateDate > before.updateDate).toBe(true);
    expect((await tenant.call('GET', '/shipment/S1')).body.updateDate).toBe('1970-01-01T00:00:00.001Z');
    const change = (key: string, oldValue: string | null, newValue: string | null) => ({
      field: `customFields.${key}`,
      oldValue,
      newValue,
    });
    expect(await auditOf(tenant)).toEqual([
      ['S0', [change('c', null, '1'), change('a', null, '2')]],
      ['S0', [change('a', '2', '3'), change('b', null, '4'), change('c', '1', null)]],
    ]);
  });

  it('a bulk upsert does not reach foreign or deleted shipments', async () => {
    const [tenant, other] = [await newShipper('a'), await newShipper('a')];
    const [uuid] = await seedShipments(other, 1);
    const [deleted] = await seedShipments(tenant, 1);
    await tenant.call('DELETE', '/shipment/S0');
    const items = [item('S0', ['a', '1']), item(uuid!, ['a', '1']), item(deleted!, ['a', '1'])];
    const operation = await finished(tenant, await upsert(tenant, items));
    expect(codesOf(operation)).toEqual(['shipmentNotFound', 'shipmentNotFound', 'shipmentNotFound']);
    expect(operation.status).toBe('FAILED');
    expect([await fieldsOf(tenant), await fieldsOf(other)]).toEqual([{}, {}]);
  });
});

describe('refused items', () => {
  const good = item('S0', ['a', '1']);
  it.each<[string, unknown]>([
    ['no items', { items: [] }],
    ['items missing', {}],
    ['10,001 items', { items: Array.from({ length: 10_001 }, () => ({ ...good, customFields: [] })) }],
    ['an unknown behaviour', { items: [good], errorBehaviour: 'IGNORE' }],
    ['an unknown field', { items: [{ ...good, notes: 'x' }] }],
    ['a key twice in an item', { items: [item('S0', ['a', '1'], ['a', '2'])] }],
    [
      '51 fields',
      { items: [item('S0', ...Array.from({ length: 51 }, (_, i): [string, string] => [`k${i}`, '1']))] },
    ],
    ['no fields', { items: [{ shipmentExternalId: 'S0' }] }],
    ['an empty name', { items: [item('', ['a', '1'])] }],
    ['a long value', { items: [item('S0', ['a', 'x'.repeat(1_001)])] }],
    ['a NUL', { items: [item('S0', ['a', '\u0000'])] }],
  ])('a bulk upsert refuses %s', async (_, json) => {
    const tenant = await newShipper('a');
    const { status, body } = await tenant.call('POST', '/shipment/bulk-upsert', json);
    expect([status, body.code]).toEqual([400, expect.stringMatching(/^(validationFailed|unknownField)$/)]);
    expect(await eventsOf(tenant)).toEqual([]);
  });

  it('a bulk upsert refuses an organization that dispatches by manifest', async () => {
    const tenant = await newTenant({ dispatchStrategy: 'MANIFEST' });
    const { status, body } = await upsert(tenant, [good]);
    expect([status, body.code]).toEqual([403, 'shipmentStrategyRequired']);
  });
});

/** A bulk upsert of several shipments that is accepted but not sent. */
async function accepted(count: number, errorBehaviour: ErrorBehaviour) {
  const tenant = await newShipper('a', 'n');
  await seedShipments(tenant, count);
  const background = new Background(tenant);
  const items = Array.from({ length: count }, (_, index) => item(`S${index}`, ['n', String(index)]));
  const { operationUuid } = await background.run<{ operationUuid: string }>('acceptBulkUpsert', {
    items: storedItems(items),
    errorBehaviour,
  });
  return { tenant, background, items, operationUuid };
}

describe('a consumer that dies on the way', () => {
  it.each<[Death, number]>([
    ['before', 1],
    ['after', 1],
    ['before', 2],
    ['after', 2],
    ['after', 3],
  ])(
    'a bulk upsert whose consumer dies (%s step %i) resumes at its commits, and each item happens once',
    async (death, step) => {
      const { tenant, background, operationUuid } = await accepted(600, 'PROCEED');
      const message = { organization: tenant.uuid, operation: operationUuid };
      expect(await background.deliver([message], { death, step })).toEqual(['retry']);
      const done = 250 * (death === 'after' ? step : step - 1);
      const get = async () => (await tenant.call('GET', `/operation/${operationUuid}`)).body;
      expect(await get()).toMatchObject({
        status: done === 0 ? 'PENDING' : done >= 600 ? 'SUCCEEDED' : 'RUNNING',
        succeededCount: Math.min(done, 600),
      });
      // Another command changes a finished item. The item is not done again.
      await background.run('putShipmentField', { identifier: 'S0', field: field('n', '-1') });
      await Promise.all([background.deliver([message]), background.deliver([message, message])]);
      expect(await get()).toMatchObject({ status: 'SUCCEEDED', succeededCount: 600 });
      const values = Object.values(await fieldsOf(tenant)).map(([first]) => first![1]);
      expect(values).toEqual([
        done === 0 ? '0' : '-1',
        ...Array.from({ length: 599 }, (_, i) => String(i + 1)),
      ]);
      expect((await auditOf(tenant)).length).toBe(601);
      expect(await eventsOf(tenant)).toHaveLength(1);
    },
  );

  it('a ROLLBACK bulk upsert shows nothing until all is done', async () => {
    const { tenant, background, operationUuid } = await accepted(600, 'ROLLBACK');
    const message = { organization: tenant.uuid, operation: operationUuid };
    await background.deliver([message], { death: 'before' });
    expect(await fieldsOf(tenant)).toEqual({});
    await background.deliver([message]);
    expect(background.commands).toBe(2);
    expect(Object.keys(await fieldsOf(tenant))).toHaveLength(600);
  });

  it('a ROLLBACK bulk upsert fails as a whole when the last of 600 items fails', async () => {
    const { tenant, background } = await accepted(0, 'PROCEED');
    await seedShipments(tenant, 600);
    const items = Array.from({ length: 600 }, (_, index) => item(`S${index}`, ['n', '1']));
    items[599] = item('NONE', ['n', '1']);
    await background.run('acceptBulkUpsert', { items: storedItems(items), errorBehaviour: 'ROLLBACK' });
    await background.drain();
    const [{ data }] = (await eventsOf(tenant)).filter(({ data: { totalCount } }) => totalCount === 600);
    expect(data).toMatchObject({ status: 'FAILED', failedCount: 600, succeededCount: 0, results: null });
    expect(await fieldsOf(tenant)).toEqual({});
    expect(await auditOf(tenant)).toEqual([]);
  });
});

describe('the largest one', () => {
  it.each(['PROCEED', 'ROLLBACK'] as const)(
    'a bulk upsert takes 10,000 items, %s',
    async (errorBehaviour) => {
      const begin = performance.now();
      const { tenant, background, operationUuid } = await accepted(10_000, errorBehaviour);
      const start = performance.now();
      await background.deliver([{ organization: tenant.uuid, operation: operationUuid }]);
      const end = performance.now();
      const { body } = await tenant.call('GET', `/operation/${operationUuid}`);
      expect([body.status, body.succeededCount, body.results.length]).toEqual(['SUCCEEDED', 10_000, 10_000]);
      expect(background.commands).toBe(errorBehaviour === 'PROCEED' ? 40 : 1);
      const figures = { accepted: start - begin, carriedOut: end - start, read: performance.now() - end };
      process.stdout.write(`${errorBehaviour} ${JSON.stringify(figures)}\n`);
      // D1 allows 30 seconds for a batch.
      expect(end - start).toBeLessThan(20_000);
    },
  );

  it('a bulk upsert clears 42 MB of fields in one commit and audits as much as fits', async () => {
    const keys = Array.from({ length: 50 }, (_, index) => `k${index}`);
    const tenant = await newShipper(...keys);
    const count = 1_400;
    const uuids = await seedShipments(tenant, count);
    await db
      .prepare(`INSERT INTO custom_field (organization_uuid, owner_uuid, field_key, field_value)
        SELECT ?1, owner.value, 'k' || key.value, ?4 FROM json_each(?2) owner, json_each(?3) key`)
      .bind(
        tenant.uuid,
        JSON.stringify(uuids),
        JSON.stringify(keys.map((_, index) => index)),
        'x'.repeat(600),
      )
      .run();
    const items = Array.from({ length: count }, (_, index) =>
      item(`S${index}`, ...keys.map((key): [string, string] => [key, ''])),
    );
    const operation = await finished(tenant, await upsert(tenant, items, 'ROLLBACK'));
    expect(operation.status).toBe('SUCCEEDED');
    expect(await fieldsOf(tenant)).toEqual({});
    const entries = await auditOf(tenant);
    expect(entries).toHaveLength(count);
    const [first, last] = [entries[0]![1], entries.at(-1)![1]] as { oldValue: unknown }[][];
    expect(first![0]!.oldValue).toBe('x'.repeat(600));
    expect(last![0]!.oldValue).toEqual({ length: 600, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });
});
