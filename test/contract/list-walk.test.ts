import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Answer, API, newTenant, operator, type Tenant } from '../workerd/client.ts';

/** How to create, change and delete rows of a kind while its list is walked. */
interface Kind {
  path: string;
  sorts: string[];
  create(tenant: Tenant, name: string): Promise<string>;
  update(tenant: Tenant, uuid: string, name: string): Promise<unknown>;
  remove(tenant: Tenant, uuid: string): Promise<Answer>;
}

const KINDS: Record<string, Kind> = {
  manifests: {
    path: '/manifest',
    sorts: ['createDate', 'externalIdentifier'],
    create: async (tenant, externalIdentifier) =>
      (await tenant.call('POST', '/manifest', { externalIdentifier })).body.uuid,
    update: (tenant, uuid, fieldValue) =>
      tenant.call('POST', `/manifest/${uuid}/custom-field`, { fieldKey: 'k', fieldValue }),
    remove: (tenant, uuid) => tenant.call('DELETE', `/manifest/${uuid}`),
  },
  tracks: {
    path: '/track',
    sorts: ['createDate', 'wmsId', 'markerCode', 'coupleDate'],
    create: async (tenant, wmsId) =>
      (await tenant.call('POST', '/track/get-and-couple?imageDelivery=URL', { wmsId })).body.track.uuid,
    update: (tenant, uuid, reason) => tenant.call('PATCH', `/track/${uuid}/flag`, { reason }),
    remove: (tenant, uuid) => tenant.call('DELETE', `/track/${uuid}`),
  },
  scanners: {
    path: '/scanner',
    sorts: ['createDate', 'name'],
    create: async (tenant, name) =>
      (await operator('POST', `/organization/${tenant.uuid}/scanner`, { name })).body.uuid,
    update: (tenant, uuid, softwareVersion) =>
      tenant.device('POST', '/heartbeat', { deviceType: 'SCANNER', uuid, status: 'ONLINE', softwareVersion }),
    remove: (tenant, uuid) => operator('DELETE', `/organization/${tenant.uuid}/scanner/${uuid}`),
  },
  clients: {
    path: '/client',
    sorts: ['createDate'],
    create: async (tenant, name) =>
      (await tenant.call('POST', '/client', { displayName: name, externalId: name })).body.uuid,
    update: (tenant, uuid, name) =>
      tenant.call('PUT', `/client/${uuid}`, { displayName: `renamed ${name} ${uuid}`, externalId: uuid }),
    remove: (tenant, uuid) => tenant.call('DELETE', `/client/${uuid}`),
  },
  users: {
    path: '/user',
    sorts: ['createDate'],
    create: async (tenant, name) =>
      (await tenant.call('POST', '/user', { ...person(name), passwordPolicyMode: 'INVITE_LINK' })).body.uuid,
    update: async (tenant, uuid, phoneNumber) => {
      const { email } = (await tenant.call('GET', `/user/${uuid}`)).body;
      return tenant.call('PUT', `/user/${uuid}`, { ...person(email.split('@')[0]), phoneNumber });
    },
    remove: (tenant, uuid) => tenant.call('DELETE', `/user/${uuid}`),
  },
};

const person = (name: string) => ({
  firstName: 'Jane',
  lastName: 'Doe',
  email: `${name}@example.com`,
  authority: { authorityName: 'VIEWER' },
});

/** Many more pages than a list can have. */
const STEPS_MAXIMUM = 100;

type Action = { kind: 'create' | 'delete' | 'update'; at: number };

const actions: fc.Arbitrary<Action[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('create' as const, 'delete' as const, 'update' as const),
    at: fc.nat(1_000),
  }),
  { maxLength: 4 },
);

/**
 * Walk a list to its end, with actions between its pages. @returns the rows that stayed, and the rows that
 * were seen.
 */
async function walk(kind: Kind, sort: string, pageSize: number, between: Action[][]) {
  const tenant = await newTenant();
  const present = new Set<string>();
  const updated = new Set<string>();
  let names = 0;
  const create = async () => {
    names += 1;
    // Unordered names, so that rows are added before, between and after the rows already seen.
    present.add(await kind.create(tenant, `${(names * 7) % 13}-${names}`));
  };
  for (let index = 0; index < 14; index += 1) await create();
  const stayed = new Set(present);
  const seen: string[] = [];
  let path: string | null = `${kind.path}?pageSize=${pageSize}&${sort}`;
  for (let step = 0; path !== null; step += 1) {
    if (step > STEPS_MAXIMUM) throw new Error('the walk does not end');
    const { status, headers, body } = await tenant.call('GET', path);
    expect(status).toBe(200);
    expect(body.totalElements).toBe(present.size);
    seen.push(...body.content.map((row: { uuid: string }) => row.uuid));
    const next = /<([^>]*)>; rel="next"/.exec(headers.get('Link') ?? '');
    path = next && next[1]!.slice(next[1]!.indexOf(API) + API.length);
    for (const { kind: what, at } of between[step] ?? []) {
      const uuid = [...present][at % present.size];
      if (what === 'create') await create();
      if (uuid === undefined) continue;
      if (what === 'update') {
        await kind.update(tenant, uuid, `${step}`);
        updated.add(uuid);
      }
      if (what === 'delete') {
        expect((await kind.remove(tenant, uuid)).status).toBeLessThan(300);
        present.delete(uuid);
        stayed.delete(uuid);
      }
    }
  }
  return { stayed, seen, updated };
}

describe.each(Object.entries(KINDS))('a walk over %s', (_, kind) => {
  const cases = kind.sorts.flatMap((sort) => ['ASC', 'DESC'].map((direction) => [sort, direction] as const));

  it.each(cases)(
    'a walk over a list by %s %s sees every remaining row exactly once while rows come, go and change',
    async (sort, direction) => {
      const order = `sort.sortBy=${sort}&sort.direction=${direction}`;
      const busy: Action[] = [
        { kind: 'create', at: 0 },
        { kind: 'delete', at: 0 },
        { kind: 'delete', at: 999 },
        { kind: 'update', at: 5 },
        { kind: 'update', at: 998 },
      ];
      const { stayed, seen, updated } = await walk(kind, order, 3, Array<Action[]>(4).fill(busy));
      expect(new Set(seen).size).toBe(seen.length);
      expect([...stayed].filter((uuid) => !seen.includes(uuid))).toEqual([]);
      expect(stayed.size).toBeGreaterThan(4);
      expect(updated.size).toBeGreaterThan(1);
    },
  );

  it('a walk over a list sees every remaining row exactly once, with any changes between its pages', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...cases),
        fc.integer({ min: 1, max: 6 }),
        fc.array(actions, { maxLength: 8 }),
        async ([sort, direction], pageSize, between) => {
          const order = `sort.sortBy=${sort}&sort.direction=${direction}`;
          const { stayed, seen } = await walk(kind, order, pageSize, between);
          expect(new Set(seen).size).toBe(seen.length);
          expect([...stayed].filter((uuid) => !seen.includes(uuid))).toEqual([]);
        },
      ),
      { numRuns: 12 },
    );
  });
});
