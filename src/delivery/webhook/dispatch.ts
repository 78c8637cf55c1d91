import { type SQL, sql } from 'drizzle-orm';
import type { DeliverMessage, Env } from '../../core/env.ts';
import type { Database } from '../../core/lib/database.ts';
import { newUuid } from '../../core/lib/id.ts';
import { sqlUuid } from '../../core/lib/sql.ts';
import { reaching } from '../../core/lib/store.ts';
import type { Job } from '../../core/writer/jobs.ts';
import type { Overdue } from '../../core/writer/overdue.ts';
import { DELIVERY_COLUMNS, HAS_COUNTERPART, passesAlertTypes } from './changes.ts';
import {
  type BehindWebhook,
  dueUntil,
  type LeftAfterRun,
  nextRun,
  planRun,
  requeueWait,
} from './due-rules.ts';
import { dueWebhooksQuery, isBehind, type Picked, takeUpdate, toDueWebhook } from './due-store.ts';
import { countClaimed, forgetHours } from './mail-store.ts';

/**
 * The number of deliveries in a message. An invocation sends all of them at the same time. It has six connections, so
 * one of them stays free for D1.
 */
export const MESSAGE_DELIVERIES = 5;
/** The maximum number of messages in a `sendBatch`. */
const BATCH_MESSAGES = 100;
/** The maximum number of events of a webhook in one run. */
const RUN_MAXIMUM = 500;
/**
 * The job for webhooks. It creates deliveries of new events, advances the cursors of the webhooks, and sends messages
 * for due deliveries. It reads in one round trip, and writes in a second one if there is anything to do. If a message or
 * its consumer is lost, the due date of the delivery shows it.
 */
export const dispatchWebhooks: Job<Env> = async ({ env, database, now, lastRun }) => {
  const { webhooks, left } = await database.ask({
    webhooks: dueWebhooksQuery(database, dueUntil({ now, lastRun }), now),
    left: leftQuery(database),
  });
  const read = webhooks.map((webhook) => toDueWebhook(webhook, now));
  const { taken, behind } = planRun(read, now, newUuid);
  if (taken.length === 0 && behind.length === 0) return nextRun(left[0]!, now);
  const claim = newUuid();
  const mailing = read.filter(({ mails }) => mails !== null).map(({ uuid }) => uuid);
  const after = await database.ask({
    fannedOut: behind.length === 0 ? undefined : fanOut(database, behind, { claim, now }),
    moved: behind.length === 0 ? undefined : moveCursors(database, behind),
    created: behind.length === 0 ? undefined : createdQuery(database, behind, { claim, now }),
    picked: taken.length === 0 ? undefined : takeUpdate(database, taken, claim),
    forgotten: mailing.length === 0 ? undefined : forgetHours(database, now),
    counted: mailing.length === 0 ? undefined : countClaimed(database, mailing, { claim, now }),
    left: leftQuery(database),
  });
  const claimed = [...after.created, ...after.picked].filter(({ state }) => state === 'CLAIMED');
  await send(env.WEBHOOK_QUEUE, database.organization, claimed, claim);
  return nextRun(after.left[0]!, now);
};

/** The last event that a run takes for webhook `w`; null if its cursor is at the end of the log. */
const lastOfRun = (database: Database): SQL => sql`(SELECT max(sequence_number) FROM
  (SELECT sequence_number FROM event WHERE organization_uuid = ${database.organization}
    AND sequence_number > w.position ORDER BY sequence_number LIMIT ${RUN_MAXIMUM}))`;

/** The webhooks `w` of `behind` that were neither paused nor served by another run since they were read. */
const servedNow = (database: Database, behind: readonly BehindWebhook[]): SQL =>
  sql`json_each(${JSON.stringify(behind)}) b CROSS JOIN webhook w ON w.uuid = b.value ->> 'uuid'
    AND +w.organization_uuid = ${database.organization} AND w.active = 1 AND w.position = b.value ->> 'seenPosition'`;

/**
 * Create the deliveries of new events. As far as a webhook has room, they are claimed at once, in the order of events. So
 * they are stored in one step. The others wait, or the message of one of them lists all of them.
 */
const fanOut = (
  database: Database,
  behind: readonly BehindWebhook[],
  { claim, now }: { claim: string; now: number },
): SQL => {
  const sent = (yes: SQL, no: SQL): SQL => sql`iif(place <= room, ${yes}, ${no})`;
  const leads = sql`leads AND place = room + 1`;
  const listed = (yes: SQL, no: SQL): SQL => sql`iif(digest IS NULL OR (${leads}), ${no}, ${yes})`;
  return sql`INSERT INTO webhook_delivery ${DELIVERY_COLUMNS}
    SELECT iif(${leads}, digest, ${sqlUuid(now)}), organization_uuid, webhook_uuid, sequence_number, uuid, event_type,
      ${sent(sql`'CLAIMED'`, listed(sql`'SUCCEEDED'`, sql`'WAITING'`))}, ${sent(sql`${claim}`, sql`NULL`)},
      ${sent(sql`${now + requeueWait(0)}`, listed(sql`NULL`, sql`coalesce(held_until, ${now})`))}, ${sent(sql`1`, sql`0`)},
      0, '[]', 0, ${now}, ${now}, ${sent(sql`NULL`, sql`digest`)}
    FROM (SELECT w.uuid AS webhook_uuid, b.value ->> 'room' AS room, b.value ->> 'heldUntil' AS held_until,
        b.value ->> 'digest' AS digest, b.value ->> 'leads' AS leads, e.organization_uuid, e.sequence_number, e.uuid,
        e.event_type, row_number() OVER (PARTITION BY w.uuid ORDER BY e.sequence_number) AS place
      FROM ${servedNow(database, behind)}
      CROSS JOIN event e ON e.organization_uuid = w.organization_uuid AND e.sequence_number > w.position
        AND e.sequence_number <= ${lastOfRun(database)}
      WHERE (w.event_types = '[]' OR e.event_type IN (SELECT value FROM json_each(w.event_types)))
        AND ${passesAlertTypes(sql`w.alert_types`)}
        AND CASE w.format WHEN 'EVENT' THEN ${HAS_COUNTERPART.EVENT} WHEN 'EPCIS_2_0' THEN ${HAS_COUNTERPART.EPCIS_2_0}
          ELSE ${HAS_COUNTERPART.SLACK} END
        -- A replay may have created it. Then another delivery has to lead.
        AND (b.value ->> 'digest' IS NULL OR NOT EXISTS (SELECT 1 FROM webhook_delivery x WHERE
          x.organization_uuid = e.organization_uuid AND x.webhook_uuid = w.uuid AND x.sequence_number = e.sequence_number)))
    WHERE TRUE ON CONFLICT (organization_uuid, webhook_uuid, sequence_number) DO NOTHING`;
};

/** The deliveries that `fanOut` has claimed, before any others get the claim. */
const createdQuery = (
  database: Database,
  behind: readonly BehindWebhook[],
  { claim, now }: { claim: string; now: number },
): SQL<Picked> => sql`SELECT d.uuid, d.webhook_uuid AS "webhookUuid", d.sequence_number AS "sequenceNumber", d.state
  FROM json_each(${JSON.stringify(behind)}) b CROSS JOIN webhook_delivery d
    ON d.webhook_uuid = b.value ->> 'uuid' AND d.state = 'CLAIMED' AND d.due_date = ${now + requeueWait(0)}
  WHERE d.claim = ${claim} AND +d.organization_uuid = ${database.organization}`;

/** Advance the cursors of webhooks to the last events that `fanOut` read. */
const moveCursors = (database: Database, behind: readonly BehindWebhook[]): SQL =>
  sql`UPDATE webhook AS w SET position = coalesce(${lastOfRun(database)}, w.position) FROM json_each(${JSON.stringify(behind)}) b
    WHERE w.uuid = b.value ->> 'uuid' AND +w.organization_uuid = ${database.organization} AND w.active = 1
      AND w.position = b.value ->> 'seenPosition'`;

/** The work that is left. Deliveries that wait for a paused webhook do not count. */
const leftQuery = (database: Database): SQL<LeftAfterRun> => sql`SELECT
    (SELECT count(*) FROM webhook WHERE organization_uuid = ${database.organization} AND active = 1) AS "activeCount",
    EXISTS (SELECT 1 FROM webhook w WHERE w.organization_uuid = ${database.organization} AND w.active = 1
      AND ${isBehind(database)}) AS behind,
    coalesce(max(state <> 'WAITING' AND due_date IS NOT NULL), 0) AS sent,
    min(due_date) AS "dueDate"
  FROM (SELECT s.value AS state, (SELECT min(x.due_date) FROM webhook_delivery x
      WHERE +x.organization_uuid = w.organization_uuid AND x.webhook_uuid = w.uuid AND x.state = s.value
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
      WHERE (w.active = 1 OR s.value <> 'WAITING') AND +x.organization_uuid = w.organization_uuid
        AND x.webhook_uuid = w.uuid AND x.state = s.value AND x.due_date <= ${before})`;

/** Send messages for deliveries, each of one webhook, in the order of events. */
async function send(
  queue: Queue<DeliverMessage>,
  organization: string,
  picked: Picked[],
  claim: string,
): Promise<void> {
  const inOrder = picked.sort((a, b) => (a.sequenceNumber ?? 0) - (b.sequenceNumber ?? 0));
  const messages = [...Map.groupBy(inOrder, ({ webhookUuid }) => webhookUuid)].flatMap(
    ([webhook, ofWebhook]) =>
      chunks(ofWebhook, MESSAGE_DELIVERIES).map((chunk) => ({
        body: { organization, webhook, deliveries: chunk.map(({ uuid }) => uuid), claim },
      })),
  );
  for (const batch of chunks(messages, BATCH_MESSAGES)) await reaching(() => queue.sendBatch(batch));
}

const chunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
