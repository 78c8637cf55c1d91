import { describe, expect, it } from 'vitest';
import { API, newTenant, type Tenant } from '../../client.ts';
import { logOf } from '../../core/writer/requests.ts';
import {
  bucket,
  bucketWith,
  bytesOf,
  download,
  fetchWith,
  keysOf,
  objectKeys,
  pathOf,
  remove,
  sha256,
  TYPES,
  tagOf,
  upload,
} from './files.ts';

const ONE = bytesOf('{"matrix": [1, 0.0, -0e0],\r\n\t"note": "é\u{1f4e6}\\ud800\\u0000", "note": "twice"}\n');
const TWO = bytesOf(' [ ] ');

describe('a file', () => {
  it('a calibration file is returned byte for byte with type, length and a strong tag', async () => {
    const tenant = await newTenant();
    const { status, headers, body } = await upload(tenant, ONE);
    expect([status, headers.get('Location'), headers.get('ETag')]).toEqual([
      201,
      `${API}${pathOf()}`,
      tagOf(ONE),
    ]);
    const names = { hardwareId: 'cam-1', type: 'INTRINSIC' };
    expect(body).toMatchObject({ ...names, sizeBytes: ONE.length, sha256: sha256(ONE) });
    expect(Object.keys(body).sort().join()).toBe(
      'calibrationType,createDate,deepLink,eTag,hardwareId,sha256,sizeBytes,type,updateDate,uuid',
    );
    expect(body.deepLink).toBe(`http://127.0.0.1:8787/app/calibration/${body.uuid}`);
    const got = await download(tenant);
    expect([got.status, got.bytes]).toEqual([200, ONE]);
    expect(got.headers.get('Content-Type')).toBe('application/json');
    expect(got.headers.get('Content-Length')).toBe(String(ONE.length));
    expect(got.headers.get('ETag')).toBe(tagOf(ONE));
    expect(got.headers.get('Cache-Control')).toBe('private, no-cache, no-transform');
  });

  it('HEAD of a calibration file equals GET without reading its bytes', async () => {
    const tenant = await newTenant();
    await upload(tenant, ONE);
    const unread = { CALIBRATION: bucketWith({ get: () => Promise.reject(new Error('read')) }) };
    expect((await fetchWith(unread, 'HEAD', tenant)).status).toBe(200);
    const get = await download(tenant);
    const head = await download(tenant, { method: 'HEAD' });
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    for (const name of ['Content-Type', 'Content-Length', 'ETag', 'Cache-Control']) {
      expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
    }
    expect((await download(tenant, { method: 'HEAD', path: pathOf('none') })).status).toBe(404);
  });

  it('a current tag gets 304 for a calibration file without reading its bytes', async () => {
    const tenant = await newTenant();
    await upload(tenant, ONE);
    for (const seen of [tagOf(ONE), `W/${tagOf(ONE)}`, `"x", ${tagOf(ONE)}`, '*']) {
      const { status, headers, bytes } = await download(tenant, { headers: { 'If-None-Match': seen } });
      expect([seen, status, headers.get('ETag'), bytes.length]).toEqual([seen, 304, tagOf(ONE), 0]);
    }
    expect((await download(tenant, { headers: { 'If-None-Match': tagOf(TWO) } })).status).toBe(200);
    await upload(tenant, TWO);
    const changed = await download(tenant, { headers: { 'If-None-Match': tagOf(ONE) } });
    expect([changed.status, changed.bytes]).toEqual([200, TWO]);
  });

  it('overwriting a calibration file keeps the record and removes the old object', async () => {
    const tenant = await newTenant();
    const first = await upload(tenant, ONE);
    const before = await keysOf(tenant);
    const second = await upload(tenant, TWO);
    expect([second.status, second.headers.get('Location'), second.headers.get('ETag')]).toEqual([
      200,
      null,
      tagOf(TWO),
    ]);
    expect([second.body.uuid, second.body.createDate, second.body.sizeBytes]).toEqual([
      first.body.uuid,
      first.body.createDate,
      TWO.length,
    ]);
    expect((await download(tenant)).bytes).toEqual(TWO);
    const after = await keysOf(tenant);
    expect([after.files.length, after.orphans]).toEqual([1, []]);
    expect(after.files).not.toEqual(before.files);
    expect(await bucket.head(before.files[0]!)).toBeNull();
    expect(await bucket.head(after.files[0]!)).not.toBeNull();
  });

  it('uploading the same bytes changes nothing and leaves no object', async () => {
    const tenant = await newTenant();
    const first = await upload(tenant, ONE);
    const [before, objects] = [await keysOf(tenant), await objectKeys()];
    const again = await upload(tenant, ONE);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect([await keysOf(tenant), await objectKeys()]).toEqual([before, objects]);
    const log = (await logOf(tenant)).filter((row) => row.entity_type === 'CALIBRATION');
    expect(log).toHaveLength(1);
  });

  it('deleting a calibration file removes its object, and a new upload is a new file', async () => {
    const tenant = await newTenant();
    const first = await upload(tenant, ONE);
    const [objectKey] = (await keysOf(tenant)).files;
    const deleted = await remove(tenant);
    expect([deleted.status, deleted.body]).toEqual([200, {}]);
    expect(await keysOf(tenant)).toEqual({ files: [], orphans: [] });
    expect(await bucket.head(objectKey!)).toBeNull();
    for (const answer of [await download(tenant), await remove(tenant)]) expect(answer.status).toBe(404);
    expect((await remove(tenant)).body.code).toBe('calibrationNotFound');
    const again = await upload(tenant, ONE);
    expect([again.status, again.body.uuid === first.body.uuid]).toEqual([201, false]);
  });

  it('each camera has one calibration file per type', async () => {
    const tenant = await newTenant();
    const names = ['cam-1', 'cam-2', 'CAM-1'].flatMap((camera) => TYPES.map((type) => pathOf(camera, type)));
    for (const path of names)
      expect((await upload(tenant, bytesOf(`["${path}"]`), { path })).status).toBe(201);
    await remove(tenant, { path: names[3]! });
    for (const [index, path] of names.entries()) {
      const { status, bytes } = await download(tenant, { path });
      expect([path, status]).toEqual([path, index === 3 ? 404 : 200]);
      if (index !== 3) expect(bytes).toEqual(bytesOf(`["${path}"]`));
    }
  });

  it('a calibration file is audited with size and hash, never with its content', async () => {
    const tenant = await newTenant();
    const secret = bytesOf('{"secret": "focal-length-4711"}');
    const { body } = await upload(tenant, secret);
    await upload(tenant, TWO);
    await remove(tenant);
    const log = (await logOf(tenant)).filter((row) => row.entity_type === 'CALIBRATION');
    expect(
      log.map(({ action, entity_uuid, entity_external_id, actor_type, changes }) => [
        action,
        entity_uuid,
        entity_external_id,
        actor_type,
        JSON.parse(String(changes)),
      ]),
    ).toEqual(
      [
        ['CALIBRATION_UPLOADED', null, secret],
        ['CALIBRATION_REPLACED', secret, TWO],
        ['CALIBRATION_DELETED', TWO, null],
      ].map(([action, before, after]) => [
        action,
        body.uuid,
        'cam-1/INTRINSIC',
        'ACCESS_TOKEN',
        [
          { field: 'sizeBytes', oldValue: before?.length ?? null, newValue: after?.length ?? null },
          {
            field: 'sha256',
            oldValue: before && sha256(before as Uint8Array),
            newValue: after && sha256(after as Uint8Array),
          },
        ],
      ]),
    );
    expect(JSON.stringify(await logOf(tenant))).not.toContain('4711');
  });
});

describe('the conditions of a write', () => {
  const BOTH = ['POST', 'DELETE'] as const;

  async function ask(method: (typeof BOTH)[number], tenant: Tenant, headers: Record<string, string>) {
    return method === 'POST' ? upload(tenant, TWO, { headers }) : remove(tenant, { headers });
  }

  it.each(BOTH)(
    'a calibration write refuses %s with 412 when the condition fails, and nothing changes',
    async (method) => {
      const tenant = await newTenant();
      await upload(tenant, ONE);
      const [before, objects] = [await keysOf(tenant), await objectKeys()];
      for (const headers of [
        { 'If-Match': tagOf(TWO) },
        { 'If-Match': `W/${tagOf(TWO)}` },
        { 'If-Match': sha256(ONE) },
        { 'If-None-Match': '*' },
        { 'If-None-Match': tagOf(ONE) },
      ] as Record<string, string>[]) {
        const answer = await ask(method, tenant, headers);
        expect([headers, answer.status, answer.body.code]).toEqual([headers, 412, 'preconditionFailed']);
      }
      expect([await keysOf(tenant), await objectKeys()]).toEqual([before, objects]);
      expect((await download(tenant)).bytes).toEqual(ONE);
    },
  );

  it.each(BOTH)('a calibration write lets %s happen when the condition holds', async (method) => {
    for (const headers of [
      { 'If-Match': tagOf(ONE) },
      { 'If-Match': `"x", ${tagOf(ONE)}` },
      { 'If-Match': '*' },
      { 'If-None-Match': tagOf(TWO) },
    ] as Record<string, string>[]) {
      const tenant = await newTenant();
      await upload(tenant, ONE);
      expect([headers, (await ask(method, tenant, headers)).status]).toEqual([headers, 200]);
    }
  });

  it('a missing calibration file gives 412 for If-Match, and If-None-Match creates it', async () => {
    const tenant = await newTenant();
    for (const tag of ['*', tagOf(ONE)]) {
      const answer = await upload(tenant, ONE, { headers: { 'If-Match': tag } });
      expect([answer.status, answer.body.code]).toEqual([412, 'preconditionFailed']);
    }
    expect(await keysOf(tenant)).toEqual({ files: [], orphans: [] });
    expect((await remove(tenant, { headers: { 'If-Match': '*' } })).status).toBe(404);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        upload(tenant, bytesOf(`[${index}]`), { headers: { 'If-None-Match': '*' } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(412)]);
    const winner = answers.findIndex(({ status }) => status === 201);
    expect((await download(tenant)).bytes).toEqual(bytesOf(`[${winner}]`));
    expect((await keysOf(tenant)).orphans).toEqual([]);
  });
});
