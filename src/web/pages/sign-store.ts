import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../core/lib/database.ts';
import type { SigningLink } from '../../dispatch/signature/link.ts';
import { SIGNING_MS } from '../../dispatch/signature/rules.ts';
import { isSignable } from '../../dispatch/signature/store.ts';

/** Why a load takes no signature from a link. */
export const UNSIGNABLE = ['expired', 'cancelled', 'moved', 'closed', 'missing'] as const;
export type Unsignable = (typeof UNSIGNABLE)[number];

/** The load of a link. The page shows nothing else of it. */
export interface SignableLoad {
  externalIdentifier: string;
  gateName: string | null;
  loaded: number;
  total: number;
  /** 1 if the link has its signature. */
  signed: 0 | 1;
  /** Null if the load is open, or completed not long ago. */
  refused: Unsignable | null;
}

/** The load of a link, the host of its organization, and whether it is in the archive, in one round trip. */
export async function readSignableLoad(
  database: Database,
  link: SigningLink,
  now: number,
): Promise<{ slug: string | undefined; load: SignableLoad | undefined; isArchived: boolean }> {
  const { organization } = database;
  const { loads, organizations, archived } = await database.ask({
    loads: signableQuery(database, link, now),
    organizations: sql<{ slug: string }>`SELECT slug FROM organization
      WHERE uuid = ${organization} AND suspended_date IS NULL`,
    archived: sql`SELECT 1 FROM archive_entry
      WHERE uuid = ${link.load} AND organization_uuid = ${organization} AND deleted_date IS NULL`,
  });
  return { slug: organizations[0]?.slug, load: loads[0], isArchived: archived.length > 0 };
}

function signableQuery(
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
  const status = isShipment ? sql`p.status` : sql`p.manifest_status`;
  return sql<SignableLoad>`SELECT p.external_identifier AS "externalIdentifier", gate.name AS "gateName", ${counts},
      EXISTS (SELECT 1 FROM signature g WHERE g.uuid = ${signature} AND g.load_uuid = p.uuid) AS signed,
      CASE WHEN p.deleted_date IS NOT NULL THEN 'missing' WHEN ${status} = 'CANCELLED' THEN 'cancelled'
        WHEN p.close_date < ${now - SIGNING_MS} THEN 'closed' WHEN NOT (${isSignable(kind)}) THEN 'moved' END AS refused
    FROM ${sql.raw(kind.toLowerCase())} p LEFT JOIN gate ON gate.uuid = p.gate_uuid
    WHERE p.uuid = ${load} AND p.organization_uuid = ${organization}`;
}
