import { env } from 'cloudflare:workers';
import type { Env } from '../../../../src/core/env.ts';
import { databasesOf } from '../../../../src/core/lib/databases.ts';
import { newTenant, operator, type Tenant } from '../../client.ts';

/** The bindings of the Worker, with its second database. */
export const bindings = env as unknown as Env & { DB_1: D1Database };

/** Open or close a database for new organizations. */
export async function setOpen(databaseName: string, open: boolean): Promise<void> {
  const { status, body } = await operator('PUT', `/database/${databaseName}`, { open });
  if (status !== 200) throw new Error(JSON.stringify(body));
}

/** Create an organization in a database. */
export async function newTenantIn(databaseName: string): Promise<Tenant> {
  await setOpen(databaseName, true);
  return newTenant({ databaseName });
}

/** Forget the location of an organization, like an isolate that has just started. */
export function forgetPlace(organization: string): void {
  databasesOf(env).remember(organization, 'DB');
}

/** The number of an organization's rows in a database, by table. Empty tables are left out. */
export async function rowsIn(db: D1Database, organization: string): Promise<Record<string, number>> {
  const { results: tables } = await db
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND sql LIKE '%organization_uuid%' AND name NOT LIKE 'computed_%' ORDER BY name",
    )
    .all<{ name: string }>();
  const counts = await db.batch<{ count: number }>(
    tables.map(({ name }) =>
      db.prepare(`SELECT count(*) AS count FROM "${name}" WHERE organization_uuid = ?`).bind(organization),
    ),
  );
  return Object.fromEntries(
    tables
      .map(({ name }, index): [string, number] => [name, counts[index]!.results[0]!.count])
      .filter(([, count]) => count > 0),
  );
}
