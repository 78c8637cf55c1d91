import { type SQL, sql } from 'drizzle-orm';
import type { Env } from '../../core/env.ts';
import type { Database } from '../../core/lib/database.ts';
import { execute, ofService, writerOf } from '../../core/writer/client.ts';
import { rescheduleOutageFailures } from './changes.ts';
import { roomQuery } from './due-store.ts';
import { isRefusedForGood } from './mail.ts';
import { giveOpenRows, settleMessage } from './message-store.ts';
import { ATTEMPTS_KEPT, failsForLong, retryWait } from './rules.ts';
import type { DeliveredType } from './schema.ts';
import type { Attempted } from './send.ts';
import type { Attempt, FoundWebhook } from './store.ts';
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

/** The outcome of a claimed delivery. */
interface Outcome {
  claimed: ClaimedDelivery;
  /** Null if there is nothing to send, because its event has no counterpart in the webhook's format. */
  attempted: Attempted | null;
  /** Whether its event is no longer in the log. */
  expired?: boolean;
}

const isFailure = ({ attempted }: Outcome): boolean => attempted !== null && attempted.error !== null;

/** The deliveries that a consumer has claimed. */
interface Claim {
  claim: string;
  claimed: readonly ClaimedDelivery[];
  /** The uuid of the open message that has them; undefined if each has a row. */
  message: string | undefined;
  /** The divisor of the pauses between attempts. */
  divisor: number;
}

/**
 * Records the outcomes of claimed deliveries. If all deliveries of a message succeed, one row has all their results. With the
 * first failure, or if another consumer has taken them over, each delivery of the message gets a row of its own.
 */
export class Recorder {
  readonly #env: Env;
  readonly #database: Database;
  readonly #found: FoundWebhook;
  readonly #claim: Claim;
  /** The outcomes that wait for the other deliveries of their message. Undefined if each delivery has a row. */
  #waiting: Outcome[] | undefined;
  #given: Promise<unknown> | undefined;
  #open: number;

  constructor(env: Env, database: Database, found: FoundWebhook, claim: Claim) {
    this.#env = env;
    this.#database = database;
    this.#found = found;
    this.#claim = claim;
    this.#waiting = claim.message === undefined ? undefined : [];
    this.#open = claim.claimed.length;
  }

  async record(outcome: Outcome): Promise<void> {
    const last = --this.#open === 0;
    if (this.#waiting === undefined) {
      await this.#given;
      await this.#recordRow(outcome, last);
      return;
    }
    const waiting = this.#waiting;
    waiting.push(outcome);
    if (!isFailure(outcome) && !last) return;
    if (!isFailure(outcome) && (await this.#settle(waiting))) return;
    this.#waiting = undefined;
    this.#given = this.#giveRows();
    await this.#given;
    await Promise.all(waiting.map((one) => this.#recordRow(one, last && one === outcome)));
  }

  /** Give the deliveries of the message rows, unless that has happened. */
  async #giveRows(): Promise<void> {
    const { message, claim } = this.#claim;
    const isMine = sql`f.key = ${message} AND f.value ->> 'claim' = ${claim}`;
    await this.#database.send(giveOpenRows(this.#database, isMine, this.#found.uuid));
  }

  /** Store the outcomes of a message without failures. False if this consumer no longer has the claim. */
  async #settle(outcomes: readonly Outcome[]): Promise<boolean> {
    const now = Date.now();
    const { claim, message, claimed } = this.#claim;
    const attempts = new Map(outcomes.map(({ claimed: { uuid }, attempted }) => [uuid, attempted]));
    const settled = claimed.map(({ uuid, sequenceNumber, eventUuid, eventType }) => {
      const attempted = attempts.get(uuid);
      return {
        sequenceNumber: sequenceNumber!,
        eventUuid,
        eventType,
        attempt: attempted ? attemptOf(attempted) : null,
      };
    });
    const succeeds = settled.some(({ attempt }) => attempt !== null);
    const rows = await this.#database.ask({
      settled: settleMessage(this.#database, this.#found.uuid, message!, { claim, settled, now }),
      ...this.#afterSuccess(succeeds, now),
      room: roomQuery(this.#database, this.#found.uuid, now),
    });
    if (rows.settled.length === 0) return false;
    if (rows.recovered.length > 0 || rows.room.length > 0) await this.#scheduleJobs(now);
    return true;
  }

  /** The writes after a success: the outage of the receiver is over. */
  #afterSuccess(succeeds: boolean, now: number) {
    const { uuid } = this.#found;
    return {
      takenUp: succeeds ? rescheduleOutageFailures(this.#database, uuid, now) : undefined,
      recovered: succeeds
        ? sql`${this.#database.update(webhook, { failingSince: null }, sql`uuid = ${uuid} AND failing_since IS NOT NULL`)}
            RETURNING uuid`
        : undefined,
    };
  }

  /**
   * Record an attempt and its consequences in the row of its delivery. The log of attempts is always written. The
   * delivery is settled only if this consumer still has the claim. `last`: it is the last delivery of its message.
   */
  async #recordRow({ claimed, attempted, expired = false }: Outcome, last: boolean): Promise<void> {
    const now = Date.now();
    const [database, found] = [this.#database, this.#found];
    const { claim, divisor } = this.#claim;
    const { state, dueDate } = attempted
      ? outcomeOf(claimed, attempted, divisor, expired)
      : { state: 'SUCCEEDED' as const, dueDate: null };
    const counts = attempted !== null && claimed.sequenceNumber !== null && !expired;
    const fails = counts && attempted.error !== null;
    const succeeds = counts && !fails;
    const { recovered, room } = await database.ask({
      delivery: attempted
        ? deliveryUpdate(database, claimed.uuid, claim, { state, dueDate }, attempted, now)
        : database.update(
            webhookDelivery,
            { state, dueDate, claim: null, firstAttemptDate: null, updateDate: now },
            sql`uuid = ${claimed.uuid} AND claim = ${claim}`,
          ),
      // The statement checks the row, because another delivery may have failed or succeeded since the claim.
      failing: fails
        ? database.update(
            webhook,
            { failingSince: attempted.attemptDate },
            sql`uuid = ${found.uuid} AND failing_since IS NULL`,
          )
        : undefined,
      ...this.#afterSuccess(succeeds, now),
      // Only after the last delivery of a message, because the result may make the object run its jobs.
      room: (succeeds || attempted === null) && last ? roomQuery(database, found.uuid, now) : undefined,
    });
    if (recovered.length > 0 || room.length > 0) await this.#scheduleJobs(now);
    if (!fails) return;
    if (dueDate !== null) await this.#scheduleJobs(dueDate);
    if (isGone(found, attempted)) await disable(this.#env, database.organization, found, 'GONE');
    else if (failsForLong(found, now)) {
      await disable(this.#env, database.organization, found, 'FAILING');
    }
  }

  /** Make the organization's object run its jobs at this date or earlier. */
  async #scheduleJobs(date: number): Promise<void> {
    await writerOf(this.#env, this.#database.organization).scheduleJobs(date);
  }
}

/** An attempt as it is stored. */
const attemptOf = ({ retryAfterMs: _, ...attempt }: Attempted): Attempt => attempt;

function deliveryUpdate(
  database: Database,
  uuid: string,
  claim: string,
  { state, dueDate }: DeliveryOutcome,
  attempted: Attempted,
  now: number,
): SQL {
  const attempt = attemptOf(attempted);
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
