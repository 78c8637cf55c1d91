import { sql } from 'drizzle-orm';
import type { Databases } from '../../core/lib/databases.ts';
import { tagOf } from '../../core/lib/id.ts';
import { byTag, livesHere, lookUp } from '../../core/lib/look-up.ts';
import { roleDate } from '../../dispatch/load/shipment/store.ts';

/**
 * An open shipment as the page of its driver needs it. Only gate, times and status are shown. Dates are epoch
 * milliseconds.
 */
export interface DriverLoad {
  organizationUuid: string;
  uuid: string;
  /** The organization's host is `{slug}.{BASE_DOMAIN}`. */
  slug: string;
  /** The time zone (IANA) of the organization's site. */
  timeZone: string;
  status: 'TO_DO' | 'IN_PROGRESS';
  gateName: string | null;
  departureDate: number | null;
  arrivalDate: number | null;
  /** Whether a custom field has the role VEHICLE. */
  takesVehicle: 0 | 1;
}

/** Find the open shipment of a token, in one round trip. Closed shipments are not found, and neither are wrong tokens. */
export async function findDriverLoad(databases: Databases, token: string): Promise<DriverLoad | undefined> {
  const found = await lookUp(
    databases,
    sql<DriverLoad>`SELECT p.organization_uuid AS "organizationUuid", p.uuid, organization.slug,
        organization.time_zone AS "timeZone", p.status, gate.name AS "gateName",
        ${roleDate('PLANNED_DEPARTURE', sql`p`)} AS "departureDate", p.arrival_date AS "arrivalDate",
        EXISTS (SELECT 1 FROM json_each(organization.shipment_custom_fields) configured
          WHERE configured.value ->> 'role' = 'VEHICLE') AS "takesVehicle"
      FROM shipment p CROSS JOIN organization ON organization.uuid = p.organization_uuid
        LEFT JOIN gate ON gate.uuid = p.gate_uuid
      WHERE p.driver_token = ${token} AND p.status IN ('TO_DO', 'IN_PROGRESS') AND p.deleted_date IS NULL
        AND organization.suspended_date IS NULL AND ${livesHere}`,
    byTag(tagOf(token)),
  );
  if (!found) return undefined;
  databases.remember(found.row.organizationUuid, found.databaseName);
  return found.row;
}
