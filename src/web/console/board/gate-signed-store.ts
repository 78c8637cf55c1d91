import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../../core/lib/database.ts';
import { HOUR_MS } from '../../../core/lib/time.ts';
import type { ViewRow } from '../../../core/lib/view.ts';
import { type SignatureReference, signaturesView } from '../../../dispatch/load/shared/signature-store.ts';

/** A load that is in progress at a gate, or was completed there. */
export interface SignedLoad {
  kind: 'shipment' | 'manifest';
  externalIdentifier: string;
  /** Epoch milliseconds. Null while it is in progress. */
  closeDate: number | null;
  loaded: number;
  total: number;
  signatures: SignatureReference[];
}

/** How many of the loads of the site that were completed last are read, so that the page stays fast. */
const LATELY = 50;
/** How long a gate shows a load that was completed there. */
const SHOWN_MS = 12 * HOUR_MS;

const signatures = signaturesView(sql`p.organization_uuid`, sql`p.uuid`);
const ofMembers = (column: SQL): SQL => sql`(SELECT coalesce(sum(${column}), 0)
  FROM shipment_manifest s CROSS JOIN manifest m ON m.uuid = s.manifest_uuid
  WHERE s.organization_uuid = p.organization_uuid AND s.shipment_uuid = p.uuid AND m.manifest_status <> 'CANCELLED')`;

const shipmentView = sql<SignedLoad>`json_object('kind', 'shipment', 'externalIdentifier', p.external_identifier,
  'closeDate', p.close_date, 'loaded', ${ofMembers(sql`m.loaded_count`)}, 'total', ${ofMembers(sql`m.assets_count`)},
  'signatures', ${signatures})`;
const manifestView = sql<SignedLoad>`json_object('kind', 'manifest', 'externalIdentifier', p.external_identifier,
  'closeDate', p.close_date, 'loaded', p.loaded_count, 'total', p.assets_count, 'signatures', ${signatures})`;
const isAlone = sql`NOT EXISTS (SELECT 1 FROM shipment_manifest s
  WHERE s.organization_uuid = p.organization_uuid AND s.manifest_uuid = p.uuid)`;

/** The loads in progress at a gate with their signatures, and the load that was completed there last. */
export function signedQuery(
  { organization }: Database,
  gateUuid: string,
  now: number,
): SQL<ViewRow<typeof shipmentView>> {
  const here = sql`p.organization_uuid = ${organization} AND p.gate_uuid = ${gateUuid} AND p.deleted_date IS NULL`;
  const lately = (kind: 'shipment' | 'manifest', status: SQL) => sql`(SELECT * FROM ${sql.raw(kind)}
    WHERE organization_uuid = ${organization} AND close_date > ${now - SHOWN_MS} AND ${status} AND deleted_date IS NULL
    ORDER BY close_date DESC LIMIT ${LATELY}) p WHERE p.gate_uuid = ${gateUuid}`;
  return sql`SELECT ${shipmentView} AS view FROM shipment p WHERE ${here} AND p.status = 'IN_PROGRESS'
    UNION ALL SELECT ${manifestView} FROM manifest p WHERE ${here} AND p.manifest_status = 'IN_PROGRESS' AND ${isAlone}
    UNION ALL SELECT view FROM (SELECT view FROM (
      SELECT ${shipmentView} AS view, p.close_date AS date FROM ${lately('shipment', sql`status = 'COMPLETED'`)}
      UNION ALL SELECT ${manifestView}, p.close_date FROM ${lately('manifest', sql`manifest_status = 'COMPLETED'`)}
        AND ${isAlone}) ORDER BY date DESC LIMIT 1)`;
}
