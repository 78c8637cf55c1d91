import { OpenAPIHono, z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import { apiKeyAccess } from '../credential/authenticate.ts';
import { BASE_PATH, endpoint, OPERATOR_PATH } from '../http/endpoint.ts';
import {
  answerList,
  envelope,
  includeDeletedFilter,
  listQuery,
  type Sorting,
  searchCondition,
  searchFilter,
} from '../http/list.ts';
import { reads } from '../http/read.ts';
import { identifier, several, uuid, uuidName } from '../http/schema.ts';
import { type AppEnv, origin } from '../http/types.ts';
import { writeAs } from '../http/write.ts';
import { inList } from '../lib/database.ts';
import { OPERATOR, operatorAccess } from '../organization/operator.ts';
import { gateSchema, gateUpsertSchema } from './schema.ts';
import { gateView, presentGate, type StoredGate } from './store.ts';

const app = new OpenAPIHono<AppEnv>();
const gatePath = `${OPERATOR_PATH}/organization/{organizationUuid}/gate/{externalIdentifier}`;
const params = z.object({ organizationUuid: uuidName, externalIdentifier: identifier });

const sorting: Sorting<'createDate' | 'updateDate' | 'externalIdentifier' | 'name'> = {
  columns: {
    createDate: { expression: sql`gate.create_date`, stable: true },
    updateDate: { expression: sql`gate.update_date`, stable: false },
    externalIdentifier: { expression: sql`gate.external_identifier`, stable: true },
    name: { expression: sql`gate.name`, stable: false },
  },
  default: { sortBy: 'createDate', direction: 'DESC' },
};

endpoint(app, {
  method: 'put',
  path: gatePath,
  operationId: 'putGate',
  tag: 'Operator',
  summary: 'Create or change a gate',
  description:
    'Makes the gate with this external identifier what the body says: 201 where there was none, 200 where ' +
    'there was.',
  access: operatorAccess,
  params,
  body: gateUpsertSchema,
  responses: {
    200: { description: 'The gate, changed', schema: gateSchema },
    201: { description: 'The gate, created', schema: gateSchema },
  },
  errors: ['organizationNotFound', ['localManagerNotFound', 400]],
  async handler(c, { params: { organizationUuid, externalIdentifier }, body }) {
    const { body: answer } = await writeAs<{ created: 0 | 1; gate: StoredGate }, 'putGate'>(
      c,
      organizationUuid,
      OPERATOR,
      'putGate',
      { externalIdentifier, name: body.name, localManagerUuid: body.localManagerUuid },
    );
    return c.json(presentGate(origin(c), answer.gate), answer.created ? 201 : 200);
  },
});

endpoint(app, {
  method: 'delete',
  path: gatePath,
  operationId: 'deleteGate',
  tag: 'Operator',
  summary: 'Delete a gate',
  description: 'Refused while an open manifest or shipment is assigned to it. Closed ones still name it.',
  access: operatorAccess,
  params,
  responses: { 204: { description: 'Deleted' } },
  errors: ['organizationNotFound', 'gateNotFound', 'gateInUse'],
  async handler(c, { params: { organizationUuid, externalIdentifier } }) {
    await writeAs(c, organizationUuid, OPERATOR, 'deleteGate', { externalIdentifier });
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
    'Every gate with what is in progress there: LOADING while an active manifest or shipment is at it.',
  access: apiKeyAccess,
  query: listQuery(sorting, {
    localManagerUuid: several(uuid).optional().describe('Of any of these local managers'),
    q: searchFilter,
    includeDeleted: includeDeletedFilter,
  }),
  responses: { 200: { description: 'A page', schema: envelope(gateSchema) } },
  handler(c, { query }) {
    const database = reads(c);
    const source = {
      from: sql`gate`,
      table: 'gate',
      conditions: [
        sql`gate.organization_uuid = ${database.organization}`,
        query.includeDeleted ? undefined : sql`gate.deleted_date IS NULL`,
        query.localManagerUuid && sql`gate.local_manager_uuid ${inList(query.localManagerUuid)}`,
        searchCondition([sql`gate.folded_identifier`, sql`gate.folded_name`], query.q),
      ],
      view: gateView,
      sorting,
    };
    return answerList(c, database, source, query, (stored: StoredGate) => presentGate(origin(c), stored));
  },
});

export const siteRoutes = app;
