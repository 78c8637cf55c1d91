import { describe, expect, it } from 'vitest';
import { type Answer, newGate, newTenant } from '../../../client.ts';
import { archived } from '../../../retention/archives.ts';
import { type Dock, loadingDock, newDock } from '../shipment/dock.ts';

/** A manifest M whose pallet A is loaded. B is not loaded, C was unloaded, and D was offloaded. */
async function shortDock(status = 'COMPLETED'): Promise<Dock> {
  const dock = await newDock();
  await dock.couple('A', 'B', 'C', 'D');
  await dock.must('POST', '/manifest', {
    externalIdentifier: 'M',
    manifestStatus: 'TO_DO',
    gateExternalId: 'G',
    assets: ['D', 'C', 'B', 'A'],
    customFields: [
      { fieldKey: 'consignee', fieldValue: ' Alfreds ' },
      { fieldKey: 'carrier', fieldValue: 'Speedy' },
    ],
  });
  await dock.must('POST', '/manifest/M/status/IN_PROGRESS');
  for (const wmsId of ['A', 'C', 'D']) await dock.scan(wmsId);
  await dock.scan('C', 'UNLOAD');
  await dock.must('POST', `/manifest/M/status/${status}`);
  if (status === 'COMPLETED') await dock.scan('D', 'OFFLOAD');
  return dock;
}

const make = (dock: Dock, of: string, externalIdentifier: string, headers = {}): Promise<Answer> =>
  dock.call('POST', `/manifest/${of}/backorder`, { externalIdentifier }, headers);
const read = async (dock: Dock, id: string) => (await dock.must('GET', `/manifest/${id}`)).body;

describe('the back order of a manifest', () => {
  it('a back order has the pallets that did not leave, in their order, and the same custom fields', async () => {
    const dock = await shortDock();
    const source = await read(dock, 'M');
    expect([source.backorder, source.backorderOf]).toEqual([null, null]);
    const { status, body, headers } = await make(dock, 'M', 'M-2');
    expect([status, body]).toEqual([201, { uuid: expect.any(String), externalIdentifier: 'M-2' }]);
    expect(headers.get('Location')).toMatch(new RegExp(`/manifest/${body.uuid}$`));
    const made = await read(dock, 'M-2');
    const reference = { manifestExternalId: 'M', manifestUuid: source.uuid };
    expect(made).toMatchObject({
      manifestStatus: 'PLANNED',
      gate: null,
      tracksCount: 2,
      loadedAssetsCount: 0,
      backorderOf: reference,
      backorder: null,
    });
    const fields = ({ customFields }: Answer['body']) =>
      customFields.map(({ fieldKey, fieldValue }: Answer['body']) => [fieldKey, fieldValue]);
    expect(fields(made)).toEqual(fields(source));
    const assets = (await dock.must('GET', '/manifest/M-2/asset')).body;
    expect(assets.map((asset: Answer['body']) => [asset.trackIdentifier, asset.loadingStatus])).toEqual([
      ['C', 'NOT_LOADED'],
      ['B', 'NOT_LOADED'],
    ]);
    const after = await read(dock, 'M');
    expect(after).toEqual({
      ...source,
      backorder: { manifestExternalId: 'M-2', manifestUuid: made.uuid },
      updateDate: expect.any(String),
    });
    expect(after.updateDate > source.updateDate).toBe(true);
  });

  it('a back order is possible for a cancelled manifest, and for a member of a completed shipment', async () => {
    const dock = await shortDock('CANCELLED');
    expect((await make(dock, 'M', 'M-2')).status).toBe(201);
    // D was loaded when M was cancelled.
    expect((await read(dock, 'M-2')).tracksCount).toBe(2);
    const other = await loadingDock();
    await other.must('POST', '/shipment/S/status/COMPLETED');
    expect((await make(other, 'N', 'N-2')).status).toBe(201);
    expect(await read(other, 'N-2')).toMatchObject({
      tracksCount: 2,
      backorderOf: { manifestExternalId: 'N' },
    });
  });

  it('a back order is refused for an open manifest, a second time, and if all pallets have left', async () => {
    const dock = await shortDock();
    await dock.manifest('OPEN', 'Q');
    await dock.manifest('EMPTY');
    await dock.must('POST', '/manifest/EMPTY/status/CANCELLED');
    expect((await make(dock, 'M', 'M-2')).status).toBe(201);
    const before = await read(dock, 'M');
    for (const [of, id, status, code] of [
      ['OPEN', 'X', 409, 'manifestNotClosed'],
      ['M', 'X', 409, 'backorderExists'],
      ['EMPTY', 'X', 409, 'nothingLeft'],
      ['NONE', 'X', 404, 'manifestNotFound'],
      ['M', '..', 400, 'validationFailed'],
      ['M', '', 400, 'validationFailed'],
    ] as const) {
      const answer = await make(dock, of, id);
      expect([of, id, answer.status, answer.body.code]).toEqual([of, id, status, code]);
    }
    expect(await read(dock, 'M')).toEqual(before);
    expect((await dock.must('GET', '/manifest?pageSize=100')).body.totalElements).toBe(4);
  });

  it('needs an identifier that no manifest has', async () => {
    const dock = await shortDock();
    await dock.manifest('TAKEN', 'Q');
    const { status, body } = await make(dock, 'M', 'TAKEN');
    expect([status, body.code, body.errors]).toEqual([
      409,
      'externalIdentifierInUse',
      [expect.objectContaining({ field: 'externalIdentifier', rejectedValue: 'TAKEN' })],
    ]);
  });

  it('a back order is made once by repeats with one key, and by requests at once', async () => {
    const dock = await shortDock();
    const first = await make(dock, 'M', 'M-2', { 'Idempotency-Key': 'k' });
    const again = await make(dock, 'M', 'M-2', { 'Idempotency-Key': 'k' });
    expect([again.status, again.body]).toEqual([201, first.body]);
    const other = await shortDock();
    const answers = await Promise.all(['X', 'Y', 'Z'].map((id) => make(other, 'M', id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  it('a back order is linked in the events and audit records of both manifests', async () => {
    const dock = await shortDock();
    await make(dock, 'M', 'M-2');
    const { content } = (await dock.must('GET', '/event?limit=100')).body;
    expect(
      content
        .slice(-2)
        .map(({ eventType, data }: Answer['body']) => [eventType, data.backorderOf, data.backorder]),
    ).toEqual([
      ['MANIFEST_STATUS_CHANGED', expect.objectContaining({ manifestExternalId: 'M' }), null],
      ['MANIFEST_UPDATED', null, expect.objectContaining({ manifestExternalId: 'M-2' })],
    ]);
    const log = (
      await dock.must('GET', '/audit-log?sort.sortBy=sequenceNumber&sort.direction=DESC&pageSize=2')
    ).body.content;
    expect(
      log.map(({ action, changes }: Answer['body']) => [
        action,
        changes.find(({ field }: Answer['body']) => /^backorder/.test(field)),
      ]),
    ).toEqual([
      ['MANIFEST_UPDATED', { field: 'backorder', oldValue: null, newValue: 'M-2' }],
      ['MANIFEST_CREATED', { field: 'backorderOf', oldValue: null, newValue: 'M' }],
    ]);
  });
});

describe('a manifest of a pair that is deleted or archived', () => {
  it('a manifest whose back order was deleted can have another one', async () => {
    const dock = await shortDock();
    await make(dock, 'M', 'M-2');
    const before = await read(dock, 'M');
    await dock.must('DELETE', '/manifest/M-2');
    const after = await read(dock, 'M');
    expect(after).toEqual({ ...before, backorder: null, updateDate: expect.any(String) });
    expect(after.updateDate > before.updateDate).toBe(true);
    const changed = (await dock.must('GET', `/manifest?updateDateAfter=${before.updateDate}`)).body.content;
    expect(changed.map(({ uuid }: Answer['body']) => uuid)).toContain(after.uuid);
    expect((await make(dock, 'M', 'M-2')).status).toBe(201);
  });

  it('a back order no longer names a manifest that was deleted', async () => {
    const dock = await shortDock();
    await make(dock, 'M', 'M-2');
    await dock.must('DELETE', '/manifest/M');
    expect((await read(dock, 'M-2')).backorderOf).toBeNull();
  });

  it('a back order names its archived manifest, and a manifest its archived back order', async () => {
    const dock = await newDock({ retentionDays: 90 });
    for (const id of ['M', 'N']) {
      await dock.manifest(id, 'P');
      await dock.must('POST', `/manifest/${id}/status/CANCELLED`);
      await make(dock, id, `${id}-2`);
    }
    const [source, kept] = [await read(dock, 'M'), await read(dock, 'N')];
    await dock.must('POST', '/manifest/N-2/status/CANCELLED');
    await archived(dock, [source.uuid, kept.backorder.manifestUuid]);
    expect((await dock.call('GET', '/manifest/M')).status).toBe(404);
    expect((await read(dock, 'M-2')).backorderOf).toEqual({
      manifestExternalId: 'M',
      manifestUuid: source.uuid,
    });
    expect((await read(dock, 'N')).backorder).toEqual(kept.backorder);
    const { body } = await make(dock, 'N', 'X');
    expect(body.code).toBe('backorderExists');
    expect((await dock.must('GET', `/archive/${source.uuid}`)).body.backorder).toEqual(source.backorder);
  });
});

it('a back order can have 5,000 pallets', async () => {
  const tenant = await newTenant();
  await newGate(tenant, 'G');
  const assets = Array.from({ length: 5_000 }, (_, index) => `P${index}`);
  await tenant.call('POST', '/manifest', { externalIdentifier: 'M', assets });
  await tenant.call('POST', '/manifest/M/status/CANCELLED');
  const { status } = await tenant.call('POST', '/manifest/M/backorder', { externalIdentifier: 'M-2' });
  expect(status).toBe(201);
  expect((await tenant.call('GET', '/manifest/M-2')).body.tracksCount).toBe(5_000);
});
