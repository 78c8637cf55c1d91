import { type D1Migration, listDurableObjectIds, reset, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { Env } from '../../src/core/env.ts';
import { NO_ORGANIZATION } from '../../src/core/lib/id.ts';
import { emptied, made } from './emptied.ts';

const { DB, DB_1, CALIBRATION, WRITER, MIGRATIONS } = env as unknown as Env & {
  DB_1: D1Database;
  MIGRATIONS: D1Migration[];
};

// Many files share one runtime, because starting a new one takes longer than most files. Each file begins with empty stores:
// no rows, files, messages, objects or alarms of another file. Modules remember data by random names, so files do not meet.
// The runtime evicts an object after ten idle seconds, and it cannot empty an evicted object. So each object is woken first,
// except for objects that were emptied before. No other file uses these, because organizations have random names.
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
