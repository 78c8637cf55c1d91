import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import { dateFilter } from '../../core/http/dates.ts';
import { list } from '../../core/http/list.ts';
import { dateRange, listParts, totalOf } from '../../core/http/list-statements.ts';
import { several, text } from '../../core/http/schema.ts';
import { inList } from '../../core/lib/sql.ts';
import { gatesNamed } from '../gate/store.ts';
import { alertView } from './store.ts';
import { ALERT_SEVERITIES, ALERT_STATUSES, ALERT_TYPES } from './table.ts';

export const alertList = list({
  table: 'alert',
  view: alertView,
  sorting: {
    columns: {
      createDate: { expression: sql`alert.create_date`, stable: true },
      raisedDate: { expression: sql`alert.create_date`, stable: true },
      updateDate: { expression: sql`alert.update_date`, stable: false },
      resolvedDate: { expression: sql`alert.resolved_date`, stable: false },
    },
    default: { sortBy: 'createDate', direction: 'DESC' },
  },
  filters: {
    alertType: several(z.enum(ALERT_TYPES)).optional(),
    severity: several(z.enum(ALERT_SEVERITIES)).optional(),
    status: several(z.enum(ALERT_STATUSES)).optional(),
    gateExternalId: several(text(1, 255))
      .optional()
      .describe('At any of these gates, by external id or UUID'),
    manifestExternalId: several(text(1, 255)).optional(),
    shipmentExternalId: several(text(1, 255)).optional(),
    trackIdentifier: several(text(1, 255)).optional(),
    raisedDateAfter: dateFilter.optional(),
    raisedDateBefore: dateFilter.optional(),
  },
  rows({ organization }, query) {
    const parts = listParts(sql`alert.status`, query.status);
    return {
      conditions: [sql`alert.organization_uuid = ${organization}`],
      parts,
      count: totalOf(organization, 'alert', parts),
      filtering: [
        query.alertType && sql`alert.alert_type ${inList(query.alertType)}`,
        query.severity && sql`alert.severity ${inList(query.severity)}`,
        query.gateExternalId && sql`alert.gate_uuid ${gatesNamed(organization, query.gateExternalId)}`,
        query.manifestExternalId && sql`alert.manifest_external_id ${inList(query.manifestExternalId)}`,
        query.shipmentExternalId && sql`alert.shipment_external_id ${inList(query.shipmentExternalId)}`,
        query.trackIdentifier && sql`alert.track_identifier ${inList(query.trackIdentifier)}`,
        dateRange(sql`alert.create_date`, query.raisedDateAfter, query.raisedDateBefore),
      ],
    };
  },
});
