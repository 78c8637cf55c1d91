import { OpenAPIHono, z } from '@hono/zod-openapi';
import { endpoint, OPERATOR_PATH } from '../../core/http/endpoint.ts';
import { answerPage, askPage, envelope } from '../../core/http/list-page.ts';
import { readsOf } from '../../core/http/read.ts';
import { uuidName } from '../../core/http/schema.ts';
import type { AppEnv } from '../../core/http/types.ts';
import { issueCredential, operatorFor, renewSecret, revoke } from './issue-credential.ts';
import { issued, presentCredential } from './issued.ts';
import { credentialList } from './list.ts';
import { bootstrapAccess as access, OPERATOR_LOG } from './operator.ts';
import { issuedOperatorSchema, operatorCreateSchema, operatorSchema, rotateSchema } from './schema.ts';

const app = new OpenAPIHono<AppEnv>();
const tag = 'Operator';
const path = `${OPERATOR_PATH}/operator`;
const params = z.object({ uuid: uuidName });
const kind = 'OPERATOR';
const operators = credentialList(kind);

endpoint(app, {
  method: 'post',
  path,
  operationId: 'createOperator',
  tag,
  summary: 'Create an operator',
  description:
    'Creates a named credential for the operator API. The scope READ allows every GET except the ' +
    'export. PROVISION covers organizations with their credentials, authorities, gates and ' +
    'devices, and suspend and resume. OPERATE covers databases, moves and dead letters. TRANSFER ' +
    'covers export and import. ERASE covers erasure. Only the bootstrap key, the secret ' +
    '`OPERATOR_KEY`, can create, list, rotate and revoke operators. Only this response shows the ' +
    '`secret`; a replayed response has null instead.',
  access,
  body: operatorCreateSchema,
  responses: { 201: { description: 'The operator with its secret', schema: issuedOperatorSchema } },
  async handler(c, { body: input, submission }) {
    const { written, secret } = await issueCredential(
      c,
      submission,
      operatorFor(c, OPERATOR_LOG),
      kind,
      input,
    );
    c.header('Location', `${path}/${written.body.uuid}`);
    return issued(c, written, secret, 201);
  },
});

endpoint(app, {
  method: 'get',
  path,
  operationId: 'listOperators',
  tag,
  summary: 'List operators',
  description:
    'Returns operators, newest first, with the first characters of the secret and the date of the ' +
    'last use.',
  access,
  query: operators.query,
  responses: { 200: { description: 'A page', schema: envelope('OperatorPage', operatorSchema) } },
  handler(c, { query }) {
    const database = readsOf(c, OPERATOR_LOG);
    return answerPage(c, database, askPage(operators, database, query), presentCredential);
  },
});

endpoint(app, {
  method: 'post',
  path: `${path}/{uuid}/rotate`,
  operationId: 'rotateOperator',
  tag,
  summary: 'Rotate the secret of an operator',
  description: 'The old secret stays valid during the overlap: 24 hours by default; 0 ends it at once.',
  access,
  params,
  body: rotateSchema,
  bodyOptional: true,
  responses: { 200: { description: 'The operator with its new secret', schema: issuedOperatorSchema } },
  errors: ['operatorNotFound', 'credentialRevoked'],
  async handler(c, { params: { uuid }, body: { overlapSeconds }, submission }) {
    const issuer = operatorFor(c, OPERATOR_LOG);
    const { written, secret } = await renewSecret(c, submission, issuer, kind, uuid, overlapSeconds);
    return issued(c, written, secret, 200);
  },
});

endpoint(app, {
  method: 'delete',
  path: `${path}/{uuid}`,
  operationId: 'revokeOperator',
  tag,
  summary: 'Revoke an operator',
  description: 'The operator is refused everywhere within 10 seconds.',
  access,
  params,
  responses: { 204: { description: 'Revoked' } },
  errors: ['operatorNotFound'],
  async handler(c, { params: { uuid }, submission }) {
    await revoke(c, submission, operatorFor(c, OPERATOR_LOG), kind, uuid);
    return c.body(null, 204);
  },
});

export const operatorRoutes = app;
