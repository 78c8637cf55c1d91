import { describe, expect, it } from 'vitest';
import { spelledOut } from '../../../contract/schema.ts';
import { call, newTenant, type Tenant } from '../../client.ts';

/** A tenant with clients of these display names and external ids. */
async function withClients(...names: [string, string][]): Promise<Tenant> {
  const tenant = await newTenant();
  for (const [displayName, externalId] of names) {
    const { status, body } = await tenant.call('POST', '/client', { displayName, externalId });
    if (status !== 201) throw new Error(JSON.stringify(body));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return tenant;
}

/** External ids of the clients in a list, in its order. */
async function listed(tenant: Tenant, query: Record<string, string | number> = {}): Promise<string[]> {
  const search = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]));
  const { status, body } = await tenant.call('GET', `/client?${search}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  const ids = body.content.map((row: { externalId: string }) => row.externalId);
  expect(body.totalElements).toBe(ids.length);
  return ids;
}

describe('the client list', () => {
  it('the client list sorts by display name ascending by default', async () => {
    const tenant = await withClients(['Beta', '1'], ['alpha', '2'], ['Alpha B', '3'], ['Émile', '4']);
    expect(await listed(tenant)).toEqual(['3', '1', '2', '4']);
    expect((await tenant.call('GET', '/client')).body.pageRequest).toEqual({
      pageNumber: 1,
      pageSize: 20,
      sort: { sortBy: 'displayName', direction: 'ASC' },
    });
    expect(await listed(tenant, { 'sort.sortBy': 'externalId', 'sort.direction': 'DESC' })).toEqual([
      '4',
      '3',
      '2',
      '1',
    ]);
    expect(await listed(tenant, { 'sort.sortBy': 'createDate' })).toEqual(['1', '2', '3', '4']);
    await tenant.call('PUT', '/client/1', { displayName: 'Gamma', externalId: '1' });
    expect(await listed(tenant, { 'sort.sortBy': 'updateDate' })).toEqual(['2', '3', '4', '1']);
    const refused = await tenant.call('GET', '/client?sort.sortBy=uuid');
    expect([refused.status, refused.body.allowedValues]).toEqual([
      400,
      ['displayName', 'externalId', 'createDate', 'updateDate'],
    ]);
  });

  it('the client list offers a cursor for sorts that no PUT changes', async () => {
    const tenant = await withClients(['A', '1'], ['B', '2']);
    const link = async (query: string) =>
      (await tenant.call('GET', `/client?pageSize=1${query}`)).headers.get('Link');
    expect(await link('')).toBeNull();
    expect(await link('&sort.sortBy=externalId')).toBeNull();
    expect(await link('&sort.sortBy=createDate')).toMatch(/rel="next"$/);
  });

  it('the client list finds with q a part of either name, literally and in any case', async () => {
    const tenant = await withClients(
      ['Café Straße', 'C-1'],
      ['100% Acme', 'a_b'],
      ['ΟΔΟΣ', 'axb'],
      ['İzmir', '*'],
      ['Cafe', 'CAFÉ'],
    );
    const searches: [string, string[]][] = [
      ['*', ['a_b', 'CAFÉ', 'C-1', '*', 'axb']],
      ['', ['a_b', 'CAFÉ', 'C-1', '*', 'axb']],
      ['É', ['CAFÉ', 'C-1']],
      ['e\u0301', ['CAFÉ', 'C-1']],
      ['cafe', ['CAFÉ']],
      ['STRASSE', ['C-1']],
      ['ss', ['C-1']],
      ['%', ['a_b']],
      ['_', ['a_b']],
      ['A_B', ['a_b']],
      ['ACME', ['a_b']],
      ['οδος', ['axb']],
      ['ΟΔΟσ', ['axb']],
      ['i\u0307Z', ['*']],
      ['**', []],
      ['Straße C', []],
      ['ßC-1', []],
      ['Acmea', []],
    ];
    for (const [q, expected] of searches) expect([q, await listed(tenant, { q })]).toEqual([q, expected]);
    expect(await listed(tenant)).toEqual(await listed(tenant, { q: '*' }));
    expect((await tenant.call('GET', `/client?q=${'x'.repeat(256)}`)).status).toBe(400);
    expect((await tenant.call('GET', '/client?q=a%00')).status).toBe(400);
  });

  it('the client list pages, filters by dates and shows deleted clients on request', async () => {
    const tenant = await withClients(['A', '1'], ['B', '2'], ['C', '3']);
    const page = (await tenant.call('GET', '/client?pageSize=2&pageNumber=2')).body;
    expect([page.content.map((row: { externalId: string }) => row.externalId), page.totalElements]).toEqual([
      ['3'],
      3,
    ]);
    const second = (await tenant.call('GET', '/client/2')).body.createDate;
    expect(await listed(tenant, { createDateAfter: second })).toEqual(['2', '3']);
    expect(await listed(tenant, { createDateBefore: Date.parse(second) })).toEqual(['1']);
    await tenant.call('PUT', '/client/1', { displayName: 'AA', externalId: '1' });
    expect(await listed(tenant, { updateDateBefore: second })).toEqual([]);
    expect(await listed(tenant, { updateDateAfter: second, createDateBefore: second })).toEqual(['1']);
    const { uuid } = (await tenant.call('GET', '/client/2')).body;
    await tenant.call('DELETE', '/client/2');
    expect(await listed(tenant)).toEqual(['1', '3']);
    expect(await listed(tenant, { q: 'b' })).toEqual([]);
    await tenant.call('POST', '/client', { displayName: 'B', externalId: '2' });
    const { content } = (await tenant.call('GET', '/client?q=b&includeDeleted=true')).body;
    expect(
      content.map((row: { uuid: string; deleted: boolean }) => [row.uuid === uuid, row.deleted]),
    ).toEqual([
      [true, true],
      [false, false],
    ]);
  });

  it('the document states the default of q', async () => {
    const { body } = await call('GET', '/openapi.json');
    const { parameters } = spelledOut(body).paths['/integration/rest/api/v1/client'].get;
    const q = parameters.find(({ name }: { name: string }) => name === 'q');
    expect([q.required ?? false, q.schema.default]).toEqual([false, '*']);
  });
});
