import { OpenAPIHono, z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import { endpoint } from '../../core/http/endpoint.ts';
import { hasCurrent } from '../../core/http/read.ts';
import { flagOff } from '../../core/http/schema.ts';
import type { AppEnv } from '../../core/http/types.ts';
import { bucketOf } from '../../core/lib/bucket.ts';
import type { Databases } from '../../core/lib/databases.ts';
import { tagOf } from '../../core/lib/id.ts';
import { byTag, livesHere, lookUp } from '../../core/lib/look-up.ts';
import { orUnavailable } from '../../dispatch/calibration/objects.ts';
import { openPhoto } from '../../dispatch/photo/objects.ts';
import { CONTENT_TYPES, type ContentType, THUMBNAIL_SIDE } from '../../dispatch/photo/rules.ts';
import { PHOTO_LINK_PATH } from '../../dispatch/photo/store.ts';
import { answerNothing, orLater, PUBLIC_HEADERS } from './public-page.tsx';
import { findByToken, publishedAccess } from './published.ts';
import { tokenParameter } from './schema.ts';

/** The photo of a public link, and its organization. */
interface LinkedPhoto {
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

const app = new OpenAPIHono<AppEnv>();

/**
 * Headers of every photo. Shared caches do not store it, and a browser keeps it for 5 minutes. So a deleted photo is
 * gone soon. Every browser treats the bytes as an image. Opened as a document, they cannot run scripts.
 */
const HEADERS = {
  ...PUBLIC_HEADERS,
  'Cache-Control': 'private, max-age=300',
  'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'Content-Disposition': 'inline',
};

endpoint(app, {
  method: 'get',
  path: `${PHOTO_LINK_PATH}/{token}`,
  operationId: 'getPhotoBytes',
  tag: 'Public page',
  summary: 'Get the bytes of a photo',
  description:
    'Returns the stored image. Its address is the `link` of the photo. It needs no key, shows no other photo, and ' +
    'works until the photo is deleted. A browser keeps the image for 5 minutes. A thumbnail is a JPEG of at most ' +
    `${THUMBNAIL_SIDE} pixels on its longer side. The pages and tablets send it with each photo. A photo that was added through the API is returned unchanged.`,
  access: publishedAccess,
  contractParams: z.object({ token: tokenParameter }),
  query: z.object({ thumbnail: flagOff.describe('Whether to return the thumbnail') }),
  responses: {
    200: { description: 'The image, of the `contentType` of the photo', type: CONTENT_TYPES },
    304: { description: 'Not modified' },
    404: {
      description: 'The photo does not exist; the response is the same for every reason',
      type: 'text/html',
    },
    429: { description: 'Too many requests in a minute', type: 'text/html' },
    503: { description: 'The store does not respond', type: 'text/html' },
  },
  handler: (c, { query }) =>
    orLater(c, async () => {
      const found = await findByToken(c, c.req.param()['token']!, findPhoto);
      if (!found) return answerNothing(c);
      const { organizationUuid, contentType, sha256 } = found.shown;
      const headers = { ...HEADERS, ETag: `"${sha256}${query.thumbnail ? '-thumbnail' : ''}"` };
      if (hasCurrent(c, headers.ETag)) return c.body(null, 304, headers);
      const opened = await orUnavailable(
        c,
        openPhoto(bucketOf(c.env), organizationUuid, found.shown, query.thumbnail),
        'photos',
      );
      if (!opened) return answerNothing(c);
      return c.body(opened.body, 200, {
        ...headers,
        'Content-Type': opened.isThumbnail ? 'image/jpeg' : contentType,
        'Content-Length': String(opened.length),
      });
    }),
});

export const photoLinkRoutes = app;
