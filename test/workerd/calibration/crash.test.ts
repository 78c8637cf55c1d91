import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { sweepOrphans } from '../../../src/calibration/objects.ts';
import worker from '../../../src/worker.ts';
import { newTenant, type Tenant } from '../client.ts';
import { db, faultyD1, logOf, request, writerOf } from '../writer/requests.ts';
import {
  bucket,
  bucketWith,
  bytesOf,
  download,
  expectNothingLost,
  fetchWith,
  file,
  keysOf,
  objectKeys,
  pathOf,
  remove,
  sha256,
  upload,
} from './files.ts';

const HOUR_MS = 3_600_000;
const [OLD, NEW] = [bytesOf('["old"]'), bytesOf('["new"]')];
const NAME = { hardwareId: 'cam-1', type: 'INTRINSIC' };
const ANY = { ifMatch: null, ifNoneMatch: null };

let tenant: Tenant;
beforeEach(async () => {
  tenant = await newTenant();
});

/** The sweep of a day on which everything that is an orphan now has been one for long. */
const sweepLater = () => sweepOrphans(db, bucket, Date.now() + HOUR_MS + 1);
const bytesNow = async () => (await download(tenant)).bytes;

/** An upload up to the instant at which its object is in the bucket, and not a step further. */
async function putObject(bytes: Uint8Array): Promise<string> {
  const before = await objectKeys();
  const died = bucketWith({
    async put(key: string, value: Uint8Array) {
      await bucket.put(key, value);
      throw new Error('the process ended here');
    },
  });
  const { status } = await fetchWith(died, 'POST', tenant, bytes as BodyInit);
  expect(status).toBe(503);
  const [made, ...more] = (await objectKeys()).filter((key) => !before.includes(key));
  expect(more).toEqual([]);
  return made!;
}

/** The commit of an upload whose object is in the bucket, and not a step further. */
const commit = (objectKey: string, bytes: Uint8Array, database: D1Database = db) =>
  writerOf(tenant, database).execute(
    request('putCalibration', {
      ...NAME,
      objectKey,
      sizeBytes: bytes.length,
      sha256: sha256(bytes),
      conditions: ANY,
    }),
  );

describe.each(['a new file', 'an overwrite'])('%s', (what) => {
  const before = what === 'an overwrite' ? OLD : null;
  const expectBefore = async () => {
    const { status, bytes } = await download(tenant);
    if (before) expect([status, bytes]).toEqual([200, before]);
    else expect(status).toBe(404);
  };
  beforeEach(async () => {
    if (before) await upload(tenant, before);
  });

  it('that ends before its object is in the bucket changes nothing', async () => {
    const died = bucketWith({ put: () => Promise.reject(new Error('the process ended here')) });
    const answer = await fetchWith(died, 'POST', tenant, NEW);
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '2']);
    await expectBefore();
    await expectNothingLost();
    await sweepLater();
    await expectBefore();
    expect((await keysOf(tenant)).orphans).toEqual([]);
  });

  it('that ends between object and commit leaves the object to the sweep, and nothing else', async () => {
    const orphan = await putObject(NEW);
    await expectBefore();
    await expectNothingLost();
    expect((await keysOf(tenant)).orphans).toEqual([orphan]);
    // Not while its upload may still be on its way to the commit.
    expect(await sweepOrphans(db, bucket, Date.now() + HOUR_MS - 60_000)).toBe(0);
    expect(await bucket.head(orphan)).not.toBeNull();
    await sweepLater();
    expect(await bucket.head(orphan)).toBeNull();
    expect((await keysOf(tenant)).orphans).toEqual([]);
    await expectBefore();
    await expectNothingLost();
    const again = await upload(tenant, NEW);
    expect([again.status, await bytesNow()]).toEqual([before ? 200 : 201, NEW]);
  });

  it('that ends between commit and deletion is done, and leaves the old object to the sweep', async () => {
    const [old] = (await keysOf(tenant)).files;
    expect(await commit(await putObject(NEW), NEW)).toMatchObject({ kind: 'done' });
    expect(await bytesNow()).toEqual(NEW);
    expect((await keysOf(tenant)).orphans).toEqual(before ? [old] : []);
    await expectNothingLost();
    await sweepLater();
    expect(await bytesNow()).toEqual(NEW);
    expect((await keysOf(tenant)).orphans).toEqual([]);
    if (before) expect(await bucket.head(old!)).toBeNull();
    await expectNothingLost();
  });

  it('of several parts whose end is not heard of is the same', async () => {
    const bytes = file(11_000_000);
    const died = bucketWith({
      async createMultipartUpload(key: string) {
        const real = await bucket.createMultipartUpload(key);
        return {
          uploadPart: real.uploadPart.bind(real),
          abort: () => Promise.reject(new Error('there is no such upload any more')),
          async complete(parts: R2UploadedPart[]) {
            await real.complete(parts);
            throw new Error('the process ended here');
          },
        };
      },
    });
    expect((await fetchWith(died, 'POST', tenant, bytes)).status).toBe(503);
    await expectBefore();
    await expectNothingLost();
    expect((await keysOf(tenant)).orphans).toHaveLength(1);
    await sweepLater();
    expect((await keysOf(tenant)).orphans).toEqual([]);
    await expectNothingLost();
  });

  it.each(['before', 'after'] as const)(
    'whose commit is lost %s it took effect is done once',
    async (kind) => {
      const objectKey = await putObject(NEW);
      // A fresh writer's first batch reads the log, the second reads the file, the third commits.
      const lost = faultyD1((batch) => (batch === 3 ? kind : null));
      expect(await commit(objectKey, NEW, lost)).toMatchObject({ kind: 'done' });
      expect([await bytesNow(), (await keysOf(tenant)).files]).toEqual([NEW, [objectKey]]);
      const log = (await logOf(tenant)).filter((row) => row['entity_type'] === 'CALIBRATION');
      expect(log).toHaveLength(before ? 2 : 1);
      await expectNothingLost();
    },
  );

  it('whose object the sweep has set out to delete commits nothing, whenever it did', async () => {
    const orphan = await putObject(NEW);
    const claim = () =>
      db.prepare('UPDATE calibration_orphan SET claimed_date = 1 WHERE object_key = ?1').bind(orphan).run();
    // After the writer has decided, and before it commits.
    let batches = 0;
    const slow = new Proxy(db, {
      get(target, name) {
        if (name !== 'withSession') return Reflect.get(target, name);
        return (constraint: string) => {
          const session = target.withSession(constraint);
          return {
            prepare: session.prepare.bind(session),
            getBookmark: session.getBookmark.bind(session),
            async batch(statements: D1PreparedStatement[]) {
              batches += 1;
              if (batches === 3) await claim();
              return session.batch(statements);
            },
          };
        };
      },
    });
    const refused = { kind: 'refused', refusal: { code: 'temporarilyUnavailable' } };
    expect(await commit(orphan, NEW, slow)).toMatchObject(refused);
    expect(batches).toBeGreaterThan(3);
    expect(await commit(orphan, NEW)).toMatchObject(refused);
    await sweepLater();
    expect(await commit(orphan, NEW)).toMatchObject(refused);
    await expectBefore();
    await expectNothingLost();
  });
});

describe('a deletion', () => {
  it('that ends between commit and deletion of the object is done, and the sweep does the rest', async () => {
    await upload(tenant, OLD);
    const [old] = (await keysOf(tenant)).files;
    const done = await writerOf(tenant).execute(request('deleteCalibration', { ...NAME, conditions: ANY }));
    expect(done).toMatchObject({ kind: 'done' });
    expect((await download(tenant)).status).toBe(404);
    expect(await keysOf(tenant)).toEqual({ files: [], orphans: [old] });
    await expectNothingLost();
    await sweepLater();
    expect(await keysOf(tenant)).toEqual({ files: [], orphans: [] });
    expect(await bucket.head(old!)).toBeNull();
  });
});

describe('a bucket that does not answer', () => {
  it('is 503 for a download, and keeps nobody from overwriting and deleting', async () => {
    await upload(tenant, OLD);
    const fails = () => Promise.reject(new Error('the bucket is gone'));
    const [unreadable, undeletable] = [bucketWith({ get: fails }), bucketWith({ delete: fails })];
    const read = await fetchWith(unreadable, 'GET', tenant);
    expect([read.status, ((await read.json()) as { code: string }).code]).toEqual([
      503,
      'temporarilyUnavailable',
    ]);
    expect((await fetchWith(undeletable, 'POST', tenant, NEW)).status).toBe(200);
    expect(await bytesNow()).toEqual(NEW);
    expect((await fetchWith(undeletable, 'DELETE', tenant)).status).toBe(200);
    expect((await download(tenant)).status).toBe(404);
    expect((await keysOf(tenant)).orphans).toHaveLength(2);
    await expectNothingLost();
    await sweepLater();
    expect((await keysOf(tenant)).orphans).toEqual([]);
    await expectNothingLost();
  });

  it('leaves the sweep to be done again', async () => {
    const orphan = await putObject(NEW);
    const fails = () => Promise.reject(new Error('the bucket is gone'));
    const later = Date.now() + 2 * HOUR_MS;
    await expect(sweepOrphans(db, bucketWith({ delete: fails }), later)).rejects.toThrow('gone');
    // The object is deleted, and the process ends before that is written down.
    const dies = async (keys: string[]) => {
      await bucket.delete(keys);
      throw new Error('the process ended here');
    };
    await expect(sweepOrphans(db, bucketWith({ delete: dies }), later)).rejects.toThrow('ended');
    expect((await keysOf(tenant)).orphans).toEqual([orphan]);
    expect(await sweepLater()).toBe(1);
    expect((await keysOf(tenant)).orphans).toEqual([]);
    await expectNothingLost();
  });
});

describe('a reader whose record is past', () => {
  /** A bucket in which somebody overwrites or deletes the file just before each of the first reads. */
  function overtaken(times: number, overtake: () => Promise<unknown>): R2Bucket {
    let left = times;
    return bucketWith({
      async get(key: string) {
        if (left > 0) {
          left -= 1;
          await overtake();
        }
        return bucket.get(key);
      },
    });
  }

  it('looks again, and gets the bytes and the tag of one file', async () => {
    await upload(tenant, OLD);
    let round = 0;
    const get = overtaken(3, () => upload(tenant, bytesOf(`[${round++}]`)));
    const answer = await fetchWith(get, 'GET', tenant);
    expect([answer.status, await answer.text()]).toEqual([200, '[2]']);
    expect(answer.headers.get('ETag')).toBe(`"${sha256(bytesOf('[2]'))}"`);
  });

  it('finds out that there is none any more', async () => {
    await upload(tenant, OLD);
    expect(
      (
        await fetchWith(
          overtaken(1, () => remove(tenant)),
          'GET',
          tenant,
        )
      ).status,
    ).toBe(404);
  });

  it('is told of a defect where the object of a file is missing', async () => {
    await upload(tenant, OLD);
    const [objectKey] = (await keysOf(tenant)).files;
    await bucket.delete(objectKey!);
    const { status } = await download(tenant);
    expect(status).toBe(500);
    await remove(tenant);
  });
});

describe('the daily sweep', () => {
  it('takes the orphans of all organizations, however many, and no file', async () => {
    await upload(tenant, OLD);
    const other = await newTenant();
    await upload(other, NEW, { path: pathOf('cam-2') });
    const rows = Array.from({ length: 1_203 }, (_, index) => ({
      organization: index % 2 === 0 ? tenant.uuid : other.uuid,
      key: `calibration/${index}`,
    }));
    for (const { key } of rows.slice(0, 5)) await bucket.put(key, 'x');
    await db
      .prepare(
        `INSERT INTO calibration_orphan (organization_uuid, object_key, create_date)
          SELECT value ->> 'organization', value ->> 'key', 1 FROM json_each(?1)`,
      )
      .bind(JSON.stringify(rows))
      .run();
    const controller = { scheduledTime: Date.now(), cron: '17 3 * * *', noRetry: () => undefined };
    await worker.scheduled(controller, env as never);
    for (const owner of [tenant, other]) expect((await keysOf(owner)).orphans).toEqual([]);
    expect(await bytesNow()).toEqual(OLD);
    expect((await download(other, { path: pathOf('cam-2') })).bytes).toEqual(NEW);
    await expectNothingLost();
  });
});

it('callers who overwrite, delete and read one file at once leave one state and nothing else', async () => {
  const bodies = Array.from({ length: 12 }, (_, index) =>
    bytesOf(JSON.stringify([index, 'x'.repeat(index)])),
  );
  const sums = bodies.map(sha256);
  const rounds = bodies.map(async (bytes, index) => {
    for (let round = 0; round < 4; round += 1) {
      const wrote = (index + round) % 5 === 4 ? await remove(tenant) : await upload(tenant, bytes);
      expect([200, 201, 404]).toContain(wrote.status);
      const read = await download(tenant);
      expect([200, 404]).toContain(read.status);
      if (read.status === 200) expect(sums).toContain(sha256(read.bytes));
    }
  });
  await Promise.all(rounds);
  expect((await keysOf(tenant)).orphans).toEqual([]);
  await expectNothingLost();
});
