import { type SQL, sql } from 'drizzle-orm';
import type { Scope } from '../lib/database.ts';
import { type Databases, MAIN } from '../lib/databases.ts';
import { NO_ORGANIZATION } from '../lib/id.ts';
import { type Viewed, type ViewRow, view } from '../lib/view.ts';
import { databaseSetting } from './table.ts';

/** JSON of a database as it is stored; organizations that are about to begin or to arrive in it count. */
export const databaseView = view({
  databaseName: databaseSetting.databaseName,
  organizationsCount: sql<number>`(SELECT count(*) FROM organization
    WHERE organization.database_name IS nullif(database_setting.database_name, ${sql.raw(`'${MAIN}'`)})
      AND organization.uuid <> ${sql.raw(`'${NO_ORGANIZATION}'`)})`,
  sizeBytes: databaseSetting.sizeBytes,
  open: databaseSetting.open,
});
export type StoredDatabase = Viewed<typeof databaseView>;

/** One database; what is known of databases belongs to no organization. */
export const databaseQuery = ({ organization }: Scope, name: string): SQL<ViewRow<typeof databaseView>> =>
  sql`SELECT ${databaseView} AS view FROM database_setting
    WHERE ${organization} = ${NO_ORGANIZATION} AND database_name = ${name}`;

/** The size of a database in bytes, as it says itself; null where it does not answer. */
export async function sizeOf(databases: Databases, name: string): Promise<number | null> {
  try {
    const { meta } = await databases.named(name).prepare('SELECT 1').run();
    return meta.size_after;
  } catch (error) {
    console.warn(JSON.stringify({ database: name, error: String(error) }));
    return null;
  }
}

/** The sizes of all databases, by name. */
export const sizesOf = async (databases: Databases): Promise<Map<string, number | null>> =>
  new Map(
    await Promise.all(databases.names.map(async (name) => [name, await sizeOf(databases, name)] as const)),
  );

/** Keep what was measured, for all databases that are bound; of one that did not answer, the size of before stays. */
export const measured = (
  { organization }: Scope,
  sizes: ReadonlyMap<string, number | null>,
  now: number,
): SQL => sql`INSERT INTO database_setting (database_name, size_bytes, create_date, update_date)
  SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), ${now}, ${now}
    FROM json_each(${JSON.stringify([...sizes])}) WHERE ${organization} = ${NO_ORGANIZATION}
  ON CONFLICT DO UPDATE SET size_bytes = excluded.size_bytes, update_date = excluded.update_date
    WHERE excluded.size_bytes IS NOT NULL AND size_bytes IS NOT excluded.size_bytes`;
