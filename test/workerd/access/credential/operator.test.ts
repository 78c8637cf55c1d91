import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { forgetCredentials } from '../../../../src/access/credential/trusted.ts';
import { call, newTenant, OPERATOR_API, operator } from '../../client.ts';
import { operatorLog } from '../../log/audit/logs.ts';

const db = (env as unknown as { DB: D1Database }).DB;
const SCOPES = ['READ', 'PROVISION'];
const newOperator = async (more: object = {}) =>
  (await operator('POST', '/operator', { name: 'Night shift', scopes: SCOPES, ...more })).body;
const as = (secret: string, method: string, path: string, json?: unknown) =>
  call(method, `${OPERATOR_API}${path}`, {
    headers: { 'X-OPERATOR-KEY': secret },
    ...(json === undefined ? {} : { json }),
  });
const status = async (secret: string) => (await as(secret, 'GET', '/organization')).status;

describe('an operator', () => {
  it('the log of the operator and of the organization names the operator', async () => {
    const { uuid, secret } = await newOperator();
    const tenant = await newTenant();
    const actor = { actorType: 'OPERATOR', uuid, displayName: 'Night shift' };
    await as(secret, 'POST', `/organization/${tenant.uuid}/api-key`, { name: 'By night' });
    const [record] = (await tenant.call('GET', '/audit-log?action=API_KEY_CREATED&pageSize=1')).body.content;
    expect(record).toMatchObject({ entityExternalId: 'By night', actor });
    const slug = `night-${crypto.randomUUID()}`;
    expect((await as(secret, 'POST', '/organization', { name: 'Night', slug })).status).toBe(201);
    const [created] = await operatorLog(`entityExternalId=${slug}`);
    expect(created).toMatchObject({ action: 'ORGANIZATION_CREATED', actor });
    const [made] = await operatorLog(`entityType=OPERATOR&action=OPERATOR_CREATED`);
    expect(made).toMatchObject({ entityUuid: uuid, actor: { uuid: null, displayName: 'Operator' } });
  });

  it('an operator key is shown once, stored as a hash only, and listed with its last use', async () => {
    const { uuid, secret, prefix } = await newOperator();
    expect([secret, prefix]).toEqual([
      expect.stringMatching(/^wdo_test_00000000[0-9A-Za-z]{28}$/),
      secret.slice(0, prefix.length),
    ]);
    expect(await status(secret)).toBe(200);
    await vi.waitFor(async () => {
      const { content } = (await operator('GET', '/operator')).body;
      expect(content[0]).toMatchObject({ uuid, scopes: SCOPES, lastUsedDate: expect.any(String) });
      expect(JSON.stringify(content)).not.toContain(secret);
    });
    for (const table of ['operator', 'operator_secret', 'idempotency', 'recent_answer', 'audit_log']) {
      const { results } = await db.prepare(`SELECT * FROM ${table}`).all();
      expect(JSON.stringify(results)).not.toContain(secret);
    }
  });

  it('an operator key rotates with an overlap or at once', async () => {
    const { uuid, secret } = await newOperator();
    const rotate = async (body?: object) =>
      (await operator('POST', `/operator/${uuid}/rotate`, body)).body.secret;
    const second = await rotate();
    expect([await status(secret), await status(second)]).toEqual([200, 200]);
    const third = await rotate({ overlapSeconds: 0 });
    expect([await status(secret), await status(second), await status(third)]).toEqual([401, 401, 200]);
  });

  it('an operator key fails when revoked, elsewhere within 10 seconds, and when it expires', async () => {
    const { uuid, secret } = await newOperator();
    const lasting = await newOperator();
    const short = await newOperator({ expiresDate: new Date(Date.now() + 3_600_000).toISOString() });
    expect([await status(secret), await status(short.secret)]).toEqual([200, 200]);
    // As another isolate revokes it. This isolate uses its cache for a while.
    await db.prepare('UPDATE operator SET revoked_date = 1 WHERE uuid = ?').bind(uuid).run();
    expect(await status(secret)).toBe(200);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 });
    try {
      expect([await status(secret), await status(lasting.secret)]).toEqual([401, 200]);
      vi.setSystemTime(Date.now() + 3_600_000);
      expect([await status(short.secret), await status(lasting.secret)]).toEqual([401, 200]);
    } finally {
      vi.useRealTimers();
    }
    forgetCredentials();
    expect((await operator('DELETE', `/operator/${lasting.uuid}`)).status).toBe(204);
    expect(await status(lasting.secret)).toBe(401);
    const listed = async (query: string) =>
      (await operator('GET', `/operator${query}`)).body.content.map((row: { uuid: string }) => row.uuid);
    expect([await listed(''), await listed('?includeDeleted=true')]).toEqual([
      expect.not.arrayContaining([lasting.uuid]),
      expect.arrayContaining([lasting.uuid]),
    ]);
  });

  it("an operator key opens nothing of an organization, and an organization's key opens nothing of the operator", async () => {
    const { secret } = await newOperator();
    const tenant = await newTenant();
    for (const header of ['X-AUTH-KEY', 'X-Auth-Token']) {
      const answer = await call('GET', '/integration/rest/api/v1/gate', { headers: { [header]: secret } });
      expect(answer.status).toBe(401);
    }
    expect([await status(tenant.key), await status(tenant.token)]).toEqual([401, 401]);
    const zero = '/organization/00000000-0000-0000-0000-000000000000/api-key';
    expect((await as(secret, 'POST', zero, { name: 'Mine' })).status).toBe(404);
  });
});
