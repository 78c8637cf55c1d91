import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { newTenant, operator, type Tenant } from '../../client.ts';
import { invited, newUser } from './users.ts';

const db = (env as unknown as { DB: D1Database }).DB;
const ALL = [
  'BACKOFFICE_LOGIN',
  'LOCAL_MANAGER_LOGIN',
  'APP_LOGIN',
  'FORKLIFT_APP_LOGIN',
  'OPERATIONAL_APP_LOGIN',
  'ROLE_MANAGEMENT',
  'LOCAL_MANAGER_REMOTE_ACCESS',
  'USER_MANAGEMENT_READ',
  'USER_MANAGEMENT_WRITE',
  'AGENT_MANAGEMENT_READ',
];

interface Authority {
  uuid: string;
  authorityName: string;
  internal: boolean;
  permissions: string[];
}

const list = async (tenant: Tenant): Promise<Authority[]> => (await tenant.call('GET', '/authority')).body;
const put = (tenant: Tenant, name: string, permissions: unknown, headers = {}) =>
  operator(
    'PUT',
    `/organization/${tenant.uuid}/authority/${encodeURIComponent(name)}`,
    { permissions },
    headers,
  );
const audits = async (tenant: Tenant) =>
  (
    await db
      .prepare(`SELECT action, entity_external_id, changes FROM audit_log
        WHERE organization_uuid = ?1 AND entity_type = 'AUTHORITY' ORDER BY sequence_number`)
      .bind(tenant.uuid)
      .all()
  ).results;

describe('the built-in authorities', () => {
  it('the built-in authorities exist from the start in a plain array sorted by name', async () => {
    const tenant = await newTenant();
    const authorities = await list(tenant);
    expect(authorities.map(({ authorityName, internal }) => [authorityName, internal])).toEqual([
      ['ADMINISTRATOR', true],
      ['FORKLIFT_OPERATOR', true],
      ['OPERATOR', true],
      ['VIEWER', true],
    ]);
    expect(authorities.map(({ permissions }) => permissions)).toEqual([
      ALL,
      ['APP_LOGIN', 'FORKLIFT_APP_LOGIN'],
      [
        'BACKOFFICE_LOGIN',
        'LOCAL_MANAGER_LOGIN',
        'APP_LOGIN',
        'OPERATIONAL_APP_LOGIN',
        'AGENT_MANAGEMENT_READ',
      ],
      ['BACKOFFICE_LOGIN', 'OPERATIONAL_APP_LOGIN'],
    ]);
    const other = await list(await newTenant());
    expect(new Set([...authorities, ...other].map(({ uuid }) => uuid)).size).toBe(8);
  });

  it('the built-in authorities can be changed, but ADMINISTRATOR keeps every permission', async () => {
    const tenant = await newTenant();
    const changed = await put(tenant, 'VIEWER', ['APP_LOGIN']);
    expect([changed.status, changed.body]).toEqual([
      200,
      expect.objectContaining({ internal: true, permissions: ['APP_LOGIN'] }),
    ]);
    for (const permissions of [[], ALL.slice(1)]) {
      const refused = await put(tenant, 'ADMINISTRATOR', permissions);
      expect([refused.status, refused.body.code]).toEqual([400, 'validationFailed']);
      expect(refused.body.errors).toMatchObject([{ field: 'permissions' }]);
    }
    expect((await put(tenant, 'ADMINISTRATOR', [...ALL].reverse())).body.permissions).toEqual(ALL);
    expect((await list(tenant)).find(({ authorityName }) => authorityName === 'ADMINISTRATOR')).toMatchObject(
      {
        permissions: ALL,
      },
    );
    expect((await list(await newTenant())).at(-1)!.permissions).toEqual([
      'BACKOFFICE_LOGIN',
      'OPERATIONAL_APP_LOGIN',
    ]);
  });
});

describe('an authority of an organization', () => {
  it('an authority is created and changed by name and audited when it changes', async () => {
    const tenant = await newTenant();
    const created = await put(tenant, 'Shift lead/é', ['USER_MANAGEMENT_READ', 'APP_LOGIN']);
    expect([created.status, created.body]).toEqual([
      201,
      {
        uuid: expect.stringMatching(/-7[0-9a-f]{3}-/),
        createDate: expect.any(String),
        updateDate: created.body.createDate,
        deepLink: expect.stringMatching(`/app/authority/${created.body.uuid}$`),
        authorityName: 'Shift lead/é',
        internal: false,
        permissions: ['APP_LOGIN', 'USER_MANAGEMENT_READ'],
      },
    ]);
    expect((await list(tenant)).at(-2)).toEqual(created.body);
    const same = await put(tenant, 'Shift lead/é', ['APP_LOGIN', 'USER_MANAGEMENT_READ']);
    expect([same.status, same.body]).toEqual([200, created.body]);
    const changed = await put(tenant, 'Shift lead/é', []);
    expect([changed.status, changed.body.uuid, changed.body.permissions]).toEqual([
      200,
      created.body.uuid,
      [],
    ]);
    expect(await audits(tenant)).toMatchObject([
      { action: 'AUTHORITY_CREATED', entity_external_id: 'Shift lead/é' },
      {
        action: 'AUTHORITY_UPDATED',
        changes: '[{"field":"permissions","oldValue":["APP_LOGIN","USER_MANAGEMENT_READ"],"newValue":[]}]',
      },
    ]);
  });

  it('an authority refuses unknown permissions and names', async () => {
    const tenant = await newTenant();
    const before = await list(tenant);
    const bad: [string, unknown, string][] = [
      ['X', ['ROOT'], 'permissions[0]'],
      ['X', ['APP_LOGIN', 'APP_LOGIN'], 'permissions'],
      ['X', null, 'permissions'],
      ['x'.repeat(101), [], 'authorityName'],
    ];
    for (const [name, permissions, field] of bad) {
      const { status, body } = await put(tenant, name, permissions);
      expect([status, body.code, body.errors[0].field]).toEqual([400, 'validationFailed', field]);
    }
    expect(await list(tenant)).toEqual(before);
    const nobody = { ...tenant, uuid: '01890000-0000-7000-8000-000000000000' };
    expect((await put(nobody, 'X', [])).body.code).toBe('organizationNotFound');
  });

  it.each([
    ['viewer', 'VIEWER'],
    ['Administrator', 'ADMINISTRATOR'],
    ['SHIFT LEAD/É', 'Shift lead/é'],
    ['shift lead/E\u0301', 'Shift lead/é'],
    ['STRASSE', 'Straße'],
  ])(
    'an authority named %j is refused beside %j, because names must differ in more than case',
    async (name, held) => {
      const tenant = await newTenant();
      await put(tenant, 'Shift lead/é', []);
      await put(tenant, 'Straße', []);
      const before = [await list(tenant), await audits(tenant)];
      const { status, body } = await put(tenant, name, ALL);
      expect([status, body.code]).toEqual([409, 'authorityNameInUse']);
      expect(body.errors).toMatchObject([{ field: 'authorityName', rejectedValue: name }]);
      expect(body.detail).toContain(held);
      expect([await list(tenant), await audits(tenant)]).toEqual(before);
    },
  );

  it('two old authorities whose names differ in case alone stay usable by their own names', async () => {
    const tenant = await newTenant();
    const [viewer] = (await list(tenant)).slice(-1);
    await db
      .prepare(`INSERT INTO authority SELECT ?2, organization_uuid, 'viewer', 0, '[]', create_date, update_date
        FROM authority WHERE organization_uuid = ?1 AND authority_name = 'VIEWER'`)
      .bind(tenant.uuid, crypto.randomUUID())
      .run();
    for (const name of ['viewer', 'VIEWER']) {
      const changed = await put(tenant, name, ['APP_LOGIN']);
      expect([changed.status, changed.body.authorityName]).toEqual([200, name]);
      const user = await newUser(
        tenant,
        invited({ email: `${changed.body.uuid}@example.com`, authority: { authorityName: name } }),
      );
      expect([name, user.authority.uuid === viewer!.uuid]).toEqual([name, name === 'VIEWER']);
    }
    expect((await put(tenant, 'Viewer', [])).status).toBe(409);
  });

  it('an authority may have any text as its name, also with a comma, and users are found by it', async () => {
    const tenant = await newTenant();
    expect((await put(tenant, 'A,B', [])).status).toBe(201);
    await newUser(tenant, invited({ authority: { authorityName: 'A,B' } }));
    const role = `role=${encodeURIComponent('A,B')}`;
    const found = async (query: string) => (await tenant.call('GET', `/user?${query}`)).body.totalElements;
    expect([await found(`${role}&${role}`), await found(role)]).toEqual([1, 0]);
  });

  it('an organization has 100 authorities at most', async () => {
    const tenant = await newTenant();
    for (let index = 4; index < 100; index += 1) {
      expect((await put(tenant, `A${index}`, [])).status).toBe(201);
    }
    const refused = await put(tenant, 'A100', []);
    expect([refused.status, refused.body.code]).toEqual([409, 'authorityLimitReached']);
    expect((await put(tenant, 'A4', ['APP_LOGIN'])).status).toBe(200);
    expect(await list(tenant)).toHaveLength(100);
  });

  it('a changed authority appears on its users and changes their ETag', async () => {
    const tenant = await newTenant();
    await put(tenant, 'LEAD', ['APP_LOGIN']);
    const { uuid } = await newUser(tenant, invited({ authority: { authorityName: 'LEAD' } }));
    const read = () => tenant.call('GET', `/user/${uuid}`);
    const before = await read();
    expect(before.body.authority).toMatchObject({ internal: false, permissions: ['APP_LOGIN'] });
    await put(tenant, 'LEAD', ['BACKOFFICE_LOGIN']);
    const after = await read();
    expect(after.body.authority.permissions).toEqual(['BACKOFFICE_LOGIN']);
    expect(after.headers.get('ETag')).not.toBe(before.headers.get('ETag'));
  });
});
