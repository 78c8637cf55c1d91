import { type SQL, sql } from 'drizzle-orm';
import type { DeliverMessage, Env } from '../../core/env.ts';
import type { Database } from '../../core/lib/database.ts';
import { sqlUuid } from '../../core/lib/sql.ts';
import { SECOND_MS } from '../../core/lib/time.ts';
import { ANY_DUE_DATE, clockWentBack, ON_REQUEST } from '../../core/writer/job-timing.ts';
import type { Job } from '../../core/writer/jobs.ts';
import type { Overdue } from '../../core/writer/overdue.ts';
import { DELIVERY_COLUMNS, TOLD } from './changes.ts';

/** The deliveries of a message: as many as a Worker can send at the same time (six connections for an invocation). */
const MESSAGE_DELIVERIES = 6;
/** The most messages of a `sendBatch`. */
const BATCH_MESSAGES = 100;
/** The most events of a webhook in one run. */
const RUN_MAXIMUM = 500;
/** The most deliveries of a webhook under way at a time: what a receiver has to cope with after a pause or a replay. */
const UNDER_WAY_MAXIMUM = 60;
/** The same where the receiver fails: enough to notice that it has recovered, too few to pile up on it. */
const UNDER_WAY_FAILING_MAXIMUM = 10;
/** How long to wait for a message before another one is sent for the same deliveries; doubles each time. */
const REQUEUE_MS = 30 * SECOND_MS;
const REQUEUE_DOUBLINGS = 5;
/** How often deliveries under way are checked. */
const SWEEP_MS = 5 * SECOND_MS;

/**
 * The job for webhooks: creates deliveries of new events and advances the cursors of the webhooks, and sends messages
 * for due deliveries, all in one batch and one round trip. A lost message or consumer is noticed by the due date of its
 * deliveries.
 */
export const dispatchWebhooks: Job<Env> = async ({ env, database, now, lastRun }) => {
  const others = clockWentBack({ now, lastRun }) ? ANY_DUE_DATE : now;
  const {
    picked,
    next: [next],
  } = await database.ask({
    fannedOut: fanOut(database, now),
    moved: moveCursors(database),
    picked: pickDue(database, now, { queued: lastRun === null ? ANY_DUE_DATE : others, others }),
    next: nextQuery(database),
  });
  const queued = picked.filter(({ state }) => state === 'QUEUED');
  await send(env.WEBHOOK_QUEUE, database.organization, queued);
  return wakeDate(next!, now);
};

interface Picked {
  uuid: string;
  webhookUuid: string;
  sequenceNumber: number | null;
  state: 'QUEUED' | 'WAITING';
}

/** The state after a run; dates in epoch milliseconds, null for none. */
interface Next {
  activeCount: number;
  /** Whether there are events without deliveries. */
  behind: 0 | 1;
  underWay: 0 | 1;
  dueDate: number | null;
}

/** When the job has to run again. */
function wakeDate(next: Next, now: number): number | null | typeof ON_REQUEST {
  if (next.behind === 1) return now;
  const dates = [
    // Due deliveries that were not taken are over the limit: the next success, or else the regular check, brings them
    // up.
    next.dueDate !== null && next.dueDate <= now ? now + SWEEP_MS : next.dueDate,
    next.underWay === 1 ? now + SWEEP_MS : null,
  ].filter((date) => date !== null);
  if (dates.length > 0) return Math.min(...dates);
  return next.activeCount === 0 ? ON_REQUEST : null;
}

/** The last event that a run takes for webhook `w`; null where there is none after its cursor. */
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
    AND CASE w.format WHEN 'EVENT' THEN ${TOLD.EVENT} ELSE ${TOLD.EPCIS_2_0} END
  ON CONFLICT (organization_uuid, webhook_uuid, sequence_number) DO NOTHING`;

const moveCursors = (database: Database): SQL => sql`UPDATE webhook AS w SET position = ${lastOfRun(database)}
  WHERE w.organization_uuid = ${database.organization} AND w.active = 1
    AND ${lastOfRun(database)} IS NOT NULL`;

/** The states in which deliveries are taken: for a webhook that is not active only those under way. */
const lookedAt = (database: Database): SQL => sql`webhook w
  JOIN json_each('["WAITING","QUEUED","CLAIMED"]') s ON w.active = 1 OR s.value <> 'WAITING'
  WHERE w.organization_uuid = ${database.organization}`;

/** The date up to which deliveries of a state are taken. */
const dueUntil = (state: SQL, { queued, others }: { queued: number; others: number }): SQL =>
  sql`CASE ${state} WHEN 'QUEUED' THEN ${queued} ELSE ${others} END`;

/**
 * Take due deliveries, up to the limit of each webhook, and note that a message is sent for them. Of a webhook that is not
 * active, those whose consumer was lost wait again; a test is sent in any case.
 */
const pickDue = (
  database: Database,
  now: number,
  until: { queued: number; others: number },
): SQL<Picked> => sql`UPDATE webhook_delivery SET claim = NULL,
    state = iif(sequence_number IS NULL OR (SELECT active FROM webhook WHERE webhook.uuid = webhook_delivery.webhook_uuid
      AND +webhook.organization_uuid = ${database.organization}), 'QUEUED', 'WAITING'),
    due_date = ${now} + (${REQUEUE_MS} << min(queued_count, ${REQUEUE_DOUBLINGS})), queued_count = queued_count + 1
  WHERE +organization_uuid = ${database.organization} AND rowid IN (
    SELECT id FROM (
      SELECT d.rowid AS id, w.room,
        row_number() OVER (PARTITION BY d.webhook_uuid ORDER BY d.due_date, d.sequence_number) AS place
      FROM (SELECT w.uuid, w.organization_uuid, s.value AS state,
          iif(w.failing_since IS NULL, ${UNDER_WAY_MAXIMUM}, ${UNDER_WAY_FAILING_MAXIMUM})
            - (SELECT count(*) FROM json_each('["QUEUED","CLAIMED"]') held CROSS JOIN webhook_delivery x
              WHERE x.organization_uuid = w.organization_uuid AND x.webhook_uuid = w.uuid AND x.state = held.value
                AND x.due_date > ${dueUntil(sql`held.value`, until)}
                -- What had to be sent again was lost, and may be once more: it keeps nobody waiting.
                AND x.queued_count <= 1) AS room
        FROM ${lookedAt(database)}) w
      JOIN webhook_delivery d ON d.rowid IN (
        SELECT x.rowid FROM webhook_delivery x WHERE x.organization_uuid = w.organization_uuid
          AND x.webhook_uuid = w.uuid AND x.state = w.state
          AND x.due_date <= ${dueUntil(sql`w.state`, until)}
        ORDER BY x.due_date LIMIT ${UNDER_WAY_MAXIMUM}))
    WHERE place <= room)
  RETURNING uuid, webhook_uuid AS "webhookUuid", sequence_number AS "sequenceNumber", state`;

const nextQuery = (database: Database): SQL<Next> => sql`SELECT
    (SELECT count(*) FROM webhook WHERE organization_uuid = ${database.organization} AND active = 1) AS "activeCount",
    EXISTS (SELECT 1 FROM webhook w WHERE w.organization_uuid = ${database.organization} AND w.active = 1
      AND ${lastOfRun(database)} IS NOT NULL) AS behind,
    coalesce(max(state <> 'WAITING' AND due_date IS NOT NULL), 0) AS "underWay",
    min(due_date) AS "dueDate"
  FROM (SELECT s.value AS state, (SELECT min(x.due_date) FROM webhook_delivery x
      WHERE x.organization_uuid = w.organization_uuid AND x.webhook_uuid = w.uuid AND x.state = s.value
        AND x.due_date IS NOT NULL) AS due_date
    FROM ${lookedAt(database)})`;

/**
 * Finds organizations with overdue deliveries, by a few look-ups for each webhook. An index over the due dates of all
 * deliveries would cost a write at each of their steps.
 */
export const overdueWebhooks: Overdue = (before) => sql`SELECT w.organization_uuid AS uuid FROM webhook w
  WHERE (w.active = 1 AND (SELECT e.event_date FROM event e WHERE e.organization_uuid = w.organization_uuid
      AND e.sequence_number > w.position ORDER BY e.sequence_number LIMIT 1) <= ${before})
    OR EXISTS (SELECT 1 FROM json_each('["WAITING","QUEUED","CLAIMED"]') s CROSS JOIN webhook_delivery x
      WHERE (w.active = 1 OR s.value <> 'WAITING') AND x.organization_uuid = w.organization_uuid
        AND x.webhook_uuid = w.uuid AND x.state = s.value AND x.due_date <= ${before})`;

/**
 * A row where deliveries of a webhook wait and less than half of its limit is under way, so that a run is worthwhile.
 */
export const roomQuery = (
  database: Database,
  webhook: string,
  now: number,
): SQL => sql`SELECT 1 FROM webhook_delivery
  WHERE organization_uuid = ${database.organization} AND webhook_uuid = ${webhook} AND state = 'WAITING'
    AND due_date <= ${now} AND (SELECT count(*) FROM json_each('["QUEUED","CLAIMED"]') held
      CROSS JOIN webhook_delivery x WHERE x.organization_uuid = ${database.organization}
        AND x.webhook_uuid = ${webhook} AND x.state = held.value AND x.due_date IS NOT NULL
    ) <= ${UNDER_WAY_MAXIMUM / 2} LIMIT 1`;

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
