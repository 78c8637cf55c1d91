import { sql } from 'drizzle-orm';
import { Database } from '../../core/lib/database.ts';
import type { Databases } from '../../core/lib/databases.ts';
import { sha256Hex } from '../../core/lib/hash.ts';
import { NO_ORGANIZATION } from '../../core/lib/id.ts';

const database = (databases: Databases) => new Database(NO_ORGANIZATION, databases);

/**
 * Record the sign-out of a session that exists only in a sealed cookie. The record is needed until the session expires
 * (epoch milliseconds).
 */
export async function endSession(databases: Databases, id: string, expiresDate: number): Promise<void> {
  await database(databases).send([
    sql`INSERT INTO ended_session (organization_uuid, session_hash, expires_date)
      VALUES (${NO_ORGANIZATION}, ${sha256Hex(id)}, ${expiresDate}) ON CONFLICT DO NOTHING`,
  ]);
}

export const wasEnded = async (databases: Databases, id: string): Promise<boolean> =>
  (await database(databases).first(
    sql<{ ended: 1 }>`SELECT 1 AS ended FROM ended_session
      WHERE organization_uuid = ${NO_ORGANIZATION} AND session_hash = ${sha256Hex(id)}`,
  )) !== undefined;
