import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Database } from '../../../../src/core/lib/database.ts';
import { databasesOf } from '../../../../src/core/lib/databases.ts';
import { NO_ORGANIZATION } from '../../../../src/core/lib/id.ts';
import { leaving, reside } from '../../../../src/storage/move/location.ts';
import { noteForgotten } from '../../../../src/storage/move/store.ts';
import { bindings, setOpen } from '../../access/database/places.ts';
import {
  carryOn,
  dump,
  moverOf,
  movesOf,
  moving,
  plan,
  relocationOf,
  residences,
  sweep,
  triggerCount,
} from './moves.ts';

const { DB, DB_1 } = bindings;
const databases = databasesOf(bindings);

beforeEach(async () => {
  await setOpen('DB_1', true);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

describe('a move that is known', () => {
  it('a known move is not recorded again', async () => {
    const { uuid, mover } = await moving('DB', 'COPYING');
    await sweep();
    expect(await movesOf(uuid)).toBe(1);
    while (!(await mover.step()));
  });

  it('rolling back a known move deletes nothing where the organization no longer lives', async () => {
    const { uuid, mover } = await moving('DB', 'COPYING');
    while (!(await mover.step()));
    const before = await dump(DB_1, uuid);
    await noteForgotten(new Database(NO_ORGANIZATION, databases), uuid, {
      fromName: 'DB',
      toName: 'DB_1',
      phase: 'ABANDONED',
    });
    await carryOn(bindings, (await relocationOf(uuid))!);
    expect(await dump(DB_1, uuid)).toEqual(before);
    expect(await residences(uuid)).toEqual(['ELSEWHERE in DB_1', 'HERE in DB_1']);
  });

  it('a known move ends although its last step was not recorded', async () => {
    const { uuid, planned, mover } = await moving('DB_1', 'CLEARING');
    while (!(await mover.step()));
    await DB.prepare("UPDATE long_job SET phase = 'CLEARING', finish_date = NULL WHERE uuid = ?")
      .bind(planned.uuid)
      .run();
    await carryOn(bindings, (await relocationOf(uuid))!);
    expect(await relocationOf(uuid)).toBeUndefined();
  });

  it('a known move is not continued by a runner from before a restore', async () => {
    const { uuid, planned, mover } = await moving('DB', 'LEFT');
    await DB.batch([
      DB.prepare("UPDATE organization SET residence = 'HERE', database_name = NULL WHERE uuid = ?").bind(
        uuid,
      ),
      DB.prepare("UPDATE long_job SET phase = 'COPYING', progress = '{}' WHERE uuid = ?").bind(planned.uuid),
    ]);
    await expect(mover.step()).rejects.toThrow('has not left');
    expect(await residences(uuid)).toEqual(['HERE in DB', 'ARRIVING in DB']);
    await carryOn(bindings, (await relocationOf(uuid))!);
    expect(await residences(uuid)).toEqual(['ELSEWHERE in DB_1', 'HERE in DB_1']);
  });

  it('a known move is not delayed by late writes of a replaced runner', async () => {
    const { uuid, planned, mover } = await moving('DB', 'COPYING');
    await DB.prepare("UPDATE long_job SET phase = 'ABANDONED' WHERE uuid = ?").bind(planned.uuid).run();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { promise: sent, resolve: sends } = Promise.withResolvers<void>();
    const slow = {
      prepare: (text: string) => DB.prepare(text),
      withSession: () => DB.withSession('first-primary'),
      batch: async (statements: D1PreparedStatement[]) => {
        sends();
        await held;
        return DB.batch(statements);
      },
    };
    const late = moverOf({ DB: slow, DB_1 }, (await relocationOf(uuid))!).step();
    await sent;
    await carryOn(bindings, (await relocationOf(uuid))!);
    const again = moverOf(bindings, await plan(uuid, 'DB', 'DB_1'));
    while ((await relocationOf(uuid))!.phase !== 'FROZEN') await again.step();
    const before = await triggerCount(DB, uuid);
    release();
    await expect(late).rejects.toThrow('taken over');
    await reside(DB, uuid, 'HERE', planned.uuid).run();
    await leaving(DB, { organization: uuid, ...planned.input }, planned.uuid).run();
    expect(await triggerCount(DB, uuid)).toBe(before);
    expect(await residences(uuid)).toEqual(['FROZEN in DB', 'ARRIVING in DB']);
    while (!(await again.step()));
    await expect(mover.step()).rejects.toThrow();
  });

  it('a runner that was restored does not record more progress than it made', async () => {
    const { uuid, planned, mover } = await moving('DB', 'CATCHING_UP');
    await DB.prepare("UPDATE long_job SET phase = 'COPYING', progress = '{}' WHERE uuid = ?")
      .bind(planned.uuid)
      .run();
    await expect(mover.step()).rejects.toThrow();
    expect((await relocationOf(uuid))!.phase).toBe('COPYING');
    await carryOn(bindings, (await relocationOf(uuid))!);
  });
});
