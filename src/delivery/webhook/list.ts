import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import { list, type Total } from '../../core/http/list.ts';
import { totalOf } from '../../core/http/list-statements.ts';
import { flag, several } from '../../core/http/schema.ts';
import { inList } from '../../core/lib/sql.ts';
import { dateOfUuid, deliveryRows } from './message-store.ts';
import { DELIVERED_TYPES } from './schema.ts';
import { deliveryStatus, deliveryView, isWanted, webhookView } from './store.ts';
import { DELIVERY_STATUSES } from './table.ts';

/** The organization's webhooks. */
export const webhookList = list({
  table: 'webhook',
  view: webhookView,
  sorting: {
    columns: {
      createDate: { expression: sql`webhook.create_date`, stable: true },
      updateDate: { expression: sql`webhook.update_date`, stable: false },
      name: { expression: sql`webhook.name`, stable: false },
    },
    default: { sortBy: 'createDate', direction: 'DESC' },
  },
  filters: { active: flag.optional() },
  rows({ organization }, query) {
    return {
      conditions: [
        sql`webhook.organization_uuid = ${organization}`,
        query.active === undefined ? undefined : sql`${isWanted} = ${Number(query.active)}`,
      ],
    };
  },
});

/** The delivery log of a webhook. */
export const deliveryList = list({
  table: 'webhook_delivery',
  view: deliveryView,
  sorting: {
    columns: {
      createDate: { expression: sql`webhook_delivery.create_date`, stable: true },
      updateDate: { expression: sql`webhook_delivery.update_date`, stable: false },
      sequenceNumber: { expression: sql`coalesce(webhook_delivery.sequence_number, 0)`, stable: true },
    },
    default: { sortBy: 'createDate', direction: 'DESC' },
  },
  filters: {
    status: several(z.enum(DELIVERY_STATUSES)).optional(),
    eventType: several(z.enum(DELIVERED_TYPES)).optional(),
  },
  rows(scope, { status, eventType }, webhookUuid: string) {
    const webhook = sql`${webhookUuid}`;
    const rows = (delivery?: SQL) =>
      sql`${deliveryRows(scope, { webhook, ...(delivery ? { delivery: { uuid: delivery, date: dateOfUuid(delivery) } } : {}) })} AS webhook_delivery`;
    return {
      from: rows(),
      rowOf: rows,
      conditions: [sql`webhook_delivery.organization_uuid = ${scope.organization}`],
      count: sql<Total>`SELECT (${totalOf(scope.organization, `webhook_delivery:${webhookUuid}`)}) + coalesce((SELECT
          messages_count FROM webhook WHERE organization_uuid = ${scope.organization} AND uuid = ${webhook}), 0) AS total`,
      filtering: [
        status && sql`${deliveryStatus} ${inList(status)}`,
        eventType && sql`webhook_delivery.event_type ${inList(eventType)}`,
      ],
    };
  },
});
