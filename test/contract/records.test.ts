import { beforeAll, describe, expect, it } from 'vitest';
import { newGate, newTenant, operator, type Tenant } from '../workerd/client.ts';
import { problemFaults } from './problem.ts';
import { newWorld, type World } from './world.ts';

/** Lists whose records can be read one by one, with the problem code for a missing record. */
const RESOURCES = [
  ['gate', 'gateNotFound'],
  ['scanner', 'scannerNotFound'],
  ['local-manager', 'localManagerNotFound'],
  ['agent', 'agentNotFound'],
  ['alert-event', 'alertEventNotFound'],
  ['audit-log', 'auditLogNotFound'],
  ['authority', 'authorityNotFound'],
] as const;

describe.each(RESOURCES)('one record of %s', (resource, code) => {
  let world: World;
  beforeAll(async () => {
    world = await newWorld();
  });
  const rows = async ({ tenant }: Pick<World, 'tenant'>) => {
    const { body } = await tenant.call('GET', `/${resource}`);
    return (body.content ?? body) as { uuid: string }[];
  };
  const get = ({ tenant }: Pick<World, 'tenant'>, name: string) =>
    tenant.call('GET', `/${resource}/${encodeURIComponent(name)}`);

  it("a single record equals the list's record, found by its uuid in either case", async () => {
    for (const row of (await rows(world)).slice(0, 3)) {
      for (const name of [row.uuid, row.uuid.toUpperCase()]) {
        const { status, body } = await get(world, name);
        expect([status, body]).toEqual([200, row]);
      }
    }
  });

  it(`a missing record is 404 ${code} for every kind of name`, async () => {
    const stranger = await newTenant();
    const [foreign] = await rows(world);
    for (const name of ['x', '%', 'é'.repeat(255), 'fffffffffffff', crypto.randomUUID()]) {
      expect([name, problemFaults(await get(world, name), 404, code)]).toEqual([name, []]);
    }
    const answer = await get({ tenant: stranger }, foreign!.uuid);
    expect(problemFaults(answer, 404, code)).toEqual([]);
  });
});

describe('a record that is deleted', () => {
  const provisioned = async (tenant: Tenant, kind: string): Promise<string> =>
    (await operator('POST', `/organization/${tenant.uuid}/${kind}`, { name: 'n' })).body.uuid;

  it.each(['scanner', 'local-manager', 'agent'])(
    'a deleted record gets the same 404 as a record of another kind (%s)',
    async (kind) => {
      const tenant = await newTenant();
      const uuid = await provisioned(tenant, kind);
      const other = kind === 'agent' ? 'scanner' : 'agent';
      expect((await tenant.call('GET', `/${kind}/${uuid}`)).status).toBe(200);
      expect((await tenant.call('GET', `/${other}/${uuid}`)).status).toBe(404);
      await operator('DELETE', `/organization/${tenant.uuid}/${kind}/${uuid}`);
      expect((await tenant.call('GET', `/${kind}/${uuid}`)).status).toBe(404);
    },
  );

  it('a deleted gate gets 404 by both names until another gate has its external identifier', async () => {
    const tenant = await newTenant();
    await newGate(tenant, 'G');
    const { uuid } = (await tenant.call('GET', '/gate/G')).body;
    await operator('DELETE', `/organization/${tenant.uuid}/gate/G`);
    for (const name of ['G', uuid]) expect((await tenant.call('GET', `/gate/${name}`)).status).toBe(404);
    await newGate(tenant, 'G');
    const again = await tenant.call('GET', '/gate/G');
    expect([again.status, again.body.uuid === uuid]).toEqual([200, false]);
  });
});

it('a gate path finds an external identifier first and a uuid second', async () => {
  const tenant = await newTenant();
  await newGate(tenant, 'G 1/é');
  const one = (await tenant.call('GET', `/gate/${encodeURIComponent('G 1/é')}`)).body;
  expect(one.externalIdentifier).toBe('G 1/é');
  await newGate(tenant, one.uuid);
  expect((await tenant.call('GET', `/gate/${one.uuid}`)).body.externalIdentifier).toBe(one.uuid);
});

describe('the gate list', () => {
  it('the gate list filters by one or several statuses and lists gates out of service with deleted ones', async () => {
    const tenant = await newTenant();
    for (const gate of ['free', 'truck', 'yard', 'gone']) await newGate(tenant, gate);
    for (const [manifest, gate, status] of [
      ['M', 'truck', 'IN_PROGRESS'],
      ['N', 'free', 'TO_DO'],
    ] as const) {
      const planned = { externalIdentifier: manifest, gateExternalId: gate, manifestStatus: 'TO_DO' };
      await tenant.call('POST', '/manifest', planned);
      if (status !== 'TO_DO') await tenant.call('POST', `/manifest/${manifest}/status/${status}`);
    }
    await tenant.call('POST', '/manifest', { externalIdentifier: 'O' });
    const shipment = { identifier: 'S', gateIdentifier: 'yard', manifests: [{ manifestExternalId: 'O' }] };
    await tenant.call('POST', '/shipment', shipment);
    await tenant.call('POST', '/shipment/S/status/IN_PROGRESS');
    await operator('DELETE', `/organization/${tenant.uuid}/gate/gone`);
    const listed = async (query: string) => {
      const { body } = await tenant.call('GET', `/gate?sort.sortBy=name&${query}`);
      const names = body.content.map(
        ({ externalIdentifier }: { externalIdentifier: string }) => externalIdentifier,
      );
      expect(body.totalElements).toBe(names.length);
      return names.join();
    };
    expect(await listed('status=LOADING')).toBe('truck,yard');
    expect(await listed('status=AVAILABLE')).toBe('free');
    expect(await listed('status=AVAILABLE,LOADING')).toBe('free,truck,yard');
    expect(await listed('status=LOADING&status=OUT_OF_SERVICE')).toBe('truck,yard');
    expect(await listed('status=LOADING&status=OUT_OF_SERVICE&includeDeleted=true')).toBe('gone,truck,yard');
    expect(await listed('status=OUT_OF_SERVICE&includeDeleted=true')).toBe('gone');
    expect(await listed('status=LOADING&q=ruck')).toBe('truck');
    await tenant.call('POST', '/manifest/M/status/COMPLETED');
    expect(await listed('status=LOADING')).toBe('yard');
  });
});
