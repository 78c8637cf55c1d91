import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { forgetCredentials } from '../../src/access/credential/trusted.ts';
import type { Env } from '../../src/core/env.ts';
import { newWorld, type World } from './world.ts';

const { DB: db, WRITER, CALIBRATION: bucket } = env as unknown as Env;

/** Filled by triggers on the others, so they are put back last. */
const DERIVED = ['manifest', 'authority', 'loading_correction', 'list_total'];

interface Table {
  name: string;
  /** The column that says whose a row is. */
  owner: string;
  columns: string[];
  /** Its rows as a JSON array, or several: a parameter stays below 2 MB. */
  parts: string[];
}

interface Kept {
  world: World;
  tables: Table[];
  objects: { key: string; bytes: ArrayBuffer }[];
  /** The row of the organization that is suspended, where there is one. */
  suspended: Record<string, unknown> | null;
  /** The row of the operator, where there is one. */
  operator: Record<string, unknown> | null;
}

/** Rows that a statement inserts. */
const CHUNK_ROWS = 250;

/**
 * A way to a world that this makes, for cases that each change one and go by no other: always the same world, put back to
 * how it was when it was new. That takes a batch, where a new one takes seventy requests.
 */
export function renewable(make: () => Promise<World>): () => Promise<World> {
  let kept: Promise<Kept> | undefined;
  let times = 0;
  return async () => {
    kept ??= make().then(keep);
    const { world, tables, objects, suspended, operator } = await kept;
    await forget(world);
    await db.batch([
      ...tables.map(emptied(world)),
      ...tables.flatMap(filled(world)),
      ...(suspended ? putBack(suspended) : []),
      ...(operator ? inserted('operator', operator) : []),
      // As every file begins.
      db.prepare('UPDATE database_setting SET open = 0'),
    ]);
    for (const { key, bytes } of objects) await bucket.put(key, bytes);
    times += 1;
    // Other organizations are not put back, and one may have been called so.
    const unused = `${world.names.unused}-${times}`;
    return { ...world, names: { ...world.names, unused }, uuids: { ...world.uuids, unused } };
  };
}

/** A world as `newWorld` makes it, put back: one for all files of a worker. */
export const worldAnew = renewable(newWorld);

/** Have the organization be there that is suspended, erased or not. */
const putBack = (row: Record<string, unknown>): D1PreparedStatement[] => [
  ...['organization_job', 'idempotency', 'authority'].map((table) =>
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

/** What is remembered of a world outside of D1: by its writer, and by who knows its credentials. */
async function forget({ tenant }: World): Promise<void> {
  const writer = WRITER.get(WRITER.idFromName(tenant.uuid));
  await runInDurableObject(writer, async (_, { storage }) => {
    await storage.deleteAlarm();
    await storage.deleteAll();
  });
  await evictDurableObject(writer);
  forgetCredentials();
}

/** Note all that there is of a world. */
async function keep(world: World): Promise<Kept> {
  const { results } = await db
    .prepare(
      `SELECT m.name, group_concat(c.name) AS columns FROM sqlite_master m, pragma_table_info(m.name) c
       WHERE (m.name = 'organization' OR m.sql LIKE '%organization_uuid%') AND m.type IN ('table', 'view')
         AND m.name <> 'organization_number' GROUP BY m.name`,
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
        UNION SELECT object_key FROM archive_object WHERE organization_uuid = ?1`,
    )
    .bind(world.tenant.uuid)
    .all<{ object_key: string }>();
  const objects = [];
  for (const { object_key: key } of files.results) {
    objects.push({ key, bytes: await (await bucket.get(key))!.arrayBuffer() });
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
