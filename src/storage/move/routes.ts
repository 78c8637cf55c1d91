import { OpenAPIHono, z } from '@hono/zod-openapi';
import { operatorAccess } from '../../access/credential/operator.ts';
import { endpoint, OPERATOR_PATH } from '../../core/http/endpoint.ts';
import { identifier, uuidName } from '../../core/http/schema.ts';
import type { AppEnv } from '../../core/http/types.ts';
import { acceptedDescription, acceptedSchema } from '../../log/operation/schema.ts';
import { beginMove } from './begin-move.ts';

const app = new OpenAPIHono<AppEnv>();
const tag = 'Operator';

const moveSchema = z
  .strictObject({ databaseName: identifier.openapi({ example: 'DB_1' }) })
  .openapi('OrganizationMove');

endpoint(app, {
  method: 'post',
  path: `${OPERATOR_PATH}/organization/{organizationUuid}/move`,
  operationId: 'moveOrganization',
  tag,
  summary: 'Move an organization to another database',
  description:
    'The organization keeps working during the move. At the end its writes wait, or get 503 with ' +
    '`Retry-After`, for seconds at most. Keys, links, sessions and webhooks keep working. A move ' +
    'that fails leaves the organization where it is.',
  access: operatorAccess('OPERATE'),
  params: z.object({ organizationUuid: uuidName }),
  body: moveSchema,
  responses: { 202: { description: acceptedDescription, schema: acceptedSchema } },
  errors: ['organizationNotFound', 'databaseNotFound', 'databaseClosed', 'databaseFull', 'moveUnderWay'],
  async handler(c, { params: { organizationUuid }, body: { databaseName }, submission }) {
    const operationId = await beginMove(c, submission, organizationUuid, databaseName);
    c.header('Location', `${OPERATOR_PATH}/operation/${operationId}`);
    return c.json({ operationId }, 202);
  },
});

export const moveRoutes = app;
