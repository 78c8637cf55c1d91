import { sql } from 'drizzle-orm';
import type { Databases } from '../../core/lib/databases.ts';
import { tagOf } from '../../core/lib/id.ts';
import { byTag, livesHere, lookUp } from '../../core/lib/look-up.ts';
import type { ContentType } from '../../dispatch/photo/rules.ts';

/** The photo of a public link, and its organization. */
export interface LinkedPhoto {
  organizationUuid: string;
  /** The organization's host is `{slug}.{BASE_DOMAIN}`. */
  slug: string;
  uuid: string;
  contentType: ContentType;
  sizeBytes: number;
  thumbnailBytes: number;
  sha256: string;
}

/** Find the photo of a token. The token gives access to this photo only. */
export async function findPhoto(databases: Databases, token: string): Promise<LinkedPhoto | undefined> {
  const found = await lookUp(
    databases,
    sql<LinkedPhoto>`SELECT photo.organization_uuid AS "organizationUuid", organization.slug, photo.uuid,
        photo.content_type AS "contentType", photo.size_bytes AS "sizeBytes",
        photo.thumbnail_bytes AS "thumbnailBytes", photo.sha256
      FROM photo CROSS JOIN organization ON organization.uuid = photo.organization_uuid
      WHERE photo.public_token = ${token} AND ${livesHere}`,
    byTag(tagOf(token)),
  );
  if (found) databases.remember(found.row.organizationUuid, found.databaseName);
  return found?.row;
}
