import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../core/lib/database.ts';
import { type Json, parseJson } from '../../core/lib/json.ts';
import { type QuietHours, quietAt } from '../../core/lib/quiet.ts';
import { isEventAfter } from '../../core/writer/numbers.ts';
import {
  type DueDelivery,
  type DueWebhook,
  IN_FLIGHT_MAXIMUM,
  type PendingState,
  type TakenDelivery,
} from './due-rules.ts';
import { mailUse, type Recipient } from './mail-rules.ts';
import { recipientOfWebhook } from './mail-store.ts';
import { giveOpenRows, isUnsettled } from './message-store.ts';
import { isForPeople } from './store.ts';

/** The date up to which deliveries of each state are due. */
type Until = Record<PendingState, number>;

/** A row of `dueWebhooksQuery`: the due deliveries, the quiet hours and the numbers of e-mails are JSON. */
type StoredDueWebhook = Omit<DueWebhook, 'due' | 'heldUntil' | 'mails'> & {
  due: Json<DueDelivery[]>;
  quiet: Json<QuietHours> | null;
  mails: Json<Recipient> | null;
};

/** The webhooks with their due deliveries. If a webhook has no room for a delivery, its due deliveries are not read. */
export const dueWebhooksQuery = (
  database: Database,
  until: Until,
  now: number,
): SQL<StoredDueWebhook> => sql`WITH w AS MATERIALIZED (
    SELECT uuid, active, failing_since, position,
      iif(${isForPeople}, ${leaderOf(now)}, NULL) AS leader,
      ${recipientOfWebhook} AS mails,
      iif(${isForPeople}, ${quietHours(database)}, NULL) AS quiet,
      ${inFlightCount(database, 'QUEUED', until)} + ${inFlightCount(database, 'CLAIMED', until)} + ${openCount(sql`webhook`)} AS in_flight
    FROM webhook WHERE organization_uuid = ${database.organization})
  SELECT uuid, active, position, quiet, leader, mails, failing_since IS NOT NULL AS failing, in_flight AS "inFlight",
    active = 1 AND ${isBehind(database)} AS behind,
    iif(in_flight < ${IN_FLIGHT_MAXIMUM}, ${dueDeliveries(database, until)}, '[]') AS due FROM w`;

/** The quiet hours of the organization as JSON; null for none. */
const quietHours = ({
  organization,
}: Database): SQL => sql`(SELECT json_object('from', quiet_from, 'to', quiet_to,
    'timeZone', time_zone) FROM organization WHERE uuid = ${organization} AND quiet_from IS NOT NULL)`;

/** The held delivery with the message that lists the other held deliveries of the webhook. */
const leaderOf = (now: number): SQL => sql`(SELECT d.uuid FROM webhook_delivery d
  WHERE d.webhook_uuid = webhook.uuid AND d.state = 'WAITING' AND d.due_date > ${now} AND d.digest_uuid = d.uuid LIMIT 1)`;

export const toDueWebhook = (
  { due, quiet, mails, ...webhook }: StoredDueWebhook,
  now: number,
): DueWebhook => ({
  ...webhook,
  due: parseJson(due),
  mails: mails && mailUse(parseJson(mails), now),
  heldUntil: (quiet && quietAt(parseJson(quiet), now)?.end) ?? null,
});

/** Whether there are events after the cursor of webhook `w`. */
export const isBehind = (database: Database): SQL => sql`EXISTS (SELECT 1 FROM event
  WHERE ${isEventAfter(database, sql`w.position`)})`;

/** The date up to which a delivery is due. A claim whose message was not opened counts as queued. */
const limitOf = (state: PendingState, until: Until): SQL =>
  state === 'CLAIMED' ? sql`iif(queued_count > 0, ${until.QUEUED}, ${until.CLAIMED})` : sql`${until[state]}`;

/** The number of deliveries of a webhook that are in flight, of one state. */
// A delivery whose message was sent again does not count. This message may be lost, too, and others would wait for it.
const inFlightCount = (database: Database, state: PendingState, until: Until): SQL => sql`(SELECT count(*)
  FROM webhook_delivery d WHERE +d.organization_uuid = ${database.organization} AND d.webhook_uuid = webhook.uuid
    AND d.state = ${state} AND d.due_date > ${until[state]} AND d.due_date > ${limitOf(state, until)}
    AND d.queued_count <= 1)`;

/** The number of deliveries in open messages of a webhook. */
const openCount = (
  hook: SQL,
): SQL<number> => sql`(SELECT coalesce(sum(json_array_length(f.value, '$.deliveries')), 0)
  FROM json_each(${hook}.open_messages) f WHERE ${isUnsettled(hook)})`;

/** Give the deliveries of lost messages rows: no consumer has opened the message, or its consumer is overdue. */
export const giveLostRows = (database: Database, until: Until): SQL[] =>
  giveOpenRows(
    database,
    sql`(f.value ->> 'dueDate' <= iif(f.value ->> 'openedDate' IS NULL, ${until.QUEUED}, ${until.CLAIMED})
      AND ${isUnsettled(sql`w`)})`,
  );

/** The due deliveries of webhook `w`, as a JSON array. */
const dueDeliveries = (
  database: Database,
  until: Until,
): SQL => sql`(SELECT json_group_array(json_object('uuid', uuid,
    'sequenceNumber', sequence_number, 'state', state, 'dueDate', due_date, 'queuedCount', queued_count, 'leads', leads))
  FROM (${dueInState(database, 'WAITING', until)} UNION ALL ${dueInState(database, 'QUEUED', until)}
    UNION ALL ${dueInState(database, 'CLAIMED', until)}))`;

/** The earliest due deliveries of webhook `w` in a state. For a paused webhook, no WAITING ones are read. */
const dueInState = (database: Database, state: PendingState, until: Until): SQL => sql`SELECT * FROM (SELECT
    uuid, sequence_number, state, due_date, queued_count, coalesce(digest_uuid = uuid, 0) AS leads FROM webhook_delivery
  WHERE +organization_uuid = ${database.organization} AND webhook_uuid = w.uuid AND state = ${state}
    AND due_date <= ${state === 'CLAIMED' ? Math.max(until.QUEUED, until.CLAIMED) : until[state]}
    AND due_date <= ${limitOf(state, until)} ${state === 'WAITING' ? sql`AND w.active = 1` : sql``}
  ORDER BY due_date LIMIT ${IN_FLIGHT_MAXIMUM})`;

/** A delivery that was taken or created. */
export interface Picked {
  uuid: string;
  webhookUuid: string;
  sequenceNumber: number | null;
  state: TakenDelivery['state'];
}

/**
 * Take deliveries, and return them. Leaves a delivery alone if it was claimed or taken by another run since it was
 * read, or its webhook was paused or activated.
 */
export const takeUpdate = (database: Database, taken: readonly TakenDelivery[], claim: string): SQL<Picked> =>
  sql`UPDATE webhook_delivery AS d SET state = t.value ->> 'state', due_date = t.value ->> 'dueDate',
    claim = iif(t.value ->> 'state' = 'CLAIMED', ${claim}, NULL),
    queued_count = iif(t.value ->> 'state' = 'CLAIMED', queued_count + 1, 0),
    digest_uuid = coalesce(t.value ->> 'digest', digest_uuid)
  FROM json_each(${JSON.stringify(taken)}) t
  WHERE +d.organization_uuid = ${database.organization} AND d.uuid = t.value ->> 'uuid'
    AND +d.state = t.value ->> 'seenState' AND +d.due_date = t.value ->> 'seenDueDate'
    AND d.queued_count = t.value ->> 'seenQueuedCount'
    AND (SELECT active FROM webhook WHERE webhook.uuid = d.webhook_uuid
      AND +webhook.organization_uuid = ${database.organization}) = t.value ->> 'active'
  RETURNING uuid, webhook_uuid AS "webhookUuid", sequence_number AS "sequenceNumber", state`;

/** A row if a run is worthwhile: deliveries of the webhook wait, and at most half of its limit is claimed. */
export const roomQuery = (
  database: Database,
  webhook: string,
  now: number,
): SQL => sql`SELECT 1 FROM webhook_delivery
  WHERE +organization_uuid = ${database.organization} AND webhook_uuid = ${webhook} AND state = 'WAITING'
    AND due_date <= ${now} AND (SELECT count(*) FROM json_each('["QUEUED","CLAIMED"]') held
      CROSS JOIN webhook_delivery x WHERE +x.organization_uuid = ${database.organization}
        AND x.webhook_uuid = ${webhook} AND x.state = held.value AND x.due_date IS NOT NULL
    ) + (SELECT ${openCount(sql`w`)} FROM webhook w WHERE w.uuid = ${webhook}
      AND +w.organization_uuid = ${database.organization}) <= ${IN_FLIGHT_MAXIMUM / 2} LIMIT 1`;
