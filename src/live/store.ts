import { type SQL, sql } from 'drizzle-orm';
import { type Database, inList } from '../lib/database.ts';

const lastingQuery = (database: Database, sessions: readonly string[]): SQL => sql`SELECT uuid FROM session
  WHERE uuid ${inList(sessions)} AND +organization_uuid = ${database.organization}`;

export async function lastingSessions(
  database: Database,
  sessions: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await database.all<{ uuid: string }>(lastingQuery(database, sessions));
  return new Set(rows.map(({ uuid }) => uuid));
}
