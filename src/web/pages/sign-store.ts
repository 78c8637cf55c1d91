import { type SQL, sql } from 'drizzle-orm';
import type { Databases } from '../../core/lib/databases.ts';
import { type Json, parseJson } from '../../core/lib/json.ts';
import { byTag, livesHere, lookUp } from '../../core/lib/look-up.ts';
import type { OpenedLink } from '../../dispatch/load/shared/signature-link.ts';
import { SIGNING_MS, type Stroke } from '../../dispatch/load/shared/signature-rules.ts';
import { isSignable, type SignatureReference } from '../../dispatch/load/shared/signature-store.ts';

/** Why a load takes no signature from a link. */
export const UNSIGNABLE = ['expired', 'cancelled', 'moved', 'closed', 'missing'] as const;
export type Unsignable = (typeof UNSIGNABLE)[number];

/** The signature of a link. */
export interface LinkedSignature extends Omit<SignatureReference, 'role'> {
  strokes: Stroke[];
}

/** The load of a link. The page shows nothing else of it. Dates are epoch milliseconds. */
export interface SignableLoad {
  organizationUuid: string;
  /** The name of the organization. */
  sender: string;
  /** The organization's host is `{slug}.{BASE_DOMAIN}`. */
  slug: string;
  /** The time zone (IANA) of the organization's site. */
  timeZone: string;
  externalIdentifier: string;
  gateName: string | null;
  loaded: number;
  total: number;
  createDate: number;
  /** The token of its proof of shipment; null before completion. */
  publicToken: string | null;
  /** Null if the link has no signature yet. */
  signature: LinkedSignature | null;
  /** Null if the load is open, or completed not long ago. */
  refused: Unsignable | null;
}

type FoundLoad = Omit<SignableLoad, 'signature'> & { signature: Json<LinkedSignature> | null };

/**
 * Find the load of a link, in one round trip. Undefined if its organization does not have it, also not in the archive, and
 * while the organization is suspended.
 */
export async function findSignable(
  databases: Databases,
  link: OpenedLink,
): Promise<SignableLoad | undefined> {
  const found = await lookUp(databases, signableQuery(link, Date.now()), byTag(link.tag));
  if (!found) return undefined;
  const { row, databaseName } = found;
  databases.remember(row.organizationUuid, databaseName);
  return { ...row, signature: row.signature && parseJson(row.signature) };
}

const organizationColumns = sql`p.organization_uuid AS "organizationUuid", organization.name AS sender, organization.slug,
  organization.time_zone AS "timeZone"`;
const withOrganization = sql`CROSS JOIN organization ON organization.uuid = p.organization_uuid
  AND organization.suspended_date IS NULL AND ${livesHere}`;

function signableQuery({ kind, load, signature, createDate }: OpenedLink, now: number): SQL<FoundLoad> {
  const isShipment = kind === 'SHIPMENT';
  const members = sql`FROM shipment_manifest s CROSS JOIN manifest m ON m.uuid = s.manifest_uuid
    WHERE s.organization_uuid = p.organization_uuid AND s.shipment_uuid = p.uuid AND m.manifest_status <> 'CANCELLED'`;
  const sum = (column: SQL) => sql`(SELECT coalesce(sum(${column}), 0) ${members})`;
  const counts = isShipment
    ? sql`${sum(sql`m.loaded_count`)} AS loaded, ${sum(sql`m.assets_count`)} AS total`
    : sql`p.loaded_count AS loaded, p.assets_count AS total`;
  const status = isShipment ? sql`p.status` : sql`p.manifest_status`;
  return sql<FoundLoad>`SELECT ${organizationColumns}, p.external_identifier AS "externalIdentifier",
      gate.name AS "gateName", ${counts}, p.create_date AS "createDate", p.public_token AS "publicToken",
      (SELECT json_object('name', g.signer_name, 'signDate', g.sign_date, 'strokes', json(g.strokes)) FROM signature g
        WHERE g.uuid = ${signature} AND g.load_uuid = p.uuid) AS signature,
      CASE WHEN ${createDate <= now - SIGNING_MS} THEN 'expired'
        WHEN p.deleted_date IS NOT NULL THEN 'missing' WHEN ${status} = 'CANCELLED' THEN 'cancelled'
        WHEN p.close_date < ${now - SIGNING_MS} THEN 'closed' WHEN NOT (${isSignable(kind)}) THEN 'moved' END AS refused
    FROM ${sql.raw(kind.toLowerCase())} p ${withOrganization} LEFT JOIN gate ON gate.uuid = p.gate_uuid
    WHERE p.uuid = ${load}
  UNION ALL SELECT ${organizationColumns}, p.external_identifier, NULL, 0, 0, p.create_date, p.public_token, NULL, 'closed'
    FROM archive_entry p ${withOrganization} WHERE p.uuid = ${load} AND p.deleted_date IS NULL`;
}
