import { type SQL, sql } from 'drizzle-orm';
import type { DeliverMessage, Env } from '../../core/env.ts';
import type { Database } from '../../core/lib/database.ts';
import { sqlUuid } from '../../core/lib/sql.ts';
import type { Job } from '../../core/writer/jobs.ts';
import type { Overdue } from '../../core/writer/overdue.ts';
import { DELIVERY_COLUMNS, HAS_COUNTERPART } from './changes.ts';
import { dueUntil, type LeftAfterRun, nextRun, takeDue } from './due-rules.ts';
import { dueWebhooksQuery, type Picked, takeUpdate, toDueWebhook } from './due-store.ts';

/** The number of deliveries in a message. An invocation can send as many at the same time, over six connections. */
const MESSAGE_DELIVERIES = 6;
/** The maximum number of messages in a `sendBatch`. */
const BATCH_MESSAGES = 100;
/** The maximum number of events of a webhook in one run. */
const RUN_MAXIMUM = 500;

/**
 * The job for webhooks. It creates deliveries of new events, advances the cursors of the webhooks, and sends messages
 * for due deliveries. It makes one round trip, and a second one if deliveries are due. If a message or its consumer is
 * lost, the due date of the delivery shows it.
 */
export const dispatchWebhooks: Job<Env> = async ({ env, database, now, lastRun }) => {
  const { webhooks, left } = await database.ask({
    fannedOut: fanOut(database, now),
    moved: moveCursors(database),
    webhooks: dueWebhooksQuery(database, dueUntil({ now, lastRun })),
    left: leftQuery(database),
  });
  const taken = webhooks.flatMap((webhook) => takeDue(toDueWebhook(webhook), now));
  if (taken.length === 0) return nextRun(left[0]!, now);
  const after = await database.ask({ picked: takeUpdate(database, taken), left: leftQuery(database) });
  const queued = after.picked.filter(({ state }) => state === 'QUEUED');
  await send(env.WEBHOOK_QUEUE, database.organization, queued);
  return nextRun(after.left[0]!, now);
};

/** The last event that a run takes for webhook `w`; null if its cursor is at the end of the log. */
const lastOfRun = (database: Database): SQL => sql`(SELECT max(sequence_number) FROM
  (SELECT sequence_number FROM event WHERE organization_uuid = ${database.organization}
    AND sequence_number > w.position ORDER BY sequence_number LIMIT ${RUN_MAXIMUM}))`;

const fanOut = (database: Database, now: number): SQL => sql`INSERT INTO webhook_delivery ${DELIVERY_COLUMNS}
  SELECT ${sqlUuid(now)}, w.organization_uuid, w.uuid, e.sequence_number, e.uuid, e.event_type,
    'WAITING', ${now}, 0, 0, '[]', 0, ${now}, ${now}
  FROM webhook w JOIN event e ON e.organization_uuid = w.organization_uuid AND e.sequence_number > w.position
    AND e.sequence_number <= ${lastOfRun(database)}
  WHERE w.organization_uuid = ${database.organization} AND w.active = 1
    AND (w.event_types = '[]' OR e.event_type IN (SELECT value FROM json_each(w.event_types)))
    AND CASE w.format WHEN 'EVENT' THEN ${HAS_COUNTERPART.EVENT} ELSE ${HAS_COUNTERPART.EPCIS_2_0} END
  ON CONFLICT (organization_uuid, webhook_uuid, sequence_number) DO NOTHING`;

const moveCursors = (database: Database): SQL => sql`UPDATE webhook AS w SET position = ${lastOfRun(database)}
  WHERE w.organization_uuid = ${database.organization} AND w.active = 1
    AND ${lastOfRun(database)} IS NOT NULL`;

/** The work that is left. Deliveries that wait for a paused webhook do not count. */
const leftQuery = (database: Database): SQL<LeftAfterRun> => sql`SELECT
    (SELECT count(*) FROM webhook WHERE organization_uuid = ${database.organization} AND active = 1) AS "activeCount",
    EXISTS (SELECT 1 FROM webhook w WHERE w.organization_uuid = ${database.organization} AND w.active = 1
      AND ${lastOfRun(database)} IS NOT NULL) AS behind,
    coalesce(max(state <> 'WAITING' AND due_date IS NOT NULL), 0) AS sent,
    min(due_date) AS "dueDate"
  FROM (SELECT s.value AS state, (SELECT min(x.due_date) FROM webhook_delivery x
      WHERE x.organization_uuid = w.organization_uuid AND x.webhook_uuid = w.uuid AND x.state = s.value
        AND x.due_date IS NOT NULL) AS due_date
    FROM webhook w JOIN json_each('["WAITING","QUEUED","CLAIMED"]') s ON w.active = 1 OR s.value <> 'WAITING'
    WHERE w.organization_uuid = ${database.organization})`;

/**
 * Finds organizations with overdue deliveries, with a few look-ups for each webhook. An index over all due dates would
 * cost a write at each step of a delivery.
 */
export const overdueWebhooks: Overdue = (before) => sql`SELECT w.organization_uuid AS uuid FROM webhook w
  WHERE (w.active = 1 AND (SELECT e.event_date FROM event e WHERE e.organization_uuid = w.organization_uuid
      AND e.sequence_number > w.position ORDER BY e.sequence_number LIMIT 1) <= ${before})
    OR EXISTS (SELECT 1 FROM json_each('["WAITING","QUEUED","CLAIMED"]') s CROSS JOIN webhook_delivery x
      WHERE (w.active = 1 OR s.value <> 'WAITING') AND x.organization_uuid = w.organization_uuid
        AND x.webhook_uuid = w.uuid AND x.state = s.value AND x.due_date <= ${before})`;

/** Send messages for deliveries, each of one webhook, in the order of events. */
async function send(queue: Queue<DeliverMessage>, organization: string, picked: Picked[]): Promise<void> {
  const inOrder = picked.sort((a, b) => (a.sequenceNumber ?? 0) - (b.sequenceNumber ?? 0));
  const messages = [...Map.groupBy(inOrder, ({ webhookUuid }) => webhookUuid)].flatMap(
    ([webhook, ofWebhook]) =>
      chunks(ofWebhook, MESSAGE_DELIVERIES).map((chunk) => ({
        body: { organization, webhook, deliveries: chunk.map(({ uuid }) => uuid) },
      })),
  );
  for (const batch of chunks(messages, BATCH_MESSAGES)) await queue.sendBatch(batch);
}

const chunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
