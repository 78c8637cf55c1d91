import { OpenAPIHono, z } from '@hono/zod-openapi';
import { endpoint, OPERATOR_PATH } from '../../core/http/endpoint.ts';
import { answerPage, askPage, envelope } from '../../core/http/list-page.ts';
import { readsOf } from '../../core/http/read.ts';
import { uuidName } from '../../core/http/schema.ts';
import type { AppEnv } from '../../core/http/types.ts';
import { missing } from '../../core/lib/missing.ts';
import { settingsQuery } from '../../core/writer/settings.ts';
import { CREDENTIAL_NOT_FOUND } from './commands.ts';
import { issueCredential, type OwnKind, operatorFor, renewSecret, revoke } from './issue-credential.ts';
import { issued, presentCredential } from './issued.ts';
import { credentialList } from './list.ts';
import { operatorAccess } from './operator.ts';
import {
  accessTokenCreateSchema,
  apiKeyCreateSchema,
  credentialSchema,
  issuedCredentialSchema,
  rotateSchema,
} from './schema.ts';

const app = new OpenAPIHono<AppEnv>();
const tag = 'Operator';

/** The four operations of a kind of credential. */
function credentialEndpoints<B extends typeof apiKeyCreateSchema | typeof accessTokenCreateSchema>(
  kind: OwnKind,
  segment: 'api-key' | 'access-token',
  title: string,
  body: B,
): void {
  const path = `${OPERATOR_PATH}/organization/{organizationUuid}/${segment}`;
  const credentials = credentialList(kind);
  const ofOrganization = z.object({ organizationUuid: uuidName });
  const ofCredential = ofOrganization.extend({ uuid: uuidName });
  const idPart = kind === 'API_KEY' ? 'ApiKey' : 'AccessToken';

  endpoint(app, {
    method: 'post',
    path,
    operationId: `create${idPart}`,
    tag,
    summary: `Issue an ${title}`,
    description: 'Only this response shows the `secret`; a replayed response has null instead.',
    access: operatorAccess('PROVISION'),
    params: ofOrganization,
    body: body as z.ZodType<z.output<typeof accessTokenCreateSchema> | z.output<typeof apiKeyCreateSchema>>,
    responses: { 201: { description: 'The credential with its secret', schema: issuedCredentialSchema } },
    errors: ['organizationNotFound'],
    async handler(c, { params: { organizationUuid }, body: input, submission }) {
      const { written, secret } = await issueCredential(
        c,
        submission,
        operatorFor(c, organizationUuid),
        kind,
        input,
      );
      c.header('Location', `${path.replace('{organizationUuid}', organizationUuid)}/${written.body.uuid}`);
      return issued(c, written, secret, 201);
    },
  });

  endpoint(app, {
    method: 'get',
    path,
    operationId: `list${idPart}s`,
    tag,
    summary: `List ${title}s`,
    description:
      'Returns credentials, newest first, with the first characters of the secret and the date of ' +
      'the last use.',
    access: operatorAccess('READ'),
    params: ofOrganization,
    query: credentials.query,
    responses: { 200: { description: 'A page', schema: envelope('CredentialPage', credentialSchema) } },
    errors: ['organizationNotFound'],
    async handler(c, { params: { organizationUuid }, query }) {
      const database = readsOf(c, organizationUuid);
      return answerPage(c, database, askPage(credentials, database, query), presentCredential, {
        query: settingsQuery(organizationUuid),
        missing: missing('organizationNotFound', organizationUuid),
      });
    },
  });

  endpoint(app, {
    method: 'post',
    path: `${path}/{uuid}/rotate`,
    operationId: `rotate${idPart}`,
    tag,
    summary: `Rotate the secret of an ${title}`,
    description: 'The old secret stays valid during the overlap: 24 hours by default; 0 ends it at once.',
    access: operatorAccess('PROVISION'),
    params: ofCredential,
    body: rotateSchema,
    bodyOptional: true,
    responses: { 200: { description: 'The credential with its new secret', schema: issuedCredentialSchema } },
    errors: ['organizationNotFound', CREDENTIAL_NOT_FOUND[kind], 'credentialRevoked'],
    async handler(
      c,
      { params: { organizationUuid, uuid: credentialUuid }, body: { overlapSeconds }, submission },
    ) {
      const issuer = operatorFor(c, organizationUuid);
      const { written, secret } = await renewSecret(
        c,
        submission,
        issuer,
        kind,
        credentialUuid,
        overlapSeconds,
      );
      return issued(c, written, secret, 200);
    },
  });

  endpoint(app, {
    method: 'delete',
    path: `${path}/{uuid}`,
    operationId: `revoke${idPart}`,
    tag,
    summary: `Revoke an ${title}`,
    description: 'The credential is refused everywhere within 10 seconds.',
    access: operatorAccess('PROVISION'),
    params: ofCredential,
    responses: { 204: { description: 'Revoked' } },
    errors: ['organizationNotFound', CREDENTIAL_NOT_FOUND[kind]],
    async handler(c, { params: { organizationUuid, uuid: credentialUuid }, submission }) {
      await revoke(c, submission, operatorFor(c, organizationUuid), kind, credentialUuid);
      return c.body(null, 204);
    },
  });
}

credentialEndpoints('API_KEY', 'api-key', 'API key', apiKeyCreateSchema);
credentialEndpoints('ACCESS_TOKEN', 'access-token', 'access token', accessTokenCreateSchema);

export const credentialRoutes = app;
