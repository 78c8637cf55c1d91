import { OpenAPIHono, z } from '@hono/zod-openapi';
import { OPERATOR_LOG, operatorAccess, operatorOf } from '../../access/credential/operator.ts';
import { roomFor } from '../../access/database/room.ts';
import { settingsOf } from '../../core/env.ts';
import { endpoint, OPERATOR_PATH } from '../../core/http/endpoint.ts';
import { deepLink } from '../../core/http/link.ts';
import { isOfType, unsupported } from '../../core/http/media-type.ts';
import { validationRefusal } from '../../core/http/problem-items.ts';
import { identifier, text, uuidName } from '../../core/http/schema.ts';
import { type AppContext, type AppEnv, origin } from '../../core/http/types.ts';
import { submissionOf, writeAs } from '../../core/http/write.ts';
import { bucketOf } from '../../core/lib/bucket.ts';
import { Database } from '../../core/lib/database.ts';
import { databasesOf } from '../../core/lib/databases.ts';
import { newUuid } from '../../core/lib/id.ts';
import { NewObject } from '../../core/lib/new-object.ts';
import { ProblemError } from '../../core/lib/problem.ts';
import { isoDate, isoDateOrNull } from '../../core/lib/time.ts';
import { discardObjects } from '../../dispatch/calibration/objects.ts';
import { addOrphan } from '../../dispatch/calibration/store.ts';
import { acceptedDescription, acceptedSchema } from '../../log/operation/schema.ts';
import type { OneItemOperation } from '../../log/operation/store.ts';
import { acceptImport } from './commands.ts';
import { PLACE_LENGTH_MAXIMUM } from './export-place.ts';
import { type Header, NDJSON } from './format.ts';
import { answerExport, beginErasure, findOperation } from './operator-requests.ts';
import { receiveExport } from './receive.ts';
import { operatorOperationSchema } from './schema.ts';
import { isOneOf, type Resealing, resealing } from './secrets.ts';

/** Retry-After for an unfinished operation, in seconds. */
const RETRY_AFTER_SECONDS = 1;

const app = new OpenAPIHono<AppEnv>();
const tag = 'Operator';
const params = z.object({ organizationUuid: uuidName });

endpoint(app, {
  method: 'get',
  path: `${OPERATOR_PATH}/organization/{organizationUuid}/export`,
  operationId: 'exportOrganization',
  tag,
  summary: 'Export an organization',
  description:
    'Returns a snapshot of all its data, as of the start of the response. Each line is a ' +
    'JSON text. The organization keeps working. The first line is `{format, version, ' +
    'organization, sequenceNumber, …}`. Then there is a line for each row, and for each piece of ' +
    'a file, in base64. The last line has the `count` of the lines before it and the `sha256` of ' +
    'their bytes. A response without that line is incomplete. The last line of a large export ' +
    'also has `next`. Send it as `after` to get the next part of the same snapshot. `npm run ' +
    'export` does this, and writes all parts to one file. An export ends after an hour, or if no piece was ' +
    'read for 5 minutes.',
  access: operatorAccess('TRANSFER'),
  params,
  query: z.object({
    after: text(1, PLACE_LENGTH_MAXIMUM)
      .optional()
      .describe('Value of `next` in the last line of the part before'),
  }),
  responses: { 200: { description: 'The export', type: NDJSON } },
  errors: ['organizationNotFound'],
  handler: (c, { params: { organizationUuid }, query: { after } }) =>
    answerExport(c, organizationUuid, after),
});

endpoint(app, {
  method: 'post',
  path: `${OPERATOR_PATH}/organization/import`,
  operationId: 'importOrganization',
  tag,
  summary: 'Import an organization',
  description:
    'The body is an export of this or another deployment, up to 500 MB, or the limit of the plan ' +
    'of the account. The service validates all of it first. 400 names the line and column of a ' +
    'value that the service would not have written. Then the organization is as before: uuids, ' +
    'codes, log, links, keys, sessions. Links of webhooks that lead to another deployment begin with the host of ' +
    'this request. It lives in the named database, or else in the open database with the most free space. If this deployment has another SEALING_KEY, send the ' +
    'former one in `X-SEALING-KEY`. Without it webhooks are paused and have no headers; they have ' +
    'new secrets, which you must rotate.',
  access: operatorAccess('TRANSFER'),
  query: z.object({
    databaseName: identifier
      .optional()
      .describe('Database for the organization; if omitted, the open database with the most free space'),
  }),
  contractBody: z.string(),
  contractBodyType: NDJSON,
  requestHeaders: { 'X-SEALING-KEY': 'SEALING_KEY of the deployment that the export is from' },
  responses: { 202: { description: acceptedDescription, schema: acceptedSchema } },
  errors: [
    'exportInvalid',
    'exportVersionUnsupported',
    'organizationExists',
    'databaseNotFound',
    'databaseClosed',
    'databaseFull',
  ],
  async handler(c, { query }) {
    if (!isOfType(c, NDJSON)) throw unsupported(c, `${NDJSON} in UTF-8`);
    const databases = databasesOf(c.env);
    const room = await roomFor(databases, query.databaseName, settingsOf(c.env).DATABASE_LIMIT_BYTES);
    const operationUuid = newUuid();
    const objectKey = `import/${operationUuid}`;
    const object = new NewObject(bucketOf(c.env), objectKey);
    const received = await receiveExport(c, object, (header) => resealingOf(c, header));
    const { header, settings, counts, sha256, pausedCount } = received;
    // Listed as an orphan until the operation is accepted, so that there is no instant at which it could be forgotten.
    const nobody = new Database(OPERATOR_LOG, databases);
    await nobody.send(addOrphan(nobody, objectKey, Date.now()));
    await object.complete();
    const { uuid, slug } = header.organization;
    const { sequenceNumber, listTotals } = header;
    const [databaseName, refused] = typeof room === 'string' ? [room, null] : ['', room];
    const { body } = await writeAs(c, submissionOf(c, sha256), OPERATOR_LOG, operatorOf(c), acceptImport, {
      operationUuid,
      organizationUuid: uuid,
      slug,
      settings,
      input: { objectKey, databaseName, sequenceNumber, counts, listTotals },
      sha256,
      pausedCount,
      refused,
    }).catch(async (error) => {
      await discardObjects(c, [objectKey], nobody);
      throw error;
    });
    // A repeat is answered with the operation of the first request.
    if (body.operationUuid !== operationUuid) await discardObjects(c, [objectKey], nobody);
    return accepted(c, body.operationUuid);
  },
});

endpoint(app, {
  method: 'delete',
  path: `${OPERATOR_PATH}/organization/{organizationUuid}`,
  operationId: 'eraseOrganization',
  tag,
  summary: 'Erase an organization',
  description:
    'Erases an organization that is suspended. You must also give its `slug`. The organization is ' +
    'gone for everybody at once. Then all its data is removed from all databases and the bucket, ' +
    'and cannot be restored. The log of the operator keeps its UUID and slug. The slug is free ' +
    'when the operation is finished.',
  access: operatorAccess('ERASE'),
  params,
  query: z.object({
    slug: text(1, 63).optional().describe('Slug of the organization, as a confirmation; 400 without it'),
  }),
  responses: { 202: { description: acceptedDescription, schema: acceptedSchema } },
  errors: ['organizationNotFound', 'organizationNotSuspended', 'moveUnderWay'],
  async handler(c, { params: { organizationUuid }, query: { slug = '' }, submission }) {
    return accepted(c, await beginErasure(c, submission, organizationUuid, slug));
  },
});

endpoint(app, {
  method: 'get',
  path: `${OPERATOR_PATH}/operation/{operationId}`,
  operationId: 'getOperatorOperation',
  tag,
  summary: 'Get a background operation on an organization',
  description: 'The response has `Retry-After` until the operation is finished.',
  waiting: true,
  access: operatorAccess('READ'),
  params: z.object({ operationId: uuidName }),
  responses: { 200: { description: 'The operation', schema: operatorOperationSchema } },
  errors: ['operationNotFound'],
  async handler(c, { params: { operationId } }) {
    const found = await findOperation(c, operationId);
    if (found.finishDate === null) c.header('Retry-After', String(RETRY_AFTER_SECONDS));
    return c.json(present(origin(c), found));
  },
});

function accepted(c: AppContext, operationId: string) {
  c.header('Location', `${OPERATOR_PATH}/operation/${operationId}`);
  return c.json({ operationId }, 202);
}

const present = <T extends string>(links: string, stored: OneItemOperation<T>) => ({
  ...stored,
  uuid: stored.operationId,
  createDate: isoDate(stored.createDate),
  updateDate: isoDate(stored.updateDate),
  finishDate: isoDateOrNull(stored.finishDate),
  deepLink: deepLink(links, 'operation', stored.operationId),
});

/** How secrets of webhooks are sealed for this deployment. */
function resealingOf(c: AppContext, { sealingKey }: Header): Resealing {
  const { sealingKeys } = settingsOf(c.env);
  const former = c.req.header('X-SEALING-KEY');
  if (former !== undefined && !isOneOf([former], sealingKey)) {
    const message = 'Send the SEALING_KEY of the deployment that made the export.';
    throw new ProblemError(
      validationRefusal([{ field: 'X-SEALING-KEY', code: 'validationFailed', message }]),
    );
  }
  return resealing([...sealingKeys, ...(former ? [former] : [])], isOneOf(sealingKeys, sealingKey));
}

export const transferRoutes = app;
