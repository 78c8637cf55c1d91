import { OpenAPIHono, z } from '@hono/zod-openapi';
import { settingsOf } from '../env.ts';
import { endpoint, OPERATOR_PATH } from '../http/endpoint.ts';
import { deepLink } from '../http/link.ts';
import { answerPage, askPage, envelope } from '../http/list-page.ts';
import { readsOf } from '../http/read.ts';
import { uuidName } from '../http/schema.ts';
import { type AppContext, type AppEnv, origin } from '../http/types.ts';
import { refuse, type Written, writeAs } from '../http/write.ts';
import { isoDate, isoDateOrNull } from '../lib/time.ts';
import { settingsQuery, toSettings } from '../writer/settings.ts';
import { forgetCredentials } from './authenticate.ts';
import { createCredential, revokeCredential, rotateCredential } from './commands.ts';
import { credentialList } from './list.ts';
import { OPERATOR, operatorAccess } from './operator.ts';
import {
  accessTokenCreateSchema,
  apiKeyCreateSchema,
  credentialSchema,
  issuedCredentialSchema,
  rotateSchema,
  TOKEN_LIFE_DEFAULT_MS,
} from './schema.ts';
import { type CredentialKind, makeSecret } from './secret.ts';
import type { StoredCredential } from './store.ts';

const app = new OpenAPIHono<AppEnv>();
const tag = 'Operator';

const present = (links: string, { kind, scopes, ...stored }: StoredCredential) => ({
  ...stored,
  ...(kind === 'ACCESS_TOKEN' ? { scopes } : {}),
  expiresDate: isoDateOrNull(stored.expiresDate),
  revokedDate: isoDateOrNull(stored.revokedDate),
  lastUsedDate: isoDateOrNull(stored.lastUsedDate),
  createDate: isoDate(stored.createDate),
  updateDate: isoDate(stored.updateDate),
  deepLink: deepLink(links, kind === 'API_KEY' ? 'api-key' : 'access-token', stored.uuid),
});

/** What a secret of an organization is marked with: that of a sandbox opens nothing that is real. */
async function markOf(c: AppContext, organizationUuid: string): Promise<'live' | 'test'> {
  const { credentialMark } = settingsOf(c.env);
  if (credentialMark === 'test') return credentialMark;
  const row = await readsOf(c, organizationUuid).first(settingsQuery(organizationUuid));
  return row && toSettings(row).sandbox ? 'test' : credentialMark;
}

/** The answer that shows a secret: this once, and not to a repeat, for which it was not kept. */
function issued(
  c: AppContext,
  { body, replayed }: Written<StoredCredential>,
  secret: string,
  status: 200 | 201,
) {
  c.header('Cache-Control', 'no-store');
  return c.json({ ...present(origin(c), body), secret: replayed ? null : secret }, status);
}

/** The four operations of a kind of credential. */
function credentialEndpoints<B extends typeof apiKeyCreateSchema | typeof accessTokenCreateSchema>(
  kind: CredentialKind,
  segment: 'api-key' | 'access-token',
  title: string,
  body: B,
): void {
  const path = `${OPERATOR_PATH}/organization/{organizationUuid}/${segment}`;
  const credentials = credentialList(kind);
  const ofOrganization = z.object({ organizationUuid: uuidName });
  const ofCredential = ofOrganization.extend({ uuid: uuidName });
  const idPart = kind === 'API_KEY' ? 'ApiKey' : 'AccessToken';
  const notFound = kind === 'API_KEY' ? 'apiKeyNotFound' : 'accessTokenNotFound';

  endpoint(app, {
    method: 'post',
    path,
    operationId: `create${idPart}`,
    tag,
    summary: `Issue an ${title}`,
    description: 'Its `secret` is in this answer and in no other; a replayed answer has null in its place.',
    access: operatorAccess,
    params: ofOrganization,
    body: body as z.ZodType<z.output<typeof accessTokenCreateSchema> | z.output<typeof apiKeyCreateSchema>>,
    responses: { 201: { description: 'The credential with its secret', schema: issuedCredentialSchema } },
    errors: ['organizationNotFound'],
    async handler(c, { params: { organizationUuid }, body: input }) {
      const { secret, ...stored } = makeSecret(organizationUuid, kind, await markOf(c, organizationUuid));
      const ends = kind === 'ACCESS_TOKEN' ? Date.now() + TOKEN_LIFE_DEFAULT_MS : null;
      const written = await writeAs(c, organizationUuid, OPERATOR, createCredential, {
        kind,
        name: input.name,
        scopes: 'scopes' in input ? input.scopes : [],
        expiresDate: input.expiresDate ?? ends,
        stored,
      });
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
    description: 'The newest first, with the beginning of the secret and when it was last used.',
    access: operatorAccess,
    params: ofOrganization,
    query: credentials.query,
    responses: { 200: { description: 'A page', schema: envelope('CredentialPage', credentialSchema) } },
    errors: ['organizationNotFound'],
    async handler(c, { params: { organizationUuid }, query }) {
      const database = readsOf(c, organizationUuid);
      return answerPage(c, database, askPage(credentials, database, query), present, {
        query: settingsQuery(organizationUuid),
        missing: () => refuse('organizationNotFound', 'There is no such organization.'),
      });
    },
  });

  endpoint(app, {
    method: 'post',
    path: `${path}/{uuid}/rotate`,
    operationId: `rotate${idPart}`,
    tag,
    summary: `Give an ${title} a new secret`,
    description: 'The old secret stays valid for the overlap (24 hours by default, 0 ends it at once).',
    access: operatorAccess,
    params: ofCredential,
    body: rotateSchema,
    bodyOptional: true,
    responses: { 200: { description: 'The credential with its new secret', schema: issuedCredentialSchema } },
    errors: ['organizationNotFound', notFound, 'credentialRevoked'],
    async handler(c, { params: { organizationUuid, uuid: credentialUuid }, body: { overlapSeconds } }) {
      const { secret, ...stored } = makeSecret(organizationUuid, kind, await markOf(c, organizationUuid));
      const input = { kind, uuid: credentialUuid, overlapSeconds, stored };
      const written = await writeAs(c, organizationUuid, OPERATOR, rotateCredential, input);
      forgetCredentials();
      return issued(c, written, secret, 200);
    },
  });

  endpoint(app, {
    method: 'delete',
    path: `${path}/{uuid}`,
    operationId: `revoke${idPart}`,
    tag,
    summary: `Revoke an ${title}`,
    description: 'Refused everywhere within 10 seconds.',
    access: operatorAccess,
    params: ofCredential,
    responses: { 204: { description: 'Revoked' } },
    errors: ['organizationNotFound', notFound],
    async handler(c, { params: { organizationUuid, uuid: credentialUuid } }) {
      await writeAs(c, organizationUuid, OPERATOR, revokeCredential, { kind, uuid: credentialUuid });
      forgetCredentials();
      return c.body(null, 204);
    },
  });
}

credentialEndpoints('API_KEY', 'api-key', 'API key', apiKeyCreateSchema);
credentialEndpoints('ACCESS_TOKEN', 'access-token', 'access token', accessTokenCreateSchema);

export const credentialRoutes = app;
