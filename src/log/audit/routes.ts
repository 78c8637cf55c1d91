import { OpenAPIHono, z } from '@hono/zod-openapi';
import { apiKeyAccess } from '../../access/credential/authenticate.ts';
import { OPERATOR_LOG, operatorAccess } from '../../access/credential/operator.ts';
import type { Access } from '../../core/http/declaration.ts';
import { BASE_PATH, endpoint, OPERATOR_PATH } from '../../core/http/endpoint.ts';
import { answerPage, askPage, envelope } from '../../core/http/list-page.ts';
import { answerRecord, reads, readsOf } from '../../core/http/read.ts';
import { uuidName } from '../../core/http/schema.ts';
import { type AppContext, type AppEnv, origin } from '../../core/http/types.ts';
import type { Database } from '../../core/lib/database.ts';
import { auditList } from './list.ts';
import { auditRecordSchema } from './schema.ts';
import { presentAuditRecord, recordQuery } from './store.ts';

const app = new OpenAPIHono<AppEnv>();

/** A log that can be read. */
function logEndpoint(
  path: string,
  operationId: string,
  tag: string,
  summary: string,
  access: Access,
  open: (c: AppContext) => Database,
): void {
  endpoint(app, {
    method: 'get',
    path,
    operationId,
    tag,
    summary,
    description:
      'Every write appends a record with the caller, the values before and after, the origin and ' +
      'the request id. Each record contains the hash of the record before. A walk through the log ' +
      'therefore finds a record that was changed, moved or removed: sort by `sequenceNumber` and ' +
      'follow `Link`. Keep the last `sequenceNumber` and `hash` elsewhere. Nothing else shows that ' +
      'records were removed from the end.',
    access,
    query: auditList.query,
    responses: { 200: { description: 'A page', schema: envelope('AuditRecordPage', auditRecordSchema) } },
    handler(c, { query }) {
      const database = open(c);
      return answerPage(c, database, askPage(auditList, database, query), presentAuditRecord);
    },
  });
}

logEndpoint(
  `${BASE_PATH}/audit-log`,
  'listAuditLog',
  'Audit log',
  'List the audit log of the organization',
  apiKeyAccess,
  reads,
);
logEndpoint(
  `${OPERATOR_PATH}/audit-log`,
  'listOperatorAuditLog',
  'Operator',
  'List operator actions that belong to no organization',
  operatorAccess('READ'),
  (c) => readsOf(c, OPERATOR_LOG),
);

endpoint(app, {
  method: 'get',
  path: `${BASE_PATH}/audit-log/{uuid}`,
  operationId: 'getAuditRecord',
  tag: 'Audit log',
  summary: 'Get a record of the audit log',
  description: 'Returns the record as in the list. Records are never changed or deleted.',
  access: apiKeyAccess,
  params: z.object({ uuid: uuidName }),
  responses: { 200: { description: 'The record', schema: auditRecordSchema } },
  errors: ['auditLogNotFound'],
  handler(c, { params: { uuid: wanted } }) {
    const database = reads(c);
    const query = recordQuery(database, wanted);
    return answerRecord(c, database, query, { code: 'auditLogNotFound', identifier: wanted }, (stored) =>
      presentAuditRecord(origin(c), stored),
    );
  },
});

export const auditRoutes = app;
