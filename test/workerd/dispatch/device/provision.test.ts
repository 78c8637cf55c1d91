import { describe, expect, it } from 'vitest';
import { newGate, newTenant, operator, type Tenant } from '../../client.ts';
import { logOf } from '../../core/writer/requests.ts';

const NOBODY = '01900000-0000-7000-8000-000000000000';
const below = ({ uuid }: Tenant, path: string) => `/organization/${uuid}${path}`;
const create = (tenant: Tenant, segment: string, json: object) =>
  operator('POST', below(tenant, `/${segment}`), json);
const list = async (tenant: Tenant, path: string) => (await tenant.call('GET', path)).body.content;

describe('a scanner', () => {
  it('a new scanner has what the operator sets and has reported nothing', async () => {
    const tenant = await newTenant();
    await newGate(tenant, 'G/1');
    const manager = (await create(tenant, 'local-manager', { name: 'LM' })).body;
    const created = await create(tenant, 'scanner', {
      name: 'Scanner É',
      serialNumber: 'SN-1',
      scannerType: 'FIXED',
      gateExternalId: 'G/1',
      localManagerUuid: manager.uuid.toUpperCase(),
      softwareVersion: '1.0',
    });
    expect(created.status).toBe(201);
    const { uuid } = created.body;
    expect(created.headers.get('Location')).toBe(`/operator/rest/api/v1${below(tenant, `/scanner/${uuid}`)}`);
    expect(created.body).toEqual({
      uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      createDate: expect.any(String),
      updateDate: created.body.createDate,
      deepLink: `http://127.0.0.1:8787/app/scanner/${uuid}`,
      name: 'Scanner É',
      serialNumber: 'SN-1',
      scannerType: 'FIXED',
      status: 'OFFLINE',
      gate: expect.objectContaining({ externalIdentifier: 'G/1', name: 'Gate G/1' }),
      localManagerUuid: manager.uuid,
      softwareVersion: '1.0',
      lastSeenDate: null,
      deleted: false,
    });
    expect(await list(tenant, '/scanner')).toEqual([created.body]);
    const [entry] = (await logOf(tenant)).slice(-1);
    expect(entry).toMatchObject({
      action: 'SCANNER_CREATED',
      actor_type: 'OPERATOR',
      entity_type: 'SCANNER',
      entity_uuid: uuid,
      entity_external_id: 'Scanner É',
    });
    const changes = JSON.parse(entry!.changes as string);
    expect(changes).toContainEqual({ field: 'gate', oldValue: null, newValue: 'G/1' });
    expect(changes).toContainEqual({ field: 'localManagerUuid', oldValue: null, newValue: manager.uuid });
  });

  it('a new scanner needs only a name, and other values are null', async () => {
    const tenant = await newTenant();
    const { status, body } = await create(tenant, 'scanner', { name: 'S', gateExternalId: null });
    const nothing = { serialNumber: null, scannerType: null, gate: null, localManagerUuid: null };
    expect([status, body]).toEqual([201, expect.objectContaining({ ...nothing, softwareVersion: null })]);
  });

  it('a scanner names its gate by external id, else by uuid', async () => {
    const tenant = await newTenant();
    await newGate(tenant, 'A');
    const [gate] = await list(tenant, '/gate');
    await newGate(tenant, gate.uuid);
    const byUuid = await create(tenant, 'scanner', { name: 'S', gateExternalId: gate.uuid });
    expect(byUuid.body.gate.name).toBe(`Gate ${gate.uuid}`);
    await operator('DELETE', below(tenant, `/gate/${gate.uuid}`));
    const fallback = await create(tenant, 'scanner', { name: 'S', gateExternalId: gate.uuid });
    expect(fallback.body.gate.name).toBe('Gate A');
  });

  it('a scanner with unknown references is 400 and names each of them', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()];
    await newGate(other, 'G');
    await newGate(tenant, 'deleted');
    await operator('DELETE', below(tenant, '/gate/deleted'));
    const manager = (await create(other, 'local-manager', { name: 'LM' })).body;
    const agent = (await create(tenant, 'agent', { name: 'A' })).body;
    for (const gateExternalId of ['G', 'g', 'deleted']) {
      const { status, body } = await create(tenant, 'scanner', { name: 'S', gateExternalId });
      const item = { field: 'gateExternalId', code: 'gateNotFound', rejectedValue: gateExternalId };
      expect([status, body.code, body.errors]).toEqual([
        400,
        'gateNotFound',
        [expect.objectContaining(item)],
      ]);
    }
    for (const localManagerUuid of [NOBODY, manager.uuid, agent.uuid]) {
      const { status, body } = await create(tenant, 'scanner', { name: 'S', localManagerUuid });
      const item = {
        field: 'localManagerUuid',
        code: 'localManagerNotFound',
        rejectedValue: localManagerUuid,
      };
      expect([status, body.code, body.errors]).toEqual([
        400,
        'localManagerNotFound',
        [expect.objectContaining(item)],
      ]);
    }
    const both = await create(tenant, 'scanner', {
      name: 'S',
      gateExternalId: 'G',
      localManagerUuid: NOBODY,
    });
    expect([both.status, both.body.code]).toEqual([400, 'validationFailed']);
    expect(both.body.errors.map(({ code }: { code: string }) => code)).toEqual([
      'gateNotFound',
      'localManagerNotFound',
    ]);
    expect(await list(tenant, '/scanner')).toEqual([]);
  });
});

describe('a local manager', () => {
  it('a local manager counts the gates that name it', async () => {
    const tenant = await newTenant();
    const [one, two] = [
      (await create(tenant, 'local-manager', { name: 'One', hostname: 'lm-1.example' })).body,
      (await create(tenant, 'local-manager', { name: 'Two' })).body,
    ];
    expect(one).toMatchObject({ hostname: 'lm-1.example', status: 'OFFLINE', gatesCount: 0 });
    const put = (gate: string, json: object) =>
      operator('PUT', below(tenant, `/gate/${gate}`), { name: 'G', ...json });
    const counts = async () =>
      (await list(tenant, '/local-manager?sort.sortBy=name')).map(
        ({ gatesCount }: { gatesCount: number }) => gatesCount,
      );
    expect(await put('A', { localManagerUuid: one.uuid })).toMatchObject({
      status: 201,
      body: { localManagerUuid: one.uuid },
    });
    await put('B', { localManagerUuid: one.uuid });
    await put('C', { localManagerUuid: two.uuid });
    await put('D', {});
    expect(await counts()).toEqual([2, 1]);
    expect((await put('B', { localManagerUuid: two.uuid })).body.localManagerUuid).toBe(two.uuid);
    expect(await counts()).toEqual([1, 2]);
    // Without the field, the manager stays. Null removes it.
    expect((await put('B', { name: 'Other' })).body.localManagerUuid).toBe(two.uuid);
    expect((await put('B', { localManagerUuid: null })).body.localManagerUuid).toBe(null);
    expect(await counts()).toEqual([1, 1]);
    await operator('DELETE', below(tenant, '/gate/A'));
    expect(await counts()).toEqual([0, 1]);
    const gates = await list(tenant, `/gate?localManagerUuid=${two.uuid}`);
    expect(gates.map((gate: { externalIdentifier: string }) => gate.externalIdentifier)).toEqual(['C']);
  });

  it('an unknown local manager cannot be given to a gate', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()];
    await newGate(tenant, 'G');
    const foreign = (await create(other, 'local-manager', { name: 'LM' })).body;
    const deleted = (await create(tenant, 'local-manager', { name: 'LM' })).body;
    await operator('DELETE', below(tenant, `/local-manager/${deleted.uuid}`));
    for (const gate of ['G', 'new']) {
      for (const localManagerUuid of [NOBODY, foreign.uuid, deleted.uuid]) {
        const { status, body } = await operator('PUT', below(tenant, `/gate/${gate}`), {
          name: 'Renamed',
          localManagerUuid,
        });
        expect([status, body.code]).toEqual([400, 'localManagerNotFound']);
        expect(body.errors).toMatchObject([{ field: 'localManagerUuid', rejectedValue: localManagerUuid }]);
      }
    }
    const gates = await list(tenant, '/gate');
    expect(gates).toMatchObject([{ name: 'Gate G', localManagerUuid: null }]);
  });
});

describe('a deleted device', () => {
  it.each(['scanner', 'local-manager', 'agent'])(
    'a deleted device (%s) is gone and listed on request',
    async (segment) => {
      const tenant = await newTenant();
      const { uuid } = (await create(tenant, segment, { name: 'D' })).body;
      const remove = () => operator('DELETE', below(tenant, `/${segment}/${uuid}`));
      expect((await remove()).status).toBe(204);
      const again = await remove();
      const code = {
        scanner: 'scannerNotFound',
        'local-manager': 'localManagerNotFound',
        agent: 'agentNotFound',
      };
      expect([again.status, again.body.code]).toEqual([404, code[segment as 'agent']]);
      expect(await list(tenant, `/${segment}`)).toEqual([]);
      const [row] = await list(tenant, `/${segment}?includeDeleted=true`);
      expect(row).toMatchObject({
        uuid,
        deleted: true,
        status: segment === 'scanner' ? 'DISABLED' : 'OFFLINE',
      });
      const [entry] = (await logOf(tenant)).slice(-1);
      expect(entry).toMatchObject({
        action: `${segment.toUpperCase().replace('-', '_')}_DELETED`,
        entity_uuid: uuid,
      });
    },
  );

  it('a device can be deleted by its own path only', async () => {
    const tenant = await newTenant();
    const { uuid } = (await create(tenant, 'scanner', { name: 'D' })).body;
    for (const segment of ['local-manager', 'agent']) {
      expect((await operator('DELETE', below(tenant, `/${segment}/${uuid}`))).status).toBe(404);
    }
    expect(await list(tenant, '/scanner')).toHaveLength(1);
  });

  it('a deleted local manager is still named by its scanners, agents and gates', async () => {
    const tenant = await newTenant();
    const { uuid } = (await create(tenant, 'local-manager', { name: 'LM' })).body;
    await create(tenant, 'scanner', { name: 'S', localManagerUuid: uuid });
    await create(tenant, 'agent', { name: 'A', localManagerUuid: uuid });
    await operator('PUT', below(tenant, '/gate/G'), { name: 'G', localManagerUuid: uuid });
    await operator('DELETE', below(tenant, `/local-manager/${uuid}`));
    for (const path of ['/scanner', '/agent', '/gate']) {
      const rows = await list(tenant, `${path}?localManagerUuid=${uuid}`);
      expect([path, rows]).toEqual([path, [expect.objectContaining({ localManagerUuid: uuid })]]);
    }
    const named = await operator('PUT', below(tenant, '/gate/G'), { name: 'Renamed' });
    expect([named.status, named.body.localManagerUuid]).toEqual([200, uuid]);
  });
});

it.each([
  ['scanner', { hostname: 'h' }],
  ['local-manager', { serialNumber: 's' }],
  ['local-manager', { localManagerUuid: NOBODY }],
  ['agent', { scannerType: 'FIXED' }],
  ['agent', { gateExternalId: 'G' }],
])('a %s does not take %j', async (segment, more) => {
  const { status, body } = await create(await newTenant(), segment, { name: 'D', ...more });
  expect([status, body.code, body.errors[0].field]).toEqual([400, 'unknownField', Object.keys(more)[0]]);
});

it('every device operation of the operator gives 404 for an unknown organization', async () => {
  for (const segment of ['scanner', 'local-manager', 'agent']) {
    const path = `/organization/${NOBODY}/${segment}`;
    const made = await operator('POST', path, { name: 'D' });
    const gone = await operator('DELETE', `${path}/${NOBODY}`);
    expect([made, gone].map(({ body }) => body.code)).toEqual([
      'organizationNotFound',
      'organizationNotFound',
    ]);
  }
});
