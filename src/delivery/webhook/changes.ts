import { type SQL, sql } from 'drizzle-orm';
import type { Scope, Write } from '../../core/lib/scope.ts';
import { MINUTE_MS } from '../../core/lib/time.ts';
import { auditing } from '../../core/writer/audited.ts';
import { type ChangePart, type Context, mergeChanges } from '../../core/writer/command.ts';
import { raiseAlerts } from '../../dispatch/alert/changes.ts';
import { giveOpenRows } from './message-store.ts';
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
export function disabling(
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
  return mergeChanges({ value: null }, [disabled, raiseAlerts(context, [raised])]);
}
