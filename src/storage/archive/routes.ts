import { OpenAPIHono, z } from '@hono/zod-openapi';
import { apiKeyAccess } from '../../access/credential/authenticate.ts';
import { BASE_PATH, endpoint } from '../../core/http/endpoint.ts';
import { answerList, envelope } from '../../core/http/list-page.ts';
import { answerTagged, reads } from '../../core/http/read.ts';
import { common, dateTime, uuidName } from '../../core/http/schema.ts';
import { type AppEnv, origin } from '../../core/http/types.ts';
import { refuse } from '../../core/http/write.ts';
import { bucketOf } from '../../core/lib/bucket.ts';
import { manifestSchema } from '../../dispatch/load/manifest/schema.ts';
import { shipmentSchema } from '../../dispatch/load/shipment/schema.ts';
import { archiveList } from './list.ts';
import { readObject } from './objects.ts';
import { type AnyDocument, presentDocument } from './present.ts';
import { archivedQuery, notArchived, presentEntry } from './store.ts';
import { ARCHIVED_TYPES } from './table.ts';

const app = new OpenAPIHono<AppEnv>();
const tag = 'Archive';
const access = apiKeyAccess;
const path = `${BASE_PATH}/archive`;

const entrySchema = z
  .object({
    ...common,
    entityType: z.enum(ARCHIVED_TYPES),
    externalIdentifier: z.string(),
    closeDate: dateTime,
    archiveDate: dateTime.describe('When it moved to the archive'),
  })
  .openapi('ArchiveEntry');

endpoint(app, {
  method: 'get',
  path,
  operationId: 'listArchive',
  tag,
  summary: 'List the archive',
  description:
    'Returns manifests and shipments that were closed longer ago than the `retentionDays` of the ' +
    'organization. Their own operations no longer find them. The last closed come first. ' +
    'createDate and updateDate are unchanged.',
  access,
  query: archiveList.query,
  responses: { 200: { description: 'A page', schema: envelope('ArchivePage', entrySchema) } },
  handler: (c, { query }) => answerList(c, archiveList, query, presentEntry),
});

endpoint(app, {
  method: 'get',
  path: `${path}/{archiveUuid}`,
  operationId: 'getArchived',
  tag,
  summary: 'Get an archived manifest or shipment',
  description:
    'Takes the original UUID. The body and the `ETag` are the same as in its last GET. The body ' +
    'is a Manifest or a Shipment, as the `entityType` in the list says.',
  access,
  params: z.object({ archiveUuid: uuidName.openapi({ description: 'UUID of the manifest or shipment' }) }),
  responses: {
    200: {
      description: 'The manifest or shipment',
      schema: z.union([manifestSchema, shipmentSchema]).openapi('Archived'),
    },
    304: { description: 'Not modified' },
  },
  errors: ['archiveNotFound'],
  async handler(c, { params: { archiveUuid } }) {
    const database = reads(c);
    const location = await database.first(archivedQuery(database, archiveUuid));
    if (!location) return refuse('archiveNotFound', notArchived(archiveUuid));
    const { view } = await readObject<AnyDocument>(bucketOf(c.env), location);
    return answerTagged(c, view, (stored) => presentDocument(origin(c), location, stored));
  },
});

export const archiveRoutes = app;
