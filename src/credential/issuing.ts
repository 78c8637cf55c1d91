import { settingsOf } from '../env.ts';
import { readsOf } from '../http/read.ts';
import type { AppContext } from '../http/types.ts';
import { type Written, writeAs } from '../http/write.ts';
import type { Actor } from '../writer/chain.ts';
import { settingsQuery, toSettings } from '../writer/settings.ts';
import { createCredential, revokeCredential, rotateCredential } from './commands.ts';
import { operatorOf } from './operator.ts';
import { TOKEN_LIFE_DEFAULT_MS } from './schema.ts';
import { makeSecret, type NewSecret } from './secret.ts';
import type { StoredCredential } from './store.ts';
import type { CredentialKind } from './table.ts';
import { forgetCredentials } from './trusted.ts';

/** A kind of credential that organizations have; operators are not their own. */
export type OwnKind = Exclude<CredentialKind, 'OPERATOR'>;

/** Who asks, and of which organization the credential is: the principal of a request, or an operator. */
interface Issuer {
  organization: { uuid: string; sandbox: boolean };
  actor: Actor;
}

/** What a credential begins with; `expiresDate` in ms of the epoch, null for never, absent for the default of its kind. */
interface Issuing {
  name: string;
  scopes?: string[];
  expiresDate?: number | null | undefined;
}

/** A credential, and the secret that was made for it: a repeat has made another one, which opens nothing. */
export interface Issued {
  written: Written<StoredCredential>;
  secret: string;
}

/** Issue a credential. */
export async function issueCredential(
  c: AppContext,
  issuer: Issuer,
  kind: OwnKind,
  { name, scopes = [], expiresDate }: Issuing,
): Promise<Issued> {
  const { secret, ...stored } = secretFor(c, issuer, kind);
  const ends = kind === 'ACCESS_TOKEN' ? Date.now() + TOKEN_LIFE_DEFAULT_MS : null;
  const input = { kind, name, scopes, expiresDate: expiresDate ?? ends, stored };
  return {
    written: await writeAs(c, issuer.organization.uuid, issuer.actor, createCredential, input),
    secret,
  };
}

/** Give a credential a new secret; the old one is valid for the overlap. */
export async function renewSecret(
  c: AppContext,
  issuer: Issuer,
  kind: OwnKind,
  uuid: string,
  overlapSeconds: number,
): Promise<Issued> {
  const { secret, ...stored } = secretFor(c, issuer, kind);
  const input = { kind, uuid, overlapSeconds, stored };
  const written = await writeAs(c, issuer.organization.uuid, issuer.actor, rotateCredential, input);
  forgetCredentials();
  return { written, secret };
}

/** Revoke a credential. */
export async function revoke(
  c: AppContext,
  { organization, actor }: { organization: { uuid: string }; actor: Actor },
  kind: OwnKind,
  uuid: string,
): Promise<void> {
  await writeAs(c, organization.uuid, actor, revokeCredential, { kind, uuid });
  forgetCredentials();
}

/** A secret: that of a sandbox opens nothing that is real. */
const secretFor = (c: AppContext, { organization: { uuid, sandbox } }: Issuer, kind: OwnKind): NewSecret =>
  makeSecret(uuid, kind, sandbox ? 'test' : settingsOf(c.env).credentialMark);

/** The operator who asks, as who issues credentials of an organization. */
export async function operatorAsIssuer(c: AppContext, organizationUuid: string): Promise<Issuer> {
  const row = await readsOf(c, organizationUuid).first(settingsQuery(organizationUuid));
  const sandbox = row !== undefined && toSettings(row).sandbox;
  return { organization: { uuid: organizationUuid, sandbox }, actor: operatorOf(c) };
}
