import { OpenAPIHono, z } from '@hono/zod-openapi';
import { OPERATOR, OPERATOR_LOG, operatorAccess } from '../credential/operator.ts';
import { roomFor } from '../database/room.ts';
import { settingsOf } from '../env.ts';
import { endpoint, OPERATOR_PATH } from '../http/endpoint.ts';
import { deepLink } from '../http/link.ts';
import { readsOf } from '../http/read.ts';
import { text, uuidName } from '../http/schema.ts';
import { type AppEnv, origin } from '../http/types.ts';
import { refuse, writeAs } from '../http/write.ts';
import { databasesOf } from '../lib/databases.ts';
import { isoDate, isoDateOrNull } from '../lib/time.ts';
import { acceptedDescription, acceptedSchema, operationSchema } from '../operation/schema.ts';
import { acceptMove } from './commands.ts';
import { type MoveOperation, readRelocation } from './store.ts';

/** When to ask again after what is not finished, in seconds. */
const RETRY_AFTER_SECONDS = 1;

const app = new OpenAPIHono<AppEnv>();
const tag = 'Operator';

const moveSchema = z
  .strictObject({ databaseName: text(1, 10).openapi({ example: 'DB_1' }) })
  .openapi('OrganizationMove');
const operatorOperationSchema = operationSchema
  .omit({ truncated: true })
  .extend({ operationType: z.enum(['ORGANIZATION_MOVE']) })
  .openapi('OperatorOperation');

const present = (links: string, stored: MoveOperation) => ({
  ...stored,
  uuid: stored.operationId,
  createDate: isoDate(stored.createDate),
  updateDate: isoDate(stored.updateDate),
  finishDate: isoDateOrNull(stored.finishDate),
  deepLink: deepLink(links, 'operation', stored.operationId),
});

endpoint(app, {
  method: 'post',
  path: `${OPERATOR_PATH}/organization/{organizationUuid}/move`,
  operationId: 'moveOrganization',
  tag,
  summary: 'Move an organization to another database',
  description:
    'While it works: its writes wait, or are 503 with `Retry-After`, for seconds at most at the end. Keys, links, sessions ' +
    'and webhooks go on working. A move that comes to nothing leaves it where it is.',
  access: operatorAccess,
  params: z.object({ organizationUuid: uuidName }),
  body: moveSchema,
  responses: { 202: { description: acceptedDescription, schema: acceptedSchema } },
  errors: ['organizationNotFound', 'databaseNotFound', 'databaseClosed', 'databaseFull', 'moveUnderWay'],
  async handler(c, { params: { organizationUuid }, body: { databaseName } }) {
    const databases = databasesOf(c.env);
    const room = await roomFor(databases, databaseName, settingsOf(c.env).DATABASE_LIMIT_BYTES);
    const refused = typeof room === 'string' ? null : room;
    const input = { organizationUuid, databaseName, refused };
    const { body } = await writeAs(c, OPERATOR_LOG, OPERATOR, acceptMove, input);
    c.header('Location', `${OPERATOR_PATH}/operation/${body.operationUuid}`);
    return c.json({ operationId: body.operationUuid }, 202);
  },
});

endpoint(app, {
  method: 'get',
  path: `${OPERATOR_PATH}/operation/{operationId}`,
  operationId: 'getOperatorOperation',
  tag,
  summary: 'What became of what an operator has asked for',
  description: 'Carries `Retry-After` until it is finished.',
  waiting: true,
  access: operatorAccess,
  params: z.object({ operationId: uuidName }),
  responses: { 200: { description: 'The operation', schema: operatorOperationSchema } },
  errors: ['operationNotFound'],
  async handler(c, { params: { operationId } }) {
    const stored = await readRelocation(readsOf(c, OPERATOR_LOG), operationId);
    if (!stored) return refuse('operationNotFound', 'There is no such operation.');
    if (stored.finishDate === null) c.header('Retry-After', String(RETRY_AFTER_SECONDS));
    return c.json(present(origin(c), stored));
  },
});

export const moveRoutes = app;
