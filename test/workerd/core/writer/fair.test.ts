import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Env } from '../../../../src/core/env.ts';
import { bindings, newTenantIn } from '../../access/database/places.ts';
import { newTenant, type Tenant } from '../../client.ts';
import { EVERY_MINUTE, runSchedule } from '../../schedule.ts';

const { DB, DB_1 } = bindings;
const MINUTE_MS = 60_000;
/** More silent organizations than the schedule calls at once. */
const SILENT = 300;
const AT_ONCE = 20;
const silent = Array.from({ length: SILENT }, () => crypto.randomUUID());
let late: Tenant;
let elsewhere: Tenant;

/** Store an operation that is overdue, as if its object had lost the alarm. */
const storeOverdue = (db: D1Database, organization: string) =>
  db
    .prepare(
      `INSERT INTO operation (uuid, organization_uuid, operation_type, status, input, total_count, succeeded_count,
        failed_count, actor, request_id, due_date, sent_count, create_date, update_date)
      VALUES (?1, ?2, 'COUPLE', 'PENDING', '{}', 1, 0, 0, '{}', 'r', ?3, 0, ?3, ?3)`,
    )
    .bind(crypto.randomUUID(), organization, Date.now() - MINUTE_MS)
    .run();

beforeAll(async () => {
  [late, elsewhere] = [await newTenant(), await newTenantIn('DB_1')];
  await storeOverdue(DB, late.uuid);
  await storeOverdue(DB_1, elsewhere.uuid);
  const { results } = await DB.prepare("SELECT name FROM pragma_table_info('organization')").all<{
    name: string;
  }>();
  const columns = results.map(({ name }) => name);
  const copied = columns.map((name) => (name === 'uuid' || name === 'slug' ? 'value' : name));
  const uuids = JSON.stringify(silent);
  await DB.batch([
    DB.prepare(
      `INSERT INTO organization (${columns}) SELECT ${copied} FROM organization, json_each(?2) WHERE uuid = ?1`,
    ).bind(late.uuid, uuids),
    DB.prepare(
      `INSERT INTO device (uuid, organization_uuid, device_type, name, folded_name, reported_status,
        last_heartbeat_date, create_date, update_date)
      SELECT value, value, 'SCANNER', 'S', 's', 'ONLINE', 1, 1, 1 FROM json_each(?1)`,
    ).bind(uuids),
  ]);
});

afterAll(async () => {
  const uuids = JSON.stringify([...silent, late.uuid, elsewhere.uuid]);
  for (const db of [DB, DB_1]) {
    await db.batch(
      ['device WHERE organization_uuid', 'operation WHERE organization_uuid', 'organization WHERE uuid'].map(
        (rows) => db.prepare(`DELETE FROM ${rows} IN (SELECT value FROM json_each(?1))`).bind(uuids),
      ),
    );
  }
});

beforeEach(() => vi.restoreAllMocks());

/** Start the schedule of every minute. Objects answer a silence only after `release`. */
function startSchedule(more: Partial<Env> = {}, answersAtOnce = (_: string) => false) {
  const woken: string[] = [];
  const silenced: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const WRITER = {
    idFromName: (name: string) => name,
    get: (name: string) => ({
      scheduleJobs: async () => void woken.push(name),
      async execute() {
        silenced.push(name);
        if (!answersAtOnce(name)) await released;
        return { kind: 'done' };
      },
    }),
  };
  const env = { ...bindings, WRITER, ...more } as unknown as Env;
  const ended = runSchedule(EVERY_MINUTE, env);
  return { woken, silenced, release, ended };
}

it('300 silent organizations whose objects do not answer delay the wake-up of no overdue work', async () => {
  const { woken, silenced, release, ended } = startSchedule();
  await vi.waitFor(() => expect(woken).toEqual(expect.arrayContaining([late.uuid, elsewhere.uuid])));
  await vi.waitFor(() => expect(silenced).toHaveLength(AT_ONCE));
  release();
  await ended;
  expect(silenced).toEqual(expect.arrayContaining(silent));
});

it('one object that does not answer delays no other silent organization', async () => {
  const slow = silent[0]!;
  const { silenced, release, ended } = startSchedule({}, (name) => name !== slow);
  await vi.waitFor(() => expect(silenced.length).toBeGreaterThanOrEqual(SILENT), { timeout: 5_000 });
  expect(silenced).toEqual(expect.arrayContaining(silent));
  release();
  await ended;
});

it('a database that does not answer delays no overdue work of another database', async () => {
  const { promise, reject } = Promise.withResolvers<never>();
  const hanging = { withSession: () => ({ prepare: () => ({ bind: () => ({}) }), batch: () => promise }) };
  const { woken, release, ended } = startSchedule({ DB: hanging as never });
  await vi.waitFor(() => expect(woken).toEqual([elsewhere.uuid]));
  release();
  reject(new Error('D1_ERROR: database or disk is full: SQLITE_FULL'));
  vi.spyOn(console, 'error').mockReturnValue(undefined);
  vi.spyOn(console, 'warn').mockReturnValue(undefined);
  await ended;
});
