import { describe, expect, it } from 'vitest';
import { newTenant, operator, type Tenant } from '../../client.ts';
import { logOf } from '../../core/writer/requests.ts';
import { newBatch, newScanner } from './batches.ts';

const NOBODY = '01900000-0000-7000-8000-000000000000';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

async function withScanner(
  settings: Record<string, unknown> = {},
): Promise<{ tenant: Tenant; path: string }> {
  const tenant = await newTenant({ markerCodeStart: 1, ...settings });
  return { tenant, path: await newScanner(tenant) };
}

const scannerOf = (path: string) => path.split('/')[2]!;

/** Allocates the next code and returns it. */
async function nextCode(tenant: Tenant): Promise<number> {
  const { body } = await tenant.call('POST', '/marker-code/allocate?imageDelivery=URL');
  return body.entries[0].markerCode;
}

describe('a printing batch', () => {
  it('a new printing batch has a block of codes and the shape of the contract', async () => {
    const { tenant, path } = await withScanner({ markerCodeStart: 41 });
    const json = { quantity: 10, externalIdentifier: 'ROLL/1 É', labelFormat: 'ZPL' };
    const created = await tenant.call('POST', path, json);
    expect(created.status).toBe(201);
    const { uuid } = created.body;
    expect(created.headers.get('Location')).toBe(`/integration/rest/api/v1${path}/${uuid}`);
    expect(created.body).toEqual({
      uuid: expect.stringMatching(UUID),
      createDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updateDate: created.body.createDate,
      deepLink: `http://127.0.0.1:8787/app/printing-batch/${uuid}`,
      scannerUuid: scannerOf(path),
      externalIdentifier: 'ROLL/1 É',
      status: 'CREATED',
      quantity: 10,
      printedCount: 0,
      firstMarkerCode: 41,
      lastMarkerCode: 50,
      labelFormat: 'ZPL',
      completeDate: null,
      deleted: false,
    });
    expect((await tenant.call('GET', `${path}/${uuid}`)).body).toEqual(created.body);
    expect((await tenant.call('GET', path)).body.content).toEqual([created.body]);
    expect(await nextCode(tenant)).toBe(51);
    expect((await tenant.call('GET', '/marker-code/50')).status).toBe(200);
  });

  it('a new printing batch needs only a quantity and prints as PDF', async () => {
    const { tenant, path } = await withScanner();
    for (const json of [{ quantity: 1 }, { quantity: 1, externalIdentifier: null, labelFormat: null }]) {
      const { batch } = await newBatch(tenant, path, json);
      expect([batch.externalIdentifier, batch.labelFormat]).toEqual([null, 'PDF']);
    }
  });

  it('a printing batch and its allocation are one commit', async () => {
    const { tenant, path } = await withScanner();
    const { batch, at } = await newBatch(tenant, path, { quantity: 2, externalIdentifier: 'ROLL-1' });
    await tenant.call('DELETE', at);
    const [allocated, created, deleted] = (await logOf(tenant)).slice(-3);
    expect(allocated).toMatchObject({ action: 'MARKERS_ALLOCATED', entity_type: 'MARKER_ALLOCATION' });
    expect(created).toMatchObject({
      action: 'PRINTING_BATCH_CREATED',
      entity_type: 'PRINTING_BATCH',
      entity_uuid: batch.uuid,
      entity_external_id: 'ROLL-1',
      actor_type: 'API_KEY',
      request_id: allocated!.request_id,
      event_date: allocated!.event_date,
    });
    expect(JSON.parse(created!.changes as string)).toEqual(
      expect.arrayContaining([
        { field: 'scannerUuid', oldValue: null, newValue: batch.scannerUuid },
        { field: 'firstMarkerCode', oldValue: null, newValue: 1 },
        { field: 'lastMarkerCode', oldValue: null, newValue: 2 },
        { field: 'labelFormat', oldValue: null, newValue: 'PDF' },
      ]),
    );
    expect(deleted).toMatchObject({ action: 'PRINTING_BATCH_DELETED', entity_uuid: batch.uuid });
  });

  it("a printing batch takes the organization's maximum and not one more, and nothing when refused", async () => {
    const { tenant, path } = await withScanner({ markerAllocationMaximum: 5 });
    const over = await tenant.call('POST', path, { quantity: 6 });
    expect([over.status, over.body.code]).toEqual([400, 'validationFailed']);
    expect(over.body.errors).toMatchObject([{ field: 'quantity', rejectedValue: 6 }]);
    expect((await newBatch(tenant, path, { quantity: 5 })).batch).toMatchObject({
      firstMarkerCode: 1,
      lastMarkerCode: 5,
    });
  });

  it.each([0, -1, 1.5, '3', null, undefined, 2 ** 53])(
    'a printing batch of %j labels is refused',
    async (quantity) => {
      const { tenant, path } = await withScanner();
      const refused = await tenant.call('POST', path, { quantity });
      expect([refused.status, refused.body.code]).toEqual([400, 'validationFailed']);
      expect(refused.body.errors).toMatchObject([{ field: 'quantity' }]);
      expect(await nextCode(tenant)).toBe(1);
    },
  );

  it.each([{ labelFormat: 'pdf' }, { labelFormat: 'EPL' }])(
    'a printing batch in the format %j is refused',
    async (json) => {
      const { tenant, path } = await withScanner();
      const refused = await tenant.call('POST', path, { quantity: 1, ...json });
      expect([refused.status, refused.body.code]).toEqual([400, 'validationFailed']);
      expect(refused.body.errors).toMatchObject([
        { field: 'labelFormat', allowedValues: ['PNG', 'PDF', 'ZPL'] },
      ]);
    },
  );

  it('a printing batch is refused when too few codes are left, and they stay', async () => {
    const { tenant, path } = await withScanner({ markerCodeStart: Number.MAX_SAFE_INTEGER - 2 });
    const over = await tenant.call('POST', path, { quantity: 4 });
    expect([over.status, over.body.code]).toEqual([409, 'markerCodesExhausted']);
    const { batch } = await newBatch(tenant, path, { quantity: 3 });
    expect(batch.lastMarkerCode).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('a printing batch has an identifier that is unique in the organization', async () => {
    const { tenant, path } = await withScanner();
    const other = await newScanner(tenant, 'Other');
    const json = { quantity: 2, externalIdentifier: 'ROLL-1' };
    const { at } = await newBatch(tenant, path, json);
    for (const taken of [path, other]) {
      const refused = await tenant.call('POST', taken, json);
      expect([refused.status, refused.body.code]).toEqual([409, 'externalIdentifierInUse']);
      expect(refused.body.errors).toMatchObject([{ field: 'externalIdentifier', rejectedValue: 'ROLL-1' }]);
    }
    // Identifiers differ if their case differs.
    await newBatch(tenant, path, { ...json, externalIdentifier: 'roll-1' });
    expect((await tenant.call('DELETE', at)).status).toBe(200);
    expect((await newBatch(tenant, other, json)).batch.firstMarkerCode).toBe(5);
  });

  it('concurrent creations of one printing batch identifier create it once', async () => {
    const { tenant, path } = await withScanner();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => tenant.call('POST', path, { quantity: 3, externalIdentifier: 'ONE' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
    expect(await nextCode(tenant)).toBe(4);
  });
});

describe('deleting a printing batch', () => {
  it('deleting a printing batch hides it and keeps its codes allocated', async () => {
    const { tenant, path } = await withScanner();
    const { batch, at } = await newBatch(tenant, path, { quantity: 3 });
    const gone = await tenant.call('DELETE', at);
    expect([gone.status, gone.body]).toEqual([200, {}]);
    for (const [method, below] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/status/COMPLETED'],
      ['POST', '/status/COMPLETED'],
      ['GET', '/sheet.pdf'],
      ['GET', '/sheet.zpl'],
    ] as const) {
      const answer = await tenant.call(method, `${at}${below}`);
      expect([method, below, answer.status, answer.body.code]).toEqual([
        method,
        below,
        404,
        'printingBatchNotFound',
      ]);
    }
    expect((await tenant.call('GET', path)).body.content).toEqual([]);
    const all = (await tenant.call('GET', `${path}?includeDeleted=true`)).body.content;
    expect(all).toMatchObject([{ uuid: batch.uuid, deleted: true, status: 'CREATED' }]);
    expect((await tenant.call('GET', '/marker-code/3')).status).toBe(200);
    expect(await nextCode(tenant)).toBe(4);
  });

  it.each(['CREATED', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED'])(
    'deleting a printing batch works when it is %s',
    async (status) => {
      const { tenant, path } = await withScanner();
      const { at } = await newBatch(tenant, path);
      await tenant.call('POST', `${at}/status/${status}`);
      expect((await tenant.call('DELETE', at)).status).toBe(200);
    },
  );
});

describe('the scanner of a path', () => {
  it('an unknown scanner of a path is 404 for every call', async () => {
    const { tenant, path } = await withScanner();
    const { at } = await newBatch(tenant, path);
    const deleted = await newScanner(tenant, 'Deleted');
    const { at: atDeleted } = await newBatch(tenant, deleted);
    await operator('DELETE', `/organization/${tenant.uuid}/scanner/${scannerOf(deleted)}`);
    const agent = await operator('POST', `/organization/${tenant.uuid}/agent`, { name: 'No scanner' });
    const unknown = (scanner: string) => at.replace(scannerOf(path), scanner);
    for (const gone of [atDeleted, unknown(NOBODY), unknown('x'), unknown(agent.body.uuid)]) {
      const batches = gone.slice(0, gone.lastIndexOf('/'));
      for (const [method, wanted, json] of [
        ['GET', batches],
        ['POST', batches, { quantity: 1 }],
        ['GET', gone],
        ['DELETE', gone],
        ['GET', `${gone}/status/COMPLETED`],
        ['POST', `${gone}/status/COMPLETED`],
        ['GET', `${gone}/sheet.pdf`],
        ['GET', `${gone}/sheet.zpl`],
      ] as const) {
        const answer = await tenant.call(method, wanted, json);
        expect([method, wanted, answer.status, answer.body.code]).toEqual([
          method,
          wanted,
          404,
          'scannerNotFound',
        ]);
      }
    }
    expect(await nextCode(tenant)).toBe(7);
  });

  it('a scanner path has its own batches only', async () => {
    const { tenant, path } = await withScanner();
    const other = await newScanner(tenant, 'Other');
    const { batch } = await newBatch(tenant, path);
    const answer = await tenant.call('GET', `${other}/${batch.uuid}`);
    expect([answer.status, answer.body.code]).toEqual([404, 'printingBatchNotFound']);
    expect((await tenant.call('GET', other)).body.totalElements).toBe(0);
  });

  it('a scanner and a batch are found by uuids in either case', async () => {
    const { tenant, path } = await withScanner();
    const { batch } = await newBatch(tenant, path);
    const upper = `/scanner/${scannerOf(path).toUpperCase()}/printing-batch`;
    expect((await tenant.call('GET', `${upper}/${batch.uuid.toUpperCase()}`)).body).toEqual(batch);
    const created = await newBatch(tenant, upper);
    expect(created.batch.scannerUuid).toBe(scannerOf(path));
  });

  it.each([NOBODY, 'nothing', '..%2f..', '%F0%9F%93%A6'])('a scanner has no batch %s', async (name) => {
    const { tenant, path } = await withScanner();
    const answer = await tenant.call('GET', `${path}/${name}`);
    expect([answer.status, answer.body.code]).toEqual([404, 'printingBatchNotFound']);
  });
});

describe('the list of printing batches', () => {
  it('the printing batch list filters by status and identifier, and sorts', async () => {
    const { tenant, path } = await withScanner();
    for (const [externalIdentifier, status] of [
      ['Roll É-1', 'CREATED'],
      ['Roll é-2', 'IN_PROGRESS'],
      ['Sheet-3', 'COMPLETED'],
      [null, 'CANCELLED'],
    ]) {
      const { at } = await newBatch(tenant, path, { quantity: 2, externalIdentifier });
      await tenant.call('POST', `${at}/status/${status}`);
    }
    const list = async (query: string) => {
      const { status, body } = await tenant.call('GET', `${path}?${query}`);
      if (status !== 200) throw new Error(JSON.stringify(body));
      return body.content.map(({ firstMarkerCode }: { firstMarkerCode: number }) => firstMarkerCode);
    };
    expect(await list('')).toEqual([7, 5, 3, 1]);
    expect(await list('sort.sortBy=firstMarkerCode')).toEqual([1, 3, 5, 7]);
    expect(await list('status=COMPLETED')).toEqual([5]);
    expect(await list('status=CREATED,CANCELLED,IN_PROGRESS')).toEqual([7, 3, 1]);
    expect(await list('q=ROLL%20%C3%A9')).toEqual([3, 1]);
    expect(await list('q=%25')).toEqual([]);
    expect(await list('q=*')).toEqual([7, 5, 3, 1]);
    const unknown = await tenant.call('GET', `${path}?status=DONE`);
    expect([unknown.status, unknown.body.code]).toEqual([400, 'validationFailed']);
    expect(unknown.body.allowedValues).toEqual(['CREATED', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED']);
  });
});
