import { type SQL, sql } from 'drizzle-orm';
import { newUuid } from '../../core/lib/id.ts';
import { named } from '../../core/lib/missing.ts';
import { type Refusal, refusal } from '../../core/lib/problem.ts';
import type { Scope, Write } from '../../core/lib/scope.ts';
import { MINUTE_MS } from '../../core/lib/time.ts';
import { auditing } from '../../core/writer/audited.ts';
import { type ChangePart, type Context, mergeChanges } from '../../core/writer/command.ts';
import { raisedAlertsChange } from '../../dispatch/alert/changes.ts';
import {
  ASKS_DAY_MAXIMUM,
  exceededLimit,
  type Recipient,
  requestedMailOf,
  TESTS_HOUR_MAXIMUM,
} from './mail-rules.ts';
import { countRequested } from './mail-store.ts';
import { giveOpenRows } from './message-store.ts';
import { refuseStoppedRecipient } from './rules.ts';
import { CONFIRMATION_EVENT_TYPE, type DeliveredType, TEST_EVENT_TYPE } from './schema.ts';
import { type DISABLED_REASONS, type WebhookFormat, webhook, webhookDelivery } from './table.ts';

/** The columns of an INSERT … SELECT of deliveries. */
export const DELIVERY_COLUMNS = sql`(uuid, organization_uuid, webhook_uuid, sequence_number, event_uuid, event_type,
  state, claim, due_date, queued_count, failures_count, attempts, attempts_count, create_date, update_date, digest_uuid)`;

/** Completed shipments and raised alerts. */
const FOR_CHATS = sql`(event_type = 'ALERT_RAISED'
  OR (event_type = 'SHIPMENT_STATUS_CHANGED' AND json_extract(data, '$.status') = 'COMPLETED'))`;

/** For each format, the condition on `event_type` and `data` for events that have, or may have, a counterpart in it. */
export const HAS_COUNTERPART: Record<WebhookFormat, SQL> = {
  EVENT: sql`TRUE`,
  EPCIS_2_0: sql`(event_type IN ('ASSET_LOADING_STATUS_CHANGED', 'UNAUTHORIZED_LOADING_RESOLVED')
    OR (event_type = 'SHIPMENT_STATUS_CHANGED' AND json_extract(data, '$.status') = 'COMPLETED')
    OR (event_type = 'MANIFEST_STATUS_CHANGED' AND json_extract(data, '$.manifestStatus') = 'COMPLETED'))`,
  SLACK: FOR_CHATS,
  TEAMS: FOR_CHATS,
  EMAIL: FOR_CHATS,
};

/** The condition on `event_type` and `data` for events that pass the filter of alert types, a JSON array or null. */
export const passesAlertTypes = (alertTypes: SQL): SQL => sql`(event_type <> 'ALERT_RAISED'
  OR coalesce(${alertTypes}, '[]') = '[]'
  OR json_extract(data, '$.alertType') IN (SELECT value FROM json_each(${alertTypes})))`;

/** Attempt waiting deliveries now. Give deliveries that failed during the receiver's outage a new schedule. */
export const resume = (scope: Scope, uuid: string, now: number): Write[] => [
  attemptNow(scope, uuid, now),
  rescheduleOutageFailures(scope, uuid, now),
];

/** Attempt waiting deliveries now. */
export const attemptNow = (scope: Scope, uuid: string, now: number): SQL =>
  scope.update(
    webhookDelivery,
    { dueDate: now },
    sql`webhook_uuid = ${uuid} AND state = 'WAITING' AND due_date IS NOT NULL`,
  );

/** Deliveries that were first sent this shortly before the first noticed failure belong to the same outage. */
const TOGETHER_MS = MINUTE_MS;

/** Give deliveries a new schedule if all their attempts failed during an outage in which nothing succeeded. */
export const rescheduleOutageFailures = (scope: Scope, uuid: string, now: number): SQL =>
  scope.update(
    webhookDelivery,
    { state: 'WAITING', dueDate: now, failuresCount: 0, firstAttemptDate: null, updateDate: now },
    sql`webhook_uuid = ${uuid} AND state = 'FAILED' AND sequence_number IS NOT NULL
      AND first_attempt_date >= (SELECT failing_since FROM webhook
        WHERE webhook.uuid = ${uuid} AND +webhook.organization_uuid = ${scope.organization}) - ${TOGETHER_MS}`,
  );

/** Give the deliveries that a message not yet sent lists a message of their own. */
export const unlist = (scope: Scope, uuid: string, now: number): SQL =>
  scope.update(
    webhookDelivery,
    { state: 'WAITING', dueDate: now, digestUuid: null, updateDate: now },
    sql`webhook_uuid = ${uuid} AND digest_uuid <> uuid AND state = 'SUCCEEDED' AND digest_uuid IN (SELECT d.uuid
      FROM webhook_delivery d WHERE d.webhook_uuid = ${uuid} AND d.due_date IS NOT NULL AND d.digest_uuid = d.uuid)`,
  );

/**
 * Put deliveries back to waiting if no consumer has opened their message. Tests stay as they are, because they are also
 * sent while the webhook is not active.
 */
export const unqueue = (scope: Scope, uuid: string, now: number): Write[] => [
  ...giveOpenRows(scope, sql`f.value ->> 'openedDate' IS NULL`, uuid),
  scope.update(
    webhookDelivery,
    { state: 'WAITING', claim: null, dueDate: now, queuedCount: 0 },
    sql`webhook_uuid = ${uuid} AND due_date IS NOT NULL AND sequence_number IS NOT NULL
      AND (state = 'QUEUED' OR (state = 'CLAIMED' AND queued_count > 0))`,
  ),
];

/** The audit entry of a webhook. */
export const webhookAudit = auditing<{ uuid: string; name: string }>('WEBHOOK', ({ name }) => name);

/** Disable a webhook, and raise an alert about it. */
export function disabledWebhookChange(
  context: Context,
  found: { uuid: string; name: string },
  reason: (typeof DISABLED_REASONS)[number],
): ChangePart {
  const { scope, now } = context;
  const { uuid, name } = found;
  const raised = {
    alertType: 'WEBHOOK_DISABLED' as const,
    params: { webhook: name, reason },
    recordUuid: uuid,
  };
  const disabled = {
    writes: [
      ...unqueue(scope, uuid, now),
      scope.update(
        webhook,
        {
          active: 0,
          awaitsConfirmation: 0,
          disabledReason: reason,
          disabledDate: now,
          updateDate: now,
        },
        sql`uuid = ${uuid}`,
      ),
    ],
    audit: [
      webhookAudit('WEBHOOK_DISABLED', found, [
        { field: 'active', oldValue: true, newValue: false },
        { field: 'disabledReason', oldValue: null, newValue: reason },
      ]),
    ],
  };
  return mergeChanges({ value: null }, [disabled, raisedAlertsChange(context, [raised])]);
}

/** The webhook of a requested delivery. Its recipient is null if it is no e-mail webhook. */
interface Requested {
  uuid: string;
  name: string;
  recipient: Recipient | null;
}

/** The event type of a requested delivery. A recipient who has not confirmed gets the confirmation e-mail. */
export function requestedType({ recipient }: Requested, eventType: DeliveredType): DeliveredType {
  if (recipient && requestedMailOf(recipient) === 'CONFIRMATION') return CONFIRMATION_EVENT_TYPE;
  return eventType === CONFIRMATION_EVENT_TYPE ? TEST_EVENT_TYPE : eventType;
}

const WHY = {
  HOUR: 'its e-mails of this hour are used up. Try again in the next hour.',
  TESTS: `an organization sends at most ${TESTS_HOUR_MAXIMUM} test e-mails in an hour. Try again in the next hour.`,
  ASKS: `it has sent ${ASKS_DAY_MAXIMUM} confirmation e-mails within a day. Try again tomorrow.`,
};

/** The refusal of a requested e-mail: its recipient has stopped the e-mails, or it would exceed a limit. */
export function refuseRequest({ name, recipient }: Requested, now: number): Refusal | undefined {
  if (!recipient) return undefined;
  if (recipient.isStopped) return refuseStoppedRecipient({ name });
  const limit = exceededLimit(requestedMailOf(recipient), recipient, now);
  return (
    limit &&
    refusal('rateLimited', `${named('Webhook', name)} cannot send this e-mail: ${WHY[limit]}`, {
      facts: { name },
    })
  );
}

/** The writes that count a requested e-mail. */
export const requestCount = ({ scope, now }: Context, { recipient }: Requested): Write[] =>
  recipient ? [countRequested(scope, recipient.mailbox, requestedMailOf(recipient), now)] : [];

/** Insert a requested delivery. It has no number, is also sent while the webhook is not active, and is attempted once. */
export function requestedDeliveryChange(
  context: Context,
  webhook: Requested,
  eventType: DeliveredType,
): ChangePart & { uuid: string } {
  const { scope, now } = context;
  const uuid = newUuid();
  return {
    uuid,
    writes: scope.insert(webhookDelivery, [
      {
        uuid,
        webhookUuid: webhook.uuid,
        eventUuid: newUuid(),
        eventType: requestedType(webhook, eventType),
        // Not WAITING, because waiting deliveries are sent only while the webhook is active.
        state: 'QUEUED',
        dueDate: now,
        queuedCount: 0,
        failuresCount: 0,
        attempts: '[]',
        attemptsCount: 0,
        createDate: now,
        updateDate: now,
      },
    ]),
    audit: [],
    unauditedWrites: requestCount(context, webhook),
    jobs: true,
  };
}

/**
 * Ask the recipient of a new address for confirmation, once. Later requests come from users, as tests. Undefined if there
 * is nothing to ask.
 */
export function confirmationChange(context: Context, webhook: Requested): ChangePart | Refusal | undefined {
  const { recipient } = webhook;
  if (!recipient || recipient.isConfirmed || recipient.isStopped || recipient.askDate !== null)
    return undefined;
  return (
    refuseRequest(webhook, context.now) ?? requestedDeliveryChange(context, webhook, CONFIRMATION_EVENT_TYPE)
  );
}
