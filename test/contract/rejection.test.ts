import { describe, expect, it } from 'vitest';
import { OPERATOR_LOG } from '../../src/access/credential/operator.ts';
import { OPERATOR_SCOPES } from '../../src/access/credential/schema.ts';
import { makeSecret } from '../../src/access/credential/secret.ts';
import { type Answer, operator } from '../workerd/client.ts';
import { isIntegration, isOperator, isTokened, type Operation, operations, takesFile } from './document.ts';
import { exampleOf } from './operations.ts';
import { refusals } from './problem.ts';
import { type Change, send } from './request.ts';
import { restoredWorld } from './restored-world.ts';
import { storedState } from './state.ts';
import type { World } from './world.ts';

const withBody = operations.filter(({ body }) => body !== undefined);
const strict = withBody.filter((operated) => !takesFile(operated));
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** The secrets of operators that expired, were revoked or were rotated, and one cut secret. */
async function spentOperators(): Promise<string[]> {
  const issue = async (more: object = {}) =>
    (await operator('POST', '/operator', { name: 'o', scopes: OPERATOR_SCOPES, ...more })).body;
  const expired = await issue({ expiresDate: new Date(Date.now() + 150).toISOString() });
  const [revoked, rotated, valid] = [await issue(), await issue(), await issue()];
  await operator('DELETE', `/operator/${revoked.uuid}`);
  await operator('POST', `/operator/${rotated.uuid}/rotate`, { overlapSeconds: 0 });
  await new Promise((resolve) => setTimeout(resolve, 200));
  return [expired.secret, revoked.secret, rotated.secret, valid.secret.slice(0, -1)];
}

/** A problem without the fields that identify its request. */
function bare(answer: Answer): unknown {
  const { requestId: _, timestamp: __, instance: ___, ...rest } = answer.body;
  return { status: answer.status, challenge: answer.headers.get('WWW-Authenticate'), body: rest };
}

describe('a credential that is not valid', () => {
  /** One credential for each reason of refusal. */
  async function refused({ tenant, names }: World): Promise<[string, Record<string, string>][]> {
    const issue = async (kind: string, body: object) =>
      (await operator('POST', `/organization/${tenant.uuid}/${kind}`, body)).body;
    const expired = await issue('api-key', {
      name: 'e',
      expiresDate: new Date(Date.now() + 150).toISOString(),
    });
    const revoked = await issue('api-key', { name: 'r' });
    await operator('DELETE', `/organization/${tenant.uuid}/api-key/${revoked.uuid}`);
    const rotated = await issue('api-key', { name: 'o' });
    await operator('POST', `/organization/${tenant.uuid}/api-key/${rotated.uuid}/rotate`, {
      overlapSeconds: 0,
    });
    const token = await issue('access-token', { name: 't', scopes: ['CAMERA_READ', 'CAMERA_WRITE'] });
    await new Promise((resolve) => setTimeout(resolve, 200));
    return [
      ['absent', {}],
      ['empty', { 'X-AUTH-KEY': '' }],
      ['malformed', { 'X-AUTH-KEY': 'wdk_test_1' }],
      ['cut', { 'X-AUTH-KEY': tenant.key.slice(0, -1) }],
      [
        'with a wrong checksum',
        { 'X-AUTH-KEY': `${tenant.key.slice(0, -1)}${tenant.key.endsWith('0') ? 1 : 0}` },
      ],
      ['of another environment', { 'X-AUTH-KEY': tenant.key.replace('wdk_test', 'wdk_live') }],
      ['in the wrong case', { 'X-AUTH-KEY': tenant.key.toUpperCase() }],
      ['SQL', { 'X-AUTH-KEY': "' OR 1=1 --" }],
      ['sent twice', { 'X-AUTH-KEY': `${tenant.key}, ${tenant.key}` }],
      ['unknown', { 'X-AUTH-KEY': makeSecret(tenant.uuid, 'API_KEY', 'test').secret }],
      ['revoked', { 'X-AUTH-KEY': revoked.secret }],
      ['expired', { 'X-AUTH-KEY': expired.secret }],
      ['rotated out', { 'X-AUTH-KEY': rotated.secret }],
      ['a uuid', { 'X-AUTH-KEY': names.apiKey }],
      ['an access token', { 'X-AUTH-KEY': token.secret }],
      ['an access token in its own header', { 'X-Auth-Token': token.secret }],
      ['a key in the header of tokens', { 'X-Auth-Token': tenant.key }],
      ['in Authorization', { Authorization: `Bearer ${tenant.key}` }],
      ['the operator’s', { 'X-AUTH-KEY': 'local-operator-key', 'X-OPERATOR-KEY': 'local-operator-key' }],
    ];
  }

  it('an invalid credential gets one 401 body for all reasons and all integration operations', async () => {
    const world = await restoredWorld();
    const asked = operations.filter(isIntegration);
    const reasons = await refused(world);
    const before = await storedState(world.tenant);
    const bodies = new Set<string>();
    for (const [, headers] of reasons) {
      const anonymous = () => ({ anonymous: true, headers });
      expect(await refusals(asked, world, anonymous, 401, 'unauthorized')).toEqual([]);
      for (const operated of asked) {
        bodies.add(JSON.stringify(bare(await send(operated, world, anonymous()))));
      }
    }
    expect([...bodies]).toHaveLength(1);
    expect(await storedState(world.tenant)).toEqual(before);
  });

  it('an invalid credential gets one 401 body for all reasons and all operator operations', async () => {
    const world = await restoredWorld();
    const asked = operations.filter(isOperator);
    const before = await storedState(world.tenant);
    const bodies = new Set<string>();
    const keys = [
      ...[undefined, '', 'local-operator-keY', 'local-operator-key2', world.tenant.key, world.names.operator],
      ...(await spentOperators()),
      makeSecret(OPERATOR_LOG, 'OPERATOR', 'test').secret,
    ];
    for (const key of keys) {
      const headers = {
        'X-AUTH-KEY': world.tenant.key,
        ...(key === undefined ? {} : { 'X-OPERATOR-KEY': key }),
      };
      const anonymous = () => ({ anonymous: true, headers });
      expect(await refusals(asked, world, anonymous, 401, 'unauthorized')).toEqual([]);
      for (const operated of asked)
        bodies.add(JSON.stringify(bare(await send(operated, world, anonymous()))));
    }
    expect([...bodies]).toHaveLength(1);
    expect(await storedState(world.tenant)).toEqual(before);
  });

  it('the service refuses an invalid credential before it looks at the rest of the request', async () => {
    const world = await restoredWorld();
    const params = new Proxy({}, { get: () => '%00' });
    const bad = () => ({
      anonymous: true,
      params,
      query: { pageSize: '0', quantity: '0' },
      raw: '{',
      headers: { 'Content-Type': 'text/plain', 'Idempotency-Key': '' },
    });
    const asked = [isIntegration, isTokened, isOperator].flatMap((kind) => operations.filter(kind));
    const writing = asked.filter(({ method }) => method !== 'GET');
    expect(await refusals(writing, world, bad, 401, 'unauthorized')).toEqual([]);
    const { raw: _, ...reading } = bad();
    const read = asked.filter(({ method }) => method === 'GET');
    expect(await refusals(read, world, () => reading, 401, 'unauthorized')).toEqual([]);
  });
});

describe('a body that cannot be read', () => {
  it('a body of another media type gets 415', async () => {
    const world = await restoredWorld();
    const before = await storedState(world.tenant);
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=iso-8859-1',
      'application/jsonp',
      'application/problem+json',
      'text/json',
      'application/json, text/plain',
    ];
    for (const type of types) {
      const change: (operated: Operation) => Change = (operated) => ({
        raw: JSON.stringify(exampleOf(operated, world.names).json),
        headers: { 'Content-Type': type },
      });
      expect(await refusals(withBody, world, change, 415, 'unsupportedMediaType')).toEqual([]);
    }
    const untyped: (operated: Operation) => Change = (operated) => ({
      raw: new TextEncoder().encode(JSON.stringify(exampleOf(operated, world.names).json)),
    });
    expect(await refusals(withBody, world, untyped, 415, 'unsupportedMediaType')).toEqual([]);
    expect(await storedState(world.tenant)).toEqual(before);
  });

  it('a body that is empty, not JSON or not UTF-8 gets 400 malformedJson', async () => {
    const world = await restoredWorld();
    const before = await storedState(world.tenant);
    const empty = withBody.filter(({ bodyRequired }) => bodyRequired);
    const raws: [typeof withBody, BodyInit][] = [
      [empty, ''],
      [withBody, ' '],
      [withBody, '{'],
      [withBody, '{"name":"a",}'],
      [withBody, "{'name':'a'}"],
      [withBody, '{"name":"a"} {}'],
      [withBody, 'NaN'],
      [withBody, '{"name":"\u0001"}'],
      [withBody, new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
      [withBody, new Uint8Array([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d])],
      [withBody, new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00])],
    ];
    for (const [asked, raw] of raws) {
      const change = () => ({ raw, headers: JSON_TYPE });
      expect(await refusals(asked, world, change, 400, 'malformedJson')).toEqual([]);
    }
    expect(await storedState(world.tenant)).toEqual(before);
  });

  it('a body that is not an object gets 400 validationFailed', async () => {
    const world = await restoredWorld();
    const before = await storedState(world.tenant);
    for (const raw of ['null', '[]', '"text"', '1', 'true', '[{}]']) {
      const change = () => ({ raw, headers: JSON_TYPE });
      // Where a body is optional, `null` means none.
      const required = withBody.filter(({ bodyRequired }) => bodyRequired);
      const asked = raw === 'null' ? required : raw.startsWith('[') ? strict : withBody;
      expect(await refusals(asked, world, change, 400, 'validationFailed')).toEqual([]);
    }
    expect(await storedState(world.tenant)).toEqual(before);
  });
});

describe('a body with a field that is not part of the operation', () => {
  it.each(['surprise', 'constructor', 'toString', '', '__proto__'])(
    'a body with an unknown field (%j) gets 400 unknownField',
    async (name) => {
      const world = await restoredWorld();
      const before = await storedState(world.tenant);
      const change: (operated: Operation) => Change = (operated) => {
        const text = JSON.stringify(exampleOf(operated, world.names).json);
        return { raw: `${text.slice(0, -1)},${JSON.stringify(name)}:{"a":1}}`, headers: JSON_TYPE };
      };
      expect(await refusals(strict, world, change, 400, 'unknownField')).toEqual([]);
      expect(await storedState(world.tenant)).toEqual(before);
    },
  );
});
