import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hashPassword, needsRehash, verifyPassword } from '../../../../src/access/user/password.ts';
import { COST } from '../../../../src/access/user/password-cost.ts';
import { canonicalJson, sha256Hex } from '../../../../src/core/lib/hash.ts';
import { type Answer, API, call, newTenant, ORIGIN, type Tenant } from '../../client.ts';
import { invited, newUser, unchanged, withPassword } from './users.ts';

const db = (env as unknown as { DB: D1Database }).DB;
const LOGS = ['log', 'info', 'warn', 'error', 'debug'] as const;
const DAY_MS = 24 * 3_600_000;

/** The stored data about a user's password, link and sessions. */
const stored = (uuid: string) =>
  db
    .prepare('SELECT * FROM user WHERE uuid = ?1')
    .bind(uuid)
    .first<Record<string, string | number | null>>()
    .then((row) => row!);

/** Every row of every table as text. */
async function dump(): Promise<string> {
  const { results } = await db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'")
    .all<{ name: string }>();
  expect(results.length).toBeGreaterThan(10);
  const rows = await db.batch(results.map(({ name }) => db.prepare(`SELECT * FROM ${name}`)));
  return JSON.stringify(rows.map((table) => table.results));
}

const tokenOf = (link: string) => link.slice(`${ORIGIN}/app/invite/`.length);
const withKey = (key: string) => ({ 'Idempotency-Key': key });

describe('a temporary password', () => {
  it('a temporary password is shown once and must be changed at the first sign-in', async () => {
    const tenant = await newTenant();
    const created = await tenant.call('POST', '/user', withPassword({ password: 'correct horse' }));
    expect([created.body.password, created.body.inviteLink, created.headers.get('Cache-Control')]).toEqual([
      'correct horse',
      null,
      'no-store',
    ]);
    const row = await stored(created.body.uuid);
    expect(row).toMatchObject({ password_change_required: 1, invite_hash: null, session_epoch: 0 });
    expect(row['password_hash']).toContain(`$scrypt$ln=${COST.ln},r=${COST.r},p=${COST.p}$`);
    expect(await verifyPassword('correct horse', String(row['password_hash']))).toBe(true);
    const shown = await tenant.call('GET', `/user/${created.body.uuid}`);
    expect(Object.keys(shown.body)).not.toContain('password');
  });

  it.each([{}, { password: null }])(
    'a temporary password is generated when none is given (%j)',
    async (more) => {
      const tenant = await newTenant();
      const { uuid, password } = await newUser(tenant, withPassword(more));
      expect(password).toMatch(/^[2-9A-HJ-NP-Za-km-z]{16}$/);
      const hash = String((await stored(uuid))['password_hash']);
      expect([await verifyPassword(password, hash), needsRehash(hash)]).toEqual([true, false]);
    },
  );

  it('a temporary password has 6 to 128 characters and no control characters', async () => {
    const tenant = await newTenant();
    const send = (password: unknown) => tenant.call('POST', '/user', withPassword({ password }));
    for (const password of ['', 'crate', '🚚'.repeat(5), 'a'.repeat(129), 'abc\tdef', 7]) {
      const { status, body } = await send(password);
      expect([password, status, body.code]).toEqual([password, 400, 'validationFailed']);
      // Callers log problems. So a problem names the field, but does not repeat the password.
      for (const item of body.errors) expect([item.field, item.rejectedValue]).toEqual(['password', null]);
    }
    for (const password of ['73918264', `${'🚚'.repeat(126)}🚛🚜`, ' pass word ', 'Ünï 密码 ok']) {
      expect((await send(password)).body.password).toBe(password);
    }
    const byLink = await tenant.call('POST', '/user', invited({ password: 'correct horse' }));
    expect([byLink.status, byLink.body.errors[0].field]).toEqual([400, 'password']);
  });

  it('a temporary password may be common or the own name, because it opens only the page that changes it', async () => {
    const tenant = await newTenant();
    for (const [index, password] of [
      '123456',
      'secret7',
      'aaaaaa',
      'e\u0301'.repeat(3),
      ' '.repeat(6),
      'trustno1',
      '12121212',
      'Johannsen-2026!',
      `${tenant.slug}!`,
    ].entries()) {
      const body = withPassword({ lastName: 'Johannsen', email: `jane.${index}@example.com`, password });
      const answer = await tenant.call('POST', '/user', body);
      expect([password, answer.status, answer.body.password]).toEqual([password, 201, password]);
    }
  });

  it('a temporary password works in either Unicode form', async () => {
    const tenant = await newTenant();
    const { uuid } = await newUser(tenant, withPassword({ password: 'cafe\u0301\u00a0noir' }));
    const hash = String((await stored(uuid))['password_hash']);
    expect(await verifyPassword('café noir', hash)).toBe(true);
    expect(await verifyPassword('cafe noir', hash)).toBe(false);
  });

  it('a password hash is the same in workerd and in Node', async () => {
    // The result of hashPassword('correct horse') in Node 24.
    const fromNode =
      '$scrypt$ln=14,r=8,p=5$nDx45BP1rbjK3ocoQ6o1jg$7UfLMsSjGYvyNwaJCu83IsMM9kZlgI6mV0x3pYu12uk';
    expect(await verifyPassword('correct horse', fromNode)).toBe(true);
    expect(await verifyPassword('correct horsE', fromNode)).toBe(false);
    expect(await hashPassword('correct horse')).not.toBe(await hashPassword('correct horse'));
  });
});

describe('an invite link', () => {
  it('an invite link has the requested host, ends after 7 days and is stored as a hash', async () => {
    const tenant = await newTenant();
    const { uuid, password, inviteLink } = await newUser(tenant);
    expect(password).toBeNull();
    expect(inviteLink.startsWith(`${ORIGIN}/app/invite/`)).toBe(true);
    const row = await stored(uuid);
    expect(row).toMatchObject({
      password_hash: null,
      password_change_required: 0,
      invite_hash: sha256Hex(tokenOf(inviteLink)),
      session_epoch: 0,
    });
    const life = Number(row['invite_expires_date']) - Number(row['create_date']);
    expect(Math.abs(life - 7 * DAY_MS)).toBeLessThan(60_000);
    const host = `http://${tenant.slug}.localhost:8787`;
    const there = await call('POST', `${host}${API}/user`, {
      headers: { 'X-AUTH-KEY': tenant.key },
      json: invited(),
    });
    expect(there.body.inviteLink.startsWith(`${host}/app/invite/`)).toBe(true);
  });
});

describe('resetting a password', () => {
  const reset = (tenant: Tenant, uuid: string, headers = {}): Promise<Answer> =>
    tenant.call('DELETE', `/user/${uuid}/reset-password`, undefined, headers);

  it('resetting a password removes the password, earlier links and all sessions, and returns a new link', async () => {
    const tenant = await newTenant();
    const user = await newUser(tenant, withPassword({ password: 'correct horse' }));
    const first = await reset(tenant, user.uuid);
    expect([first.status, Object.keys(first.body), first.headers.get('Cache-Control')]).toEqual([
      200,
      ['inviteLink'],
      'no-store',
    ]);
    const row = await stored(user.uuid);
    expect(row).toMatchObject({
      password_hash: null,
      password_change_required: 0,
      invite_hash: sha256Hex(tokenOf(first.body.inviteLink)),
      session_epoch: 1,
    });
    const second = await reset(tenant, user.uuid);
    expect(second.body.inviteLink).not.toBe(first.body.inviteLink);
    expect(await stored(user.uuid)).toMatchObject({
      invite_hash: sha256Hex(tokenOf(second.body.inviteLink)),
      session_epoch: 2,
    });
    const { results } = await db
      .prepare(
        "SELECT changes FROM audit_log WHERE organization_uuid = ?1 AND action = 'USER_PASSWORD_RESET'",
      )
      .bind(tenant.uuid)
      .all<{ changes: string }>();
    expect(
      results.map(({ changes }) => JSON.parse(changes).map(({ field }: { field: string }) => field)),
    ).toEqual([['inviteExpiresDate'], ['inviteExpiresDate']]);
  });

  it('resetting a password happens once per key, and the repeat has no link', async () => {
    const tenant = await newTenant();
    const user = await newUser(tenant);
    const first = await reset(tenant, user.uuid, withKey('k'));
    const repeat = await reset(tenant, user.uuid, withKey('k'));
    expect([repeat.status, repeat.body, repeat.headers.get('Idempotent-Replayed')]).toEqual([
      200,
      { inviteLink: null },
      'true',
    ]);
    expect(await stored(user.uuid)).toMatchObject({
      invite_hash: sha256Hex(tokenOf(first.body.inviteLink)),
      session_epoch: 1,
    });
  });

  it('changing a user ends no session', async () => {
    const tenant = await newTenant();
    const user = await newUser(tenant, withPassword());
    const before = await stored(user.uuid);
    await tenant.call('PUT', `/user/${user.uuid}`, unchanged(user, { firstName: 'Joan' }));
    const { password_hash, session_epoch, password_change_required } = await stored(user.uuid);
    expect({ password_hash, session_epoch, password_change_required }).toEqual({
      password_hash: before['password_hash'],
      session_epoch: 0,
      password_change_required: 1,
    });
  });

  it('resetting the password of a foreign or unknown user is 404', async () => {
    const [tenant, stranger] = [await newTenant(), await newTenant()];
    const user = await newUser(tenant);
    const answer = await reset(stranger, user.uuid);
    expect([answer.status, answer.body.code]).toEqual([404, 'userNotFound']);
    expect(await stored(user.uuid)).toMatchObject({ session_epoch: 0 });
  });
});

describe('a repeat of a creation', () => {
  it('repeating a creation returns neither password nor link and makes nothing', async () => {
    const tenant = await newTenant();
    for (const [key, body] of [
      ['given', withPassword({ password: 'correct horse' })],
      ['made', withPassword()],
      ['linked', invited()],
    ] as const) {
      const create = () => tenant.call('POST', '/user', body, withKey(key));
      const first = await create();
      const hash = await stored(first.body.uuid);
      const repeat = await create();
      expect([repeat.status, repeat.headers.get('Idempotent-Replayed')]).toEqual([201, 'true']);
      expect(repeat.body).toEqual({ ...first.body, password: null, inviteLink: null });
      expect(await stored(first.body.uuid)).toEqual(hash);
    }
    expect((await tenant.call('GET', '/user')).body.totalElements).toBe(3);
  });

  it('a creation with another password under the same key is another request', async () => {
    const tenant = await newTenant();
    const body = withPassword({ password: 'correct horse' });
    expect((await tenant.call('POST', '/user', body, withKey('k'))).status).toBe(201);
    for (const password of ['correct horsE', null]) {
      const other = await tenant.call('POST', '/user', { ...body, password }, withKey('k'));
      expect([other.status, other.body.code]).toEqual([422, 'idempotencyKeyReused']);
    }
  });
});

describe('a secret', () => {
  afterEach(() => vi.restoreAllMocks());

  it('a secret is in no table and no log, and only in its own answer', async () => {
    const logged: unknown[] = [];
    for (const name of LOGS) vi.spyOn(console, name).mockImplementation((...args) => void logged.push(args));
    const tenant = await newTenant();
    const [given, keyedPassword] = ['Tr0ub4dor&3 café', 'Tr0ub4dor&3 keyed'];
    const body = withPassword({ password: given });
    const user = await newUser(tenant, body);
    const keyed = withPassword({ password: keyedPassword });
    const second = await tenant.call('POST', '/user', keyed, withKey('k'));
    const made = await newUser(tenant, withPassword());
    const linked = await newUser(tenant);
    const reset = await tenant.call('DELETE', `/user/${linked.uuid}/reset-password`);
    const answers = [
      await tenant.call('POST', '/user', keyed, withKey('k')),
      await tenant.call('POST', '/user', { ...body, firstName: 'J' }),
      await tenant.call('POST', '/user', body),
      await tenant.call('PUT', `/user/${user.uuid}`, unchanged(user, { password: given })),
      await tenant.call('GET', '/user'),
      await tenant.call('GET', `/user/${user.uuid}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 400, 409, 400, 200, 200]);
    const secrets = [
      given,
      keyedPassword,
      made.password,
      ...[linked.inviteLink, reset.body.inviteLink].map(tokenOf),
    ].map(String);
    // A fast hash of a request with the password must not be stored, because it would help to guess the
    // password.
    const fingerprints = [body, keyed].map((json) => sha256Hex(`POST ${API}/user\n${canonicalJson(json)}`));
    const quick = secrets
      .slice(0, 3)
      .flatMap((secret) => [sha256Hex(secret), Buffer.from(secret).toString('base64')]);
    const text = await dump();
    const [answered, logs] = [JSON.stringify(answers), JSON.stringify(logged)];
    expect(second.body.password).toBe(keyedPassword);
    for (const secret of [...secrets, ...fingerprints, ...quick]) {
      expect(secret.length).toBeGreaterThan(15);
      expect([secret, text.includes(secret)]).toEqual([secret, false]);
      expect([secret, answered.includes(secret), logs.includes(secret)]).toEqual([secret, false, false]);
    }
    // Hashes are stored only with their user, and are in no answer.
    for (const { uuid } of [user, second.body, made, linked]) {
      const { password_hash, invite_hash } = await stored(uuid);
      const hash = String(password_hash ?? invite_hash);
      expect(text.split(hash)).toHaveLength(2);
      expect([answered.includes(hash), logs.includes(hash)]).toEqual([false, false]);
    }
  });
});
