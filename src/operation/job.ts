import { type SQL, sql } from 'drizzle-orm';
import type { Env } from '../env.ts';
import type { Database } from '../lib/database.ts';
import { MINUTE_MS } from '../lib/time.ts';
import { FAR, type Job, UNTIL_ASKED, wentBack } from '../writer/jobs.ts';
import type { Overdue } from '../writer/overdue.ts';
import { RESEND_MS } from './rules.ts';

/** Operations of one run; the largest batch that a queue takes. */
const OPERATIONS_MAXIMUM = 100;
/** How often an operation that does not get on is sent soon again: then something is wrong, and it is sent now and then. */
const SOON_COUNT = 12;
const LATER_MS = 5 * MINUTE_MS;

/**
 * Send operations that are due to the queue: when they were accepted, and again while they do not get on, as a queue may
 * lose what it was given; all that are open where this instance of the object begins. Says when first, then sends: what
 * is lost between the two is sent again. Looks again soon while one is open, so that the alarm that a crash leaves behind
 * rings soon after the next start.
 */
export const sendOperations: Job<Env> = async ({ env, database, now, lastRun }) => {
  const until = lastRun === null || wentBack({ now, lastRun }) ? FAR : now;
  const next = await database.first(nextQuery(database));
  if (!next?.date) return UNTIL_ASKED;
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
    await env.OPERATION_QUEUE.sendBatch(
      due.map(({ uuid }) => ({ body: { organization: database.organization, operation: uuid } })),
    );
  }
  return after?.date ? Math.min(after.date, now + RESEND_MS) : UNTIL_ASKED;
};

const nextQuery = (
  database: Database,
): SQL<{ date: number | null }> => sql`SELECT min(due_date) AS date FROM operation
  WHERE organization_uuid = ${database.organization} AND due_date > 0`;

/** Whose operations should have been sent by then. */
export const overdueOperations: Overdue = (
  before,
) => sql`SELECT organization_uuid AS uuid FROM operation INDEXED BY operation_overdue
  WHERE due_date <= ${before}`;
