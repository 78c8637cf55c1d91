import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { type Answer, API, newTenant, ORIGIN, type Tenant } from '../../client.ts';
import { trySignIn } from '../session/person.ts';
import { invited, newUser, unchanged, withPassword } from './users.ts';

const db = (env as unknown as { DB: D1Database }).DB;
const ABSENT = '01890000-0000-7000-8000-000000000000';
const failing = ({ body }: Answer) => body.errors.map(({ field }: { field: string }) => field).sort();
const audit = async ({ uuid }: Tenant) =>
  (
    await db
      .prepare(`SELECT action, entity_uuid, entity_external_id, changes FROM audit_log
        WHERE organization_uuid = ?1 AND entity_type = 'USER' ORDER BY sequence_number`)
      .bind(uuid)
      .all<Record<string, string>>()
  ).results;

describe('a user', () => {
  it('a new user can be shown, listed and found under its Location', async () => {
    const tenant = await newTenant();
    const body = invited({ phoneNumber: '+31 20 123 45 67' });
    const created = await tenant.call('POST', '/user', body);
    const { password, inviteLink, ...user } = created.body;
    expect([created.status, password, created.headers.get('Location')]).toEqual([
      201,
      null,
      `${API}/user/${user.uuid}`,
    ]);
    expect(inviteLink).toMatch(/\/app\/invite\/[\w-]{32}$/);
    expect(user).toEqual({
      uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      createDate: expect.stringMatching(/Z$/),
      updateDate: user.createDate,
      deepLink: `${ORIGIN}/app/user/${user.uuid}`,
      firstName: 'Jane',
      lastName: 'Doe',
      email: body.email,
      phoneNumber: '+31 20 123 45 67',
      authority: expect.objectContaining({ authorityName: 'OPERATOR', internal: true }),
      deleted: false,
    });
    const got = await tenant.call('GET', `/user/${user.uuid}`);
    expect([got.status, got.body]).toEqual([200, user]);
    expect((await tenant.call('GET', '/user')).body.content).toEqual([user]);
    expect((await tenant.call('GET', `/user/${ABSENT}`)).body.code).toBe('userNotFound');
  });

  it('a user keeps its texts exactly, within bounds', async () => {
    const tenant = await newTenant();
    const taken = invited({ firstName: ' É\u0301', lastName: '🚚'.repeat(100), phoneNumber: '' });
    expect(await newUser(tenant, taken)).toMatchObject({
      firstName: taken.firstName,
      lastName: taken.lastName,
      phoneNumber: '',
    });
    expect((await newUser(tenant)).phoneNumber).toBeNull();
    const bad = invited({
      firstName: 'J',
      lastName: 'D'.repeat(101),
      email: 'jane',
      phoneNumber: '1'.repeat(51),
      authority: {},
      passwordPolicyMode: 'NONE',
      surprise: 1,
    });
    const refused = await tenant.call('POST', '/user', bad);
    expect([refused.status, refused.body.code]).toEqual([400, 'validationFailed']);
    expect(failing(refused)).toEqual([
      'authority',
      'email',
      'firstName',
      'lastName',
      'passwordPolicyMode',
      'phoneNumber',
      'surprise',
    ]);
    const long = `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.com`;
    expect(long).toHaveLength(254);
    expect((await newUser(tenant, invited({ email: long }))).email).toBe(long);
    const longer = await tenant.call('POST', '/user', invited({ email: long.replace('.com', 'd.com') }));
    expect([longer.status, failing(longer)]).toEqual([400, ['email']]);
  });

  it('a user names its authority by uuid, by name or by both if they agree', async () => {
    const tenant = await newTenant();
    const authorities: { uuid: string; authorityName: string }[] = (await tenant.call('GET', '/authority'))
      .body;
    const uuidOf = (name: string) => authorities.find(({ authorityName }) => authorityName === name)!.uuid;
    const viewer = uuidOf('VIEWER');
    for (const authority of [
      { uuid: viewer },
      { uuid: viewer.toUpperCase() },
      { authorityName: 'VIEWER' },
      { uuid: viewer, authorityName: 'VIEWER' },
      { uuid: null, authorityName: 'VIEWER' },
      { uuid: viewer, authorityName: null },
    ]) {
      expect((await newUser(tenant, invited({ authority }))).authority.authorityName).toBe('VIEWER');
    }
    const user = await newUser(tenant);
    const refused: [object, string, string][] = [
      [{ uuid: ABSENT }, 'authorityNotFound', 'authority.uuid'],
      [{ authorityName: 'viewer' }, 'authorityNotFound', 'authority.authorityName'],
      [{ uuid: viewer, authorityName: 'OPERATOR' }, 'authorityNotFound', 'authority'],
      [{ uuid: ABSENT, authorityName: 'VIEWER' }, 'authorityNotFound', 'authority'],
      [{}, 'validationFailed', 'authority'],
      [{ uuid: null, authorityName: null }, 'validationFailed', 'authority'],
      [{ uuid: 'VIEWER' }, 'validationFailed', 'authority.uuid'],
      [{ authorityName: '' }, 'validationFailed', 'authority.authorityName'],
      [{ authorityName: 'VIEWER', inner: true }, 'unknownField', 'authority.inner'],
    ];
    for (const [authority, code, field] of refused) {
      for (const answer of [
        await tenant.call('POST', '/user', invited({ authority })),
        await tenant.call('PUT', `/user/${user.uuid}`, unchanged(user, { authority })),
      ]) {
        expect([answer.status, answer.body.code, failing(answer)]).toEqual([400, code, [field]]);
      }
    }
    const stranger = await newTenant();
    const foreign = await stranger.call('POST', '/user', invited({ authority: { uuid: viewer } }));
    expect([foreign.status, foreign.body.code]).toEqual([400, 'authorityNotFound']);
  });

  it('a user has a unique e-mail address in any case until it is deleted', async () => {
    const tenant = await newTenant();
    const [one, two] = [await newUser(tenant, invited({ email: 'Jane@Example.COM' })), await newUser(tenant)];
    expect(one.email).toBe('Jane@Example.COM');
    const again = invited({ email: 'jANE@eXAMPLE.com' });
    for (const answer of [
      await tenant.call('POST', '/user', again),
      await tenant.call('PUT', `/user/${two.uuid}`, unchanged(two, { email: 'jane@example.com' })),
    ]) {
      expect([answer.status, answer.body.code, failing(answer)]).toEqual([409, 'emailInUse', ['email']]);
    }
    const own = unchanged(one, { email: 'jane@example.com' });
    expect((await tenant.call('PUT', `/user/${one.uuid}`, own)).body.email).toBe('jane@example.com');
    expect((await (await newTenant()).call('POST', '/user', again)).status).toBe(201);
    expect((await tenant.call('DELETE', `/user/${one.uuid}`)).status).toBe(200);
    const successor = await newUser(tenant, again);
    expect(successor.uuid).not.toBe(one.uuid);
    const { body } = await tenant.call('GET', '/user?q=jane@example.com&includeDeleted=true');
    expect(body.content.map(({ deleted }: { deleted: boolean }) => deleted)).toEqual([false, true]);
  });

  it('a user has an international address, is found by it, and signs in by each spelling of its domain', async () => {
    const tenant = await newTenant();
    const email = 'J\u00f6rg.M\u00fcller@B\u00fccher.example';
    const password = 'of nobody: 4 pallets';
    const user = await newUser(tenant, withPassword({ email, password }));
    expect(user.email).toBe(email);
    for (const same of ['j\u00f6rg.m\u00fcller@xn--bcher-kva.example', email.normalize('NFD')]) {
      const { status, body } = await tenant.call('POST', '/user', invited({ email: same }));
      expect([status, body.code, body.errors[0].rejectedValue]).toEqual([409, 'emailInUse', same]);
    }
    for (const q of ['m\u00fcller@b', '@xn--bcher', 'b\u00fccher']) {
      const { body } = await tenant.call('GET', `/user?q=${encodeURIComponent(q)}`);
      expect([q, body.content.map(({ uuid }: { uuid: string }) => uuid)]).toEqual([q, [user.uuid]]);
    }
    const statusOf = async (typed: string) =>
      (await trySignIn({ organization: tenant.slug, email: typed, password })).status;
    for (const typed of [email, ' j\u00f6rg.m\u00fcller@XN--BCHER-KVA.example ', email.normalize('NFD')]) {
      expect([typed, await statusOf(typed)]).toEqual([typed, 303]);
    }
    for (const typed of ['J\u00d6RG.m\u00fcller@b\u00fccher.example', 'jorg.muller@b\u00fccher.example']) {
      expect([typed, await statusOf(typed)]).toEqual([typed, 401]);
    }
    for (const refused of [
      'm\u00fc\u200bller@a.example',
      'a@\uff45xample.com',
      '\u212aim@a.example',
      'm\u00fcller@a',
    ]) {
      const { status, body } = await tenant.call('POST', '/user', invited({ email: refused }));
      expect([status, body.errors[0]]).toMatchObject([400, { field: 'email', rejectedValue: refused }]);
    }
  });

  it('one of many concurrent users gets an e-mail address', async () => {
    const tenant = await newTenant();
    const email = (index: number) =>
      index % 2 === 0 ? 'same@example.com' : `SAME@example.${'com'.toUpperCase()}`;
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => tenant.call('POST', '/user', invited({ email: email(index) }))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
  });

  it('the index refuses a second user with the same e-mail address', async () => {
    const tenant = await newTenant();
    const { uuid } = await newUser(tenant, invited({ email: 'one@example.com' }));
    await expect(
      db
        .prepare(
          `INSERT INTO user SELECT 'other', organization_uuid, first_name, last_name, email, phone_number,
            authority_uuid, NULL, 0, NULL, NULL, 0, folded_first_name, folded_last_name, folded_email,
            create_date, update_date, NULL, NULL FROM user WHERE uuid = ?1`,
        )
        .bind(uuid)
        .run(),
    ).rejects.toThrow(/UNIQUE/);
  });
});

describe('changing a user', () => {
  it('replacing a user keeps an omitted phone number and removes a null one', async () => {
    const tenant = await newTenant();
    const user = await newUser(tenant, invited({ phoneNumber: '1' }));
    await new Promise((resolve) => setTimeout(resolve, 2));
    const { phoneNumber: _, ...rest } = unchanged(user, {
      firstName: 'Joan',
      authority: { authorityName: 'VIEWER' },
    });
    const put = (json: unknown) => tenant.call('PUT', `/user/${user.uuid}`, json);
    const changed = await put(rest);
    expect([changed.status, changed.body]).toEqual([
      200,
      expect.objectContaining({
        firstName: 'Joan',
        phoneNumber: '1',
        authority: expect.objectContaining({ authorityName: 'VIEWER' }),
      }),
    ]);
    expect(changed.body.password).toBeUndefined();
    expect(Date.parse(changed.body.updateDate)).toBeGreaterThan(Date.parse(user.updateDate));
    expect((await tenant.call('GET', `/user/${user.uuid}`)).body).toEqual(changed.body);
    expect((await put({ ...rest, phoneNumber: null })).body.phoneNumber).toBeNull();
    expect((await audit(tenant)).map(({ action, changes }) => [action, JSON.parse(changes!)])).toEqual([
      ['USER_CREATED', expect.any(Array)],
      [
        'USER_UPDATED',
        [
          { field: 'firstName', oldValue: 'Jane', newValue: 'Joan' },
          { field: 'authority', oldValue: 'OPERATOR', newValue: 'VIEWER' },
        ],
      ],
      ['USER_UPDATED', [{ field: 'phoneNumber', oldValue: '1', newValue: null }]],
    ]);
  });

  it('replacing a user by the same values changes nothing', async () => {
    const tenant = await newTenant();
    const user = await newUser(tenant, invited({ phoneNumber: '1' }));
    const tag = async () => (await tenant.call('GET', `/user/${user.uuid}`)).headers.get('ETag');
    const before = await tag();
    const { authority: _, ...rest } = unchanged(user);
    const same = { ...rest, authority: { authorityName: 'OPERATOR' } };
    expect((await tenant.call('PUT', `/user/${user.uuid}`, same)).status).toBe(200);
    expect([await tag(), (await audit(tenant)).length]).toEqual([before, 1]);
  });

  it.each(['password', 'passwordPolicyMode', 'inviteLink'])('replacing a user refuses %s', async (field) => {
    const tenant = await newTenant();
    const user = await newUser(tenant);
    const answer = await tenant.call(
      'PUT',
      `/user/${user.uuid}`,
      unchanged(user, { [field]: 'correct horse' }),
    );
    expect([answer.status, answer.body.code, failing(answer)]).toEqual([400, 'unknownField', [field]]);
  });

  it('replacing a user needs all required fields', async () => {
    const tenant = await newTenant();
    const user = await newUser(tenant);
    const answer = await tenant.call('PUT', `/user/${user.uuid}`, {});
    expect([answer.status, failing(answer)]).toEqual([400, ['authority', 'email', 'firstName', 'lastName']]);
  });
});

describe('If-Match', () => {
  it('If-Match lets PUT and DELETE change only the user that was read', async () => {
    const tenant = await newTenant();
    const user = await newUser(tenant);
    const path = `/user/${user.uuid}`;
    const read = async () => (await tenant.call('GET', path)).headers.get('ETag')!;
    const stale = await read();
    expect(stale).toMatch(/^"[\w-]{27}"$/);
    const put = (json: unknown, tag: string) => tenant.call('PUT', path, json, { 'If-Match': tag });
    expect((await put(unchanged(user, { firstName: 'Joan' }), stale)).status).toBe(200);
    for (const answer of [
      await put(unchanged(user), stale),
      await tenant.call('DELETE', path, undefined, { 'If-Match': stale }),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([412, 'preconditionFailed']);
    }
    const tag = await read();
    const unmodified = await tenant.call('GET', path, undefined, { 'If-None-Match': tag });
    expect([unmodified.status, unmodified.headers.get('ETag')]).toEqual([304, tag]);
    expect((await tenant.call('DELETE', path, undefined, { 'If-Match': tag })).status).toBe(200);
  });

  it('If-Match lets one of many concurrent readers change a user', async () => {
    const tenant = await newTenant();
    const user = await newUser(tenant);
    const tag = (await tenant.call('GET', `/user/${user.uuid}`)).headers.get('ETag')!;
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        tenant.call('PUT', `/user/${user.uuid}`, unchanged(user, { firstName: `Jane ${index}` }), {
          'If-Match': tag,
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(5).fill(412)]);
  });
});

describe('a deleted user', () => {
  it('a deleted user appears only in lists that ask for deleted rows and keeps no secret', async () => {
    const tenant = await newTenant();
    const [linked, temporary] = [await newUser(tenant), await newUser(tenant, withPassword())];
    for (const { uuid } of [linked, temporary]) {
      const deleted = await tenant.call('DELETE', `/user/${uuid}`);
      expect([deleted.status, deleted.body]).toEqual([200, {}]);
      for (const answer of [
        await tenant.call('GET', `/user/${uuid}`),
        await tenant.call('PUT', `/user/${uuid}`, unchanged(linked)),
        await tenant.call('DELETE', `/user/${uuid}`),
        await tenant.call('DELETE', `/user/${uuid}/reset-password`),
      ]) {
        expect([answer.status, answer.body.code]).toEqual([404, 'userNotFound']);
      }
      const row = await db
        .prepare(
          'SELECT password_hash, invite_hash, invite_expires_date, session_epoch FROM user WHERE uuid = ?1',
        )
        .bind(uuid)
        .first();
      expect(row).toEqual({
        password_hash: null,
        invite_hash: null,
        invite_expires_date: null,
        session_epoch: 1,
      });
    }
    expect((await tenant.call('GET', '/user')).body).toMatchObject({ content: [], totalElements: 0 });
    const all = await tenant.call('GET', '/user?includeDeleted=true');
    expect(all.body.content.map(({ deleted }: { deleted: boolean }) => deleted)).toEqual([true, true]);
    const [last] = (await audit(tenant)).slice(-1);
    expect(last).toEqual({
      action: 'USER_DELETED',
      entity_uuid: temporary.uuid,
      entity_external_id: temporary.email,
      changes: '[{"field":"deleted","oldValue":false,"newValue":true}]',
    });
  });
});
