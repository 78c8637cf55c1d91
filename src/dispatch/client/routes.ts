import { OpenAPIHono, z } from '@hono/zod-openapi';
import { BASE_PATH, endpoint } from '../../core/http/endpoint.ts';
import { answerList, envelope } from '../../core/http/list-page.ts';
import { answerTagged, reads } from '../../core/http/read.ts';
import { emptySchema, identifier } from '../../core/http/schema.ts';
import { type AppEnv, origin } from '../../core/http/types.ts';
import { ifMatch, refuseMissing, write } from '../../core/http/write.ts';
import { clientAccess } from './access.ts';
import { createClient, deleteClient, updateClient } from './commands.ts';
import { clientSchema, clientWriteSchema } from './schema.ts';
import { clientList, clientPath, clientQuery, presentClient } from './store.ts';

const app = new OpenAPIHono<AppEnv>();
const tag = 'Client';
const path = `${BASE_PATH}/client`;
const params = z.object({
  clientId: identifier.describe('External id, or else UUID; case is ignored'),
});
const access = clientAccess;
const clientAnswer = { 200: { description: 'The client', schema: clientSchema } };
const matched = { 'If-Match': 'Only if the client still has this ETag' };

endpoint(app, {
  method: 'get',
  path,
  operationId: 'listClients',
  tag,
  summary: 'List clients',
  description: 'Returns clients, sorted by display name by default.',
  access,
  query: clientList.query,
  responses: { 200: { description: 'A page', schema: envelope('ClientPage', clientSchema) } },
  handler: (c, { query }) => answerList(c, clientList, query, presentClient),
});

endpoint(app, {
  method: 'post',
  path,
  operationId: 'createClient',
  tag,
  summary: 'Create a client',
  description: 'Both names are unique in the organization, ignoring case.',
  access,
  body: clientWriteSchema,
  responses: { 201: { description: 'The client', schema: clientSchema } },
  errors: ['displayNameInUse', 'externalIdInUse'],
  async handler(c, { body, submission }) {
    const { body: stored } = await write(c, submission, createClient, body);
    c.header('Location', clientPath(stored.uuid));
    return c.json(presentClient(origin(c), stored), 201);
  },
});

endpoint(app, {
  method: 'get',
  path: `${path}/{clientId}`,
  operationId: 'getClient',
  tag,
  summary: 'Get a client',
  description:
    'Finds the client by external id, ignoring case, or else by UUID. Returns an `ETag` for `If-Match`.',
  access,
  params,
  responses: { ...clientAnswer, 304: { description: 'Not modified' } },
  errors: ['clientNotFound'],
  async handler(c, { params: { clientId } }) {
    const database = reads(c);
    const {
      clients: [row],
    } = await database.ask({ clients: clientQuery(database, clientId) });
    if (!row) return refuseMissing('clientNotFound', clientId);
    return answerTagged(c, row.view, (stored) => presentClient(origin(c), stored));
  },
});

endpoint(app, {
  method: 'put',
  path: `${path}/{clientId}`,
  operationId: 'updateClient',
  tag,
  summary: 'Change the names of a client',
  description: 'The external id can change too. The client keeps its pallets.',
  access,
  params,
  body: clientWriteSchema,
  requestHeaders: matched,
  responses: clientAnswer,
  errors: ['clientNotFound', 'displayNameInUse', 'externalIdInUse', 'preconditionFailed'],
  async handler(c, { params: { clientId }, body, submission }) {
    const { body: stored } = await write(c, submission, updateClient, {
      identifier: clientId,
      ifMatch: ifMatch(c),
      ...body,
    });
    return c.json(presentClient(origin(c), stored));
  },
});

endpoint(app, {
  method: 'delete',
  path: `${path}/{clientId}`,
  operationId: 'deleteClient',
  tag,
  summary: 'Delete a client',
  description:
    'Frees both names. Refused while the client owns the pallet of a track that is not deleted, ' +
    'retired or not.',
  access,
  params,
  requestHeaders: matched,
  responses: { 200: { description: 'Deleted', schema: emptySchema } },
  errors: ['clientNotFound', 'clientHasAssignedPallets', 'preconditionFailed'],
  async handler(c, { params: { clientId }, submission }) {
    await write(c, submission, deleteClient, { identifier: clientId, ifMatch: ifMatch(c) });
    return c.json({});
  },
});

export const clientRoutes = app;
