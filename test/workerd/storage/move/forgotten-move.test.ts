import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Database } from '../../../../src/core/lib/database.ts';
import { Databases, databasesOf } from '../../../../src/core/lib/databases.ts';
import { NO_ORGANIZATION } from '../../../../src/core/lib/id.ts';
import { noteForgotten } from '../../../../src/storage/move/store.ts';
import { sweepMoves } from '../../../../src/storage/move/sweep.ts';
import { bindings, forgetPlace, rowsIn, setOpen } from '../../access/database/places.ts';
import {
  carryOn,
  dump,
  move,
  movesOf,
  moving,
  relocationOf,
  residences,
  sweep,
  triggerCount,
} from './moves.ts';

const { DB, DB_1 } = bindings;
const databases = databasesOf(bindings);
let logged: string[] = [];

beforeEach(async () => {
  await setOpen('DB_1', true);
  logged = [];
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.spyOn(console, 'error').mockImplementation((line) => void logged.push(String(line)));
});

/** As if `DB` had been restored to before a move was accepted. */
const forget = ({ uuid }: { uuid: string }) =>
  DB.prepare('DELETE FROM long_job WHERE uuid = ?').bind(uuid).run();

describe('a move that is forgotten', () => {
  it.each([
    ['DB', 'COPYING'],
    ['DB', 'CATCHING_UP'],
    ['DB_1', 'COPYING'],
    ['DB_1', 'CATCHING_UP'],
  ] as const)('a forgotten move from %s while it is %s is rolled back', async (fromName, phase) => {
    const { tenant, uuid, planned, mover, from, to } = await moving(fromName, phase);
    const { moved_row: _, ...before } = await dump(from, uuid);
    await forget(planned);
    await expect(mover.step()).rejects.toThrow('taken over');
    expect(await rowsIn(to, uuid)).toMatchObject({ audit_log: expect.any(Number) });
    await sweep();
    const noted = (await relocationOf(uuid))!;
    expect(noted).toMatchObject({ input: planned.input, phase: 'ABANDONED' });
    await sweep();
    expect(await movesOf(uuid)).toBe(1);
    await carryOn(bindings, noted);
    expect(await triggerCount(from, uuid)).toBe(0);
    expect(await dump(from, uuid)).toEqual(before);
    expect(await dump(to, uuid)).toEqual({});
    expect(await residences(uuid)).toEqual(
      fromName === 'DB' ? ['HERE in DB', null] : ['ELSEWHERE in DB_1', 'HERE in DB_1'],
    );
    await sweep();
    expect(await relocationOf(uuid)).toBeUndefined();
    forgetPlace(uuid);
    expect((await tenant.call('POST', '/track/get-and-couple', { wmsId: 'R' })).status).toBe(200);
    expect(await move(tenant, planned.input.toName)).toMatchObject({ status: 'SUCCEEDED' });
  });

  it('a forgotten move that the target forgot too ends at its source', async () => {
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
    expect(await triggerCount(DB_1, uuid)).toBe(0);
    expect(await dump(DB, uuid)).toEqual({});
    expect(await residences(uuid)).toEqual(['ELSEWHERE in DB_1', 'HERE in DB_1']);
  });

  it.each(['DB', 'DB_1'] as const)(
    'a forgotten move from %s after the organization left continues',
    async (fromName) => {
      const { tenant, uuid, planned, mover, from, to } = await moving(fromName, 'FROZEN');
      const { moved_row: _, ...before } = await dump(from, uuid);
      await forget(planned);
      await expect(mover.step()).rejects.toThrow('taken over');
      await sweep();
      const noted = (await relocationOf(uuid))!;
      expect(noted).toMatchObject({ input: planned.input, phase: 'LEFT' });
      await carryOn(bindings, noted);
      expect(await dump(from, uuid)).toEqual({});
      expect(await dump(to, uuid)).toEqual(before);
      forgetPlace(uuid);
      expect((await tenant.call('GET', '/track/P')).status).toBe(200);
    },
  );

  it.each([
    ['LEFT', 'of which not all is there', DB_1, 'DELETE FROM track WHERE organization_uuid = ?'],
    ['LEFT', 'that two have begun', DB_1, "UPDATE organization SET arrival_claim = 'another' WHERE uuid = ?"],
    ['LEFT', 'from elsewhere', DB_1, "UPDATE organization SET database_name = 'DB_1' WHERE uuid = ?"],
    ['LEFT', 'to elsewhere', DB, "UPDATE organization SET database_name = 'DB_2' WHERE uuid = ?"],
    [
      'CATCHING_UP',
      'of an organization that lives in both databases',
      DB_1,
      "UPDATE organization SET residence = 'HERE' WHERE uuid = ?",
    ],
  ] as const)(
    'an ambiguous forgotten move (%s) %s changes nothing and alerts people',
    async (phase, _, db, happens) => {
      const { uuid, planned, from, to } = await moving('DB', phase);
      await forget(planned);
      await db.prepare(happens).bind(uuid).run();
      const before = [await dump(from, uuid), await dump(to, uuid)];
      await sweep();
      expect(await relocationOf(uuid)).toBeUndefined();
      expect([await dump(from, uuid), await dump(to, uuid)]).toEqual(before);
      expect(logged.join()).toContain(`"move":"forgotten","organization":"${uuid}"`);
    },
  );

  it('a forgotten move without traces at its source is found by its rows at the target and rolled back', async () => {
    const { uuid, planned } = await moving('DB', 'COPYING');
    await forget(planned);
    const { results } = await DB.prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'move\\_%' || ? ESCAPE '\\'",
    )
      .bind(uuid)
      .all<{ name: string }>();
    await DB.batch([
      ...results.map(({ name }) => DB.prepare(`DROP TRIGGER "${name}"`)),
      DB.prepare('UPDATE organization SET arrival_claim = NULL WHERE uuid = ?').bind(uuid),
    ]);
    expect(await triggerCount(DB, uuid)).toBe(0);
    await sweep();
    await carryOn(bindings, (await relocationOf(uuid))!);
    expect(await dump(DB_1, uuid)).toEqual({});
    expect(await residences(uuid)).toEqual(['HERE in DB', null]);
  });

  it('a forgotten move is rolled back at its target, also among more databases', async () => {
    const { uuid, planned } = await moving('DB', 'COPYING');
    await forget(planned);
    const empty = { prepare: () => ({ bind: () => ({ all: async () => ({ results: [] }) }) }) };
    await sweepMoves(new Databases({ DB, DB_1: empty, DB_2: DB_1 }), 'DB');
    expect(await relocationOf(uuid)).toMatchObject({
      input: { fromName: 'DB', toName: 'DB_2' },
      phase: 'ABANDONED',
    });
    await DB.prepare(
      "UPDATE long_job SET input = json_set(input, '$.toName', 'DB_1') WHERE organization_uuid = ?",
    )
      .bind(uuid)
      .run();
    await carryOn(bindings, (await relocationOf(uuid))!);
  });

  it('a forgotten move is not recorded again during an import or erasure', async () => {
    const { uuid, planned } = await moving('DB', 'COPYING');
    await forget(planned);
    await DB.prepare(
      `INSERT INTO long_job (uuid, organization_uuid, operation_type, phase, input, progress, phase_date, create_date,
        update_date) VALUES (?1, ?2, 'ORGANIZATION_ERASURE', 'CLEARING', '{"slug":"slug"}', '{}', 0, 0, ?3)`,
    )
      .bind(crypto.randomUUID(), uuid, Date.now() + 3_600_000)
      .run();
    const residesIn = (residence: string) =>
      DB.prepare('UPDATE organization SET residence = ?2 WHERE uuid = ?1').bind(uuid, residence).run();
    // The state that an erasure finds.
    await residesIn('ARRIVING');
    await sweep();
    await noteForgotten(new Database(NO_ORGANIZATION, databases), uuid, {
      ...planned.input,
      phase: 'ABANDONED',
    });
    expect(await relocationOf(uuid)).toBeUndefined();
    expect(logged.filter((line) => line.includes(uuid))).toEqual([]);
    await residesIn('HERE');
    await DB.prepare('DELETE FROM long_job WHERE organization_uuid = ?').bind(uuid).run();
    await sweep();
    await carryOn(bindings, (await relocationOf(uuid))!);
  });

  it('a forgotten move is recorded once by two concurrent sweeps', async () => {
    const { uuid, planned } = await moving('DB', 'COPYING');
    await forget(planned);
    await Promise.all([sweep(), sweep(), sweep()]);
    expect(await movesOf(uuid)).toBe(1);
    await carryOn(bindings, (await relocationOf(uuid))!);
  });
});
