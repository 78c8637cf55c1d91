import { describe, expect, it } from 'vitest';
import { newTenant } from '../../client.ts';
import { logOf } from '../../core/writer/requests.ts';
import { create, items, outcome, pause, read, remove, rename } from './calls.ts';

describe('PUT', () => {
  it('PUT changes both names of a client, and the client is found by them', async () => {
    const tenant = await newTenant();
    const before = (await create(tenant, 'Acme', 'A')).body;
    await pause();
    const { status, body } = await rename(tenant, 'a', 'Acme Foods', 'B');
    expect([status, body]).toEqual([
      200,
      { ...before, displayName: 'Acme Foods', externalId: 'B', updateDate: body.updateDate },
    ]);
    expect(Date.parse(body.updateDate)).toBeGreaterThan(Date.parse(before.updateDate));
    expect((await read(tenant, 'b')).body).toEqual(body);
    expect((await read(tenant, 'A')).status).toBe(404);
    expect((await tenant.call('GET', '/client?q=acme%20FOODS')).body.content).toEqual([body]);
  });

  it('PUT with the same names changes nothing', async () => {
    const tenant = await newTenant();
    const before = await create(tenant, 'Acme', 'A');
    await pause();
    expect((await rename(tenant, 'A', 'Acme', 'A')).body).toEqual(before.body);
    expect((await logOf(tenant)).filter(({ entity_type }) => entity_type === 'CLIENT')).toHaveLength(1);
  });

  it('PUT of a deleted client is 404', async () => {
    const tenant = await newTenant();
    const { uuid } = (await create(tenant, 'Acme', 'A')).body;
    await remove(tenant, 'A');
    expect(outcome(await rename(tenant, uuid, 'Acme', 'A'))).toEqual([404, 'clientNotFound']);
    expect(outcome(await remove(tenant, uuid))).toEqual([404, 'clientNotFound']);
  });
});

describe('the ETag of a client', () => {
  it('the ETag of a client is strong, changes with its names, and gives a 304', async () => {
    const tenant = await newTenant();
    await create(tenant, 'Acme', 'A');
    await create(tenant, 'Other', 'O');
    const first = (await read(tenant, 'A')).headers.get('ETag')!;
    expect(first).toMatch(/^"[!#-~]+"$/);
    await rename(tenant, 'O', 'Others', 'O');
    expect((await read(tenant, 'a')).headers.get('ETag')).toBe(first);
    const again = await tenant.call('GET', '/client/A', undefined, { 'If-None-Match': first });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    await rename(tenant, 'A', 'ACME', 'A');
    expect((await read(tenant, 'A')).headers.get('ETag')).not.toBe(first);
  });

  it('a stale ETag makes PUT and DELETE of a client a 412 that changes nothing', async () => {
    const tenant = await newTenant();
    await create(tenant, 'Acme', 'A');
    const stale = (await read(tenant, 'A')).headers.get('ETag')!;
    const { body } = await rename(tenant, 'A', 'Acme 2', 'A');
    const current = (await read(tenant, 'A')).headers.get('ETag')!;
    for (const tag of [stale, `W/${stale}`, '"x"', 'nonsense']) {
      const headers = { 'If-Match': tag };
      expect(outcome(await rename(tenant, 'A', 'Acme 3', 'A', headers))).toEqual([412, 'preconditionFailed']);
      expect(outcome(await remove(tenant, 'A', headers))).toEqual([412, 'preconditionFailed']);
    }
    expect((await read(tenant, 'A')).body).toEqual(body);
    // An outdated ETag is reported first, and does not reveal which names are taken.
    await create(tenant, 'Taken', 'T');
    expect(outcome(await rename(tenant, 'A', 'Taken', 'A', { 'If-Match': stale }))).toEqual([
      412,
      'preconditionFailed',
    ]);
    expect((await rename(tenant, 'A', 'Acme 3', 'A', { 'If-Match': `"x", W/${current}` })).status).toBe(200);
    expect((await remove(tenant, 'A', { 'If-Match': '*' })).status).toBe(200);
  });

  it('If-Match lets one of many concurrent readers rename a client', async () => {
    const tenant = await newTenant();
    await create(tenant, 'Acme', 'A');
    const headers = { 'If-Match': (await read(tenant, 'A')).headers.get('ETag')! };
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => rename(tenant, 'A', `Acme ${index}`, 'A', headers)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412, 412]);
  });
});

describe('an Idempotency-Key', () => {
  const key = { 'Idempotency-Key': 'k' };

  it('repeating the creation of a client with its key returns the first answer with Location', async () => {
    const tenant = await newTenant();
    const first = await create(tenant, 'Acme', 'A', key);
    const repeat = await create(tenant, 'Acme', 'A', key);
    expect([repeat.status, repeat.body, repeat.headers.get('Location')]).toEqual([
      201,
      first.body,
      first.headers.get('Location'),
    ]);
    expect(repeat.headers.get('Idempotent-Replayed')).toBe('true');
    expect(outcome(await create(tenant, 'Acme', 'B', key))).toEqual([422, 'idempotencyKeyReused']);
    expect(outcome(await create(tenant, 'Acme', 'A'))).toEqual([409, 'displayNameInUse']);
  });

  it('repeating the deletion of a client with its key returns the first answer, even if the names are taken again', async () => {
    const tenant = await newTenant();
    await create(tenant, 'Acme', 'A');
    expect((await remove(tenant, 'A', key)).status).toBe(200);
    const { uuid } = (await create(tenant, 'Acme', 'A')).body;
    const repeat = await remove(tenant, 'A', key);
    expect([repeat.status, repeat.headers.get('Idempotent-Replayed')]).toEqual([200, 'true']);
    expect((await read(tenant, 'A')).body.uuid).toBe(uuid);
  });

  it('an Idempotency-Key stores a 409 of a client as the answer', async () => {
    const tenant = await newTenant();
    await create(tenant, 'Acme', 'A');
    expect((await create(tenant, 'acme', 'B', key)).status).toBe(409);
    await remove(tenant, 'A');
    const repeat = await create(tenant, 'acme', 'B', key);
    expect([...outcome(repeat), items(repeat)]).toEqual([
      409,
      'displayNameInUse',
      [['displayName', 'displayNameInUse', 'acme']],
    ]);
  });
});

describe('the log', () => {
  it('the log has an entry for each change of a client with old and new values', async () => {
    const tenant = await newTenant();
    const { uuid } = (await create(tenant, 'Acme', 'A')).body;
    await rename(tenant, 'A', 'Acme', 'B');
    await create(tenant, 'ACME', 'C');
    await remove(tenant, 'B');
    const entries = (await logOf(tenant)).filter(({ entity_type }) => entity_type === 'CLIENT');
    expect(
      entries.map((entry) => [
        entry['action'],
        entry['entity_uuid'],
        entry['entity_external_id'],
        JSON.parse(entry['changes'] as string),
      ]),
    ).toEqual([
      [
        'CLIENT_CREATED',
        uuid,
        'A',
        [
          { field: 'displayName', oldValue: null, newValue: 'Acme' },
          { field: 'externalId', oldValue: null, newValue: 'A' },
        ],
      ],
      ['CLIENT_UPDATED', uuid, 'B', [{ field: 'externalId', oldValue: 'A', newValue: 'B' }]],
      ['CLIENT_DELETED', uuid, 'B', [{ field: 'deleted', oldValue: false, newValue: true }]],
    ]);
  });
});
