import type { Databases } from '../../core/lib/databases.ts';
import { retried } from '../../core/lib/store.ts';
import migrations from './migrations.json' with { type: 'json' };

/** Wrangler and `deploy:migrate` list the applied migrations in the table d1_migrations. */
const MISSING = `SELECT value AS name FROM json_each(?) WHERE value NOT IN (SELECT name FROM d1_migrations) ORDER BY key`;

/** The migrations of this version that a database lacks. Null if it does not respond or has no list of migrations. */
export async function missingMigrations(
  databases: Databases,
  databaseName: string,
): Promise<string[] | null> {
  try {
    const query = databases.named(databaseName).prepare(MISSING).bind(JSON.stringify(migrations));
    const { results } = await retried(() => query.all<{ name: string }>());
    return results.map(({ name }) => name);
  } catch (error) {
    console.warn(JSON.stringify({ database: databaseName, error: String(error) }));
    return null;
  }
}

/** The same for all databases, by their names. */
export const missingByDatabase = async (
  databases: Databases,
): Promise<ReadonlyMap<string, string[] | null>> =>
  new Map(
    await Promise.all(
      databases.names.map(async (name) => [name, await missingMigrations(databases, name)] as const),
    ),
  );
