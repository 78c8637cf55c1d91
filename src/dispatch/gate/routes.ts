import { OpenAPIHono, z } from '@hono/zod-openapi';
import { apiKeyAccess } from '../../access/credential/authenticate.ts';
import { operatorAccess, operatorOf } from '../../access/credential/operator.ts';
import { BASE_PATH, endpoint, OPERATOR_PATH } from '../../core/http/endpoint.ts';
import { answerList, envelope } from '../../core/http/list-page.ts';
import { answerRecord, reads } from '../../core/http/read.ts';
import { identifier, uuidName } from '../../core/http/schema.ts';
import { type AppEnv, origin } from '../../core/http/types.ts';
import { writeAs } from '../../core/http/write.ts';
import { deleteGate, putGate } from './commands.ts';
import { gateList } from './list.ts';
import { gateSchema, gateUpsertSchema } from './schema.ts';
import { gateViewQuery, presentGate } from './store.ts';

const app = new OpenAPIHono<AppEnv>();
const gatePath = `${OPERATOR_PATH}/organization/{organizationUuid}/gate/{externalIdentifier}`;
const params = z.object({ organizationUuid: uuidName, externalIdentifier: identifier });

endpoint(app, {
  method: 'put',
  path: gatePath,
  operationId: 'putGate',
  tag: 'Operator',
  summary: 'Create or change a gate',
  description: 'Creates the gate with this external identifier (201), or changes it to match the body (200).',
  access: operatorAccess('PROVISION'),
  params,
  body: gateUpsertSchema,
  responses: {
    200: { description: 'The changed gate', schema: gateSchema },
    201: { description: 'The created gate', schema: gateSchema },
  },
  errors: ['organizationNotFound', ['localManagerNotFound', 400]],
  async handler(c, { params: { organizationUuid, externalIdentifier }, body, submission }) {
    const { body: answer } = await writeAs(c, submission, organizationUuid, operatorOf(c), putGate, {
      externalIdentifier,
      name: body.name,
      localManagerUuid: body.localManagerUuid,
      gln: body.gln,
    });
    return c.json(presentGate(origin(c), answer.gate), answer.created ? 201 : 200);
  },
});

endpoint(app, {
  method: 'delete',
  path: gatePath,
  operationId: 'deleteGate',
  tag: 'Operator',
  summary: 'Delete a gate',
  description:
    'Refused while an open manifest or shipment is assigned to the gate. Closed manifests and ' +
    'shipments still name it.',
  access: operatorAccess('PROVISION'),
  params,
  responses: { 204: { description: 'Deleted' } },
  errors: ['organizationNotFound', 'gateNotFound', 'gateInUse'],
  async handler(c, { params: { organizationUuid, externalIdentifier }, submission }) {
    await writeAs(c, submission, organizationUuid, operatorOf(c), deleteGate, { externalIdentifier });
    return c.body(null, 204);
  },
});

endpoint(app, {
  method: 'get',
  path: `${BASE_PATH}/gate`,
  operationId: 'listGates',
  tag: 'Gate',
  summary: 'List gates',
  description:
    'Returns gates with the manifests and shipments in progress there. A gate with work in progress is ' +
    'LOADING. Deleted gates are left out by default.',
  access: apiKeyAccess,
  query: gateList.query,
  responses: { 200: { description: 'A page', schema: envelope('GatePage', gateSchema) } },
  handler: (c, { query }) => answerList(c, gateList, query, presentGate),
});

endpoint(app, {
  method: 'get',
  path: `${BASE_PATH}/gate/{gateExternalId}`,
  operationId: 'getGate',
  tag: 'Gate',
  summary: 'Get a gate',
  description:
    'Finds the gate by external identifier, or else by UUID. Shows the work in progress there, as ' +
    'in the list.',
  access: apiKeyAccess,
  params: z.object({ gateExternalId: identifier }),
  responses: { 200: { description: 'The gate', schema: gateSchema } },
  errors: ['gateNotFound'],
  handler(c, { params: { gateExternalId } }) {
    const database = reads(c);
    const query = gateViewQuery(database, gateExternalId);
    const named = { code: 'gateNotFound', identifier: gateExternalId } as const;
    return answerRecord(c, database, query, named, (stored) => presentGate(origin(c), stored));
  },
});

export const siteRoutes = app;
