import { type SQL, sql } from 'drizzle-orm';
import { uuidStart, uuidTime } from '../../core/lib/id.ts';
import type { Json } from '../../core/lib/json.ts';
import { PRUNE_ROWS, pruned } from '../../core/lib/prune.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { render } from '../../core/lib/sql.ts';
import { DAY_MS, MINUTE_MS } from '../../core/lib/time.ts';
import { isEventAfter } from '../../core/writer/numbers.ts';
import type { Attempt } from './store.ts';

/** A delivery in a message. */
interface MessageDelivery {
  sequenceNumber: number;
  eventUuid: string;
  eventType: string;
}

/** A message whose results are not stored yet, in `webhook.open_messages`. Dates in epoch milliseconds. */
interface OpenMessage {
  claim: string;
  /** When it, or its consumer, counts as lost. */
  dueDate: number;
  /** When a consumer opened it; null before. */
  openedDate: number | null;
  createDate: number;
  deliveries: MessageDelivery[];
}

/** A delivery with its result. */
type SettledDelivery = MessageDelivery & {
  /** Null if there was nothing to send. */
  attempt: Attempt | null;
};

/** The uuid of the message of a delivery. A delivery has the uuid of its message, with its place as the last digit. */
export const messageOf = (delivery: string): string => `${delivery.slice(0, -1)}0`;
/** The uuid of a delivery of a message. */
export const deliveryIn = (message: string, place: number): string => `${message.slice(0, -1)}${place}`;

const deliveryUuid = (message: SQL): SQL => sql`substr(${message}, 1, 35) || d.key`;

/** The path of an open message in `webhook.open_messages`. */
const messagePath = (message: string, member = ''): string => `$."${message}"${member}`;

const text = (value: SQL): SQL => sql`CAST(${value} AS TEXT)`;
const number = (value: SQL): SQL => sql`CAST(${value} AS INTEGER)`;

/** A number in JSON that SQLite makes. D1 binds numbers as reals, which JSON shows with a fraction. */
export const integer = (value: number): SQL => number(sql`${value}`);

/** Whether the entry `f` of the open messages of a webhook is not settled. */
export const isUnsettled = (hook: SQL): SQL<0 | 1> => sql`NOT EXISTS (SELECT 1 FROM webhook_message s
  WHERE s.organization_uuid = ${hook}.organization_uuid AND s.webhook_uuid = ${hook}.uuid
    AND s.create_date = f.value ->> 'createDate' AND s.uuid = f.key)`;

/** Which deliveries to read: of one webhook, and of these one delivery. */
interface Wanted {
  webhook: SQL;
  /** The uuid of a delivery, and the date of that uuid (epoch milliseconds). */
  delivery?: { uuid: SQL; date: SQL };
}

/** One delivery, by its uuid. */
export const deliveryNamed = (uuid: string): Wanted['delivery'] => ({
  uuid: sql`${uuid}`,
  date: sql`${uuidTime(uuid)}`,
});

/**
 * The deliveries of a webhook as rows with the columns of `webhook_delivery`: those with an own row, and those in settled
 * and open messages. All parts have the same types, so that SQLite sorts and limits each of them by its index.
 */
export function deliveryRows({ organization }: Scope, { webhook, delivery }: Wanted): SQL {
  const only = (condition: (wanted: NonNullable<typeof delivery>) => SQL): SQL =>
    delivery ? sql`AND ${condition(delivery)}` : sql``;
  return sql`(SELECT uuid, organization_uuid, webhook_uuid, sequence_number, event_uuid, event_type, state, due_date,
      first_attempt_date, attempts, attempts_count, create_date, update_date, digest_uuid FROM webhook_delivery
    WHERE organization_uuid = ${organization} AND webhook_uuid = ${webhook} ${only(({ uuid }) => sql`uuid = ${uuid}`)}
  UNION ALL SELECT ${text(deliveryUuid(sql`m.uuid`))}, m.organization_uuid, m.webhook_uuid, ${ofValue}, ${text(sql`'SUCCEEDED'`)},
      ${number(sql`NULL`)}, ${number(sql`d.value ->> '$.attempt.attemptDate'`)}, ${SETTLED_ATTEMPTS}, m.create_date,
      m.update_date, ${text(sql`NULL`)}
    FROM webhook_message m CROSS JOIN json_each(m.deliveries) d
    WHERE m.organization_uuid = ${organization} AND m.webhook_uuid = ${webhook}
      ${only(({ uuid, date }) => sql`m.create_date = ${date} AND m.uuid = substr(${uuid}, 1, 35) || '0' AND ${deliveryUuid(sql`m.uuid`)} = ${uuid}`)}
  UNION ALL SELECT ${text(deliveryUuid(sql`f.key`))}, w.organization_uuid, w.uuid, ${ofValue}, ${text(sql`'CLAIMED'`)},
      ${number(sql`f.value ->> 'dueDate'`)}, ${number(sql`f.value ->> 'openedDate'`)}, ${text(sql`'[]'`)}, ${number(sql`0`)},
      ${number(sql`f.value ->> 'createDate'`)}, ${number(sql`f.value ->> 'createDate'`)}, ${text(sql`NULL`)}
    FROM webhook w CROSS JOIN json_each(w.open_messages) f CROSS JOIN json_each(f.value, '$.deliveries') d
    WHERE w.organization_uuid = ${organization} AND w.uuid = ${webhook} AND ${isUnsettled(sql`w`)}
      ${only(({ uuid }) => sql`${deliveryUuid(sql`f.key`)} = ${uuid}`)})`;
}

/** The columns from `sequence_number` to `event_type` of a delivery `d` in a message. */
const ofValue = sql`${number(sql`d.value ->> 'sequenceNumber'`)}, ${text(sql`d.value ->> 'eventUuid'`)},
  ${text(sql`d.value ->> 'eventType'`)}`;

/** The columns `attempts` and `attempts_count` of a delivery `d` in a settled message. */
const SETTLED_ATTEMPTS = sql`${text(sql`iif(d.value ->> 'attempt' IS NULL, '[]', json_array(d.value -> 'attempt'))`)},
  ${number(sql`d.value ->> 'attempt' IS NOT NULL`)}`;

/** The date of a uuid version 7, in epoch milliseconds. */
export const dateOfUuid = (uuid: SQL): SQL<number> =>
  sql`('[0x' || substr(${uuid}, 1, 8) || substr(${uuid}, 10, 4) || ']' ->> 0)`;

const COLUMNS = sql`(uuid, organization_uuid, webhook_uuid, sequence_number, event_uuid, event_type, state, claim,
  due_date, queued_count, failures_count, first_attempt_date, attempts, attempts_count, create_date, update_date)`;

/**
 * Give each delivery of open messages a row, in the state that it has now. `condition` selects entries `f` of
 * `webhook.open_messages`. Without `webhook`, it selects among all webhooks of the organization.
 */
export function giveOpenRows({ organization }: Scope, condition: SQL, webhook?: string): [SQL, SQL] {
  const hooks = sql`w.organization_uuid = ${organization} ${webhook === undefined ? sql`` : sql`AND w.uuid = ${webhook}`}`;
  const moved = sql`(${condition} AND ${isUnsettled(sql`w`)})`;
  return [
    sql`INSERT INTO webhook_delivery ${COLUMNS} SELECT ${deliveryUuid(sql`f.key`)}, w.organization_uuid, w.uuid,
        d.value ->> 'sequenceNumber', d.value ->> 'eventUuid', d.value ->> 'eventType', 'CLAIMED', f.value ->> 'claim',
        f.value ->> 'dueDate', f.value ->> 'openedDate' IS NULL, 0, f.value ->> 'openedDate', '[]', 0,
        f.value ->> 'createDate', f.value ->> 'createDate'
      FROM webhook w CROSS JOIN json_each(w.open_messages) f CROSS JOIN json_each(f.value, '$.deliveries') d
      WHERE ${hooks} AND ${moved} ON CONFLICT DO NOTHING`,
    // Settled messages go, too. So a settled message that is moved does not become an open one.
    sql`UPDATE webhook AS w SET messages_count = messages_count - (SELECT sum(iif(${moved},
          json_array_length(f.value, '$.deliveries'), 0)) FROM json_each(w.open_messages) f),
        open_messages = (SELECT json_group_object(f.key, json(f.value)) FROM json_each(w.open_messages) f
          WHERE ${isUnsettled(sql`w`)} AND NOT ${moved})
      WHERE ${hooks} AND EXISTS (SELECT 1 FROM json_each(w.open_messages) f WHERE ${condition})`,
  ];
}

/** Give each delivery of settled messages `m` of a webhook a row. */
function giveSettledRows({ organization }: Scope, webhook: string, condition: SQL): [SQL, SQL] {
  const messages = sql`m.organization_uuid = ${organization} AND m.webhook_uuid = ${webhook} AND ${condition}`;
  return [
    sql`INSERT INTO webhook_delivery ${COLUMNS} SELECT ${deliveryUuid(sql`m.uuid`)}, m.organization_uuid,
        m.webhook_uuid, d.value ->> 'sequenceNumber', d.value ->> 'eventUuid', d.value ->> 'eventType', 'SUCCEEDED', NULL,
        NULL, 0, 0, d.value ->> '$.attempt.attemptDate', ${SETTLED_ATTEMPTS}, m.create_date, m.update_date
      FROM webhook_message m CROSS JOIN json_each(m.deliveries) d WHERE ${messages} ON CONFLICT DO NOTHING`,
    sql`DELETE FROM webhook_message AS m WHERE ${messages}`,
  ];
}

/** Give the deliveries of the message with a delivery rows, if it is in a message. */
export const giveRowsOfDelivery = (scope: Scope, webhook: string, delivery: string): SQL[] => [
  ...giveOpenRows(scope, sql`f.key = ${messageOf(delivery)}`, webhook),
  ...giveSettledRows(
    scope,
    webhook,
    sql`m.create_date = ${uuidTime(delivery)} AND m.uuid = ${messageOf(delivery)}`,
  ),
];

/** The order of the dates of messages and events may differ by this much, if the clock was set. */
const CLOCK_MS = MINUTE_MS;

/**
 * Give the deliveries of events of a range rows, if they are in messages. Messages are in the order of events. So
 * only messages from the date of the first event up to the end of the range are read.
 */
export function giveRowsOfEvents(scope: Scope, webhook: string, from: number, to: number): SQL[] {
  const includes = (deliveries: SQL): SQL =>
    sql`EXISTS (SELECT 1 FROM ${deliveries} x WHERE x.value ->> 'sequenceNumber' BETWEEN ${from} AND ${to})`;
  const begin = sql`(SELECT event_date - ${CLOCK_MS} FROM event WHERE ${isEventAfter(scope, from - 1, to)}
    ORDER BY id LIMIT 1)`;
  const end = sql`coalesce((SELECT l.create_date FROM webhook_message l WHERE l.organization_uuid = ${scope.organization}
    AND l.webhook_uuid = ${webhook} AND l.create_date >= ${begin} AND l.deliveries ->> '$[0].sequenceNumber' > ${to}
    ORDER BY l.create_date LIMIT 1), 9e15)`;
  return [
    ...giveOpenRows(scope, includes(sql`json_each(f.value, '$.deliveries')`), webhook),
    ...giveSettledRows(
      scope,
      webhook,
      sql`m.create_date BETWEEN ${begin} AND ${end} AND ${includes(sql`json_each(m.deliveries)`)}`,
    ),
  ];
}

/**
 * Open a message: note that its deliveries are being sent, so that no other consumer sends them. Returns it, if it is
 * open under this claim and its webhook is active. `end` is the earliest end of the claim.
 */
export const openMessage = (
  { organization }: Scope,
  webhook: string,
  message: string,
  { claim, now, end }: { claim: string; now: number; end: number },
): SQL<{ message: Json<OpenMessage> }> => {
  const member = (name: string) => messagePath(message, `.${name}`);
  return sql`UPDATE webhook AS w SET open_messages = json_set(open_messages, ${member('openedDate')}, ${integer(now)},
      ${member('dueDate')}, max(open_messages ->> ${member('dueDate')}, ${integer(end)}))
    WHERE w.organization_uuid = ${organization} AND w.uuid = ${webhook} AND w.active = 1
      AND EXISTS (SELECT 1 FROM json_each(w.open_messages) f WHERE f.key = ${message} AND f.value ->> 'claim' = ${claim}
        AND f.value ->> 'openedDate' IS NULL AND ${isUnsettled(sql`w`)})
    RETURNING open_messages -> ${messagePath(message)} AS message`;
};

/** The numbers of the events in an open message, as `sequence_number`. */
export const numbersIn = ({ organization }: Scope, webhook: string, message: string): SQL => sql`SELECT
    d.value ->> 'sequenceNumber' AS sequence_number
  FROM webhook w CROSS JOIN json_each(w.open_messages, ${messagePath(message, '.deliveries')}) d
  WHERE w.organization_uuid = ${organization} AND w.uuid = ${webhook}`;

/** Store the results of a message that is still open under this claim. Returns a row if it was. */
export const settleMessage = (
  { organization }: Scope,
  webhook: string,
  message: string,
  { claim, settled, now }: { claim: string; settled: readonly SettledDelivery[]; now: number },
): SQL<{ uuid: string }> => sql`INSERT INTO webhook_message
    (organization_uuid, webhook_uuid, create_date, uuid, deliveries, update_date)
  SELECT organization_uuid, uuid, open_messages ->> ${messagePath(message, '.createDate')}, ${message},
    ${JSON.stringify(settled)}, ${now} FROM webhook
  WHERE organization_uuid = ${organization} AND uuid = ${webhook}
    AND open_messages ->> ${messagePath(message, '.claim')} = ${claim}
  ON CONFLICT DO NOTHING RETURNING uuid`;

const DELIVERIES_KEPT_MS = 30 * DAY_MS;
const UNSETTLED = render(isUnsettled(sql`w`)).text;

/**
 * Delete the expired deliveries of all organizations. They are kept for the same time as events. For the scheduled
 * handler.
 */
export async function pruneDeliveries(db: D1Database, now: number): Promise<number> {
  const before = Math.max(0, now - DELIVERIES_KEPT_MS);
  // A UUID version 7 begins with its time, so its index finds the old ones.
  const rows = await pruned(
    db
      .prepare(
        `DELETE FROM webhook_delivery WHERE rowid IN
          (SELECT rowid FROM webhook_delivery WHERE uuid < ?1 LIMIT ${PRUNE_ROWS})`,
      )
      .bind(uuidStart(before)),
  );
  // Settled messages are no longer open. This comes first: without its row, a message would seem to be open.
  await db
    .prepare(
      `UPDATE webhook AS w SET open_messages = (SELECT json_group_object(f.key, json(f.value))
          FROM json_each(w.open_messages) f WHERE ${UNSETTLED})
        WHERE EXISTS (SELECT 1 FROM json_each(w.open_messages) f WHERE f.value ->> 'createDate' < ?1 AND NOT ${UNSETTLED})`,
    )
    .bind(before)
    .run();
  // The key begins with the webhook. So the statement looks up each webhook that has messages, also a deleted one.
  const messages = await pruned(
    db
      .prepare(
        `WITH RECURSIVE hook(name) AS (
            SELECT min(organization_uuid || webhook_uuid) FROM (SELECT * FROM webhook_message
              ORDER BY organization_uuid, webhook_uuid LIMIT 1)
            UNION ALL SELECT (SELECT organization_uuid || webhook_uuid FROM webhook_message
              WHERE (organization_uuid, webhook_uuid) > (substr(name, 1, 36), substr(name, 37))
              ORDER BY organization_uuid, webhook_uuid LIMIT 1) FROM hook WHERE name IS NOT NULL)
          DELETE FROM webhook_message WHERE (organization_uuid, webhook_uuid, create_date, uuid) IN
            (SELECT m.organization_uuid, m.webhook_uuid, m.create_date, m.uuid FROM hook CROSS JOIN webhook_message m
              ON m.organization_uuid = substr(name, 1, 36) AND m.webhook_uuid = substr(name, 37) AND m.create_date < ?1
              LIMIT ${PRUNE_ROWS})`,
      )
      .bind(before),
  );
  return rows + messages;
}
