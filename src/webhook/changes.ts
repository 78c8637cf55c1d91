import { type SQL, sql } from 'drizzle-orm';
import { type Refusal, refusal } from '../lib/problem.ts';
import type { Scope, Write } from '../lib/scope.ts';
import { MINUTE_MS } from '../lib/time.ts';
import { auditing } from '../writer/audited.ts';
import { type WebhookFormat, webhookDelivery } from './table.ts';

/** What an INSERT … SELECT of deliveries gives. */
export const DELIVERY_COLUMNS = sql`(uuid, organization_uuid, webhook_uuid, sequence_number, event_uuid, event_type,
  state, due_date, queued_count, failures_count, attempts, attempts_count, create_date, update_date)`;

/** Which events a webhook of each format is sent: `event_type` and `data` of what has, or may have, a counterpart in it. */
export const TOLD: Record<WebhookFormat, SQL> = {
  EVENT: sql`TRUE`,
  EPCIS_2_0: sql`(event_type = 'ASSET_LOADING_STATUS_CHANGED'
    OR (event_type = 'SHIPMENT_STATUS_CHANGED' AND json_extract(data, '$.status') = 'COMPLETED')
    OR (event_type = 'MANIFEST_STATUS_CHANGED' AND json_extract(data, '$.manifestStatus') = 'COMPLETED'))`,
};

/** What waits is attempted now; what was given up while the receiver failed gets a schedule anew. */
export const resume = (scope: Scope, uuid: string, now: number): Write[] => [
  attemptNow(scope, uuid, now),
  takeUp(scope, uuid, now),
];

/** What waits is attempted now. */
export const attemptNow = (scope: Scope, uuid: string, now: number): SQL =>
  scope.update(webhookDelivery, { dueDate: now }, sql`webhook_uuid = ${uuid} AND state = 'WAITING'`);

/** What was sent so shortly before a failure was noticed failed for the same reason. */
const TOGETHER_MS = MINUTE_MS;

/** Deliveries that failed while nothing else succeeded either, all of whose attempts fell into that time. */
export const takeUp = (scope: Scope, uuid: string, now: number): SQL =>
  scope.update(
    webhookDelivery,
    { state: 'WAITING', dueDate: now, failuresCount: 0, firstAttemptDate: null, updateDate: now },
    sql`webhook_uuid = ${uuid} AND state = 'FAILED' AND sequence_number IS NOT NULL
      AND first_attempt_date >= (SELECT failing_since FROM webhook
        WHERE webhook.uuid = ${uuid} AND +webhook.organization_uuid = ${scope.organization}) - ${TOGETHER_MS}`,
  );

/** Deliveries that are in the queue wait again; tests are sent also where the webhook is not active. */
export const unqueue = (scope: Scope, uuid: string, now: number): SQL =>
  scope.update(
    webhookDelivery,
    { state: 'WAITING', dueDate: now, queuedCount: 0 },
    sql`webhook_uuid = ${uuid} AND state = 'QUEUED' AND sequence_number IS NOT NULL`,
  );

/** The refusal for a webhook that is not there. */
export const unknownWebhook = (): Refusal => refusal('webhookNotFound', 'There is no such webhook.');

/** The audit entry of a webhook. */
export const audited = auditing<{ uuid: string; name: string }>('WEBHOOK', ({ name }) => name);
