import { OpenAPIHono, z } from '@hono/zod-openapi';
import { endpoint, OPERATOR_PATH } from '../../core/http/endpoint.ts';
import { answerPage, askPage, envelope } from '../../core/http/list-page.ts';
import { readsOf } from '../../core/http/read.ts';
import { uuidName } from '../../core/http/schema.ts';
import { type AppEnv, origin } from '../../core/http/types.ts';
import { refuseMissing } from '../../core/http/write.ts';
import { parseJson } from '../../core/lib/json.ts';
import { writerOf } from '../../core/writer/client.ts';
import { settingsQuery } from '../../core/writer/settings.ts';
import { OPERATOR_LOG, operatorAccess } from '../credential/operator.ts';
import { changeOrganization, newOrganization, setSuspended } from './change-organization.ts';
import { organizationList } from './list.ts';
import { presentOrganization as present } from './present.ts';
import {
  organizationCreateSchema,
  organizationSchema,
  organizationUpdateSchema,
  organizationVersionSchema,
} from './schema.ts';

const app = new OpenAPIHono<AppEnv>();
const tag = 'Operator';
const path = `${OPERATOR_PATH}/organization`;
const params = z.object({ organizationUuid: uuidName });

endpoint(app, {
  method: 'post',
  path,
  operationId: 'createOrganization',
  tag,
  summary: 'Create an organization',
  description:
    'Creates the organization with its four built-in authorities. `slug` gives the organization ' +
    'its own host, `{slug}.{BASE_DOMAIN}`. `markerCodeStart` is its first marker code. The ' +
    'organization lives in the named database, or else in the open database with the most free ' +
    'space.',
  access: operatorAccess('PROVISION'),
  body: organizationCreateSchema,
  responses: { 201: { description: 'The organization', schema: organizationSchema } },
  errors: ['slugInUse', 'databaseNotFound', 'databaseClosed', 'databaseFull'],
  async handler(c, { body, submission }) {
    const created = await newOrganization(c, submission, body);
    c.header('Location', `${path}/${created.uuid}`);
    return c.json(present(origin(c), created), 201);
  },
});

endpoint(app, {
  method: 'get',
  path,
  operationId: 'listOrganizations',
  tag,
  summary: 'List organizations',
  description: 'Returns all organizations of the service, newest first.',
  access: operatorAccess('READ'),
  query: organizationList.query,
  responses: { 200: { description: 'A page', schema: envelope('OrganizationPage', organizationSchema) } },
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
  description: 'Returns the settings that the operator has made.',
  access: operatorAccess('READ'),
  params,
  responses: { 200: { description: 'The organization', schema: organizationSchema } },
  errors: ['organizationNotFound'],
  async handler(c, { params: { organizationUuid } }) {
    const row = await readsOf(c, organizationUuid).first(settingsQuery(organizationUuid));
    if (!row) return refuseMissing('organizationNotFound', organizationUuid);
    return c.json(present(origin(c), parseJson(row.view)));
  },
});

endpoint(app, {
  method: 'get',
  path: `${path}/{organizationUuid}/version`,
  operationId: 'getOrganizationVersion',
  tag,
  summary: 'Get the versions of the code that serve an organization',
  description:
    'Returns the id of the deployed version that answers this request, and of the version that makes the ' +
    'writes of the organization. They differ only during a rollout.',
  access: operatorAccess('READ'),
  params,
  responses: { 200: { description: 'The two versions', schema: organizationVersionSchema } },
  errors: ['organizationNotFound'],
  async handler(c, { params: { organizationUuid } }) {
    const row = await readsOf(c, organizationUuid).first(settingsQuery(organizationUuid));
    if (!row) return refuseMissing('organizationNotFound', organizationUuid);
    const writerVersionId = await writerOf(c.env, organizationUuid).versionId();
    return c.json({ edgeVersionId: c.env.VERSION.id, writerVersionId });
  },
});

endpoint(app, {
  method: 'put',
  path: `${path}/{organizationUuid}`,
  operationId: 'updateOrganization',
  tag,
  summary: 'Change the settings of an organization',
  description: 'Omitted settings stay unchanged. Changes take effect everywhere within 10 seconds.',
  access: operatorAccess('PROVISION'),
  params,
  body: organizationUpdateSchema,
  responses: { 200: { description: 'The organization', schema: organizationSchema } },
  errors: ['organizationNotFound', 'slugInUse', 'openShipments', 'identifierImmutable'],
  async handler(c, { params: { organizationUuid }, body, submission }) {
    return c.json(present(origin(c), await changeOrganization(c, submission, organizationUuid, body)));
  },
});

for (const [word, suspended] of [
  ['suspend', true],
  ['resume', false],
] as const) {
  endpoint(app, {
    method: 'post',
    path: `${path}/{organizationUuid}/${word}`,
    operationId: `${word}Organization`,
    tag,
    summary: suspended ? 'Suspend an organization' : 'Resume a suspended organization',
    description: suspended
      ? 'Within 10 seconds, all its credentials, sessions and devices get 403 ' +
        '`organizationSuspended`. Public pages and images stay available. Accepted work is finished, ' +
        'and webhooks still receive all events.'
      : 'The same keys, tokens and sessions work again.',
    access: operatorAccess('PROVISION'),
    params,
    responses: { 200: { description: 'The organization', schema: organizationSchema } },
    errors: ['organizationNotFound'],
    async handler(c, { params: { organizationUuid }, submission }) {
      return c.json(present(origin(c), await setSuspended(c, submission, organizationUuid, suspended)));
    },
  });
}

export const organizationRoutes = app;
