import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { forgetCredentials } from '../../src/access/credential/trusted.ts';
import type { Env } from '../../src/core/env.ts';
import { addNight, newWorld, type World } from './world.ts';

const { DB: db, WRITER, CALIBRATION: bucket } = env as unknown as Env;

/** Triggers on other tables fill these tables, so they are restored last. */
const DERIVED = ['manifest', 'loading_correction', 'list_part', 'shipment_figures'];

interface Table {
  name: string;
  /** The column with the organization's uuid. */
  owner: string;
  columns: string[];
  /** The rows as one or more JSON arrays, because a parameter must stay below 2 MB. */
  parts: string[];
}

interface Saved {
  world: World;
  tables: Table[];
  objects: { key: string; etag: string; bytes: ArrayBuffer }[];
  /** The row of the suspended organization, if there is one. */
  suspended: Record<string, unknown> | null;
  /** The row of the operator, if there is one. */
  operator: Record<string, unknown> | null;
}

/** Number of rows that one statement inserts. */
const CHUNK_ROWS = 250;

/**
 * Create one world and return a function that restores it to its first state. Use it for cases that each
 * change the world and do not depend on one another. A restore takes one batch; a new world takes seventy
 * requests.
 */
export function renewable(make: () => Promise<World>): () => Promise<World> {
  let saved: Promise<Saved> | undefined;
  let times = 0;
  return async () => {
    saved ??= make().then(save);
    const { world, tables, objects, suspended, operator } = await saved;
    await forget(world);
    await db.batch([
      ...tables.map(emptied(world)),
      ...tables.flatMap(filled(world)),
      ...(suspended ? suspendedRows(suspended) : []),
      ...(operator ? inserted('operator', operator) : []),
      // All databases are closed at the start of each file.
      db.prepare('UPDATE database_setting SET open = 0'),
    ]);
    for (const { key, etag, bytes } of objects) {
      // A read is much faster than a write, and few cases change a file.
      if ((await bucket.head(key))?.etag !== etag) await bucket.put(key, bytes);
    }
    if (suspended) await addNight(String(suspended['uuid']));
    times += 1;
    // Other organizations are not restored, and one may have this name.
    const unused = `${world.names.unused}-${times}`;
    return { ...world, names: { ...world.names, unused }, uuids: { ...world.uuids, unused } };
  };
}

/** A restored world with the resources of `newWorld`. All files of a worker share it. */
export const restoredWorld = renewable(newWorld);

/** Restore the suspended organization, even if it was erased. */
const suspendedRows = (row: Record<string, unknown>): D1PreparedStatement[] => [
  ...['long_job', 'idempotency', 'authority'].map((table) =>
    db.prepare(`DELETE FROM ${table} WHERE organization_uuid = ?`).bind(row['uuid']),
  ),
  ...inserted('organization', row),
];

const inserted = (table: string, row: Record<string, unknown>): D1PreparedStatement[] => [
  db.prepare(`DELETE FROM ${table} WHERE uuid = ?`).bind(row['uuid']),
  db
    .prepare(`INSERT INTO ${table} (${Object.keys(row)}) VALUES (${Object.keys(row).map(() => '?')})`)
    .bind(...Object.values(row)),
];

const emptied =
  ({ tenant }: World) =>
  ({ name, owner }: Table): D1PreparedStatement =>
    db.prepare(`DELETE FROM ${name} WHERE ${owner} = ?1`).bind(tenant.uuid);

const filled =
  (world: World) =>
  (table: Table): D1PreparedStatement[] => {
    const { name, columns, parts } = table;
    const values = columns.map((column) => `json_extract(value, '$.${column}')`);
    const insert = `INSERT INTO ${name} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM json_each(?1)`;
    return [
      ...(DERIVED.includes(name) ? [emptied(world)(table)] : []),
      ...parts.map((part) => db.prepare(insert).bind(part)),
    ];
  };

/** Forget what is stored outside of D1: in the writer, and in the cache of credentials. */
async function forget({ tenant }: World): Promise<void> {
  const writer = WRITER.get(WRITER.idFromName(tenant.uuid));
  await runInDurableObject(writer, async (_, { storage }) => {
    await storage.deleteAlarm();
    await storage.deleteAll();
  });
  await evictDurableObject(writer);
  forgetCredentials();
}

/** Read the whole content of a world. */
async function save(world: World): Promise<Saved> {
  const { results } = await db
    .prepare(
      `SELECT m.name, group_concat(c.name) AS columns FROM sqlite_master m, pragma_table_info(m.name) c
       WHERE (m.name = 'organization' OR m.sql LIKE '%organization_uuid%') AND m.type IN ('table', 'view')
         AND m.name NOT LIKE 'computed_%'
         AND m.name NOT IN ('organization_number', 'audit_log', 'pallet_activity', 'list_total') GROUP BY m.name`,
    )
    .all<{ name: string; columns: string }>();
  const tables: Table[] = [];
  for (const { name, columns } of results) {
    const owner = name === 'organization' ? 'uuid' : 'organization_uuid';
    const { results: rows } = await db
      .prepare(`SELECT * FROM ${name} WHERE ${owner} = ?1`)
      .bind(world.tenant.uuid)
      .all();
    const parts = [];
    for (let from = 0; from < rows.length; from += CHUNK_ROWS) {
      parts.push(JSON.stringify(rows.slice(from, from + CHUNK_ROWS)));
    }
    tables.push({ name, owner, columns: columns.split(','), parts });
  }
  tables.sort((one, two) => DERIVED.indexOf(one.name) - DERIVED.indexOf(two.name));
  const files = await db
    .prepare(
      `SELECT object_key FROM calibration WHERE organization_uuid = ?1
        UNION SELECT object_key FROM archive_object WHERE organization_uuid = ?1
        UNION SELECT 'organization/' || organization_uuid || '/photo/' || uuid FROM photo WHERE organization_uuid = ?1`,
    )
    .bind(world.tenant.uuid)
    .all<{ object_key: string }>();
  const objects = [];
  for (const { object_key: key } of files.results) {
    // The photos of a crowd are rows only.
    const object = await bucket.get(key);
    if (object) objects.push({ key, etag: object.etag, bytes: await object.arrayBuffer() });
  }
  const suspended = await db
    .prepare('SELECT * FROM organization WHERE uuid = ?')
    .bind(world.names.suspended)
    .first<Record<string, unknown>>();
  const operator = await db
    .prepare('SELECT * FROM operator WHERE uuid = ?')
    .bind(world.names.operator)
    .first<Record<string, unknown>>();
  return { world, tables, objects, suspended, operator };
}
