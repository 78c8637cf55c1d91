import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { forgetCredentials } from '../../../../src/access/credential/trusted.ts';
import { API, call, newTenant, operator, type Tenant } from '../../client.ts';

const db = (env as unknown as { DB: D1Database }).DB;
const status = async (key: string, headers = {}) =>
  (await call('GET', `${API}/manifest`, { headers: { 'X-AUTH-KEY': key, ...headers } })).status;
const keysOf = (tenant: Tenant) => `/organization/${tenant.uuid}/api-key`;
const onlyKey = async (tenant: Tenant) => (await operator('GET', keysOf(tenant))).body.content[0];

describe('an API key', () => {
  it('an API key is shown once and stored as a hash only', async () => {
    const tenant = await newTenant();
    const issue = () => operator('POST', keysOf(tenant), { name: 'Two' }, { 'Idempotency-Key': 'issue' });
    const issued = await issue();
    expect([issued.status, issued.headers.get('Cache-Control')]).toEqual([201, 'no-store']);
    expect(issued.headers.get('Location')).toBe(`/operator/rest/api/v1${keysOf(tenant)}/${issued.body.uuid}`);
    const replayed = await issue();
    expect([replayed.status, replayed.body.secret, replayed.body.uuid]).toEqual([
      201,
      null,
      issued.body.uuid,
    ]);
    expect((await operator('GET', keysOf(tenant))).body.totalElements).toBe(2);
    const dump: string[] = [];
    for (const table of ['credential', 'credential_secret', 'idempotency', 'recent_answer', 'audit_log']) {
      dump.push(JSON.stringify((await db.prepare(`SELECT * FROM ${table}`).all()).results));
    }
    expect(dump.join()).toContain(issued.body.prefix);
    expect(dump.join()).not.toContain(issued.body.secret);
  });

  it('an API key rotates with an overlap or at once', async () => {
    const tenant = await newTenant();
    const { uuid } = await onlyKey(tenant);
    const rotate = (body?: object) => operator('POST', `${keysOf(tenant)}/${uuid}/rotate`, body);
    const second = (await rotate()).body.secret;
    expect([await status(tenant.key), await status(second)]).toEqual([200, 200]);
    const third = (await rotate({ overlapSeconds: 0 })).body.secret;
    expect([await status(tenant.key), await status(second), await status(third)]).toEqual([401, 401, 200]);
    expect((await operator('GET', keysOf(tenant))).body.totalElements).toBe(1);
  });

  it('the old secret of an API key ends with its overlap', async () => {
    const tenant = await newTenant();
    const { uuid } = await onlyKey(tenant);
    const second = (await operator('POST', `${keysOf(tenant)}/${uuid}/rotate`, { overlapSeconds: 60 })).body
      .secret;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    try {
      expect([await status(tenant.key), await status(second)]).toEqual([401, 200]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('an API key expires at its date', async () => {
    const tenant = await newTenant();
    const expiresDate = new Date(Date.now() + 3_600_000).toISOString();
    const { secret } = (await operator('POST', keysOf(tenant), { name: 'Short', expiresDate })).body;
    expect(await status(secret)).toBe(200);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_001 });
    try {
      expect(await status(secret)).toBe(401);
    } finally {
      vi.useRealTimers();
    }
    const past = await operator('POST', keysOf(tenant), {
      name: 'Past',
      expiresDate: '2020-01-01T00:00:00Z',
    });
    expect(past.status).toBe(400);
  });

  it('an API key refuses an expiry after the year 9999', async () => {
    const tenant = await newTenant();
    const issue = (expiresDate: unknown) => operator('POST', keysOf(tenant), { name: 'Long', expiresDate });
    expect((await issue('9999-12-31T23:59:59Z')).body.expiresDate).toBe('9999-12-31T23:59:59.000Z');
    for (const late of ['9999-12-31T23:59:59-00:01', Date.UTC(10_000, 0)]) {
      expect((await issue(late)).status).toBe(400);
    }
  });

  it('a revoked API key fails at once here and within 10 seconds elsewhere', async () => {
    const tenant = await newTenant();
    const { uuid } = await onlyKey(tenant);
    expect(await status(tenant.key)).toBe(200);
    // Another isolate revokes it. This isolate notices that only when it reads the credential again.
    await db.prepare('UPDATE credential SET revoked_date = ?1 WHERE uuid = ?2').bind(Date.now(), uuid).run();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 });
    try {
      expect(await status(tenant.key)).toBe(401);
    } finally {
      vi.useRealTimers();
    }
    const other = await newTenant();
    const key = await onlyKey(other);
    expect((await operator('DELETE', `${keysOf(other)}/${key.uuid}`)).status).toBe(204);
    expect(await status(other.key)).toBe(401);
    expect((await operator('DELETE', `${keysOf(other)}/${key.uuid}`)).body.code).toBe('apiKeyNotFound');
    const listed = await operator('GET', `${keysOf(other)}?includeDeleted=true`);
    expect(listed.body.content[0].revokedDate).not.toBeNull();
  });

  it('an API key records its last use', async () => {
    const tenant = await newTenant();
    expect((await onlyKey(tenant)).lastUsedDate).toBeNull();
    await status(tenant.key);
    await vi.waitFor(async () => expect((await onlyKey(tenant)).lastUsedDate).not.toBeNull());
  });

  it("an API key works at shared hosts and its own host, not at another organization's", async () => {
    const [one, two] = [await newTenant(), await newTenant()];
    const at = (host: string, key: string) =>
      call('GET', `http://${host}:8787${API}/manifest`, { headers: { 'X-AUTH-KEY': key } });
    expect((await at(`${one.slug}.localhost`, one.key)).status).toBe(200);
    expect((await at(`api.localhost`, one.key)).status).toBe(200);
    expect((await at(`${two.slug}.localhost`, one.key)).status).toBe(401);
  });

  it('an API key works at the new host when the slug of its organization changes', async () => {
    const tenant = await newTenant();
    const slug = `moved-${crypto.randomUUID().slice(0, 8)}`;
    await operator('PUT', `/organization/${tenant.uuid}`, { slug });
    const answer = await call('GET', `http://${slug}.localhost:8787${API}/manifest`, {
      headers: { 'X-AUTH-KEY': tenant.key },
    });
    expect(answer.status).toBe(200);
  });
});

describe('an access token', () => {
  it('an access token has scopes and an expiry and does not work as an API key', async () => {
    const tenant = await newTenant();
    const path = `/organization/${tenant.uuid}/access-token`;
    const issued = await operator('POST', path, { name: 'Camera', scopes: ['CAMERA_READ'] });
    expect(issued.body.secret).toMatch(/^wdt_test_/);
    expect(issued.body.scopes).toEqual(['CAMERA_READ']);
    const days = (Date.parse(issued.body.expiresDate) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(89.9);
    expect(days).toBeLessThan(90.1);
    expect(await status(issued.body.secret)).toBe(401);
    const long = {
      name: 'Long',
      scopes: ['CAMERA_READ'],
      expiresDate: new Date(Date.now() + 366 * 86_400_000).toISOString(),
    };
    for (const body of [long, { name: 'X', scopes: [] }, { name: 'X', scopes: ['ROOT'] }, { name: 'X' }]) {
      expect((await operator('POST', path, body)).status).toBe(400);
    }
    expect((await operator('DELETE', `${path}/${issued.body.uuid}`)).status).toBe(204);
  });
});

describe('the quota', () => {
  it('the quota lets a minute have its requests and answers 429 to the next one', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Math.ceil(Date.now() / 60_000) * 60_000 + 1_000 });
    try {
      const tenant = await newTenant({ requestsPerMinute: 7 });
      const answers = [];
      for (let index = 0; index < 9; index += 1) answers.push(await tenant.call('GET', '/gate'));
      expect(answers.map((answer) => answer.status)).toEqual([...Array(7).fill(200), 429, 429]);
      expect(answers[0]!.headers.get('RateLimit-Policy')).toBe('"org";q=7;w=60');
      expect(answers.map((answer) => answer.headers.get('RateLimit')!.split(';')[1])).toEqual(
        [6, 5, 4, 3, 2, 1, 0, 0, 0].map((left) => `r=${left}`),
      );
      expect(answers[8]!.body.code).toBe('rateLimited');
      expect(Number(answers[8]!.headers.get('Retry-After'))).toBeGreaterThan(0);
      vi.setSystemTime(Date.now() + 60_000);
      expect((await tenant.call('GET', '/gate')).status).toBe(200);
    } finally {
      vi.useRealTimers();
    }
  });

  it('the operator can raise the quota', async () => {
    const tenant = await newTenant({ requestsPerMinute: 1 });
    await tenant.call('GET', '/gate');
    await operator('PUT', `/organization/${tenant.uuid}`, { requestsPerMinute: 1_000 });
    forgetCredentials();
    expect((await tenant.call('GET', '/gate')).status).toBe(200);
  });
});
