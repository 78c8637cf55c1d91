import type { z } from '@hono/zod-openapi';
import { settingsOf } from '../env.ts';
import { readsOf } from '../http/read.ts';
import type { AppContext } from '../http/types.ts';
import { type Written, writeAs } from '../http/write.ts';
import { settingsQuery, toSettings } from '../writer/settings.ts';
import { createCredential, revokeCredential, rotateCredential } from './commands.ts';
import { operatorOf } from './operator.ts';
import { type accessTokenCreateSchema, type apiKeyCreateSchema, TOKEN_LIFE_DEFAULT_MS } from './schema.ts';
import { makeSecret } from './secret.ts';
import type { StoredCredential } from './store.ts';
import type { CredentialKind } from './table.ts';
import { forgetCredentials } from './trusted.ts';

/** A kind of credential that organizations have. */
export type Tenanted = Exclude<CredentialKind, 'OPERATOR'>;

/** A credential, and the secret that was made for it: a repeat has made another one, which opens nothing. */
interface Issued {
  written: Written<StoredCredential>;
  secret: string;
}

/** Issue a credential of an organization, as the operator who asks for it. */
export async function issueTo(
  c: AppContext,
  organizationUuid: string,
  kind: Tenanted,
  input: z.output<typeof accessTokenCreateSchema> | z.output<typeof apiKeyCreateSchema>,
): Promise<Issued> {
  const { secret, ...stored } = makeSecret(organizationUuid, kind, await markOf(c, organizationUuid));
  const ends = kind === 'ACCESS_TOKEN' ? Date.now() + TOKEN_LIFE_DEFAULT_MS : null;
  const written = await writeAs(c, organizationUuid, operatorOf(c), createCredential, {
    kind,
    name: input.name,
    scopes: 'scopes' in input ? input.scopes : [],
    expiresDate: input.expiresDate ?? ends,
    stored,
  });
  return { written, secret };
}

/** Give a credential of an organization a new secret, as the operator who asks for it. */
export async function rotateOf(
  c: AppContext,
  organizationUuid: string,
  kind: Tenanted,
  uuid: string,
  overlapSeconds: number,
): Promise<Issued> {
  const { secret, ...stored } = makeSecret(organizationUuid, kind, await markOf(c, organizationUuid));
  const input = { kind, uuid, overlapSeconds, stored };
  const written = await writeAs(c, organizationUuid, operatorOf(c), rotateCredential, input);
  forgetCredentials();
  return { written, secret };
}

/** Revoke a credential of an organization, as the operator who asks for it. */
export async function revokeOf(
  c: AppContext,
  organizationUuid: string,
  kind: Tenanted,
  uuid: string,
): Promise<void> {
  await writeAs(c, organizationUuid, operatorOf(c), revokeCredential, { kind, uuid });
  forgetCredentials();
}

/** What a secret of an organization is marked with: that of a sandbox opens nothing that is real. */
async function markOf(c: AppContext, organizationUuid: string): Promise<'live' | 'test'> {
  const { credentialMark } = settingsOf(c.env);
  if (credentialMark === 'test') return credentialMark;
  const row = await readsOf(c, organizationUuid).first(settingsQuery(organizationUuid));
  return row && toSettings(row).sandbox ? 'test' : credentialMark;
}
