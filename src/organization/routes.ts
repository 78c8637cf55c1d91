import { OpenAPIHono, z } from '@hono/zod-openapi';
import { forgetCredentials } from '../credential/authenticate.ts';
import { OPERATOR, OPERATOR_LOG, operatorAccess } from '../credential/operator.ts';
import { roomFor } from '../database/room.ts';
import { settingsOf } from '../env.ts';
import { endpoint, OPERATOR_PATH } from '../http/endpoint.ts';
import { answerPage, askPage, envelope } from '../http/list-page.ts';
import { readsOf } from '../http/read.ts';
import { uuidName } from '../http/schema.ts';
import { type AppContext, type AppEnv, origin } from '../http/types.ts';
import { refuse, type Written, writeAs } from '../http/write.ts';
import { databasesOf, MAIN } from '../lib/databases.ts';
import { parseJson } from '../lib/json.ts';
import { ProblemError } from '../lib/problem.ts';
import { failureOf } from '../lib/store.ts';
import { type StoredOrganization, settingsQuery } from '../writer/settings.ts';
import { createOrganization, slugInUse, suspendOrganization, updateOrganization } from './commands.ts';
import { organizationList } from './list.ts';
import { presentOrganization as present } from './present.ts';
import { organizationCreateSchema, organizationSchema, organizationUpdateSchema } from './schema.ts';
import { beginChange, livesElsewhere, settle } from './settle.ts';

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
    'With its four built-in authorities. `slug` is the host of its own, `{slug}.{BASE_DOMAIN}`; ' +
    '`markerCodeStart` is the first marker code that it is given.' +
    'It lives in the database that is named, else in the open one that has most room.',
  access: operatorAccess,
  body: organizationCreateSchema,
  responses: { 201: { description: 'The organization', schema: organizationSchema } },
  errors: ['slugInUse', 'databaseNotFound', 'databaseClosed', 'databaseFull'],
  async handler(c, { body: { databaseName, ...settings } }) {
    const databases = databasesOf(c.env);
    const database = await roomFor(databases, databaseName, settingsOf(c.env).DATABASE_LIMIT_BYTES);
    const input = { ...settings, database };
    const written = await writeAs(c, OPERATOR_LOG, OPERATOR, createOrganization, input);
    if (written.body.databaseName !== MAIN) await settle(databases, written.body.uuid);
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
    const written = await change(c, organizationUuid, body.slug, () =>
      writeAs(c, organizationUuid, OPERATOR, updateOrganization, body),
    );
    forgetCredentials();
    return c.json(present(origin(c), written.body));
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
    summary: suspended ? 'Suspend an organization' : 'Have a suspended organization work again',
    description: suspended
      ? 'Within 10 seconds all of its credentials, sessions and devices are answered 403 `organizationSuspended`. Public pages ' +
        'and images stay. What had been accepted is finished, and webhooks are told what happened until then.'
      : 'With the same keys, tokens and sessions.',
    access: operatorAccess,
    params,
    responses: { 200: { description: 'The organization', schema: organizationSchema } },
    errors: ['organizationNotFound'],
    async handler(c, { params: { organizationUuid } }) {
      const written = await change(c, organizationUuid, undefined, () =>
        writeAs(c, organizationUuid, OPERATOR, suspendOrganization, { suspended }),
      );
      forgetCredentials();
      return c.json(present(origin(c), written.body));
    },
  });
}

/** Change settings where the organization lives, and in `DB`, which knows it by its slug and shows it in lists. */
async function change(
  c: AppContext,
  uuid: string,
  slug: string | undefined,
  written: () => Promise<Written<StoredOrganization>>,
): Promise<Written<StoredOrganization>> {
  const databases = databasesOf(c.env);
  if (!(await livesElsewhere(databases, uuid))) return written();
  try {
    await beginChange(databases, uuid, slug, Date.now());
  } catch (error) {
    if (failureOf(error) !== 'collision') throw error;
    throw new ProblemError(slugInUse(slug!));
  }
  try {
    return await written();
  } finally {
    await settle(databases, uuid);
  }
}

export const organizationRoutes = app;
