import { type SQL, sql } from 'drizzle-orm';
import type { Env } from '../../core/env.ts';
import type { Database } from '../../core/lib/database.ts';
import { reaching } from '../../core/lib/store.ts';
import { MINUTE_MS } from '../../core/lib/time.ts';
import type { Overdue } from '../../core/writer/each.ts';
import { ANY_DUE_DATE, clockWentBack, type Job, ON_REQUEST } from '../../core/writer/jobs.ts';
import { RESEND_MS } from './rules.ts';

/** The maximum number of operations in one run: the largest batch that a queue takes. */
const OPERATIONS_MAXIMUM = 100;
/**
 * The number of messages that are sent at short intervals for an operation without progress. After them something is
 * wrong, and messages become rare.
 */
const SOON_COUNT = 12;
const LATER_MS = 5 * MINUTE_MS;

/**
 * Send messages for due operations: when they are accepted, and again while they make no progress, because a queue may
 * lose messages. If the object has just started, send messages for all open operations. The next due date is stored
 * before a message is sent, so a message lost in between is sent again. While an operation is open, the job runs again
 * soon. So the alarm also rings soon after a crash.
 */
export const sendOperations: Job<Env> = async ({ env, database, now, lastRun }) => {
  const until = lastRun === null || clockWentBack({ now, lastRun }) ? ANY_DUE_DATE : now;
  const next = await database.first(nextQuery(database));
  if (!next?.date) return ON_REQUEST;
  if (next.date > until) return Math.min(next.date, now + RESEND_MS);
  const later = sql`${now} + iif(sent_count < ${SOON_COUNT}, ${RESEND_MS}, ${LATER_MS})`;
  const {
    due,
    after: [after],
  } = await database.ask({
    due: sql<{ uuid: string }>`UPDATE operation SET sent_count = sent_count + 1, due_date = ${later}
      WHERE +organization_uuid = ${database.organization} AND uuid IN
        (SELECT uuid FROM operation WHERE organization_uuid = ${database.organization} AND due_date <= ${until}
          ORDER BY due_date LIMIT ${OPERATIONS_MAXIMUM}) RETURNING uuid`,
    after: nextQuery(database),
  });
  if (due.length > 0) {
    const messages = due.map(({ uuid }) => ({
      body: { organization: database.organization, operation: uuid },
    }));
    await reaching(() => env.OPERATION_QUEUE.sendBatch(messages));
  }
  return after?.date ? Math.min(after.date, now + RESEND_MS) : ON_REQUEST;
};

const nextQuery = (
  database: Database,
): SQL<{ date: number | null }> => sql`SELECT min(due_date) AS date FROM operation
  WHERE organization_uuid = ${database.organization} AND due_date > 0`;

/** Finds organizations with overdue operations. */
export const overdueOperations: Overdue = (
  before,
) => sql`SELECT organization_uuid AS uuid FROM operation INDEXED BY operation_overdue
  WHERE due_date <= ${before}`;
