import { describe, expect, it, vi } from 'vitest';
import { SCOPES, type TokenScope } from '../../src/access/credential/schema.ts';
import { makeSecret } from '../../src/access/credential/secret.ts';
import { type Answer, call, newTenant, operator, type Tenant } from '../workerd/client.ts';
import { isTokened, operations } from './document.ts';
import { exampleOf } from './operations.ts';
import { refusals } from './problem.ts';
import { send } from './request.ts';
import { restoredWorld } from './restored-world.ts';
import { storedState } from './state.ts';
import type { World } from './world.ts';

/** Operations with an access token and the scope that each needs. Add new operations here. */
const SCOPE_OF: Record<string, TokenScope> = {
  recordHeartbeat: 'DEVICE_WRITE',
  getCalibration: 'CAMERA_READ',
  listCalibrations: 'CAMERA_READ',
  uploadCalibration: 'CAMERA_WRITE',
  deleteCalibration: 'CAMERA_WRITE',
  addPhotoAtGate: 'GATE_WRITE',
  recordScan: 'GATE_WRITE',
  recordScans: 'GATE_WRITE',
};
const tokened = operations.filter(isTokened);

async function issue({ uuid }: Tenant, kind: 'api-key' | 'access-token', body: object = {}) {
  const scopes = kind === 'access-token' ? { scopes: SCOPES } : {};
  const answer = await operator('POST', `/organization/${uuid}/${kind}`, { name: 'n', ...scopes, ...body });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return { secret: answer.body.secret as string, path: `/organization/${uuid}/${kind}/${answer.body.uuid}` };
}

/** One credential for each reason of refusal: expired, revoked, rotated. */
async function spent(tenant: Tenant, kind: 'api-key' | 'access-token'): Promise<[string, string][]> {
  const expired = await issue(tenant, kind, { expiresDate: new Date(Date.now() + 150).toISOString() });
  const [revoked, rotated] = [await issue(tenant, kind), await issue(tenant, kind)];
  await operator('DELETE', revoked.path);
  await operator('POST', `${rotated.path}/rotate`, { overlapSeconds: 0 });
  await new Promise((resolve) => setTimeout(resolve, 200));
  return [
    ['expired', expired.secret],
    ['revoked', revoked.secret],
    ['rotated out', rotated.secret],
  ];
}

/** A problem without the fields that identify its request. */
function bare(answer: Answer): string {
  const { requestId: _, timestamp: __, instance: ___, ...rest } = answer.body;
  return JSON.stringify([answer.status, answer.headers.get('WWW-Authenticate'), rest]);
}

/** Each of these credentials gets the same 401 body for every operation, and nothing changes. */
async function expectUnauthorized(world: World, reasons: [string, Record<string, string>][]): Promise<void> {
  const before = await storedState(world.tenant);
  const bodies = new Set<string>();
  for (const [why, headers] of reasons) {
    const change = () => ({ anonymous: true, headers });
    expect([why, await refusals(tokened, world, change, 401, 'unauthorized')]).toEqual([why, []]);
    for (const operated of tokened) bodies.add(bare(await send(operated, world, change())));
  }
  expect([...bodies]).toHaveLength(1);
  expect(await storedState(world.tenant)).toEqual(before);
}

it('SCOPE_OF names the scope of every operation with an access token', () => {
  expect(Object.keys(SCOPE_OF).sort()).toEqual(tokened.map(({ operationId }) => operationId).sort());
});

describe('an operation with an access token', () => {
  it('an access token operation refuses an invalid token and every other kind of credential', async () => {
    const world = await restoredWorld();
    const { token, key } = world.tenant;
    const inHeader = (secret: string) => ({ 'X-Auth-Token': secret });
    await expectUnauthorized(world, [
      ['absent', {}],
      ['empty', inHeader('')],
      ['malformed', inHeader('wdt_test_1')],
      ['cut', inHeader(token.slice(0, -1))],
      ['with a wrong checksum', inHeader(`${token.slice(0, -1)}${token.endsWith('0') ? 1 : 0}`)],
      ['of another environment', inHeader(token.replace('wdt_test', 'wdt_live'))],
      ['SQL', inHeader("' OR 1=1 --")],
      ['sent twice', inHeader(`${token}, ${token}`)],
      ['unknown', inHeader(makeSecret(world.tenant.uuid, 'ACCESS_TOKEN', 'test').secret)],
      ...(await spent(world.tenant, 'access-token')).map(
        ([why, secret]): [string, Record<string, string>] => [why, inHeader(secret)],
      ),
      ['a uuid', inHeader(world.names.accessToken)],
      ['an API key alone', { 'X-AUTH-KEY': key }],
      ['an API key in the header of tokens', inHeader(key)],
      ['in the header of API keys', { 'X-AUTH-KEY': token }],
      ['in Authorization', { Authorization: `Bearer ${token}` }],
      ['the operator’s', { ...inHeader('local-operator-key'), 'X-OPERATOR-KEY': 'local-operator-key' }],
    ]);
  });

  it('an access token operation refuses an invalid API key, or one of another organization, beside the token', async () => {
    const [world, other] = [await restoredWorld(), await newTenant()];
    const { token, key } = world.tenant;
    const reasons: [string, string][] = [
      ['empty', ''],
      ['malformed', 'wdk_test_1'],
      ['unknown', makeSecret(other.uuid, 'API_KEY', 'test').secret],
      ...(await spent(world.tenant, 'api-key')),
      ['an access token', token],
      ['of another organization', other.key],
      ['two', `${key}, ${key}`],
    ];
    await expectUnauthorized(
      world,
      reasons.map(([why, secret]) => [why, { 'X-Auth-Token': token, 'X-AUTH-KEY': secret }]),
    );
  });

  it.each(tokened)(
    '$operationId accepts a token that has only its scope, also with an API key of the same organization',
    async (operated) => {
      const scopes = [SCOPE_OF[operated.operationId]!];
      for (const beside of [false, true]) {
        const world = await restoredWorld();
        const { secret } = await issue(world.tenant, 'access-token', { scopes });
        const headers = { 'X-Auth-Token': secret, ...(beside ? { 'X-AUTH-KEY': world.tenant.key } : {}) };
        const { status } = await send(operated, world, { anonymous: true, headers });
        expect([beside, status]).toEqual([beside, exampleOf(operated, world.names).status]);
      }
    },
  );

  it.each(tokened)(
    '$operationId answers 403 to a token with every scope except its own, for any request',
    async (operated) => {
      const world = await restoredWorld();
      const scopes = SCOPES.filter((scope) => scope !== SCOPE_OF[operated.operationId]);
      const { secret } = await issue(world.tenant, 'access-token', { scopes });
      const before = await storedState(world.tenant);
      const headers = { 'X-Auth-Token': secret };
      for (const change of [
        { headers },
        { headers: { ...headers, 'X-AUTH-KEY': world.tenant.key } },
        { headers: { ...headers, 'Idempotency-Key': '' }, ...(operated.body ? { raw: '{' } : {}) },
      ]) {
        const asked = { anonymous: true, ...change };
        expect(await refusals([operated], world, () => asked, 403, 'scopeRequired')).toEqual([]);
      }
      expect(await storedState(world.tenant)).toEqual(before);
    },
  );

  it('an access token operation answers 401 for an invalid API key before 403 for a missing scope', async () => {
    const [world, other] = [await restoredWorld(), await newTenant()];
    for (const operated of tokened) {
      const scopes = SCOPES.filter((scope) => scope !== SCOPE_OF[operated.operationId]);
      const { secret } = await issue(world.tenant, 'access-token', { scopes });
      const headers = { 'X-Auth-Token': secret, 'X-AUTH-KEY': other.key };
      const asked = { anonymous: true, headers };
      expect(await refusals([operated], world, () => asked, 401, 'unauthorized')).toEqual([]);
    }
  });

  it('an access token operation counts against the quota of the organization', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Math.ceil(Date.now() / 60_000) * 60_000 + 1_000 });
    try {
      const tenant = await newTenant({ requestsPerMinute: 2 });
      const statuses = [];
      for (const { path, method } of [...tokened, ...tokened, ...tokened].slice(0, 3)) {
        const headers = { 'X-Auth-Token': tenant.token };
        statuses.push((await call(method, path.replace(/\{\w+\}/g, 'x'), { headers })).status === 429);
      }
      expect(statuses).toEqual([false, false, true]);
    } finally {
      vi.useRealTimers();
    }
  });
});
