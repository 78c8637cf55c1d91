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

/** A kind of credential that organizations have; operators are not their own. */
export type OwnKind = Exclude<CredentialKind, 'OPERATOR'>;

/** The caller, and the organization of the credential: the principal of a request, or an operator. */
interface Issuer {
  organization: { uuid: string };
  actor: Actor;
}

/**
 * The members of a new credential; `expiresDate` in epoch milliseconds, null for never, absent for the default of its
 * kind.
 */
interface Issuing {
  name: string;
  scopes?: string[];
  expiresDate?: number | null | undefined;
}

/** A credential and the secret made for it. In a repeat that secret is another one, which opens nothing. */
export interface Issued {
  written: Written<StoredCredential>;
  secret: string;
}

/** Issue a credential. */
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

/** Rotate the secret of a credential; the old one stays valid for the overlap. */
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

/** Revoke a credential. */
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

/** The operator of a request as issuer of credentials for an organization. */
export const operatorFor = (c: AppContext, organizationUuid: string): Issuer => ({
  organization: { uuid: organizationUuid },
  actor: operatorOf(c),
});

/** The secrets of which the command takes one, and how to tell which it took. */
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
