import { OpenAPIHono, z } from '@hono/zod-openapi';
import { forgetCredentials } from '../credential/authenticate.ts';
import { OPERATOR, OPERATOR_LOG, operatorAccess } from '../credential/operator.ts';
import { endpoint, OPERATOR_PATH } from '../http/endpoint.ts';
import { deepLink } from '../http/link.ts';
import { answerPage, askPage, envelope } from '../http/list-page.ts';
import { readsOf } from '../http/read.ts';
import { uuidName } from '../http/schema.ts';
import { type AppEnv, origin } from '../http/types.ts';
import { refuse, writeAs } from '../http/write.ts';
import { parseJson } from '../lib/json.ts';
import { isoDate } from '../lib/time.ts';
import { type StoredOrganization, settingsQuery } from '../writer/settings.ts';
import { createOrganization, updateOrganization } from './commands.ts';
import { organizationList } from './list.ts';
import { organizationCreateSchema, organizationSchema, organizationUpdateSchema } from './schema.ts';

const app = new OpenAPIHono<AppEnv>();
const tag = 'Operator';
const path = `${OPERATOR_PATH}/organization`;
const params = z.object({ organizationUuid: uuidName });

const present = (links: string, stored: StoredOrganization) => ({
  ...stored,
  clientFeatureEnabled: stored.clientFeatureEnabled === 1,
  createDate: isoDate(stored.createDate),
  updateDate: isoDate(stored.updateDate),
  deepLink: deepLink(links, 'organization', stored.uuid),
});

endpoint(app, {
  method: 'post',
  path,
  operationId: 'createOrganization',
  tag,
  summary: 'Create an organization',
  description:
    'With its four built-in authorities. `slug` is the host of its own, `{slug}.{BASE_DOMAIN}`; ' +
    '`markerCodeStart` is the first marker code that it is given.',
  access: operatorAccess,
  body: organizationCreateSchema,
  responses: { 201: { description: 'The organization', schema: organizationSchema } },
  errors: ['slugInUse'],
  async handler(c, { body }) {
    const written = await writeAs(c, OPERATOR_LOG, OPERATOR, createOrganization, body);
    c.header('Location', `${path}/${written.body.uuid}`);
    return c.json(present(origin(c), written.body), 201);
  },
});

endpoint(app, {
  method: 'get',
  path,
  operationId: 'listOrganizations',
  tag,
  summary: 'List organizations',
  description: 'All organizations of the service, the newest first.',
  access: operatorAccess,
  query: organizationList.query,
  responses: { 200: { description: 'A page', schema: envelope(organizationSchema) } },
  handler(c, { query }) {
    const database = readsOf(c, OPERATOR_LOG);
    return answerPage(c, database, askPage(organizationList, database, query), present);
  },
});

endpoint(app, {
  method: 'get',
  path: `${path}/{organizationUuid}`,
  operationId: 'getOrganization',
  tag,
  summary: 'Get an organization',
  description: 'Its settings, as the operator made them.',
  access: operatorAccess,
  params,
  responses: { 200: { description: 'The organization', schema: organizationSchema } },
  errors: ['organizationNotFound'],
  async handler(c, { params: { organizationUuid } }) {
    const row = await readsOf(c, organizationUuid).first(settingsQuery(organizationUuid));
    if (!row) return refuse('organizationNotFound', 'There is no such organization.');
    return c.json(present(origin(c), parseJson(row.view)));
  },
});

endpoint(app, {
  method: 'put',
  path: `${path}/{organizationUuid}`,
  operationId: 'updateOrganization',
  tag,
  summary: 'Change settings of an organization',
  description: 'What is omitted stays. Known in every place within 10 seconds.',
  access: operatorAccess,
  params,
  body: organizationUpdateSchema,
  responses: { 200: { description: 'The organization', schema: organizationSchema } },
  errors: ['organizationNotFound', 'slugInUse', 'openShipments', 'identifierImmutable'],
  async handler(c, { params: { organizationUuid }, body }) {
    const written = await writeAs(c, organizationUuid, OPERATOR, updateOrganization, body);
    forgetCredentials();
    return c.json(present(origin(c), written.body));
  },
});

export const organizationRoutes = app;
