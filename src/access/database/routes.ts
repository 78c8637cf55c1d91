import { OpenAPIHono, z } from '@hono/zod-openapi';
import { type Settings, settingsOf } from '../../core/env.ts';
import { endpoint, OPERATOR_PATH } from '../../core/http/endpoint.ts';
import { answerPage, askPage, envelope } from '../../core/http/list-page.ts';
import { readsOf } from '../../core/http/read.ts';
import { identifier } from '../../core/http/schema.ts';
import type { AppEnv } from '../../core/http/types.ts';
import { databasesOf } from '../../core/lib/databases.ts';
import { isoDateOrNull } from '../../core/lib/time.ts';
import { OPERATOR_LOG, operatorAccess } from '../credential/operator.ts';
import { databaseList } from './list.ts';
import { missingOf } from './missing.ts';
import { databaseSchema, databaseUpdateSchema } from './schema.ts';
import { setOpen } from './set-open.ts';
import type { StoredDatabase } from './store.ts';

const app = new OpenAPIHono<AppEnv>();
const tag = 'Operator';
const path = `${OPERATOR_PATH}/database`;

const present = (
  { DATABASE_LIMIT_BYTES }: Settings,
  { open, migrations, measureDate, ...stored }: StoredDatabase,
) => ({
  ...stored,
  limitBytes: DATABASE_LIMIT_BYTES,
  measureDate: isoDateOrNull(measureDate),
  open: open === 1,
  missingMigrations: missingOf(migrations),
});

endpoint(app, {
  method: 'get',
  path,
  operationId: 'listDatabases',
  tag,
  summary: 'List databases',
  description:
    'Returns the bound databases with their sizes and missing migrations. They are measured every minute.',
  access: operatorAccess('READ'),
  query: databaseList.query,
  responses: { 200: { description: 'A page', schema: envelope('DatabasePage', databaseSchema) } },
  async handler(c, { query }) {
    const database = readsOf(c, OPERATOR_LOG);
    const page = askPage(databaseList, database, query, databasesOf(c.env).names);
    return answerPage(c, database, page, (_, stored) => present(settingsOf(c.env), stored));
  },
});

endpoint(app, {
  method: 'put',
  path: `${path}/{databaseName}`,
  operationId: 'updateDatabase',
  tag,
  summary: 'Open or close a database',
  description:
    'A closed database gets no new organizations. Organizations that already live in it are not affected.',
  access: operatorAccess('OPERATE'),
  params: z.object({ databaseName: identifier.describe('Name of the database binding') }),
  body: databaseUpdateSchema,
  responses: { 200: { description: 'The database', schema: databaseSchema } },
  errors: [['databaseNotFound', 404]],
  async handler(c, { params: { databaseName }, body: { open }, submission }) {
    const stored = await setOpen(c, submission, databaseName, open);
    return c.json(present(settingsOf(c.env), stored));
  },
});

export const databaseRoutes = app;
