import { describe, expect, it } from 'vitest';
import { newTenant, operator } from '../../client.ts';
import { request, writerOf } from '../../core/writer/requests.ts';
import { couple, getAndCouple, newClient, newCode, outcome, remove } from './calls.ts';

describe('a client with pallets', () => {
  it('a client with pallets cannot be deleted before its last track is', async () => {
    const tenant = await newTenant();
    const uuid = await newClient(tenant, 'A');
    await newClient(tenant, 'B');
    await getAndCouple(tenant, 'active', 'A');
    await getAndCouple(tenant, 'retired', 'A');
    await getAndCouple(tenant, 'other');
    await tenant.call('PATCH', '/track/retired/retire');
    const retired = (await tenant.call('GET', '/track?trackStatus=NOT_ACTIVE')).body.content[0];
    for (const track of ['active', retired.uuid]) {
      for (const identifier of ['A', uuid]) {
        expect(outcome(await remove(tenant, identifier))).toEqual([409, 'clientHasAssignedPallets']);
      }
      expect((await tenant.call('GET', '/client/A')).body.deleted).toBe(false);
      expect((await tenant.call('DELETE', `/track/${track}`)).status).toBe(200);
    }
    expect((await remove(tenant, 'B')).status).toBe(200);
    expect((await remove(tenant, 'A')).body).toEqual({});
    const deleted = await tenant.call('GET', '/track?includeDeleted=true&wmsId=active');
    expect(deleted.body.content[0]).toMatchObject({ deleted: true, client: { uuid, externalId: 'A' } });
  });

  it('a client with pallets can be renamed, and its names stay taken', async () => {
    const tenant = await newTenant();
    const uuid = await newClient(tenant, 'A');
    await getAndCouple(tenant, 'P', 'A');
    const { status } = await tenant.call('PUT', '/client/A', { displayName: 'New', externalId: 'N' });
    expect([status, (await tenant.call('GET', '/track/P')).body.client.uuid]).toEqual([200, uuid]);
    expect(outcome(await remove(tenant, 'N'))).toEqual([409, 'clientHasAssignedPallets']);
  });

  it('a client is either deleted or gets a pallet when both happen at once', async () => {
    const tenant = await newTenant();
    const writers = [writerOf(tenant), writerOf(tenant)] as const;
    for (const writer of writers) {
      await writer.execute(request('allocateMarkers', { quantity: 1 }));
    }
    for (let round = 0; round < 8; round += 1) {
      await newClient(tenant, `C${round}`);
      const pallet = { wmsId: `P${round}`, customFields: [], clientId: `C${round}` };
      const [coupled, deleted] = await Promise.all([
        writers[0].execute(request('allocateAndCouple', pallet)),
        writers[1].execute(request('deleteClient', { identifier: `C${round}`, ifMatch: null })),
      ]);
      const codes = [coupled, deleted].map((found) =>
        found.kind === 'refused' ? found.refusal.code : found.kind,
      );
      expect([
        ['done', 'clientHasAssignedPallets'],
        ['clientNotFound', 'done'],
      ]).toContainEqual(codes);
      const there = (await tenant.call('GET', `/client/C${round}`)).status;
      const tracks = (await tenant.call('GET', `/track?wmsId=P${round}`)).body.totalElements;
      expect([there, tracks]).toEqual(codes[0] === 'done' ? [200, 1] : [404, 0]);
    }
  });
});

describe('an organization without the client feature', () => {
  it('an organization without the client feature couples without a client and keeps existing clients', async () => {
    const tenant = await newTenant({ markerCodeStart: 1 });
    await newClient(tenant, 'A');
    await getAndCouple(tenant, 'P', 'A');
    const code = await newCode(tenant);
    await operator('PUT', `/organization/${tenant.uuid}`, { clientFeatureEnabled: false });
    for (const clientId of ['A', 'nobody']) {
      for (const answer of [
        await getAndCouple(tenant, 'Q', clientId),
        await couple(tenant, code, 'Q', clientId),
        await tenant.call('GET', `/track?clientId=${clientId}`),
      ]) {
        expect(outcome(answer)).toEqual([403, 'clientFeatureRequired']);
      }
    }
    expect((await tenant.call('GET', '/track')).body.totalElements).toBe(1);
    expect((await tenant.call('GET', '/track/P')).body.client.externalId).toBe('A');
    expect((await couple(tenant, code, 'Q', null)).status).toBe(200);
    expect((await getAndCouple(tenant, 'R')).body.markerCode).toBe(code + 1);
  });
});
