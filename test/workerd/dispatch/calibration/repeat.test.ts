import { beforeEach, describe, expect, it } from 'vitest';
import { newTenant, type Tenant } from '../../client.ts';
import {
  BYTES_MAXIMUM,
  bytesOf,
  chunked,
  download,
  expectNothingLost,
  file,
  keysOf,
  objectKeys,
  remove,
  tagOf,
  upload,
} from './files.ts';

const ONE = bytesOf('{"a": 1}');

let tenant: Tenant;
beforeEach(async () => {
  tenant = await newTenant();
});

describe('a repeat', () => {
  const keyed = { headers: { 'Idempotency-Key': 'k' } };

  it('a repeated upload of 25 MiB gets the first answer and leaves one object', async () => {
    const bytes = file(BYTES_MAXIMUM);
    const first = await upload(tenant, chunked(bytes), keyed);
    const before = [await keysOf(tenant), await objectKeys()];
    const repeat = await upload(tenant, bytes, keyed);
    expect([first.status, first.headers.get('Idempotent-Replayed')]).toEqual([201, null]);
    expect([repeat.status, repeat.headers.get('Idempotent-Replayed')]).toEqual([201, 'true']);
    expect([repeat.body, repeat.headers.get('Location'), repeat.headers.get('ETag')]).toEqual([
      first.body,
      first.headers.get('Location'),
      first.headers.get('ETag'),
    ]);
    expect([await keysOf(tenant), await objectKeys()]).toEqual(before);
    bytes[BYTES_MAXIMUM - 2] = bytes[BYTES_MAXIMUM - 2] === 0x20 ? 0x0a : 0x20;
    const other = await upload(tenant, bytes, keyed);
    expect([other.status, other.body.code]).toEqual([422, 'idempotencyKeyReused']);
    expect([await keysOf(tenant), await objectKeys()]).toEqual(before);
  });

  it('a repeated calibration write stays the same after later changes: it restores and deletes nothing', async () => {
    await upload(tenant, bytesOf('[0]'));
    await upload(tenant, ONE, keyed);
    await upload(tenant, bytesOf('[2]'));
    const repeat = await upload(tenant, ONE, keyed);
    expect([repeat.status, repeat.headers.get('Idempotent-Replayed')]).toEqual([200, 'true']);
    expect(repeat.headers.get('ETag')).toBe(tagOf(ONE));
    expect((await download(tenant)).bytes).toEqual(bytesOf('[2]'));
    await remove(tenant, { headers: { 'Idempotency-Key': 'd' } });
    expect((await upload(tenant, ONE, keyed)).status).toBe(200);
    expect((await download(tenant)).status).toBe(404);
    expect((await upload(tenant, ONE)).status).toBe(201);
    const deleted = await remove(tenant, { headers: { 'Idempotency-Key': 'd' } });
    expect([deleted.status, deleted.headers.get('Idempotent-Replayed')]).toEqual([200, 'true']);
    expect((await download(tenant)).bytes).toEqual(ONE);
    await expectNothingLost();
  });

  it('concurrent repeats of a calibration write have one effect', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => upload(tenant, ONE, keyed)));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(201));
    const replayed = answers.filter(({ headers }) => headers.get('Idempotent-Replayed') === 'true');
    expect(replayed).toHaveLength(11);
    expect(await keysOf(tenant)).toMatchObject({ files: [expect.any(String)], orphans: [] });
    await expectNothingLost();
  });

  it('a calibration write under a malformed key is 400 and leaves nothing', async () => {
    const objects = await objectKeys();
    const { status, body } = await upload(tenant, ONE, { headers: { 'Idempotency-Key': '' } });
    expect([status, body.code]).toEqual([400, 'validationFailed']);
    expect([await keysOf(tenant), await objectKeys()]).toEqual([{ files: [], orphans: [] }, objects]);
  });
});
