import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { API, call, newTenant, type Tenant } from '../../client.ts';
import { logOf } from '../../core/writer/requests.ts';
import {
  bucket,
  bucketWith,
  bytesOf,
  download,
  expectNothingLost,
  fetchWith,
  keysOf,
  objectKeys,
  pathOf,
  remove,
  sha256,
  tagOf,
  upload,
} from './files.ts';

const [SAME, OTHER] = [bytesOf('{"focalLength": 912.4}'), bytesOf('["other"]')];

let tenant: Tenant;
let logged: string[];
let uploaded: Awaited<ReturnType<typeof upload>>;
/** Deletes the object of a file directly from the bucket. The service itself never does this. */
beforeEach(async () => {
  logged = [];
  vi.spyOn(console, 'error').mockImplementation((line) => void logged.push(String(line)));
  tenant = await newTenant();
  uploaded = await upload(tenant, SAME);
  await bucket.delete((await keysOf(tenant)).files);
});

afterEach(async () => {
  vi.restoreAllMocks();
  await remove(tenant);
});

const get = (method: string, headers: Record<string, string> = {}) => download(tenant, { method, headers });

describe('a file whose bytes are lost', () => {
  it('a calibration file with lost bytes is 404 for GET and HEAD and says what to do', async () => {
    const answer = await call('GET', `${API}${pathOf()}`, { headers: { 'X-Auth-Token': tenant.token } });
    expect([answer.status, answer.body.code]).toEqual([404, 'calibrationNotFound']);
    expect(answer.body.detail).toMatch(/upload it again/i);
    const head = await get('HEAD');
    expect([head.status, head.bytes.length, head.headers.get('ETag')]).toEqual([404, 0, null]);
    expect(head.headers.get('Content-Type')).toBe(answer.headers.get('Content-Type'));
    expect(head.headers.get('Content-Length')).not.toBe(String(SAME.length));
    for (const headers of [{ 'If-None-Match': '"x"' }]) {
      expect([(await get('GET', headers)).status, (await get('HEAD', headers)).status]).toEqual([404, 404]);
    }
  });

  it('the service log reports lost calibration bytes by key, never by content', async () => {
    expect((await fetchWith({}, 'GET', tenant)).status).toBe(404);
    const [key] = (await keysOf(tenant)).files;
    expect(logged.filter((line) => line.includes(key!))).toHaveLength(1);
  });

  it('a lost calibration file returns with the same bytes: same record, another object', async () => {
    const [lost] = (await keysOf(tenant)).files;
    const again = await upload(tenant, SAME);
    expect([again.status, again.headers.get('ETag')]).toEqual([200, tagOf(SAME)]);
    expect([again.body.uuid, again.body.createDate]).toEqual([uploaded.body.uuid, uploaded.body.createDate]);
    for (const method of ['GET', 'HEAD']) expect((await get(method)).status).toBe(200);
    expect((await get('GET')).bytes).toEqual(SAME);
    const { files, orphans } = await keysOf(tenant);
    expect([files.length, files[0] === lost, orphans]).toEqual([1, false, []]);
    await expectNothingLost();
    const log = (await logOf(tenant)).filter((row) => row['entity_type'] === 'CALIBRATION');
    expect(log.map(({ action, changes }) => [action, JSON.parse(String(changes))]).at(-1)).toEqual([
      'CALIBRATION_REPAIRED',
      [
        { field: 'sizeBytes', oldValue: null, newValue: SAME.length },
        { field: 'sha256', oldValue: null, newValue: sha256(SAME) },
      ],
    ]);
  });

  it('a lost calibration file returns with other bytes', async () => {
    expect((await upload(tenant, OTHER)).status).toBe(200);
    expect((await get('GET')).bytes).toEqual(OTHER);
    expect((await keysOf(tenant)).orphans).toEqual([]);
    await expectNothingLost();
  });

  it.each([
    ['If-None-Match', '*'],
    ['If-None-Match', tagOf(SAME)],
    ['If-Match', tagOf(SAME)],
  ])(
    'a lost calibration file takes an upload under %s: %s, because nothing can be overwritten',
    async (name, value) => {
      const sent = { headers: { [name]: value } };
      expect((await upload(tenant, SAME, { headers: { 'If-Match': tagOf(OTHER) } })).status).toBe(412);
      expect((await upload(tenant, SAME, sent)).status).toBe(200);
      expect((await get('GET')).bytes).toEqual(SAME);
    },
  );

  it('concurrent repairs of a lost calibration file repair it once and leave nothing else', async () => {
    const before = await objectKeys();
    const answers = await Promise.all(Array.from({ length: 6 }, () => upload(tenant, SAME)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect((await get('GET')).bytes).toEqual(SAME);
    expect([(await objectKeys()).length - before.length, (await keysOf(tenant)).orphans]).toEqual([1, []]);
    await expectNothingLost();
  });

  it('a lost calibration file can be deleted', async () => {
    expect((await remove(tenant)).status).toBe(200);
    expect(await keysOf(tenant)).toEqual({ files: [], orphans: [] });
    expect((await upload(tenant, SAME)).status).toBe(201);
  });
});

describe('a store that does not answer', () => {
  const dead = bucketWith({
    get: () => Promise.reject(new Error('down')),
    head: () => Promise.reject(new Error('down')),
  });

  it('a bucket that does not answer gives 503 for GET and HEAD, and an upload repairs nothing whole', async () => {
    await upload(tenant, SAME);
    const before = await keysOf(tenant);
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetchWith({ CALIBRATION: dead }, method, tenant);
      expect([method, answer.status, answer.headers.get('Retry-After')]).toEqual([method, 503, '2']);
    }
    expect((await fetchWith({ CALIBRATION: dead }, 'POST', tenant, SAME as BodyInit)).status).toBe(503);
    expect(await keysOf(tenant)).toEqual(before);
  });
});

it('a calibration file that is replaced repeatedly while read is 503, not a defect', async () => {
  const { status } = await fetchWith(
    {
      CALIBRATION: bucketWith({
        async get() {
          await upload(tenant, bytesOf(`["${crypto.randomUUID()}"]`));
          return null;
        },
      }),
    },
    'GET',
    tenant,
  );
  expect(status).toBe(503);
});
