import { settingsOf } from '../../core/env.ts';
import type { AppContext } from '../../core/http/types.ts';
import { type Submission, type Written, writeAs } from '../../core/http/write.ts';
import type { Actor } from '../../core/writer/chain.ts';
import { createCredential, revokeCredential, rotateCredential } from './commands.ts';
import { operatorOf } from './operator.ts';
import { TOKEN_LIFE_DEFAULT_MS } from './schema.ts';
import { makeSecret, type NewSecret } from './secret.ts';
import type { StoredCredential } from './store.ts';
import type { CredentialKind } from './table.ts';
import { forgetCredentials } from './trusted.ts';

/** A kind of credential of organizations, so not an operator's. */
export type OwnKind = Exclude<CredentialKind, 'OPERATOR'>;

/** The caller, and the organization of the credential: the principal of a request, or an operator. */
interface Issuer {
  organization: { uuid: string };
  actor: Actor;
}

/**
 * The members of a new credential. `expiresDate` is in epoch milliseconds, null for never, absent for the default of
 * its kind.
 */
interface Issuing {
  name: string;
  scopes?: string[];
  expiresDate?: number | null | undefined;
}

/** A credential and its new secret. In a repeat of the request the secret is a different one, which is not valid. */
export interface Issued {
  written: Written<StoredCredential>;
  secret: string;
}

export async function issueCredential(
  c: AppContext,
  submission: Submission,
  { organization, actor }: Issuer,
  kind: CredentialKind,
  { name, scopes = [], expiresDate }: Issuing,
): Promise<Issued> {
  const { secrets, issued } = makeSecrets(c, organization.uuid, kind);
  const ends = kind === 'ACCESS_TOKEN' ? Date.now() + TOKEN_LIFE_DEFAULT_MS : null;
  const input = { kind, name, scopes, expiresDate: expiresDate ?? ends, secrets };
  return issued(await writeAs(c, submission, organization.uuid, actor, createCredential, input));
}

/** Rotate the secret of a credential. The old secret stays valid for the overlap. */
export async function renewSecret(
  c: AppContext,
  submission: Submission,
  { organization, actor }: Issuer,
  kind: CredentialKind,
  uuid: string,
  overlapSeconds: number,
): Promise<Issued> {
  const { secrets, issued } = makeSecrets(c, organization.uuid, kind);
  const input = { kind, uuid, overlapSeconds, secrets };
  const written = await writeAs(c, submission, organization.uuid, actor, rotateCredential, input);
  forgetCredentials();
  return issued(written);
}

export async function revoke(
  c: AppContext,
  submission: Submission,
  { organization, actor }: Issuer,
  kind: CredentialKind,
  uuid: string,
): Promise<void> {
  await writeAs(c, submission, organization.uuid, actor, revokeCredential, { kind, uuid });
  forgetCredentials();
}

/** The operator of a request, as the issuer of an organization's credentials. */
export const operatorFor = (c: AppContext, organizationUuid: string): Issuer => ({
  organization: { uuid: organizationUuid },
  actor: operatorOf(c),
});

/** Makes the secrets from which the command chooses, and a function that finds the chosen one. */
function makeSecrets(c: AppContext, organization: string, kind: CredentialKind) {
  const environment = settingsOf(c.env).credentialEnvironment;
  const usual = makeSecret(organization, kind, environment);
  const sandbox = environment === 'test' ? usual : makeSecret(organization, kind, 'test');
  return {
    secrets: { usual: stored(usual), sandbox: stored(sandbox) },
    issued: (written: Written<StoredCredential>): Issued => ({
      written,
      secret: written.body.prefix === sandbox.prefix ? sandbox.secret : usual.secret,
    }),
  };
}

const stored = ({ hash, prefix }: NewSecret) => ({ hash, prefix });
