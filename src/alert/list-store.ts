import { sql } from 'drizzle-orm';
import { dateRange, partsOf, type Sorting, totalOf } from '../http/list-statements.ts';
import { inList, type Scope } from '../lib/database.ts';
import { gatesNamed } from '../site/store.ts';
import { alertView } from './store.ts';

/** What the list can be sorted by. */
export const alertSorting: Sorting<'createDate' | 'raisedDate' | 'updateDate' | 'resolvedDate'> = {
  columns: {
    createDate: { expression: sql`alert.create_date`, stable: true },
    raisedDate: { expression: sql`alert.create_date`, stable: true },
    updateDate: { expression: sql`alert.update_date`, stable: false },
    resolvedDate: { expression: sql`alert.resolved_date`, stable: false },
  },
  default: { sortBy: 'createDate', direction: 'DESC' },
};

/** What the list can be filtered by. */
export interface AlertFilters {
  alertType?: readonly string[] | undefined;
  severity?: readonly string[] | undefined;
  status?: readonly string[] | undefined;
  gateExternalId?: readonly string[] | undefined;
  manifestExternalId?: readonly string[] | undefined;
  shipmentExternalId?: readonly string[] | undefined;
  trackIdentifier?: readonly string[] | undefined;
  raisedDateAfter?: number | undefined;
  raisedDateBefore?: number | undefined;
}

/** The organization's rows that meet the filters. */
export function alertSource(database: Scope, query: AlertFilters) {
  const { organization } = database;
  const parts = partsOf(sql`alert.status`, query.status);
  return {
    from: sql`alert`,
    table: 'alert',
    conditions: [sql`alert.organization_uuid = ${organization}`],
    parts,
    count: totalOf(organization, 'alert', parts),
    filters: [
      query.alertType && sql`alert.alert_type ${inList(query.alertType)}`,
      query.severity && sql`alert.severity ${inList(query.severity)}`,
      query.gateExternalId && sql`alert.gate_uuid ${gatesNamed(organization, query.gateExternalId)}`,
      query.manifestExternalId && sql`alert.manifest_external_id ${inList(query.manifestExternalId)}`,
      query.shipmentExternalId && sql`alert.shipment_external_id ${inList(query.shipmentExternalId)}`,
      query.trackIdentifier && sql`alert.track_identifier ${inList(query.trackIdentifier)}`,
      dateRange(sql`alert.create_date`, query.raisedDateAfter, query.raisedDateBefore),
    ],
    view: alertView,
    sorting: alertSorting,
  };
}
