import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Env } from '../../../../src/core/env.ts';
import type { SentRequest } from '../../../../src/core/writer/versions.ts';
import { sweepOrphans } from '../../../../src/dispatch/calibration/objects.ts';
import { newTenant, type Tenant } from '../../client.ts';
import { db, faultyD1, logOf, request, writerOf } from '../../core/writer/requests.ts';
import {
  bucket,
  bucketWith,
  bytesNow,
  bytesOf,
  download,
  expectNothingLost,
  fetchWith,
  file,
  HOUR_MS,
  keysOf,
  objectKeys,
  putObject,
  remove,
  sha256,
  sweepLater,
  upload,
} from './files.ts';

const { WRITER } = env as unknown as Env;
const [OLD, NEW] = [bytesOf('["old"]'), bytesOf('["new"]')];
const NAME = { hardwareId: 'cam-1', type: 'INTRINSIC' };
const ANY = { ifMatch: null, ifNoneMatch: null };

let tenant: Tenant;
beforeEach(async () => {
  tenant = await newTenant();
});

/** Commits an upload whose object is already in the bucket, and does nothing else. */
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

  it('an upload or overwrite that ends before its object is in the bucket changes nothing', async () => {
    const died = bucketWith({ put: () => Promise.reject(new Error('the process ended here')) });
    const answer = await fetchWith({ CALIBRATION: died }, 'POST', tenant, NEW);
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '2']);
    await expectBefore();
    await expectNothingLost();
    await sweepLater();
    await expectBefore();
    expect((await keysOf(tenant)).orphans).toEqual([]);
  });

  it('an upload or overwrite that ends between object and commit leaves the object to the sweep only', async () => {
    const orphan = await putObject(tenant, NEW);
    await expectBefore();
    await expectNothingLost();
    expect((await keysOf(tenant)).orphans).toEqual([orphan]);
    // The sweep keeps an object for an hour, because its upload may still commit.
    expect(await sweepOrphans(db, bucket, Date.now() + HOUR_MS - 60_000)).toBe(0);
    expect(await bucket.head(orphan)).not.toBeNull();
    await sweepLater();
    expect(await bucket.head(orphan)).toBeNull();
    expect((await keysOf(tenant)).orphans).toEqual([]);
    await expectBefore();
    await expectNothingLost();
    const again = await upload(tenant, NEW);
    expect([again.status, await bytesNow(tenant)]).toEqual([before ? 200 : 201, NEW]);
  });

  it('an upload or overwrite that ends between commit and deletion is done and leaves the old object to the sweep', async () => {
    const [old] = (await keysOf(tenant)).files;
    expect(await commit(await putObject(tenant, NEW), NEW)).toMatchObject({ kind: 'done' });
    expect(await bytesNow(tenant)).toEqual(NEW);
    expect((await keysOf(tenant)).orphans).toEqual(before ? [old] : []);
    await expectNothingLost();
    await sweepLater();
    expect(await bytesNow(tenant)).toEqual(NEW);
    expect((await keysOf(tenant)).orphans).toEqual([]);
    if (before) expect(await bucket.head(old!)).toBeNull();
    await expectNothingLost();
  });

  it('an upload or overwrite of several parts whose end is not heard of ends the same', async () => {
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
    expect((await fetchWith({ CALIBRATION: died }, 'POST', tenant, bytes)).status).toBe(503);
    await expectBefore();
    await expectNothingLost();
    expect((await keysOf(tenant)).orphans).toHaveLength(1);
    await sweepLater();
    expect((await keysOf(tenant)).orphans).toEqual([]);
    await expectNothingLost();
  });

  it.each(['before', 'after'] as const)(
    'an upload or overwrite whose commit is lost %s it took effect is done once',
    async (kind) => {
      const objectKey = await putObject(tenant, NEW);
      // The first batch of a new writer reads the log and the file, the second one commits.
      const lost = faultyD1((batch) => (batch === 2 ? kind : null));
      expect(await commit(objectKey, NEW, lost)).toMatchObject({ kind: 'done' });
      expect([await bytesNow(tenant), (await keysOf(tenant)).files]).toEqual([NEW, [objectKey]]);
      const log = (await logOf(tenant)).filter((row) => row['entity_type'] === 'CALIBRATION');
      expect(log).toHaveLength(before ? 2 : 1);
      await expectNothingLost();
    },
  );

  it('an upload or overwrite whose object the sweep is about to delete commits nothing', async () => {
    const orphan = await putObject(tenant, NEW);
    const claim = () =>
      db.prepare('UPDATE calibration_orphan SET claimed_date = 1 WHERE object_key = ?1').bind(orphan).run();
    // The sweep claims the object after the writer's decision and before its commit.
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
              if (batches === 2) await claim();
              return session.batch(statements);
            },
          };
        };
      },
    });
    const refused = { kind: 'refused', refusal: { code: 'temporarilyUnavailable' } };
    expect(await commit(orphan, NEW, slow)).toMatchObject(refused);
    expect(batches).toBeGreaterThan(2);
    expect(await commit(orphan, NEW)).toMatchObject(refused);
    await sweepLater();
    expect(await commit(orphan, NEW)).toMatchObject(refused);
    await expectBefore();
    await expectNothingLost();
  });
});

describe('an answer of the writer that is lost', () => {
  /** A writer whose answers are lost. With `done`, it has executed the command. */
  const lost = (done: boolean): Partial<Env> => ({
    WRITER: {
      idFromName: WRITER.idFromName.bind(WRITER),
      get: (id: DurableObjectId) => {
        const stub = WRITER.get(id);
        return {
          lease: (limit: number, wanted: number) => stub.lease(limit, wanted),
          async execute(asked: SentRequest) {
            if (done) await stub.execute(asked);
            throw new Error('the connection was lost');
          },
        };
      },
    } as unknown as Env['WRITER'],
  });

  it('a lost writer answer does not cost a calibration file its object', async () => {
    await upload(tenant, OLD);
    const [old] = (await keysOf(tenant)).files;
    expect((await fetchWith(lost(true), 'POST', tenant, NEW)).status).toBe(503);
    expect(await bytesNow(tenant)).toEqual(NEW);
    expect((await keysOf(tenant)).orphans).toEqual([old]);
    await expectNothingLost();
    await sweepLater();
    expect(await bytesNow(tenant)).toEqual(NEW);
    await expectNothingLost();
  });

  it('a lost writer answer leaves no object when there was no commit', async () => {
    await upload(tenant, OLD);
    const before = await objectKeys();
    expect((await fetchWith(lost(false), 'POST', tenant, NEW)).status).toBe(503);
    expect(await bytesNow(tenant)).toEqual(OLD);
    expect([await objectKeys(), (await keysOf(tenant)).orphans]).toEqual([before, []]);
  });
});

describe('a deletion', () => {
  it('a deletion that ends between commit and object is done, and the sweep does the rest', async () => {
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

it('concurrent overwrites, deletions and reads of a calibration file leave one state and nothing else', async () => {
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
