import { type D1Migration, listDurableObjectIds, reset, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { Env } from '../../src/core/env.ts';
import { NO_ORGANIZATION } from '../../src/core/lib/id.ts';
import { emptied, made } from './emptied.ts';

const { DB, DB_1, CALIBRATION, WRITER, MIGRATIONS } = env as unknown as Env & {
  DB_1: D1Database;
  MIGRATIONS: D1Migration[];
};

// One runtime plays many files, as a new one for each would take longer than most of them do. Each begins with empty
// stores: without the rows, files, messages, objects and alarms of another. What modules remember goes by drawn names.
// The runtime puts away what nobody asked for ten seconds, and does not empty what is put away: it is woken first, but
// for objects that were emptied before. Organizations have drawn names, so that no other file asks for those.
emptied.delete(String(WRITER.idFromName(NO_ORGANIZATION)));
const objects = (await listDurableObjectIds(WRITER)).filter((id) => !emptied.has(String(id)));
await Promise.all([
  DB.exec('SELECT 1'),
  DB_1.exec('SELECT 1'),
  CALIBRATION.head('any'),
  ...objects.map((id) => runInDurableObject(WRITER.get(id), () => undefined)),
]);
await reset();
for (const id of objects) emptied.add(String(id));
// All at once, where `applyD1Migrations` sends each by itself; later files make what came of them, in a fifth of the time.
const statements = made.tables ?? MIGRATIONS.flatMap(({ queries }) => queries);
await Promise.all([DB, DB_1].map((db) => db.batch(statements.map((query) => db.prepare(query)))));
if (!made.tables) {
  const { results } = await DB.prepare(
    `SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'
     ORDER BY CASE type WHEN 'table' THEN 0 WHEN 'view' THEN 1 WHEN 'index' THEN 2 ELSE 3 END, rowid`,
  ).all<{ sql: string }>();
  made.tables = results.map(({ sql }) => sql);
}
// Tests look into `DB` themselves: an organization lives elsewhere only where a test has it so.
await DB.exec("INSERT INTO database_setting (database_name, open, update_date) VALUES ('DB_1', 0, 0)");
