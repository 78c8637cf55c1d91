import { type SQL, sql } from 'drizzle-orm';
import { type Databases, MAIN } from '../../core/lib/databases.ts';
import { NO_ORGANIZATION } from '../../core/lib/id.ts';
import { livesSomewhere } from '../../core/lib/look-up.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { retried } from '../../core/lib/store.ts';
import { type Viewed, type ViewRow, view } from '../../core/lib/view.ts';

/** A bound database with its reported size in bytes; null if it does not respond. */
export interface Measured {
  databaseName: string;
  sizeBytes: number | null;
}

/** JSON of a database. The count includes organizations that are planned in it or being moved to it. */
export const databaseView = view({
  databaseName: sql<string>`bound.database_name`,
  organizationsCount: sql<number>`(SELECT count(*) FROM organization
    WHERE organization.database_name IS nullif(bound.database_name, ${sql.raw(`'${MAIN}'`)})
      AND organization.uuid <> ${sql.raw(`'${NO_ORGANIZATION}'`)} AND ${livesSomewhere})`,
  sizeBytes: sql<number | null>`bound.size_bytes`,
  open: sql<0 | 1>`bound.open`,
});
export type StoredDatabase = Viewed<typeof databaseView>;

/** Databases as a table `bound`: their sizes, and the operator's settings. */
export const boundFrom = (
  measured: readonly Measured[],
): SQL => sql`(SELECT value ->> 'databaseName' AS database_name,
    value ->> 'sizeBytes' AS size_bytes, coalesce(open, 1) AS open, 0 AS create_date, 0 AS update_date
  FROM json_each(${JSON.stringify(measured)})
    LEFT JOIN database_setting ON database_setting.database_name = value ->> 'databaseName') bound`;

/** One database. Rows about databases belong to no organization. */
export const databaseQuery = (
  { organization }: Scope,
  measured: Measured,
): SQL<ViewRow<typeof databaseView>> =>
  sql`SELECT ${databaseView} AS view FROM ${boundFrom([measured])} WHERE ${organization} = ${NO_ORGANIZATION}`;

export async function measure(databases: Databases, databaseName: string): Promise<Measured> {
  try {
    const { meta } = await retried(() => databases.named(databaseName).prepare('SELECT 1').run());
    return { databaseName, sizeBytes: meta.size_after };
  } catch (error) {
    console.warn(JSON.stringify({ database: databaseName, error: String(error) }));
    return { databaseName, sizeBytes: null };
  }
}

export const measureAll = (databases: Databases): Promise<Measured[]> =>
  Promise.all(databases.names.map((name) => measure(databases, name)));
