import { sql } from 'drizzle-orm';
import type { Databases } from '../../core/lib/databases.ts';
import { tagOf } from '../../core/lib/id.ts';
import { byTag, livesHere, lookUp } from '../../core/lib/look-up.ts';
import type { LABEL_SIZES } from '../../core/writer/settings-table.ts';
import { type ArchiveLocation, locationColumns, withDocument } from '../../storage/archive/store.ts';

/** A shipment or manifest, with or without public pages. */
export interface Load {
  kind: 'SHIPMENT' | 'MANIFEST';
  uuid: string;
}

/** The load of a token, and its organization. */
export interface PublishedLoad extends Load {
  organizationUuid: string;
  organizationName: string;
  /** The organization's host is `{slug}.{BASE_DOMAIN}`. */
  slug: string;
  /** The time zone (IANA) of the organization's site. */
  timeZone: string;
  /** The size of its pallet labels; null in older rows, for A4. */
  labelSize: (typeof LABEL_SIZES)[number] | null;
  /** Its location in the archive; null if it is not archived. */
  archived: ArchiveLocation | null;
}

type FoundToken = Omit<PublishedLoad, 'archived'> & {
  [K in keyof ArchiveLocation]: ArchiveLocation[K] | null;
};

/**
 * Find the load of a token: a completed shipment or manifest. It may be deleted since, because its
 * page stays forever. The token also finds the organization. It gives access to this load only.
 */
export async function findPublished(databases: Databases, token: string): Promise<PublishedLoad | undefined> {
  const columns = sql`p.organization_uuid AS "organizationUuid", organization.name AS "organizationName", organization.slug,
    organization.time_zone AS "timeZone", organization.label_size AS "labelSize"`;
  const of = sql`CROSS JOIN organization ON organization.uuid = p.organization_uuid
    WHERE p.public_token = ${token} AND ${livesHere}`;
  const found = await lookUp(
    databases,
    sql<FoundToken>`SELECT 'SHIPMENT' AS kind, ${columns}, p.uuid, NULL AS "entityType", NULL AS "archiveDate", NULL AS "unitUuid",
        NULL AS "firstRecord", NULL AS "objectKey", NULL AS sha256 FROM shipment p ${of}
    UNION ALL SELECT 'MANIFEST', ${columns}, p.uuid, NULL, NULL, NULL, NULL, NULL, NULL FROM manifest p ${of}
    UNION ALL SELECT p.entity_type, ${columns}, ${locationColumns} FROM ${withDocument} ${of}`,
    byTag(tagOf(token)),
  );
  if (!found) return undefined;
  const { row, databaseName } = found;
  databases.remember(row.organizationUuid, databaseName);
  return { ...row, archived: row.objectKey === null ? null : (row as ArchiveLocation) };
}
