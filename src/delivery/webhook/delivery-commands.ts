import { sql } from 'drizzle-orm';
import { missing } from '../../core/lib/missing.ts';
import { inList, sqlUuid } from '../../core/lib/sql.ts';
import { viewOf } from '../../core/lib/view.ts';
import { command, mergeChanges, unchanged } from '../../core/writer/command.ts';
import { isEventAfter, numberIn } from '../../core/writer/numbers.ts';
import {
  DELIVERY_COLUMNS,
  disabledWebhookChange,
  HAS_COUNTERPART,
  passesAlertTypes,
  refuseRequest,
  requestCount,
  requestedDeliveryChange,
  requestedType,
  webhookAudit,
} from './changes.ts';
import { deliveryNamed, deliveryRows, giveRowsOfDelivery, giveRowsOfEvents } from './message-store.ts';
import { failsForLong } from './rules.ts';
import type { DeliveredType, TestedType } from './schema.ts';
import { deliveryView, foundQuery, toFound } from './store.ts';
import { webhookDelivery } from './table.ts';

/**
 * Send a test to a webhook, active or not. It is a delivery without a number, and is attempted once. If the recipient of an
 * e-mail webhook has not confirmed, it is the confirmation e-mail.
 */
export const testWebhook = command('testWebhook', {
  ask: ({ scope }, { uuid }: { uuid: string; eventType: TestedType }) => ({
    webhooks: foundQuery(scope, uuid),
  }),
  decide(context, { uuid, eventType }, { webhooks }) {
    const found = toFound(webhooks);
    if (!found) return missing('webhookNotFound', uuid);
    const fault = refuseRequest(found, context.now);
    if (fault) return fault;
    const { uuid: delivery, ...requested } = requestedDeliveryChange(context, found, eventType);
    const audit = [
      webhookAudit('WEBHOOK_TESTED', found, [{ field: 'deliveryUuid', oldValue: null, newValue: delivery }]),
    ];
    return { ...requested, audit, answer: deliveryOf(context.scope, delivery) };
  },
});

const deliveryOf = viewOf(deliveryView, webhookDelivery);

/** The result of a replay. */
interface Replayed {
  sequenceNumberFrom: number;
  sequenceNumberTo: number;
  deliveriesCount: number;
}

/** Deliver events again or for the first time, with a new schedule. */
export const replayWebhook = command('replayWebhook', {
  ask: (
    { scope },
    {
      uuid,
    }: {
      uuid: string;
      sequenceNumberFrom: number;
      sequenceNumberTo: number;
    },
  ) => ({ webhooks: foundQuery(scope, uuid) }),
  decide({ scope, now }, { uuid, sequenceNumberFrom: from, sequenceNumberTo: to }, { webhooks }) {
    const found = toFound(webhooks);
    if (!found) return missing('webhookNotFound', uuid);
    const matching = sql`FROM event WHERE ${isEventAfter(scope, from - 1, to)}
    AND (${found.eventTypes.length} = 0 OR event_type ${inList(found.eventTypes)})
    AND ${passesAlertTypes(sql`${JSON.stringify(found.alertTypes)}`)} AND ${HAS_COUNTERPART[found.format]}`;
    return {
      writes: [
        ...giveRowsOfEvents(scope, uuid, from, to),
        sql`INSERT INTO webhook_delivery ${DELIVERY_COLUMNS}
        SELECT ${sqlUuid(now)}, ${scope.organization}, ${uuid}, ${numberIn(sql`id`)}, uuid, event_type,
          'WAITING', NULL, ${now}, 0, 0, '[]', 0, ${now}, ${now}, NULL ${matching}
        ON CONFLICT (organization_uuid, webhook_uuid, sequence_number) DO UPDATE SET state = 'WAITING', claim = NULL,
          due_date = ${now}, queued_count = 0, failures_count = 0, first_attempt_date = NULL, update_date = ${now},
          digest_uuid = iif(digest_uuid = webhook_delivery.uuid, digest_uuid, NULL)`,
      ],
      audit: [
        webhookAudit('WEBHOOK_REPLAYED', found, [
          { field: 'sequenceNumberFrom', oldValue: null, newValue: from },
          { field: 'sequenceNumberTo', oldValue: null, newValue: to },
        ]),
      ],
      jobs: true,
      answer: sql<Replayed>`SELECT json_object('sequenceNumberFrom', ${from}, 'sequenceNumberTo', ${to},
      'deliveriesCount', count(*)) ${matching}`,
    };
  },
});

/** Attempt one delivery again in any state, with a new schedule. */
export const resendDelivery = command('resendDelivery', {
  ask: ({ scope }, { uuid, deliveryUuid }: { uuid: string; deliveryUuid: string }) => ({
    webhooks: foundQuery(scope, uuid),
    deliveries: sql<{
      sequenceNumber: number | null;
      eventType: DeliveredType;
    }>`SELECT sequence_number AS "sequenceNumber", event_type AS "eventType"
      FROM ${deliveryRows(scope, { webhook: sql`${uuid}`, delivery: deliveryNamed(deliveryUuid) })}`,
  }),
  decide(context, { uuid, deliveryUuid }, { webhooks, deliveries: [delivery] }) {
    const { scope, now } = context;
    const found = toFound(webhooks);
    if (!found) return missing('webhookNotFound', uuid);
    if (!delivery) return missing('webhookDeliveryNotFound', deliveryUuid);
    const isTest = delivery.sequenceNumber === null;
    const fault = isTest && refuseRequest(found, now);
    if (fault) return fault;
    const anew = {
      // A test is also sent while the webhook is not active. Waiting deliveries are not.
      state: isTest ? ('QUEUED' as const) : ('WAITING' as const),
      ...(isTest ? { eventType: requestedType(found, delivery.eventType) } : {}),
      claim: null,
      dueDate: now,
      queuedCount: 0,
      failuresCount: 0,
      firstAttemptDate: null,
      updateDate: now,
      // The message of the first delivery of a digest lists the same deliveries again. Another one gets its own message.
      digestUuid: sql`iif(digest_uuid = uuid, digest_uuid, NULL)`,
    };
    return {
      unauditedWrites: isTest ? requestCount(context, found) : [],
      writes: [
        ...giveRowsOfDelivery(scope, uuid, deliveryUuid),
        scope.update(webhookDelivery, anew, sql`uuid = ${deliveryUuid} AND webhook_uuid = ${uuid}`),
      ],
      audit: [
        webhookAudit('WEBHOOK_DELIVERY_RESENT', found, [
          { field: 'deliveryUuid', oldValue: null, newValue: deliveryUuid },
        ]),
      ],
      jobs: true,
      answer: deliveryOf(scope, deliveryUuid),
    };
  },
});

/** Disable a webhook with a failing receiver, unless it was changed or has recovered since. Raises an alert. */
export const disableWebhook = command('disableWebhook', {
  ask: (
    { scope },
    {
      uuid,
    }: {
      uuid: string;
      seenUpdateDate: number;
      reason: 'GONE' | 'FAILING';
    },
  ) => ({ webhooks: foundQuery(scope, uuid) }),
  decide(context, { seenUpdateDate, reason }, { webhooks }) {
    const found = toFound(webhooks);
    const stands =
      found?.active &&
      found.updateDate === seenUpdateDate &&
      (reason === 'GONE' || failsForLong(found, context.now));
    if (!stands) {
      return unchanged({ value: { disabled: false } });
    }
    return {
      ...mergeChanges({ value: { disabled: true } }, [disabledWebhookChange(context, found, reason)]),
      jobs: true,
    };
  },
});
