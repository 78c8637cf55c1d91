import { type SQL, sql } from 'drizzle-orm';
import type { Scope } from '../../../core/lib/scope.ts';
import { inList } from '../../../core/lib/sql.ts';

/**
 * Set the carriers in the figures of these shipments, after a change of their custom fields. Shipments that are not
 * completed have no figures.
 */
export const figuresOfCarriers = ({ organization }: Scope, uuids: readonly string[]): SQL =>
  sql`UPDATE shipment_figures SET carrier = (SELECT f.carrier FROM computed_fields f
      WHERE f.shipment_uuid = shipment_figures.shipment_uuid)
    WHERE (organization_uuid, close_date, shipment_uuid) IN (SELECT s.organization_uuid, s.close_date, s.uuid
      FROM shipment s WHERE s.uuid ${inList(uuids)} AND +s.organization_uuid = ${organization} AND s.status = 'COMPLETED')`;
