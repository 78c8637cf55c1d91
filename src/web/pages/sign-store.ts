import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../core/lib/database.ts';
import { SIGNING_MS, type SigningLink } from '../../dispatch/signature/link.ts';
import { isSignable } from '../../dispatch/signature/store.ts';

/** A load that can be signed with a link. The page shows nothing else of it. */
export interface SignableLoad {
  externalIdentifier: string;
  gateName: string | null;
  loaded: number;
  total: number;
  slug: string;
  /** 1 if the link has its signature. */
  signed: 0 | 1;
}

/** The load of a link: open, or completed not long ago. Nothing is found for an organization that is suspended. */
export function signableQuery(
  { organization }: Database,
  { kind, load, signature }: SigningLink,
  now: number,
): SQL<SignableLoad> {
  const isShipment = kind === 'SHIPMENT';
  const members = sql`FROM shipment_manifest s CROSS JOIN manifest m ON m.uuid = s.manifest_uuid
    WHERE s.organization_uuid = p.organization_uuid AND s.shipment_uuid = p.uuid AND m.manifest_status <> 'CANCELLED'`;
  const sum = (column: SQL) => sql`(SELECT coalesce(sum(${column}), 0) ${members})`;
  const counts = isShipment
    ? sql`${sum(sql`m.loaded_count`)} AS loaded, ${sum(sql`m.assets_count`)} AS total`
    : sql`p.loaded_count AS loaded, p.assets_count AS total`;
  return sql<SignableLoad>`SELECT p.external_identifier AS "externalIdentifier", gate.name AS "gateName", ${counts}, o.slug,
      EXISTS (SELECT 1 FROM signature g WHERE g.uuid = ${signature} AND g.load_uuid = p.uuid) AS signed
    FROM ${sql.raw(kind.toLowerCase())} p CROSS JOIN organization o ON o.uuid = p.organization_uuid
      LEFT JOIN gate ON gate.uuid = p.gate_uuid
    WHERE p.uuid = ${load} AND p.organization_uuid = ${organization} AND o.suspended_date IS NULL
      AND (p.close_date IS NULL OR p.close_date >= ${now - SIGNING_MS}) AND ${isSignable(kind)}`;
}
