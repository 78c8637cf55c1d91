import { describe, expect, it } from 'vitest';
import { API, call, newTenant } from '../../client.ts';
import { bytesOf, download, keysOf, objectKeys, pathOf, remove, TYPES, tokenOf, upload } from './files.ts';

const ONE = bytesOf('{"a": 1}');
const TWO = bytesOf(' [ ] ');

describe('a caller', () => {
  it('a calibration call needs its own scope and no other', async () => {
    const tenant = await newTenant();
    await upload(tenant, ONE);
    const [reading, writing] = [await tokenOf(tenant, 'CAMERA_READ'), await tokenOf(tenant, 'CAMERA_WRITE')];
    const others = await tokenOf(tenant, 'GATE_WRITE', 'DEVICE_WRITE');
    const statuses = async (token: string) => [
      (await download(tenant, { token })).status,
      (await upload(tenant, TWO, { token })).status,
      (await remove(tenant, { token, path: pathOf('none') })).status,
    ];
    expect(await statuses(reading)).toEqual([200, 403, 403]);
    expect(await statuses(writing)).toEqual([403, 200, 404]);
    expect(await statuses(others)).toEqual([403, 403, 403]);
    expect((await upload(tenant, ONE, { token: reading })).body.code).toBe('scopeRequired');
  });

  it('a calibration call refuses an API key alone, and beside a token one of another organization', async () => {
    const [tenant, stranger] = [await newTenant(), await newTenant()];
    await upload(tenant, ONE);
    const key = { headers: { 'X-AUTH-KEY': tenant.key } };
    expect((await call('GET', `${API}${pathOf()}`, key)).status).toBe(401);
    expect((await download(tenant, key)).status).toBe(200);
    for (const other of [stranger.key, 'wdk_test_1']) {
      expect((await download(tenant, { headers: { 'X-AUTH-KEY': other } })).status).toBe(401);
    }
  });

  it('a caller of another organization finds nothing under the same name and has its own file', async () => {
    const [tenant, stranger] = [await newTenant(), await newTenant()];
    await upload(tenant, ONE);
    for (const answer of [await download(stranger), await remove(stranger)]) expect(answer.status).toBe(404);
    const { status } = await upload(stranger, ONE);
    expect(status).toBe(201);
    expect((await keysOf(tenant)).files).not.toEqual((await keysOf(stranger)).files);
    await upload(stranger, TWO);
    await remove(stranger);
    expect((await download(tenant)).bytes).toEqual(ONE);
  });
});

describe('a name', () => {
  it.each(['a', '-', '_', ':', '0', 'A.b_c:d-9', 'cam..1', '...', 'x'.repeat(128)])(
    'a camera name such as %s is accepted',
    async (hardwareId) => {
      const tenant = await newTenant();
      const path = pathOf(hardwareId);
      expect((await upload(tenant, ONE, { path })).status).toBe(201);
      expect((await download(tenant, { path })).bytes).toEqual(ONE);
      expect((await remove(tenant, { path })).status).toBe(200);
    },
  );

  it.each([
    ...[
      'x'.repeat(129),
      '%00',
      'a%00',
      '%20',
      'a%20b',
      'a%2Fb',
      '..%2Fx',
      '%252e%252e',
      '%2f',
      'é',
      '%C3%A9',
    ],
    ...['\u{1f4e6}', 'a+b', 'a%', '%ff', 'a;b', 'a,b', "a'b", 'a%0Ab', 'a*', '~', '%ef%bc%8e', 'a\\b'],
  ])('a camera name such as %j is refused everywhere and reaches nothing', async (hardwareId) => {
    const tenant = await newTenant();
    await upload(tenant, ONE);
    const [before, objects] = [await keysOf(tenant), await objectKeys()];
    const path = pathOf(hardwareId);
    for (const answer of [await upload(tenant, TWO, { path }), await remove(tenant, { path })]) {
      // A URL treats a backslash as a slash, so this is another path.
      if (hardwareId === 'a\\b') expect(answer.status).toBe(404);
      else expect([answer.status, answer.body.code]).toEqual([400, 'validationFailed']);
    }
    expect((await download(tenant, { path })).status).toBe(hardwareId === 'a\\b' ? 404 : 400);
    expect([await keysOf(tenant), await objectKeys()]).toEqual([before, objects]);
  });

  it.each(['.', '..', '%2e', '%2e%2e', '%2E.', '../../gate', '../cam-1', 'a/b', ''])(
    'a camera name such as %j is no path segment, and nothing is at its target',
    async (hardwareId) => {
      const tenant = await newTenant();
      await upload(tenant, ONE);
      const path = pathOf(hardwareId);
      const statuses = [
        (await upload(tenant, TWO, { path })).status,
        (await download(tenant, { path })).status,
        (await remove(tenant, { path })).status,
      ];
      // `../cam-1` resolves to `/cam-1/…`, outside the cameras.
      expect(statuses).toEqual([404, 404, 404]);
      expect((await download(tenant)).bytes).toEqual(ONE);
    },
  );

  it.each(['intrinsic', 'INTRINSIC%20', 'NOPE', '%00', 'HAND-EYE', 'toString'])(
    'an unknown calibration type (%s) is 400 with the known ones',
    async (type) => {
      const tenant = await newTenant();
      const path = pathOf('cam-1', type);
      for (const answer of [await upload(tenant, ONE, { path }), await remove(tenant, { path })]) {
        expect([answer.status, answer.body.code, answer.body.allowedValues]).toEqual([
          400,
          'validationFailed',
          TYPES,
        ]);
        expect(answer.body.errors[0]).toMatchObject({ field: 'type', allowedValues: TYPES });
      }
      expect((await download(tenant, { path })).status).toBe(400);
    },
  );

  it('a wrong camera name and type are reported together', async () => {
    const tenant = await newTenant();
    const { body } = await upload(tenant, ONE, { path: pathOf('a%20b', 'NOPE') });
    expect(body.errors.map(({ field }: { field: string }) => field)).toEqual(['hardwareId', 'type']);
  });
});
