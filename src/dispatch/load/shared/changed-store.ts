import { type SQL, sql } from 'drizzle-orm';

/**
 * The uuids of manifests or shipments that were changed since a date, as a subquery. The update date of an open load is
 * in no index, because every scan changes it. So all open loads are read. Of the closed ones, only those are read that
 * were closed since, or changed after they had closed. A shipment changes with its manifests.
 */
export function changedSince(organization: string, table: 'manifest' | 'shipment', since: number): SQL {
  const name = sql.raw(table);
  const status = sql.raw(table === 'manifest' ? 'manifest_status' : 'status');
  const part = (condition: SQL): SQL => sql`SELECT uuid FROM ${name}
    WHERE organization_uuid = ${organization} AND ${condition} AND deleted_date IS NULL AND update_date >= ${since}`;
  const ofManifests =
    table === 'shipment'
      ? sql` UNION SELECT s.shipment_uuid FROM ${changedSince(organization, 'manifest', since)} c
        CROSS JOIN shipment_manifest s ON s.organization_uuid = ${organization} AND s.manifest_uuid = c.uuid`
      : sql``;
  return sql`(${part(sql`${status} IN ('PLANNED', 'TO_DO', 'IN_PROGRESS')`)}
    UNION ${part(sql`close_date >= ${since}`)} UNION ${part(sql`update_date > close_date`)}${ofManifests})`;
}
