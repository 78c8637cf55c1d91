import { expect, it } from 'vitest';
import { planNightlyExports } from '../../../../src/storage/restore/nightly-job.ts';
import { bindings, newTenantIn } from '../../access/database/places.ts';
import { operator, type Tenant } from '../../client.ts';
import { ended } from '../move/moves.ts';
import { linesOf } from '../transfer/exports.ts';
import { due, night, nightKeys, nightsOf, runOnce, suspend } from './nights.ts';

const { DB, CALIBRATION } = bindings;
const DAY_MS = 86_400_000;

const couple = async (tenant: Tenant, wmsId: string): Promise<void> => {
  const { status } = await tenant.call('POST', '/track/get-and-couple', { wmsId });
  expect(status).toBe(200);
};

/** A new organization with a pallet. */
async function newOne(): Promise<Tenant> {
  const tenant = await newTenantIn('DB');
  await couple(tenant, 'A');
  return tenant;
}

const triggers = async (): Promise<unknown[]> =>
  (await DB.prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'export_%' AND type = 'trigger'").all())
    .results;

/** A bucket in which a call fails. */
const failing = (method: 'put' | 'get') =>
  new Proxy(CALIBRATION, {
    get(real, name) {
      if (name === method) return () => Promise.reject(new Error('put: We encountered an internal error.'));
      const member: unknown = Reflect.get(real, name, real);
      return typeof member === 'function' ? member.bind(real) : member;
    },
  });

it('a nightly export has all rows in parts, and no file', async () => {
  const tenant = await newOne();
  await CALIBRATION.put(`organization/${tenant.uuid}/any/thing`, 'a file');
  const [exportDate, ...others] = await night(DB, tenant.uuid, { partLength: 1_500 });
  expect(others).toEqual([]);
  const keys = await nightKeys(tenant.uuid);
  expect(keys.length).toBeGreaterThan(3);
  const complete = keys.pop()!;
  const parts = await Promise.all(
    keys.map(async (key) => linesOf(await (await CALIBRATION.get(key))!.text())),
  );
  expect(await (await CALIBRATION.get(complete))!.json()).toMatchObject({
    exportDate,
    digests: parts.map((lines) => lines.at(-1).sha256),
  });
  expect(parts.map((lines) => lines.at(-1).next !== undefined)).toEqual([
    ...parts.slice(1).map(() => true),
    false,
  ]);
  const tables = new Set(parts.flat().flatMap(({ table }) => table ?? []));
  for (const table of ['organization', 'command_log', 'track', 'credential']) expect(tables).toContain(table);
  expect(parts.flat().filter(({ object }) => object !== undefined)).toEqual([]);
  expect(await triggers()).toEqual([]);
});

it('an organization without new records is not exported again before its export is six days old', async () => {
  const tenant = await newOne();
  const now = Date.now();
  const [first] = await night(DB, tenant.uuid, { now });
  expect(await night(DB, tenant.uuid, { now: now + 5 * DAY_MS })).toEqual([first]);
  await couple(tenant, 'B');
  const [second, ...before] = await night(DB, tenant.uuid, { now: now + 5 * DAY_MS });
  expect(before).toEqual([first]);
  expect(await night(DB, tenant.uuid, { now: now + 11 * DAY_MS + 1 })).toEqual([
    new Date(now + 11 * DAY_MS + 1).toISOString(),
    second,
  ]);
});

it('a nightly export is deleted after seven days, except while the organization is suspended', async () => {
  const tenant = await newOne();
  const now = Date.now();
  const [first] = await night(DB, tenant.uuid, { now });
  await suspend(tenant.uuid);
  const later = now + 8 * DAY_MS;
  // It was planned before the suspension.
  await DB.prepare('INSERT INTO nightly_export_due VALUES (?, 0, NULL)').bind(tenant.uuid).run();
  await runOnce(tenant.uuid, { now: later });
  expect(await night(DB, tenant.uuid, { now: later })).toEqual([first]);
  await suspend(tenant.uuid, 'resume');
  expect(await night(DB, tenant.uuid, { now: later })).toEqual([new Date(later).toISOString()]);
  expect((await nightKeys(tenant.uuid)).filter((key) => key.includes(first!))).toEqual([]);
});

it('a nightly export that fails leaves nothing, and is tried again', async () => {
  const tenant = await newOne();
  await planNightlyExports(DB, Date.now());
  await due(DB, tenant.uuid);
  const env = { CALIBRATION: failing('put') };
  const next = Number(await runOnce(tenant.uuid, { env }));
  expect(next).toBeGreaterThan(Date.now());
  expect(await nightKeys(tenant.uuid)).toEqual([]);
  expect(await triggers()).toEqual([]);
  await runOnce(tenant.uuid, { now: next });
  expect(await nightsOf(tenant.uuid)).toHaveLength(1);
});

it('a nightly export begins anew if its snapshot was ended between two parts', async () => {
  const tenant = await newOne();
  await planNightlyExports(DB, Date.now());
  await due(DB, tenant.uuid);
  await runOnce(tenant.uuid, { partLength: 1_500 });
  expect((await nightKeys(tenant.uuid)).length).toBe(1);
  await DB.prepare('DELETE FROM export WHERE organization_uuid = ?').bind(tenant.uuid).run();
  await runOnce(tenant.uuid, { partLength: 1_500 });
  expect(await nightKeys(tenant.uuid)).toEqual([]);
  await due(DB, tenant.uuid);
  await runOnce(tenant.uuid);
  expect(await nightsOf(tenant.uuid)).toHaveLength(1);
  const names = (await triggers()) as { name: string }[];
  await DB.batch(names.map(({ name }) => DB.prepare(`DROP TRIGGER "${name}"`)));
});

it('a nightly export waits while four others of the database are running', async () => {
  const tenant = await newOne();
  const running = [1, 2, 3, 4].map(() => crypto.randomUUID());
  await DB.batch(
    running.map((uuid) =>
      DB.prepare('INSERT INTO export VALUES (?1, ?1, ?2)').bind(uuid, Date.now() + DAY_MS),
    ),
  );
  await planNightlyExports(DB, Date.now());
  await due(DB, tenant.uuid);
  expect(Number(await runOnce(tenant.uuid))).toBeGreaterThan(Date.now());
  expect(await nightKeys(tenant.uuid)).toEqual([]);
  await DB.batch(running.map((uuid) => DB.prepare('DELETE FROM export WHERE uuid = ?').bind(uuid)));
  await due(DB, tenant.uuid);
  await runOnce(tenant.uuid);
  expect(await nightsOf(tenant.uuid)).toHaveLength(1);
});

it('an organization that is erased leaves no nightly export', async () => {
  const tenant = await newOne();
  await night(DB, tenant.uuid);
  expect(await nightKeys(tenant.uuid)).not.toEqual([]);
  await suspend(tenant.uuid);
  const { body } = await operator('DELETE', `/organization/${tenant.uuid}?slug=${tenant.slug}`);
  expect((await ended(body.operationId)).status).toBe('SUCCEEDED');
  expect(await nightKeys(tenant.uuid)).toEqual([]);
}, 30_000);
