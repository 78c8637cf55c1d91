import { type SQL, sql } from 'drizzle-orm';
import type { Env } from '../../core/env.ts';
import { chunks } from '../../core/lib/chunks.ts';
import type { Database } from '../../core/lib/database.ts';
import { newUuid } from '../../core/lib/id.ts';
import { sqlUuid } from '../../core/lib/sql.ts';
import { reaching } from '../../core/lib/store.ts';
import type { Overdue } from '../../core/writer/each.ts';
import type { Job } from '../../core/writer/jobs.ts';
import { isEventAfter, numberIn, rowIdOf } from '../../core/writer/numbers.ts';
import { DELIVERY_COLUMNS, HAS_COUNTERPART, passesAlertTypes } from './changes.ts';
import {
  type BehindWebhook,
  dueUntil,
  type LeftAfterRun,
  nextRun,
  planRun,
  requeueWait,
} from './due-rules.ts';
import {
  dueWebhooksQuery,
  giveLostRows,
  isBehind,
  type Picked,
  takeUpdate,
  toDueWebhook,
} from './due-store.ts';
import { countClaimed, forgetHours } from './mail-store.ts';
import { deliveryIn, integer, isUnsettled } from './message-store.ts';
import { MESSAGE_DELIVERIES } from './rules.ts';

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
  const until = dueUntil({ now, lastRun });
  const { webhooks, left } = await database.ask({
    lost: giveLostRows(database, until),
    webhooks: dueWebhooksQuery(database, until, now),
    left: leftQuery(database),
  });
  const read = webhooks.map((webhook) => toDueWebhook(webhook, now));
  const { taken, behind } = planRun(read, now, newUuid);
  if (taken.length === 0 && behind.length === 0) return nextRun(left[0]!, now);
  const claim = newUuid();
  const mailing = read.filter(({ mails }) => mails !== null).map(({ uuid }) => uuid);
  const after = await database.ask({
    fannedOut: behind.length === 0 ? undefined : fanOut(database, behind, { claim, now }),
    moved: behind.length === 0 ? undefined : moveCursors(database, behind, { claim, now }),
    messages: behind.length === 0 ? undefined : messagesQuery(database, behind, claim),
    created: behind.length === 0 ? undefined : createdQuery(database, behind, { claim, now }),
    picked: taken.length === 0 ? undefined : takeUpdate(database, taken, claim),
    forgotten: mailing.length === 0 ? undefined : forgetHours(database, now),
    counted: mailing.length === 0 ? undefined : countClaimed(database, mailing, { claim, now }),
    left: leftQuery(database),
  });
  const claimed = [...after.created, ...after.picked].filter(({ state }) => state === 'CLAIMED');
  const groups = [
    ...after.messages.map(({ webhook, uuid, size }) => ({
      webhook,
      deliveries: Array.from({ length: size }, (_, place) => deliveryIn(uuid, place)),
    })),
    ...inGroups(claimed),
  ];
  const messages = groups.map((group) => ({
    body: { organization: database.organization, ...group, claim },
  }));
  for (const batch of chunks(messages, BATCH_MESSAGES))
    await reaching(() => env.WEBHOOK_QUEUE.sendBatch(batch));
  return nextRun(after.left[0]!, now);
};

/** The id of the last event that a run takes for webhook `w`; null if its cursor is at the end of the log. */
const lastOfRun = (database: Database): SQL => sql`(SELECT max(id) FROM
  (SELECT id FROM event WHERE ${isEventAfter(database, sql`w.position`)} ORDER BY id LIMIT ${RUN_MAXIMUM}))`;

/** The webhooks `w` of `behind` that were neither paused nor served by another run since they were read. */
const servedNow = (database: Database, behind: readonly BehindWebhook[]): SQL =>
  sql`json_each(${JSON.stringify(behind)}) b CROSS JOIN webhook w ON w.uuid = b.value ->> 'uuid'
    AND +w.organization_uuid = ${database.organization} AND w.active = 1 AND w.position = b.value ->> 'seenPosition'`;

/** The new events of the webhooks in `behind`, with the `place` of each in its webhook. */
const newEvents = (
  database: Database,
  behind: readonly BehindWebhook[],
): SQL => sql`(SELECT w.uuid AS webhook_uuid,
    b.value ->> 'room' AS room, b.value ->> 'inMessages' AS in_messages, b.value ->> 'heldUntil' AS held_until,
    b.value ->> 'digest' AS digest, b.value ->> 'leads' AS leads, w.organization_uuid,
    ${numberIn(sql`e.id`)} AS sequence_number, e.uuid,
    e.event_type, row_number() OVER (PARTITION BY w.uuid ORDER BY e.id) AS place
  FROM ${servedNow(database, behind)}
  CROSS JOIN event e ON e.id > ${rowIdOf(database, sql`w.position`)} AND e.id <= ${lastOfRun(database)}
  WHERE (w.event_types = '[]' OR e.event_type IN (SELECT value FROM json_each(w.event_types)))
    AND ${passesAlertTypes(sql`w.alert_types`)}
    AND CASE w.format WHEN 'EVENT' THEN ${HAS_COUNTERPART.EVENT} WHEN 'EPCIS_2_0' THEN ${HAS_COUNTERPART.EPCIS_2_0}
      ELSE ${HAS_COUNTERPART.SLACK} END
    -- A replay may have created its delivery.
    AND NOT EXISTS (SELECT 1 FROM webhook_delivery x WHERE x.organization_uuid = w.organization_uuid
      AND x.webhook_uuid = w.uuid AND x.sequence_number = ${numberIn(sql`e.id`)}))`;

/**
 * Create the deliveries of new events that get a row. As far as a webhook has room, they are claimed at once, in the order of
 * events, unless `moveCursors` stores them in messages. The others wait, or the message of one of them lists all of them.
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
    FROM ${newEvents(database, behind)} WHERE NOT (in_messages AND place <= room)`;
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

/** The uuid, webhook and number of deliveries of the messages that `moveCursors` has stored under a claim. */
const messagesQuery = (
  database: Database,
  behind: readonly BehindWebhook[],
  claim: string,
): SQL<{ webhook: string; uuid: string; size: number }> => sql`SELECT w.uuid AS webhook, f.key AS uuid,
    json_array_length(f.value, '$.deliveries') AS size
  FROM json_each(${JSON.stringify(behind)}) b CROSS JOIN webhook w ON w.uuid = b.value ->> 'uuid'
    AND +w.organization_uuid = ${database.organization} CROSS JOIN json_each(w.open_messages) f
  WHERE f.value ->> 'claim' = ${claim} ORDER BY w.uuid, f.value ->> '$.deliveries[0].sequenceNumber'`;

/**
 * Advance the cursors of webhooks to the last events that `fanOut` read. The same write stores messages with the deliveries
 * that have room, and removes the settled ones.
 */
const moveCursors = (
  database: Database,
  behind: readonly BehindWebhook[],
  { claim, now }: { claim: string; now: number },
): SQL =>
  sql`WITH made AS MATERIALIZED (SELECT webhook_uuid, count(*) AS size, substr(${sqlUuid(now)}, 1, 35) || '0' AS uuid,
      json_object('claim', ${claim}, 'dueDate', ${integer(now + requeueWait(0))}, 'openedDate', NULL, 'createDate', ${integer(now)},
        'deliveries', json_group_array(json_object('sequenceNumber', sequence_number, 'eventUuid', uuid, 'eventType',
          event_type) ORDER BY place)) AS message
      FROM ${newEvents(database, behind)} WHERE in_messages AND place <= room
      GROUP BY webhook_uuid, (place - 1) / ${sql.raw(String(MESSAGE_DELIVERIES))})
    UPDATE webhook AS w SET position = coalesce(${numberIn(lastOfRun(database))}, w.position),
      messages_count = messages_count + (SELECT coalesce(sum(size), 0) FROM made WHERE made.webhook_uuid = w.uuid),
      open_messages = (SELECT json_group_object(uuid, json(message)) FROM (
        SELECT f.key AS uuid, f.value AS message FROM json_each(w.open_messages) f WHERE ${isUnsettled(sql`w`)}
        UNION ALL SELECT uuid, message FROM made WHERE made.webhook_uuid = w.uuid))
    FROM json_each(${JSON.stringify(behind)}) b
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
    WHERE w.organization_uuid = ${database.organization}
    UNION ALL SELECT 'CLAIMED', f.value ->> 'dueDate' FROM webhook w CROSS JOIN json_each(w.open_messages) f
    WHERE w.organization_uuid = ${database.organization} AND ${isUnsettled(sql`w`)})`;

/**
 * Finds organizations with overdue deliveries, with a few look-ups for each webhook. An index over all due dates would
 * cost a write at each step of a delivery.
 */
export const overdueWebhooks: Overdue = (before) => sql`SELECT w.organization_uuid AS uuid FROM webhook w
  WHERE (w.active = 1 AND (SELECT event_date FROM event WHERE ${isEventAfter({ organization: sql`w.organization_uuid` }, sql`w.position`)} ORDER BY id LIMIT 1) <= ${before})
    OR EXISTS (SELECT 1 FROM json_each('["WAITING","QUEUED","CLAIMED"]') s CROSS JOIN webhook_delivery x
      WHERE (w.active = 1 OR s.value <> 'WAITING') AND +x.organization_uuid = w.organization_uuid
        AND x.webhook_uuid = w.uuid AND x.state = s.value AND x.due_date <= ${before})
    OR EXISTS (SELECT 1 FROM json_each(w.open_messages) f WHERE f.value ->> 'dueDate' <= ${before}
      AND ${isUnsettled(sql`w`)})`;

/** The deliveries in groups for messages, each of one webhook, in the order of events. */
function inGroups(picked: Picked[]): { webhook: string; deliveries: string[] }[] {
  const inOrder = picked.sort((a, b) => (a.sequenceNumber ?? 0) - (b.sequenceNumber ?? 0));
  return [...Map.groupBy(inOrder, ({ webhookUuid }) => webhookUuid)].flatMap(([webhook, ofWebhook]) =>
    chunks(ofWebhook, MESSAGE_DELIVERIES).map((chunk) => ({
      webhook,
      deliveries: chunk.map(({ uuid }) => uuid),
    })),
  );
}
