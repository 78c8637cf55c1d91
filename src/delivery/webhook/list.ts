import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import { list } from '../../core/http/list.ts';
import { totalOf } from '../../core/http/list-statements.ts';
import { flag, several } from '../../core/http/schema.ts';
import { inList } from '../../core/lib/sql.ts';
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
  rows({ organization }, { status, eventType }, webhookUuid: string) {
    return {
      conditions: [
        sql`webhook_delivery.organization_uuid = ${organization}`,
        sql`webhook_delivery.webhook_uuid = ${webhookUuid}`,
      ],
      count: totalOf(organization, `webhook_delivery:${webhookUuid}`),
      filtering: [
        status && sql`${deliveryStatus} ${inList(status)}`,
        eventType && sql`webhook_delivery.event_type ${inList(eventType)}`,
      ],
    };
  },
});
