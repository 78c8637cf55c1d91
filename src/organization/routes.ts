import { OpenAPIHono, z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import { forgetCredentials } from '../credential/authenticate.ts';
import { OPERATOR, OPERATOR_LOG, operatorAccess } from '../credential/operator.ts';
import { endpoint, OPERATOR_PATH } from '../http/endpoint.ts';
import { deepLink } from '../http/link.ts';
import { answerList, envelope, listQuery } from '../http/list.ts';
import { type Sorting, totalOf } from '../http/list-statements.ts';
import { readsOf } from '../http/read.ts';
import { uuidName } from '../http/schema.ts';
import { type AppEnv, origin } from '../http/types.ts';
import { refuse, writeAs } from '../http/write.ts';
import { isoDate } from '../lib/time.ts';
import { organizationView, type StoredOrganization, settingsQuery } from '../writer/settings.ts';
import { createOrganization, updateOrganization } from './commands.ts';
import { organizationCreateSchema, organizationSchema, organizationUpdateSchema } from './schema.ts';

const app = new OpenAPIHono<AppEnv>();
const tag = 'Operator';
const path = `${OPERATOR_PATH}/organization`;
const params = z.object({ organizationUuid: uuidName });

const sorting: Sorting<'createDate' | 'updateDate' | 'name' | 'slug'> = {
  columns: {
    createDate: { expression: sql`organization.create_date`, stable: true },
    updateDate: { expression: sql`organization.update_date`, stable: false },
    name: { expression: sql`organization.name`, stable: false },
    slug: { expression: sql`organization.slug`, stable: false },
  },
  default: { sortBy: 'createDate', direction: 'DESC' },
};

const present = (links: string) => (stored: StoredOrganization) => ({
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
    return c.json(present(origin(c))(written.body), 201);
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
  query: listQuery(sorting, {}),
  responses: { 200: { description: 'A page', schema: envelope(organizationSchema) } },
  handler: (c, { query }) =>
    answerList(
      c,
      readsOf(c, OPERATOR_LOG),
      {
        from: sql`organization`,
        table: 'organization',
        conditions: [sql`organization.uuid <> ${OPERATOR_LOG}`],
        count: totalOf(OPERATOR_LOG, 'organization'),
        view: organizationView,
        sorting,
      },
      query,
      present(origin(c)),
    ),
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
    const row = await readsOf(c, organizationUuid).first<{ view: string }>(settingsQuery(organizationUuid));
    if (!row) return refuse('organizationNotFound', 'There is no such organization.');
    return c.json(present(origin(c))(JSON.parse(row.view) as StoredOrganization));
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
    return c.json(present(origin(c))(written.body));
  },
});

export const organizationRoutes = app;
