import { sql } from 'drizzle-orm';
import { type Sorting, totalOf } from '../http/list-statements.ts';
import { inList, type Scope } from '../lib/database.ts';
import { deliveryView, webhookView } from './store.ts';
import { DELIVERY_STATES } from './table.ts';

/** What the list can be sorted by. */
export const webhookSorting: Sorting<'createDate' | 'updateDate' | 'name'> = {
  columns: {
    createDate: { expression: sql`webhook.create_date`, stable: true },
    updateDate: { expression: sql`webhook.update_date`, stable: false },
    name: { expression: sql`webhook.name`, stable: false },
  },
  default: { sortBy: 'createDate', direction: 'DESC' },
};

/** What the list can be filtered by. */
export interface WebhookFilters {
  active?: boolean | undefined;
}

/** The organization's rows that meet the filters. */
export function webhookSource(database: Scope, query: WebhookFilters) {
  const { organization } = database;
  return {
    from: sql`webhook`,
    table: 'webhook',
    conditions: [
      sql`webhook.organization_uuid = ${organization}`,
      query.active === undefined ? undefined : sql`webhook.active = ${Number(query.active)}`,
    ],
    view: webhookView,
    sorting: webhookSorting,
  };
}

/** What a delivery log can be sorted by. */
export const deliverySorting: Sorting<'createDate' | 'updateDate' | 'sequenceNumber'> = {
  columns: {
    createDate: { expression: sql`webhook_delivery.create_date`, stable: true },
    updateDate: { expression: sql`webhook_delivery.update_date`, stable: false },
    sequenceNumber: { expression: sql`coalesce(webhook_delivery.sequence_number, 0)`, stable: true },
  },
  default: { sortBy: 'createDate', direction: 'DESC' },
};

/** What people see of the state of a delivery. */
export const DELIVERY_STATUSES = ['PENDING', 'SUCCEEDED', 'FAILED'] as const;

/** What a delivery log can be filtered by. */
export interface DeliveryFilters {
  webhookUuid: string;
  status?: readonly (typeof DELIVERY_STATUSES)[number][] | undefined;
  eventType?: readonly string[] | undefined;
}

/** The deliveries of a webhook that meet the filters. */
export function deliverySource({ organization }: Scope, query: DeliveryFilters) {
  const states = query.status?.flatMap((status): string[] =>
    status === 'PENDING'
      ? DELIVERY_STATES.filter((state) => state !== 'SUCCEEDED' && state !== 'FAILED')
      : [status],
  );
  return {
    from: sql`webhook_delivery`,
    table: 'webhook_delivery',
    conditions: [
      sql`webhook_delivery.organization_uuid = ${organization}`,
      sql`webhook_delivery.webhook_uuid = ${query.webhookUuid}`,
    ],
    count: totalOf(organization, `webhook_delivery:${query.webhookUuid}`),
    filters: [
      states && sql`webhook_delivery.state ${inList(states)}`,
      query.eventType && sql`webhook_delivery.event_type ${inList(query.eventType)}`,
    ],
    view: deliveryView,
    sorting: deliverySorting,
  };
}
