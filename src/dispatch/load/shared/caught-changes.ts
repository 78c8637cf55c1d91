import { sql } from 'drizzle-orm';
import type { Write } from '../../../core/lib/scope.ts';
import type { Context } from '../../../core/writer/command.ts';

/**
 * Count wrong pallets and unknown markers that were taken off: on the shipment of each of these manifests, one for each
 * time that the manifest is named. The figures of
 * completed shipments get the number. Cancelled manifests are not part of their shipment. `by` is -1
 * if they are back on the truck.
 */
export function countCaught({ scope }: Context, manifestUuids: readonly string[], by: 1 | -1 = 1): Write[] {
  if (manifestUuids.length === 0) return [];
  const named = JSON.stringify(manifestUuids);
  return [
    sql`UPDATE shipment SET caught_count = caught_count + caught.pallets
      FROM (SELECT s.shipment_uuid, ${by} * count(*) AS pallets FROM json_each(${named}) named
        CROSS JOIN manifest m ON m.uuid = named.value AND m.manifest_status <> 'CANCELLED'
        CROSS JOIN shipment_manifest s ON s.organization_uuid = ${scope.organization} AND s.manifest_uuid = m.uuid
        GROUP BY s.shipment_uuid) caught
      WHERE shipment.uuid = caught.shipment_uuid AND +shipment.organization_uuid = ${scope.organization}`,
    sql`UPDATE shipment_figures SET pallets_caught = (SELECT caught_count FROM shipment s WHERE s.uuid = shipment_uuid)
      WHERE (organization_uuid, close_date, shipment_uuid) IN (SELECT s.organization_uuid, s.close_date, s.uuid
        FROM json_each(${named}) named
        CROSS JOIN shipment_manifest m ON m.organization_uuid = ${scope.organization} AND m.manifest_uuid = named.value
        CROSS JOIN shipment s ON s.uuid = m.shipment_uuid AND s.status = 'COMPLETED')`,
  ];
}
