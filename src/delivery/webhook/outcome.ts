import { type SQL, sql } from 'drizzle-orm';
import type { Env } from '../../core/env.ts';
import type { Database } from '../../core/lib/database.ts';
import { execute, ofService, writerOf } from '../../core/writer/client.ts';
import { rescheduleOutageFailures } from './changes.ts';
import { roomQuery } from './due-store.ts';
import { isRefusedForGood } from './mail.ts';
import { ATTEMPTS_KEPT, failsForLong, retryWait } from './rules.ts';
import type { DeliveredType } from './schema.ts';
import type { Attempted } from './send.ts';
import type { FoundWebhook } from './store.ts';
import { webhook, webhookDelivery } from './table.ts';

/**
 * Whether a receiver asks for no further deliveries: by 410, as Slack does for a webhook that was removed, or because the
 * platform sends no more e-mails to the address.
 */
const isGone = (found: FoundWebhook, attempted: Attempted): boolean =>
  attempted.statusCode === 410 ||
  (found.format === 'EMAIL' && isRefusedForGood(attempted)) ||
  (found.format === 'SLACK' && attempted.statusCode === 404 && attempted.response?.trim() === 'no_service');

/** A delivery claimed by a consumer. */
export interface ClaimedDelivery {
  uuid: string;
  /** Null for a test. */
  sequenceNumber: number | null;
  eventUuid: string;
  eventType: DeliveredType;
  /** The number of failures before this attempt. */
  failuresCount: number;
  createDate: number;
}

/** The new state of a delivery after an attempt. */
interface DeliveryOutcome {
  state: 'SUCCEEDED' | 'FAILED' | 'WAITING';
  dueDate: number | null;
}

/** Decide the new state of a delivery. `expired`: there is nothing left to send. */
function outcomeOf(
  claimed: ClaimedDelivery,
  attempted: Attempted,
  divisor: number,
  expired: boolean,
): DeliveryOutcome {
  if (attempted.error === null) return { state: 'SUCCEEDED', dueDate: null };
  // A test is attempted once, because the user who requested it is watching.
  if (claimed.sequenceNumber === null || expired) return { state: 'FAILED', dueDate: null };
  const wait = retryWait(claimed.failuresCount + 1, {
    random: Math.random(),
    divisor,
    retryAfterMs: attempted.retryAfterMs,
  });
  return wait === null
    ? { state: 'FAILED', dueDate: null }
    : { state: 'WAITING', dueDate: Date.now() + wait };
}

/**
 * Record an attempt and its consequences. The log of attempts is always written. The delivery is settled only if this
 * consumer still has the claim.
 */
export async function recordAttempt(
  env: Env,
  database: Database,
  found: FoundWebhook,
  { claim, claimed, attempted, divisor, expired = false, last = false }: Recorded,
): Promise<void> {
  const now = Date.now();
  const { state, dueDate } = outcomeOf(claimed, attempted, divisor, expired);
  const counts = claimed.sequenceNumber !== null && !expired;
  const fails = counts && attempted.error !== null;
  const succeeds = counts && !fails;
  const { recovered, room } = await database.ask({
    delivery: deliveryUpdate(database, claimed.uuid, claim, { state, dueDate }, attempted, now),
    // The statement checks the row, because another delivery may have failed or succeeded since the claim.
    failing: fails
      ? database.update(
          webhook,
          { failingSince: attempted.attemptDate },
          sql`uuid = ${found.uuid} AND failing_since IS NULL`,
        )
      : undefined,
    takenUp: succeeds ? rescheduleOutageFailures(database, found.uuid, now) : undefined,
    recovered: succeeds
      ? sql`${database.update(webhook, { failingSince: null }, sql`uuid = ${found.uuid} AND failing_since IS NOT NULL`)}
            RETURNING uuid`
      : undefined,
    // Only after the last delivery of a message, because the result may make the object run its jobs.
    room: succeeds && last ? roomQuery(database, found.uuid, now) : undefined,
  });
  if (recovered.length > 0 || room.length > 0) await scheduleJobs(env, database.organization, now);
  if (!fails) return;
  if (dueDate !== null) await scheduleJobs(env, database.organization, dueDate);
  if (isGone(found, attempted)) await disable(env, database.organization, found, 'GONE');
  else if (failsForLong(found, now)) {
    await disable(env, database.organization, found, 'FAILING');
  }
}

/** Settle a delivery that is not sent, because its event has no counterpart in the webhook's format. */
export async function skip(
  env: Env,
  database: Database,
  { uuid }: FoundWebhook,
  { claim, claimed, last }: { claim: string; claimed: ClaimedDelivery; last: boolean },
): Promise<void> {
  const now = Date.now();
  const { room } = await database.ask({
    delivery: database.update(
      webhookDelivery,
      { state: 'SUCCEEDED', dueDate: null, claim: null, firstAttemptDate: null, updateDate: now },
      sql`uuid = ${claimed.uuid} AND claim = ${claim}`,
    ),
    room: last ? roomQuery(database, uuid, now) : undefined,
  });
  if (room.length > 0) await scheduleJobs(env, database.organization, now);
}

/** An attempt made under a claim. */
export interface Recorded {
  claim: string;
  claimed: ClaimedDelivery;
  attempted: Attempted;
  /** The divisor of the pauses between attempts. */
  divisor: number;
  expired?: boolean;
  /** Whether it is the last delivery of its message to be settled. */
  last?: boolean;
}

function deliveryUpdate(
  database: Database,
  uuid: string,
  claim: string,
  { state, dueDate }: DeliveryOutcome,
  { retryAfterMs: _, ...attempt }: Attempted,
  now: number,
): SQL {
  const mine = (value: unknown, otherwise: SQL): SQL =>
    sql`CASE WHEN claim = ${claim} THEN ${value} ELSE ${otherwise} END`;
  const kept = sql`CASE WHEN json_array_length(attempts) >= ${ATTEMPTS_KEPT}
    THEN json_remove(attempts, '$[0]') ELSE attempts END`;
  return sql`UPDATE webhook_delivery SET
      attempts = json_insert(${kept}, '$[#]', json(${JSON.stringify(attempt)})),
      attempts_count = attempts_count + 1, update_date = ${now},
      state = ${mine(state, sql`state`)}, due_date = ${mine(dueDate, sql`due_date`)},
      failures_count = ${mine(sql`failures_count + ${Number(attempt.error !== null)}`, sql`failures_count`)},
      claim = ${mine(null, sql`claim`)}
    WHERE organization_uuid = ${database.organization} AND uuid = ${uuid}`;
}

/** Make the organization's object run its jobs at this date or earlier. */
async function scheduleJobs(env: Env, organization: string, date: number): Promise<void> {
  await writerOf(env, organization).scheduleJobs(date);
}

/** Disable a webhook, through the organization's writer. */
async function disable(
  env: Env,
  organization: string,
  { uuid, updateDate }: FoundWebhook,
  reason: 'GONE' | 'FAILING',
): Promise<void> {
  const input = { uuid, seenUpdateDate: updateDate, reason };
  const outcome = await execute(env, organization, ofService('disableWebhook', input, 'Webhook delivery'));
  // The next failure tries again.
  if (outcome.kind !== 'done')
    console.error(JSON.stringify({ organization, webhook: uuid, disable: outcome.kind }));
}
