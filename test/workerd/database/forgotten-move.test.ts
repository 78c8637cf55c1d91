import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Database } from '../../../src/lib/database.ts';
import { databasesOf } from '../../../src/lib/databases.ts';
import { NO_ORGANIZATION } from '../../../src/lib/id.ts';
import { leaving, reside } from '../../../src/move/residence.ts';
import { noteForgotten, type Phase } from '../../../src/move/store.ts';
import { sweepMoves } from '../../../src/move/sweep.ts';
import { carryOn, dump, move, moverOf, plan, relocationOf, residences, standing } from './moves.ts';
import { bindings, forgetPlace, newTenantIn, rowsIn, setOpen } from './places.ts';

const { DB, DB_1 } = bindings;
const databases = databasesOf(bindings);
let logged: string[] = [];

beforeEach(async () => {
  await setOpen('DB_1', true);
  logged = [];
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.spyOn(console, 'error').mockImplementation((line) => void logged.push(String(line)));
});

const movesOf = (organization: string): Promise<number | null> =>
  DB.prepare('SELECT count(*) AS count FROM relocation WHERE organization_uuid = ?')
    .bind(organization)
    .first<number>('count');

const sweep = async (): Promise<void> => {
  for (const name of databases.names) await sweepMoves(databases, name);
};

/** As where `DB` is put back to before a move was accepted. */
const forget = ({ uuid }: { uuid: string }) =>
  DB.prepare('DELETE FROM relocation WHERE uuid = ?').bind(uuid).run();

/** An organization that is moved between the databases, up to a phase, by who knows of nothing that happens behind. */
async function moving(fromName: 'DB' | 'DB_1', until: Phase) {
  const tenant = await newTenantIn(fromName);
  const { uuid } = tenant;
  for (const wmsId of ['P', 'Q']) await tenant.call('POST', '/track/get-and-couple', { wmsId });
  const [from, to] = fromName === 'DB' ? [DB, DB_1] : [DB_1, DB];
  const planned = await plan(uuid, fromName, fromName === 'DB' ? 'DB_1' : 'DB');
  const mover = moverOf(bindings, planned);
  while ((await relocationOf(uuid))!.phase !== until) await mover.step();
  return { tenant, uuid, planned, mover, from, to };
}

describe('a move that is forgotten', () => {
  it.each([
    ['DB', 'COPYING'],
    ['DB', 'CATCHING_UP'],
    ['DB_1', 'COPYING'],
    ['DB_1', 'CATCHING_UP'],
  ] as const)('from %s while it is %s is gone back from', async (fromName, phase) => {
    const { tenant, uuid, planned, mover, from, to } = await moving(fromName, phase);
    const { moved_row: _, ...before } = await dump(from, uuid);
    await forget(planned);
    await expect(mover.step()).rejects.toThrow('somebody else');
    expect(await rowsIn(to, uuid)).toMatchObject({ track: 2 });
    await sweep();
    const noted = (await relocationOf(uuid))!;
    expect(noted).toMatchObject({ fromName, toName: planned.toName, phase: 'ABANDONED' });
    await sweep();
    expect(await movesOf(uuid)).toBe(1);
    await carryOn(bindings, noted);
    expect(await standing(from, uuid)).toBe(0);
    expect(await dump(from, uuid)).toEqual(before);
    expect(await dump(to, uuid)).toEqual({});
    expect(await residences(uuid)).toEqual(
      fromName === 'DB' ? ['HERE in DB', null] : ['ELSEWHERE in DB_1', 'HERE in DB_1'],
    );
    await sweep();
    expect(await relocationOf(uuid)).toBeUndefined();
    forgetPlace(uuid);
    expect((await tenant.call('POST', '/track/get-and-couple', { wmsId: 'R' })).status).toBe(200);
    expect(await move(tenant, planned.toName)).toMatchObject({ status: 'SUCCEEDED' });
  });

  it('by the database that it went to, too, ends where it is from', async () => {
    const { uuid, planned } = await moving('DB_1', 'CATCHING_UP');
    await forget(planned);
    await DB.batch([
      ...['track', 'idempotency'].map((table) =>
        DB.prepare(`DELETE FROM ${table} WHERE organization_uuid = ?`).bind(uuid),
      ),
      DB.prepare("UPDATE organization SET residence = 'ELSEWHERE', arrival_claim = NULL WHERE uuid = ?").bind(
        uuid,
      ),
    ]);
    await sweep();
    await carryOn(bindings, (await relocationOf(uuid))!);
    expect(await standing(DB_1, uuid)).toBe(0);
    expect(await dump(DB, uuid)).toEqual({});
    expect(await residences(uuid)).toEqual(['ELSEWHERE in DB_1', 'HERE in DB_1']);
  });

  it.each(['DB', 'DB_1'] as const)('from %s, which the organization has left, goes on', async (fromName) => {
    const { tenant, uuid, planned, mover, from, to } = await moving(fromName, 'FROZEN');
    const { moved_row: _, ...before } = await dump(from, uuid);
    await forget(planned);
    await expect(mover.step()).rejects.toThrow('somebody else');
    await sweep();
    const noted = (await relocationOf(uuid))!;
    expect(noted).toMatchObject({ fromName, toName: planned.toName, phase: 'LEFT' });
    await carryOn(bindings, noted);
    expect(await dump(from, uuid)).toEqual({});
    expect(await dump(to, uuid)).toEqual(before);
    forgetPlace(uuid);
    expect((await tenant.call('GET', '/track/P')).status).toBe(200);
  });

  it.each([
    ['of which not all is there', 'DELETE FROM track WHERE organization_uuid = ?'],
    ['that two have begun', "UPDATE organization SET arrival_claim = 'another' WHERE uuid = ?"],
    ['from elsewhere', "UPDATE organization SET database_name = 'DB_1' WHERE uuid = ?"],
  ] as const)('%s touches nothing, and people are told', async (_, happens) => {
    const { uuid, planned, from, to } = await moving('DB', 'LEFT');
    await forget(planned);
    await DB_1.prepare(happens).bind(uuid).run();
    const before = [await dump(from, uuid), await dump(to, uuid)];
    await sweep();
    expect(await relocationOf(uuid)).toBeUndefined();
    expect([await dump(from, uuid), await dump(to, uuid)]).toEqual(before);
    expect(logged.join()).toContain(`"move":"forgotten","organization":"${uuid}"`);
  });

  it('is not noted again while the organization is imported or erased', async () => {
    const { uuid, planned } = await moving('DB', 'COPYING');
    await forget(planned);
    await DB.prepare(
      `INSERT INTO organization_job (uuid, organization_uuid, slug, operation_type, phase, input, progress, create_date,
        update_date) VALUES (?1, ?2, 'slug', 'ORGANIZATION_ERASURE', 'CLEARING', 'null', '{}', 0, ?3)`,
    )
      .bind(crypto.randomUUID(), uuid, Date.now() + 3_600_000)
      .run();
    const residesIn = (residence: string) =>
      DB.prepare('UPDATE organization SET residence = ?2 WHERE uuid = ?1').bind(uuid, residence).run();
    // As it is for who erases it.
    await residesIn('ARRIVING');
    await sweep();
    await noteForgotten(new Database(NO_ORGANIZATION, databases), uuid, { ...planned, phase: 'ABANDONED' });
    expect(await relocationOf(uuid)).toBeUndefined();
    expect(logged.filter((line) => line.includes(uuid))).toEqual([]);
    await residesIn('HERE');
    await DB.prepare('DELETE FROM organization_job WHERE organization_uuid = ?').bind(uuid).run();
    await sweep();
    await carryOn(bindings, (await relocationOf(uuid))!);
  });

  it('is noted once, though two look for it', async () => {
    const { uuid, planned } = await moving('DB', 'COPYING');
    await forget(planned);
    await Promise.all([sweep(), sweep(), sweep()]);
    expect(await movesOf(uuid)).toBe(1);
    await carryOn(bindings, (await relocationOf(uuid))!);
  });
});

describe('a move that is known', () => {
  it('is not noted again', async () => {
    const { uuid, mover } = await moving('DB', 'COPYING');
    await sweep();
    expect(await movesOf(uuid)).toBe(1);
    while (!(await mover.step()));
  });

  it('to go back from where the organization does not live any more takes nothing away', async () => {
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

  it('ends, though who took the last row away did not note it', async () => {
    const { uuid, planned, mover } = await moving('DB_1', 'CLEARING');
    while (!(await mover.step()));
    await DB.prepare("UPDATE relocation SET phase = 'CLEARING', finish_date = NULL WHERE uuid = ?")
      .bind(planned.uuid)
      .run();
    await carryOn(bindings, (await relocationOf(uuid))!);
    expect(await relocationOf(uuid)).toBeUndefined();
  });

  it('is not carried on by who had come further before the databases were put back', async () => {
    const { uuid, planned, mover } = await moving('DB', 'LEFT');
    await DB.batch([
      DB.prepare("UPDATE organization SET residence = 'HERE', database_name = NULL WHERE uuid = ?").bind(
        uuid,
      ),
      DB.prepare("UPDATE relocation SET phase = 'COPYING', progress = '{}' WHERE uuid = ?").bind(
        planned.uuid,
      ),
    ]);
    await expect(mover.step()).rejects.toThrow('has not left');
    expect(await residences(uuid)).toEqual(['HERE in DB', 'ARRIVING in DB']);
    await carryOn(bindings, (await relocationOf(uuid))!);
    expect(await residences(uuid)).toEqual(['ELSEWHERE in DB_1', 'HERE in DB_1']);
  });

  it('is not held up by what one that was replaced sends late', async () => {
    const { uuid, planned, mover } = await moving('DB', 'COPYING');
    await DB.prepare("UPDATE relocation SET phase = 'ABANDONED' WHERE uuid = ?").bind(planned.uuid).run();
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
    const before = await standing(DB, uuid);
    release();
    await expect(late).rejects.toThrow('taken over');
    await reside(DB, uuid, 'HERE', planned.uuid).run();
    await leaving(DB, planned, planned.uuid).run();
    expect(await standing(DB, uuid)).toBe(before);
    expect(await residences(uuid)).toEqual(['FROZEN in DB', 'ARRIVING in DB']);
    while (!(await again.step()));
    await expect(mover.step()).rejects.toThrow();
  });

  it('is not noted as further by who was put back', async () => {
    const { uuid, planned, mover } = await moving('DB', 'CATCHING_UP');
    await DB.prepare("UPDATE relocation SET phase = 'COPYING', progress = '{}' WHERE uuid = ?")
      .bind(planned.uuid)
      .run();
    await expect(mover.step()).rejects.toThrow();
    expect((await relocationOf(uuid))!.phase).toBe('COPYING');
    await carryOn(bindings, (await relocationOf(uuid))!);
  });
});
