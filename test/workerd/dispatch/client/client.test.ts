import { describe, expect, it } from 'vitest';
import { API, newTenant, operator, type Tenant } from '../../client.ts';
import { create, outcome, read, remove, rename } from './calls.ts';

describe('a client', () => {
  it('creating a client returns 201, its Location and its fields as sent', async () => {
    const tenant = await newTenant();
    const sent = { displayName: ' Übel & Söhne %_\u0301 ', externalId: '...' };
    const made = await create(tenant, sent.displayName, sent.externalId);
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      ...sent,
      uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      createDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updateDate: made.body.createDate,
      deepLink: `http://127.0.0.1:8787/app/client/${made.body.uuid}`,
      deleted: false,
    });
    const location = made.headers.get('Location')!;
    expect(location).toBe(`${API}/client/${made.body.uuid}`);
    expect((await tenant.call('GET', location.slice(API.length))).body).toEqual(made.body);
  });

  it.each([
    [{}, ['displayName', 'externalId']],
    [{ displayName: 'D' }, ['externalId']],
    [{ displayName: '', externalId: '' }, ['displayName', 'externalId']],
    [{ displayName: null, externalId: 'E' }, ['displayName']],
    [{ displayName: 'x'.repeat(256), externalId: '📦'.repeat(256) }, ['displayName', 'externalId']],
    [{ displayName: 'a\u0000', externalId: '\ud800' }, ['displayName', 'externalId']],
    [{ displayName: ' ', externalId: 'E', surprise: 'x' }, ['displayName', 'surprise']],
  ])('creating a client refuses all faults at once: %j', async (json, fields) => {
    const tenant = await newTenant();
    await create(tenant, 'There', 'There');
    for (const [method, path] of [
      ['POST', '/client'],
      ['PUT', '/client/There'],
    ] as const) {
      const { status, body } = await tenant.call(method, path, json);
      expect([status, body.errors.map((item: { field: string }) => item.field).sort()]).toEqual([
        400,
        fields,
      ]);
    }
    expect((await tenant.call('GET', '/client')).body.totalElements).toBe(1);
  });

  it('each name of a client takes 255 code points', async () => {
    const tenant = await newTenant();
    const [displayName, externalId] = ['📦'.repeat(255), 'ﬃ'.repeat(255)];
    const made = await create(tenant, displayName, externalId);
    expect([made.status, made.body.displayName, made.body.externalId]).toEqual([
      201,
      displayName,
      externalId,
    ]);
    expect(
      (await tenant.call('GET', `/client?q=${encodeURIComponent('ffi'.repeat(85))}`)).body.content,
    ).toHaveLength(1);
  });
});

describe('{clientId}', () => {
  it('a client path finds the external id in any case, then the uuid in any case', async () => {
    const tenant = await newTenant();
    const { uuid } = (await create(tenant, 'Acme Foods', 'ACMÉ/1 %')).body;
    for (const identifier of ['ACMÉ/1 %', 'acmé/1 %', 'AcmE\u0301/1 %', uuid, uuid.toUpperCase()]) {
      const { status, body } = await read(tenant, identifier);
      expect([identifier, status, body.uuid, body.externalId]).toEqual([identifier, 200, uuid, 'ACMÉ/1 %']);
    }
    for (const identifier of ['Acme Foods', 'ACME/1 %', 'ACMÉ/1', '*', '%', `${uuid} `]) {
      expect([identifier, ...outcome(await read(tenant, identifier))]).toEqual([
        identifier,
        404,
        'clientNotFound',
      ]);
    }
  });

  it("a client path prefers an external id that equals another client's uuid", async () => {
    const tenant = await newTenant();
    const first = (await create(tenant, 'First', 'F')).body;
    const second = (await create(tenant, 'Second', first.uuid.toUpperCase())).body;
    expect((await read(tenant, first.uuid)).body.uuid).toBe(second.uuid);
    await remove(tenant, first.uuid);
    expect((await read(tenant, first.uuid)).body.uuid).toBe(first.uuid);
    expect(outcome(await read(tenant, second.uuid))).toEqual([404, 'clientNotFound']);
  });

  it('a client of another organization is 404 for every method, and its names are free here', async () => {
    const [one, two] = [await newTenant(), await newTenant()];
    const made = (await create(one, 'Acme', 'ACME')).body;
    for (const identifier of ['ACME', made.uuid]) {
      for (const answer of [
        await read(two, identifier),
        await rename(two, identifier, 'A', 'A'),
        await remove(two, identifier),
      ]) {
        expect(outcome(answer)).toEqual([404, 'clientNotFound']);
      }
    }
    expect((await create(two, 'Acme', 'ACME')).status).toBe(201);
    expect((await read(one, 'ACME')).body).toEqual(made);
  });

  it('a missing client is 404 for every method', async () => {
    const tenant = await newTenant();
    const answers = [await read(tenant, 'x'), await rename(tenant, 'x', 'A', 'A'), await remove(tenant, 'x')];
    for (const answer of answers) expect(outcome(answer)).toEqual([404, 'clientNotFound']);
    expect((await tenant.call('GET', '/client?includeDeleted=true')).body.totalElements).toBe(0);
  });
});

describe('an organization without the client feature', () => {
  const put = (tenant: Tenant, clientFeatureEnabled: boolean) =>
    operator('PUT', `/organization/${tenant.uuid}`, { clientFeatureEnabled });

  it('an organization without the client feature refuses every client path until it has the feature', async () => {
    const tenant = await newTenant({ clientFeatureEnabled: false });
    const asked: [string, string, unknown?][] = [
      ['GET', '/client'],
      ['GET', '/client?pageSize=0'],
      ['POST', '/client', { displayName: 'A', externalId: 'A' }],
      ['POST', '/client', { nonsense: 1 }],
      ['GET', '/client/A'],
      ['PUT', '/client/A', { displayName: 'A', externalId: 'A' }],
      ['DELETE', '/client/A'],
    ];
    for (const [method, path, json] of asked) {
      const answer = await tenant.call(
        method,
        path,
        json,
        method === 'GET' ? {} : { 'Idempotency-Key': path },
      );
      expect([method, path, ...outcome(answer)]).toEqual([method, path, 403, 'clientFeatureRequired']);
      expect(answer.headers.get('RateLimit')).not.toBeNull();
    }
    await put(tenant, true);
    const headers = { 'Idempotency-Key': '/client' };
    expect((await create(tenant, 'A', 'A', headers)).status).toBe(201);
    await put(tenant, false);
    expect(outcome(await read(tenant, 'A'))).toEqual([403, 'clientFeatureRequired']);
    expect(outcome(await remove(tenant, 'A'))).toEqual([403, 'clientFeatureRequired']);
    await put(tenant, true);
    expect((await read(tenant, 'A')).status).toBe(200);
  });

  it('a new organization has no client feature by default', async () => {
    const { body } = await operator('POST', '/organization', {
      name: 'Plain',
      slug: `plain-${crypto.randomUUID().slice(0, 8)}`,
    });
    expect(body.clientFeatureEnabled).toBe(false);
  });
});
