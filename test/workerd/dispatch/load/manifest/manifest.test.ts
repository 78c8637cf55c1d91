import { describe, expect, it } from 'vitest';
import { API, newGate, newTenant, type Tenant } from '../../../client.ts';

const create = (tenant: Tenant, body: object) => tenant.call('POST', '/manifest', body);
const get = async (tenant: Tenant, id: string) => (await tenant.call('GET', `/manifest/${id}`)).body;
const assetsOf = async (tenant: Tenant, id: string): Promise<string[]> =>
  (await tenant.call('GET', `/manifest/${id}/asset`)).body.map(
    (asset: { trackIdentifier: string }) => asset.trackIdentifier,
  );

describe('the priority of a manifest', () => {
  const list = async (tenant: Tenant, query: string): Promise<string[]> =>
    (await tenant.call('GET', `/manifest?${query}`)).body.content.map(
      (item: { externalIdentifier: string }) => item.externalIdentifier,
    );

  it('a manifest is NORMAL unless it says otherwise, and a PUT without a priority leaves it unchanged', async () => {
    const tenant = await newTenant();
    await create(tenant, { externalIdentifier: 'M' });
    await create(tenant, { externalIdentifier: 'H', priority: 'HIGH' });
    expect([(await get(tenant, 'M')).priority, (await get(tenant, 'H')).priority]).toEqual([
      'NORMAL',
      'HIGH',
    ]);
    for (const priority of [null, undefined])
      expect((await tenant.call('PUT', '/manifest/H', { assets: ['P'], priority })).status).toBe(200);
    expect((await get(tenant, 'H')).priority).toBe('HIGH');
    await tenant.call('PUT', '/manifest/H', { priority: 'LOW' });
    expect(await get(tenant, 'H')).toMatchObject({ priority: 'LOW', tracksCount: 1 });
    const { body } = await tenant.call('GET', '/audit-log?pageSize=1');
    expect(body.content[0]).toMatchObject({
      action: 'MANIFEST_UPDATED',
      changes: [{ field: 'priority', oldValue: 'HIGH', newValue: 'LOW' }],
    });
    await tenant.call('PUT', '/manifest/H', { priority: 'LOW' });
    expect((await tenant.call('GET', '/audit-log?pageSize=1')).body.content).toEqual(body.content);
    const refused = await create(tenant, { externalIdentifier: 'X', priority: 'URGENT' });
    expect([refused.status, refused.body.errors[0].field]).toEqual([400, 'priority']);
  });

  it('lists filter by several priorities, and sort by their meaning', async () => {
    const tenant = await newTenant();
    for (const [name, priority] of [
      ['A', 'HIGH'],
      ['B', 'LOW'],
      ['C', 'NORMAL'],
      ['D', 'HIGH'],
    ])
      await create(tenant, { externalIdentifier: name, priority });
    const byName = 'sort.sortBy=externalIdentifier&sort.direction=ASC';
    expect(await list(tenant, `priority=HIGH&${byName}`)).toEqual(['A', 'D']);
    expect(await list(tenant, `priority=HIGH,NORMAL&${byName}`)).toEqual(['A', 'C', 'D']);
    expect((await list(tenant, 'sort.sortBy=priority&sort.direction=ASC')).join('')).toMatch(/^BC(AD|DA)$/);
    expect((await list(tenant, 'sort.sortBy=priority&sort.direction=DESC')).join('')).toMatch(/^(AD|DA)CB$/);
  });

  it('a back order has the priority of its manifest', async () => {
    const tenant = await newTenant();
    await create(tenant, { externalIdentifier: 'M', priority: 'HIGH', assets: ['P'] });
    await tenant.call('POST', '/manifest/M/status/CANCELLED');
    await tenant.call('POST', '/manifest/M/backorder', { externalIdentifier: 'M2' });
    expect((await get(tenant, 'M2')).priority).toBe('HIGH');
  });
});

describe('create', () => {
  it('creating a manifest returns its identifiers and its Location', async () => {
    const tenant = await newTenant();
    const answer = await create(tenant, { externalIdentifier: 'Ä/1 %' });
    expect([answer.status, Object.keys(answer.body).sort()]).toEqual([201, ['externalIdentifier', 'uuid']]);
    const location = answer.headers.get('Location')!;
    expect(location).toBe(`${API}/manifest/${answer.body.uuid}`);
    const found = await tenant.call('GET', location.slice(API.length));
    expect((await tenant.call('GET', `/manifest/${encodeURIComponent('Ä/1 %')}`)).body).toEqual(found.body);
    expect(found.body).toMatchObject({
      uuid: answer.body.uuid,
      externalIdentifier: 'Ä/1 %',
      manifestStatus: 'PLANNED',
    });
    expect((await get(tenant, answer.body.uuid)).externalIdentifier).toBe('Ä/1 %');
  });

  it('creating a manifest refuses an external id in use until its manifest is deleted', async () => {
    const tenant = await newTenant();
    const first = await create(tenant, { externalIdentifier: 'M' });
    const second = await create(tenant, { externalIdentifier: 'M' });
    expect([second.status, second.body.code, second.body.errors[0].field]).toEqual([
      409,
      'externalIdentifierInUse',
      'externalIdentifier',
    ]);
    expect((await tenant.call('DELETE', '/manifest/M')).body).toEqual({});
    const third = await create(tenant, { externalIdentifier: 'M' });
    expect(third.status).toBe(201);
    expect(third.body.uuid).not.toBe(first.body.uuid);
    const listed = await tenant.call('GET', '/manifest?includeDeleted=true');
    expect(listed.body.content.map((item: { deleted: boolean }) => item.deleted)).toEqual([false, true]);
  });

  it('a manifest path prefers an external id to a uuid', async () => {
    const tenant = await newTenant();
    const { uuid } = (await create(tenant, { externalIdentifier: 'M' })).body;
    await create(tenant, { externalIdentifier: uuid, assets: ['P'] });
    expect((await get(tenant, uuid)).tracksCount).toBe(1);
    await tenant.call('PUT', '/manifest/M', { assets: ['Q', 'R'] });
    expect(await assetsOf(tenant, uuid)).toEqual(['P']);
    expect(await assetsOf(tenant, 'M')).toEqual(['Q', 'R']);
  });

  it('creating a manifest with an unknown gate is 400 and names the gate', async () => {
    const tenant = await newTenant();
    const answer = await create(tenant, { externalIdentifier: 'M', gateExternalId: 'G' });
    expect([answer.status, answer.body.code, answer.body.errors[0].field]).toEqual([
      400,
      'gateNotFound',
      'gateExternalId',
    ]);
    expect((await tenant.call('GET', '/manifest')).body.totalElements).toBe(0);
  });
});

describe('replace', () => {
  it('replacing a manifest adds, removes and keeps assets, and counts each', async () => {
    const tenant = await newTenant();
    await create(tenant, {
      externalIdentifier: 'M',
      assets: ['A', 'B', 'C'],
      customFields: [
        { fieldKey: 'a', fieldValue: '1' },
        { fieldKey: 'b', fieldValue: '2' },
        { fieldKey: 'c', fieldValue: '3' },
      ],
    });
    const answer = await tenant.call('PUT', '/manifest/M', {
      assets: ['C', 'D', 'B'],
      customFields: [
        { fieldKey: 'd', fieldValue: '4' },
        { fieldKey: 'b', fieldValue: 'two' },
        { fieldKey: 'c', fieldValue: '3' },
        { fieldKey: 'e', fieldValue: ' ' },
      ],
    });
    expect(answer.body).toEqual({
      assets: { added: 1, removed: 1, unchanged: 2 },
      customFields: { added: 1, updated: 1, removed: 1, unchanged: 1 },
    });
    expect(await assetsOf(tenant, 'M')).toEqual(['B', 'C', 'D']);
    const fields = (await get(tenant, 'M')).customFields;
    expect(
      fields.map((field: { fieldKey: string; fieldValue: string }) => [field.fieldKey, field.fieldValue]),
    ).toEqual([
      ['b', 'two'],
      ['c', '3'],
      ['d', '4'],
    ]);
  });

  it('replacing a manifest keeps what is omitted or null and empties what is empty', async () => {
    const tenant = await newTenant();
    await create(tenant, {
      externalIdentifier: 'M',
      assets: ['A'],
      customFields: [{ fieldKey: 'a', fieldValue: '1' }],
    });
    const before = await get(tenant, 'M');
    await tenant.call('PUT', '/manifest/M', { assets: null });
    expect(await get(tenant, 'M')).toEqual(before);
    await tenant.call('PUT', '/manifest/M', { assets: [] });
    expect(await get(tenant, 'M')).toMatchObject({ tracksCount: 0, customFields: before.customFields });
  });

  it('replacing a manifest takes 5,000 assets and refuses one more', async () => {
    const tenant = await newTenant();
    const assets = Array.from({ length: 5_000 }, (_, index) => `PALLET-${index}`);
    expect((await create(tenant, { externalIdentifier: 'M', assets })).status).toBe(201);
    expect(await get(tenant, 'M')).toMatchObject({
      tracksCount: 5_000,
      totalAssetsCount: 5_000,
      loadedAssetsCount: 0,
    });
    const more = await tenant.call('POST', '/manifest/M/track-record/ONE-MORE');
    expect([more.status, more.body.code]).toEqual([409, 'assetLimitReached']);
    const moved = await tenant.call('PUT', '/manifest/M', { assets: [...assets.slice(1), 'ONE-MORE'] });
    expect(moved.body.assets).toEqual({ added: 1, removed: 1, unchanged: 4_999 });
    expect(await assetsOf(tenant, 'M')).toEqual([...assets.slice(1), 'ONE-MORE']);
  });

  it('upsert-assets does what PUT does and is marked as deprecated', async () => {
    const tenant = await newTenant();
    await create(tenant, { externalIdentifier: 'M', assets: ['A'] });
    const answer = await tenant.call('POST', '/manifest/M/upsert-assets', { assets: ['B'] });
    expect(answer.body.assets).toEqual({ added: 1, removed: 1, unchanged: 0 });
    expect(answer.headers.get('Deprecation')).toMatch(/^@\d+$/);
    expect(Date.parse(answer.headers.get('Sunset')!)).toBeGreaterThan(Date.now());
  });
});

describe('If-Match', () => {
  it('If-Match lets a manifest change only from the version that was read', async () => {
    const tenant = await newTenant();
    await create(tenant, { externalIdentifier: 'M', assets: ['A'] });
    const tag = (await tenant.call('GET', '/manifest/M')).headers.get('ETag')!;
    const put = (assets: string[], ifMatch: string) =>
      tenant.call('PUT', '/manifest/M', { assets }, { 'If-Match': ifMatch });
    expect((await put(['B'], tag)).status).toBe(200);
    const stale = await put(['C'], tag);
    expect([stale.status, stale.body.code]).toEqual([412, 'preconditionFailed']);
    expect(await assetsOf(tenant, 'M')).toEqual(['B']);
    expect((await tenant.call('DELETE', '/manifest/M', undefined, { 'If-Match': tag })).status).toBe(412);
    expect((await put(['C'], '*')).status).toBe(200);
    const fresh = (await tenant.call('GET', '/manifest/M')).headers.get('ETag')!;
    expect((await tenant.call('GET', '/manifest/M', undefined, { 'If-None-Match': fresh })).status).toBe(304);
    expect((await tenant.call('DELETE', '/manifest/M', undefined, { 'If-Match': `W/${fresh}` })).status).toBe(
      200,
    );
  });

  it('If-Match notices a change of a child', async () => {
    const tenant = await newTenant();
    await create(tenant, { externalIdentifier: 'M', assets: ['A'] });
    const before = await tenant.call('GET', '/manifest/M');
    await new Promise((resolve) => setTimeout(resolve, 5));
    await tenant.call('POST', '/track/get-and-couple', { wmsId: 'A' });
    const after = await tenant.call('GET', '/manifest/M');
    expect(after.headers.get('ETag')).not.toBe(before.headers.get('ETag'));
    expect(after.body.updateDate > before.body.updateDate).toBe(true);
  });
});

describe('one by one', () => {
  it('a single track can be added to a manifest and removed', async () => {
    const tenant = await newTenant();
    await create(tenant, { externalIdentifier: 'M' });
    const added = await tenant.call('POST', '/manifest/M/track-record/P%2F1');
    expect(added.body).toMatchObject({ externalIdentifier: 'M', tracksCount: 1 });
    const again = await tenant.call('POST', '/manifest/M/track-record/P%2F1');
    expect(again.body).toEqual(added.body);
    expect((await tenant.call('DELETE', '/manifest/M/track-record/P%2F1')).body.tracksCount).toBe(0);
    const gone = await tenant.call('DELETE', '/manifest/M/track-record/P%2F1');
    expect([gone.status, gone.body.code]).toEqual([404, 'trackRecordNotFound']);
  });

  it('a single custom field can be set on a manifest and removed', async () => {
    const tenant = await newTenant();
    await create(tenant, { externalIdentifier: 'M' });
    const field = (fieldKey: string, fieldValue: string | null) =>
      tenant.call('POST', '/manifest/M/custom-field', { fieldKey, fieldValue });
    expect((await field('a', '1')).body.customFields).toMatchObject([{ fieldKey: 'a', fieldValue: '1' }]);
    expect((await field('a', '2')).body.customFields).toMatchObject([{ fieldKey: 'a', fieldValue: '2' }]);
    expect((await field('a', ' ')).body.customFields).toEqual([]);
    const gone = await tenant.call('DELETE', '/manifest/M/custom-field/a');
    expect([gone.status, gone.body.code]).toEqual([404, 'customFieldNotFound']);
    await field('b', '3');
    expect((await tenant.call('DELETE', '/manifest/M/custom-field/b')).body.customFields).toEqual([]);
  });

  it('a gate is assigned by external id or uuid, and an unknown one is 404', async () => {
    const tenant = await newTenant();
    await newGate(tenant, 'G 1');
    await create(tenant, { externalIdentifier: 'M' });
    const assigned = await tenant.call('POST', '/manifest/M/gate/G%201');
    expect(assigned.body.gate).toMatchObject({ externalIdentifier: 'G 1', name: 'Gate G 1' });
    expect((await tenant.call('POST', `/manifest/M/gate/${assigned.body.gate.uuid}`)).status).toBe(200);
    const missing = await tenant.call('POST', '/manifest/M/gate/G2');
    expect([missing.status, missing.body.code]).toEqual([404, 'gateNotFound']);
  });
});

describe('validationErrors', () => {
  it('validationErrors names tracks that are missing, retired, or on another open manifest', async () => {
    const tenant = await newTenant();
    await newGate(tenant, 'G');
    for (const wmsId of ['live', 'retired', 'shared'])
      await tenant.call('POST', '/track/get-and-couple', { wmsId });
    await tenant.call('PATCH', '/track/retired/retire');
    await create(tenant, { externalIdentifier: 'M', assets: ['live', 'retired', 'shared', 'missing'] });
    await create(tenant, { externalIdentifier: 'N', assets: ['shared'], gateExternalId: 'G' });
    expect((await get(tenant, 'M')).validationErrors).toEqual({
      duplicatedTracks: [{ trackIdentifier: 'shared', manifestExternalIds: ['N'] }],
      nonExistingTracks: [{ trackIdentifier: 'missing' }],
      deactivatedTracks: [{ trackIdentifier: 'retired' }],
      leftWith: [],
    });
    await tenant.call('POST', '/manifest/N/status/CANCELLED');
    await tenant.call('PUT', '/manifest/M', { assets: ['live', 'shared'] });
    expect((await get(tenant, 'M')).validationErrors).toBeNull();
  });
});

it('a closed manifest keeps showing which tracks it had', async () => {
  const tenant = await newTenant();
  await newGate(tenant, 'G');
  const first = (await tenant.call('POST', '/track/get-and-couple', { wmsId: 'P' })).body.track;
  await create(tenant, {
    externalIdentifier: 'M',
    manifestStatus: 'TO_DO',
    gateExternalId: 'G',
    assets: ['P'],
  });
  for (const status of ['IN_PROGRESS', 'COMPLETED'])
    await tenant.call('POST', `/manifest/M/status/${status}`);
  await tenant.call('DELETE', '/track/P');
  const second = (await tenant.call('POST', '/track/get-and-couple', { wmsId: 'P' })).body.track;
  const [asset] = (await tenant.call('GET', '/manifest/M/asset-loading')).body;
  expect(asset).toMatchObject({
    trackIdentifier: 'P',
    markerCode: first.markerCode,
    loadingStatus: 'NOT_LOADED',
    manifest: { manifestExternalId: 'M' },
    gate: { externalIdentifier: 'G' },
  });
  expect(asset.track).toMatchObject({ uuid: first.uuid, deleted: true });
  expect(second.manifests).toEqual([]);
});
