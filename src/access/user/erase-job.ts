import { type SQL, sql } from 'drizzle-orm';
import type { Env } from '../../core/env.ts';
import type { Database } from '../../core/lib/database.ts';
import { SECOND_MS } from '../../core/lib/time.ts';
import { execute, ofService } from '../../core/writer/client.ts';
import type { Overdue } from '../../core/writer/each.ts';
import { type Job, ON_REQUEST } from '../../core/writer/jobs.ts';
import { finishErasing } from './erase-commands.ts';

/** How soon to try again after a failure. */
const AGAIN_MS = 2 * SECOND_MS;

/** Finish the erasure of users: remove what their last requests have written since. */
export const finishErasures: Job<Env> = async ({ env, database }) => {
  const { users } = await database.ask({ users: erasingQuery(database) });
  for (const { uuid: userUuid } of users) {
    const outcome = await execute(env, database.organization, ofService(finishErasing.name, { userUuid }));
    if (outcome.kind !== 'done') return Date.now() + AGAIN_MS;
  }
  return users.length === 0 ? ON_REQUEST : Date.now();
};

/** The users whose erasure is in progress. They are few. */
const erasingQuery = ({ organization }: Database): SQL<{ uuid: string }> =>
  sql`SELECT uuid FROM user INDEXED BY user_erasing
    WHERE erasing IS NOT NULL AND organization_uuid = ${organization} LIMIT 10`;

/** Finds organizations with users whose erasure has not finished. */
export const overdueErasures: Overdue = (before) => sql`SELECT organization_uuid AS uuid FROM user
  INDEXED BY user_erasing WHERE erasing IS NOT NULL AND update_date <= ${before}`;
