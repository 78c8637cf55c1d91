import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type DeliverMessage, type Env, settingsOf } from '../../core/env.ts';
import { Database } from '../../core/lib/database.ts';
import { databasesOf } from '../../core/lib/databases.ts';
import { parseJson } from '../../core/lib/json.ts';
import type { SealingKeys } from '../../core/lib/seal.ts';
import { inList } from '../../core/lib/sql.ts';
import { LATER } from '../../core/lib/store.ts';
import { SECOND_MS } from '../../core/lib/time.ts';
import { furtherSpan } from '../../core/lib/trace.ts';
import { within } from '../../core/lib/within.ts';
import { eventsQuery, type StoredEvent } from '../../log/event/present.ts';
import { sendMail } from './mail.ts';
import { deliveryIn, messageOf, numbersIn, openMessage } from './message-store.ts';
import { type ClaimedDelivery, Recorder } from './outcome.ts';
import type { DeliveredType } from './schema.ts';
import { openHeaders, openSecrets, signedHeaders } from './secret.ts';
import { type Attempted, type Formats, notSent, post, TIMEOUT_MS, testOf } from './send.ts';
import { type FoundWebhook, foundQuery, toFound } from './store.ts';

/**
 * How long a claim lasts at least after its message is opened. Then another consumer may send the delivery again. So it
 * lasts longer than an attempt (`TIMEOUT_MS`) and the record of its outcome.
 */
const LEASE_MS = TIMEOUT_MS + 5 * SECOND_MS;
/**
 * How long a batch occupies the queue's consumer while it sends. So the queue waits for fast receivers. Sending to slow
 * receivers continues in the background (`waitUntil`). After a receiver was fast, the queue waits for it again.
 */
const PATIENCE_MS = 250;
/** Webhooks with slow receivers, as far as this isolate knows. */
const slow = new Set<string>();

/** A message of a newer version may say more. It is retried until a consumer understands it. */
const messageSchema: z.ZodType<DeliverMessage> = z.strictObject({
  organization: z.string(),
  webhook: z.string(),
  deliveries: z.array(z.string()).min(1),
  claim: z.string(),
});

/**
 * The consumer of the webhook queue: opens messages and sends their deliveries. A message is only a hint. If it is lost,
 * the organization's object finds its deliveries. If it comes twice, it is opened once. So a message is acknowledged as
 * soon as it is opened. It is retried, and may end as a dead letter, only if D1 is not available or its version is unknown.
 */
export const webhookConsumer =
  (formats: Formats) =>
  async (batch: MessageBatch, env: Env, context: Pick<ExecutionContext, 'waitUntil'>): Promise<void> => {
    await Promise.all(
      batch.messages.map(async (message) => {
        const failed = (error: unknown) => {
          const { organization, webhook } = (message.body ?? {}) as Partial<DeliverMessage>;
          console.error(JSON.stringify({ queue: batch.queue, organization, webhook, error: String(error) }));
        };
        try {
          const body = messageSchema.parse(message.body);
          const work = await open(env, body);
          message.ack();
          if (!work) return;
          // If the outcome cannot be recorded, another consumer takes the delivery over when its claim expires.
          const sending = deliver(env, formats, work).catch(failed);
          context.waitUntil(sending);
          await waitFor(body.webhook, sending);
        } catch (error) {
          message.retry(LATER);
          failed(error);
        }
      }),
    );
  };

/** Wait for a fast receiver. */
async function waitFor(webhook: string, sending: Promise<void>): Promise<void> {
  const start = Date.now();
  const sent = sending.then(() => {
    if (Date.now() - start < PATIENCE_MS) slow.delete(webhook);
  });
  if (slow.has(webhook)) return;
  if (!(await within(sent, PATIENCE_MS))) slow.add(webhook);
}

/** Deliveries claimed by this consumer. */
interface Work {
  database: Database;
  claim: string;
  claimed: ClaimedDelivery[];
  /** The uuid of the open message that has them; undefined if each has a row. */
  message: string | undefined;
  events: Map<number, StoredEvent>;
  found: FoundWebhook;
}

/**
 * Open a message: note that its deliveries are being sent, so that no other consumer sends them. The run that sent the
 * message has claimed them. The end of the claim is an indexed column. So it is only written if the claim would end too
 * soon.
 */
async function open(
  env: Env,
  { organization, webhook, deliveries, claim }: DeliverMessage,
): Promise<Work | undefined> {
  const database = new Database(organization, databasesOf(env));
  const now = Date.now();
  const end = now + LEASE_MS;
  const named = sql`+organization_uuid = ${organization} AND uuid ${inList(deliveries)} AND claim = ${claim}`;
  const opened = (near: boolean): SQL<ClaimedDelivery> => sql`UPDATE webhook_delivery SET queued_count = 0,
      first_attempt_date = coalesce(first_attempt_date, ${now}) ${near ? sql`, due_date = ${end}` : sql``}
    WHERE ${named} AND queued_count > 0 AND ${near ? sql`due_date < ${end}` : sql`due_date >= ${end}`}
      AND webhook_uuid = (SELECT uuid FROM webhook WHERE webhook.organization_uuid = ${organization}
        AND webhook.uuid = ${webhook} AND (active = 1 OR webhook_delivery.sequence_number IS NULL))
    RETURNING uuid, sequence_number AS "sequenceNumber", event_uuid AS "eventUuid", event_type AS "eventType",
      failures_count AS "failuresCount", create_date AS "createDate"`;
  const message = messageOf(deliveries[0]!);
  const { far, near, messages, events, webhooks } = await database.ask({
    far: opened(false),
    near: opened(true),
    messages: openMessage(database, webhook, message, { claim, now, end }),
    events: eventsQuery(
      database,
      sql`(SELECT sequence_number FROM webhook_delivery WHERE ${named}
        UNION ALL ${numbersIn(database, webhook, message)})`,
    ),
    webhooks: foundQuery(database, webhook),
  });
  const [open] = messages.map((row) => parseJson(row.message));
  const ofMessage = open?.deliveries.map((delivery, place) => ({
    ...delivery,
    eventType: delivery.eventType as DeliveredType,
    uuid: deliveryIn(message, place),
    failuresCount: 0,
    createDate: open.createDate,
  }));
  const claimed = ofMessage ?? [...far, ...near];
  const found = toFound(webhooks);
  if (claimed.length === 0 || !found) return undefined;
  return {
    database,
    claim,
    claimed,
    message: ofMessage && message,
    events: new Map(events.map((event) => [event.sequenceNumber, event])),
    found,
  };
}

/** Send all deliveries of a claim concurrently. */
async function deliver(
  env: Env,
  formats: Formats,
  { database, claim, claimed, message, events, found }: Work,
): Promise<void> {
  const settings = settingsOf(env);
  const format = formats[found.format];
  const [opened, bodies] = await Promise.all([
    unseal(settings.sealingKeys, found),
    format.bodies(database, found, [...events.values()]),
  ]);
  const recorder = new Recorder(env, database, found, {
    claim,
    claimed,
    message,
    divisor: settings.WEBHOOK_RETRY_DIVISOR,
  });
  const results = await Promise.allSettled(
    claimed.map(async (delivery) => {
      const { sequenceNumber } = delivery;
      const body =
        sequenceNumber === null
          ? format.test(testOf(database.organization, found, delivery))
          : bodies.get(sequenceNumber);
      if (body === undefined && events.has(sequenceNumber!)) {
        await recorder.record({ claimed: delivery, attempted: null });
        return;
      }
      const attempt = async (): Promise<Attempted> => {
        if (body === undefined) return notSent('LOST');
        if (opened === undefined) return notSent('SECRETS');
        if (found.format === 'EMAIL') return sendMail(env, database.organization, found, delivery, body);
        return post({
          url: found.url,
          headers: headersOf(opened, delivery, body, events.get(sequenceNumber ?? 0)),
          body,
          allowLoopback: settings.WEBHOOK_ALLOW_LOOPBACK,
        });
      };
      await recorder.record({
        claimed: delivery,
        attempted: await attempt(),
        expired: body === undefined,
      });
    }),
  );
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

/**
 * The headers of a delivery: signatures, the webhook's own headers, and the trace of the request that caused the event.
 */
function headersOf(
  { secrets, headers }: Opened,
  { eventUuid }: ClaimedDelivery,
  body: string,
  event: StoredEvent | undefined,
): Headers {
  const timestamp = Math.floor(Date.now() / SECOND_MS);
  const sent = new Headers(signedHeaders(secrets, { id: eventUuid, timestamp, body }));
  if (event?.traceparent) sent.set('traceparent', furtherSpan(event.traceparent));
  for (const [name, value] of headers) sent.set(name, value);
  return sent;
}

/** The decrypted secrets and headers of a webhook. */
interface Opened {
  secrets: string[];
  headers: [string, string][];
}

/**
 * Decrypt secrets and headers; undefined if they cannot be opened, because SEALING_KEY has changed or rows were moved
 * by hand.
 */
async function unseal(
  keys: SealingKeys,
  { uuid, secrets, customHeaders }: FoundWebhook,
): Promise<Opened | undefined> {
  try {
    return {
      secrets: await openSecrets(keys, uuid, secrets, Date.now()),
      headers: await openHeaders(keys, uuid, customHeaders),
    };
  } catch {
    return undefined;
  }
}
