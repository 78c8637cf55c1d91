import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Env } from '../../../../src/core/env.ts';
import { Allowance, allowed, UsedUp } from '../../../../src/core/lib/allowance.ts';
import { Databases, databasesOf } from '../../../../src/core/lib/databases.ts';
import { sweepOrphans } from '../../../../src/dispatch/calibration/objects.ts';
import { newTenant, type Tenant } from '../../client.ts';
import { db } from '../../core/writer/requests.ts';
import { DAILY, runSchedule } from '../../schedule.ts';
import {
  bucket,
  bucketWith,
  bytesNow,
  bytesOf,
  download,
  expectNothingLost,
  fetchWith,
  HOUR_MS,
  keysOf,
  pathOf,
  putObject,
  remove,
  sha256,
  sweepLater,
  upload,
} from './files.ts';

const [OLD, NEW] = [bytesOf('["old"]'), bytesOf('["new"]')];

let tenant: Tenant;
beforeEach(async () => {
  tenant = await newTenant();
});

describe('an organization that is moved', () => {
  it.each(['ARRIVING', 'ELSEWHERE'])(
    'a database sweeps no object of an organization that is %s, because the other one may use it',
    async (residence) => {
      const orphan = await putObject(tenant, NEW);
      const reside = (to: string) =>
        db.prepare('UPDATE organization SET residence = ? WHERE uuid = ?').bind(to, tenant.uuid).run();
      await reside(residence);
      expect(await sweepLater()).toBe(0);
      await reside('HERE');
      expect((await keysOf(tenant)).orphans).toEqual([orphan]);
      expect(await sweepLater()).toBe(1);
      await expectNothingLost();
    },
  );
});

describe('a bucket that does not answer', () => {
  it('a bucket that does not answer gives 503 for a download and blocks no overwrite or deletion', async () => {
    await upload(tenant, OLD);
    const fails = () => Promise.reject(new Error('the bucket is gone'));
    const [unreadable, undeletable] = [bucketWith({ get: fails }), bucketWith({ delete: fails })];
    const read = await fetchWith({ CALIBRATION: unreadable }, 'GET', tenant);
    expect([read.status, ((await read.json()) as { code: string }).code]).toEqual([
      503,
      'temporarilyUnavailable',
    ]);
    expect((await fetchWith({ CALIBRATION: undeletable }, 'POST', tenant, NEW)).status).toBe(200);
    expect(await bytesNow(tenant)).toEqual(NEW);
    expect((await fetchWith({ CALIBRATION: undeletable }, 'DELETE', tenant)).status).toBe(200);
    expect((await download(tenant)).status).toBe(404);
    expect((await keysOf(tenant)).orphans).toHaveLength(2);
    await expectNothingLost();
    await sweepLater();
    expect((await keysOf(tenant)).orphans).toEqual([]);
    await expectNothingLost();
  });

  it('a bucket that does not answer leaves the sweep for the next day', async () => {
    const orphan = await putObject(tenant, NEW);
    const fails = () => Promise.reject(new Error('the bucket is gone'));
    const later = Date.now() + 2 * HOUR_MS;
    await expect(sweepOrphans(db, bucketWith({ delete: fails }), later)).rejects.toThrow('gone');
    // The process ends after the object is deleted and before this is recorded.
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

describe('a reader with an outdated record', () => {
  /** A bucket whose file changes just before each of the first reads. */
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

  it('a reader with an outdated record reads again and gets bytes and tag of one file', async () => {
    await upload(tenant, OLD);
    let round = 0;
    const get = overtaken(3, () => upload(tenant, bytesOf(`[${round++}]`)));
    const answer = await fetchWith({ CALIBRATION: get }, 'GET', tenant);
    expect([answer.status, await answer.text()]).toEqual([200, '[2]']);
    expect(answer.headers.get('ETag')).toBe(`"${sha256(bytesOf('[2]'))}"`);
  });

  it('a reader with an outdated record learns that the file is gone', async () => {
    await upload(tenant, OLD);
    expect((await fetchWith({ CALIBRATION: overtaken(1, () => remove(tenant)) }, 'GET', tenant)).status).toBe(
      404,
    );
  });
});

describe('the daily sweep', () => {
  it('the daily sweep deletes the orphans of all organizations and no file', async () => {
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
    await runSchedule(DAILY, env);
    for (const owner of [tenant, other]) expect((await keysOf(owner)).orphans).toEqual([]);
    expect(await bytesNow(tenant)).toEqual(OLD);
    expect((await download(other, { path: pathOf('cam-2') })).bytes).toEqual(NEW);
    await expectNothingLost();
  });

  it('a sweep whose statements end forgets the objects that it has deleted, and the next one continues', async () => {
    const tenants = [tenant, await newTenant(), await newTenant()];
    await sweepLater();
    const keys = tenants.map(({ uuid }) => `calibration/of-${uuid}`);
    for (const [index, { uuid }] of tenants.entries())
      await db
        .prepare(
          'INSERT INTO calibration_orphan (organization_uuid, object_key, create_date) VALUES (?, ?, 1)',
        )
        .bind(uuid, keys[index])
        .run();
    // For one organization: find its orphans, and forget them.
    const sweepOnce = () => {
      const allowance = new Allowance(2, 60_000);
      const few = ['DB', 'DB_1'].map((name) => [
        name,
        allowed(databasesOf(env as unknown as Env).named(name), allowance),
      ]);
      const databases = new Databases(Object.fromEntries(few));
      return sweepOrphans(databases.named('DB'), bucket, Date.now());
    };
    for (const _ of keys.slice(1)) await expect(sweepOnce()).rejects.toThrow(UsedUp);
    expect(await sweepOnce()).toBe(1);
  });

  it('the daily sweep continues when another pruning fails, and says so', async () => {
    await db
      .prepare(
        'INSERT INTO calibration_orphan (organization_uuid, object_key, create_date) VALUES (?1, ?2, 1)',
      )
      .bind(tenant.uuid, 'calibration/left')
      .run();
    const failing = new Proxy(db, {
      get(target, name) {
        if (name !== 'prepare') return Reflect.get(target, name).bind(target);
        return (text: string) => {
          if (text.includes('FROM idempotency')) throw new Error('too slow');
          return target.prepare(text);
        };
      },
    });
    const logged = vi.spyOn(console, 'error').mockReturnValue(undefined);
    const turns = await runSchedule(DAILY, { ...env, DB: failing }, 1);
    expect(turns.find(({ database }) => database === 'DB')).toMatchObject({ attempts: 2, isDone: false });
    expect(turns.find(({ database }) => database === 'DB_1')).toMatchObject({ attempts: 1, isDone: true });
    expect(logged.mock.calls.flat().join()).toContain('too slow');
    logged.mockRestore();
    expect((await keysOf(tenant)).orphans).toEqual([]);
  });
});
