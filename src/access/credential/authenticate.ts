import type { Access } from '../../core/http/declaration.ts';
import { ownSlug } from '../../core/http/hosts.ts';
import { spendRequest } from '../../core/http/rate-limit.ts';
import type { AppContext, Principal } from '../../core/http/types.ts';
import { Database } from '../../core/lib/database.ts';
import { databasesOf } from '../../core/lib/databases.ts';
import { ProblemError, refusal } from '../../core/lib/problem.ts';
import { SUSPENDED } from '../../core/writer/settings.ts';
import type { TokenScope } from './schema.ts';
import { type FoundCredential, findCredential, noteCredentialUse } from './store.ts';
import type { CredentialKind } from './table.ts';
import { trusting } from './trusted.ts';

const trusted = trusting(findCredential);

/** The integration API: a valid API key in `X-AUTH-KEY`, within the organization's quota. */
export const apiKeyAccess: Access = {
  security: [{ apiKey: [] }],
  errors: ['unauthorized', 'organizationSuspended', 'rateLimited', 'temporarilyUnavailable'],
  async check(c) {
    await admit(c, await authenticate(c, 'API_KEY', c.req.header('X-AUTH-KEY')));
  },
};

/**
 * The calibration and device APIs: a valid access token with the scope in `X-Auth-Token`. If the request also has an
 * `X-AUTH-KEY`, it must be valid and belong to the same organization. Within the organization's quota.
 */
export const accessTokenAccess = (scope: TokenScope): Access => ({
  security: [{ accessToken: [] }],
  errors: ['unauthorized', 'organizationSuspended', 'scopeRequired', 'rateLimited', 'temporarilyUnavailable'],
  async check(c) {
    const found = await authenticate(c, 'ACCESS_TOKEN', c.req.header('X-Auth-Token'));
    const key = c.req.header('X-AUTH-KEY');
    if (key !== undefined) {
      const ofKey = await authenticate(c, 'API_KEY', key);
      if (ofKey.organization.uuid !== found.organization.uuid) throw unauthorized();
    }
    if (!found.scopes.includes(scope)) {
      throw new ProblemError(refusal('scopeRequired', `The access token lacks the scope ${scope}.`));
    }
    await admit(c, found);
  },
});

async function admit(c: AppContext, { kind, uuid, name, organization }: FoundCredential): Promise<void> {
  const principal: Principal = { organization, actor: { actorType: kind, uuid, displayName: name } };
  c.set('principal', principal);
  await spendRequest(c, organization);
}

/** Access to a public endpoint. */
export const publicAccess: Access = { security: [], errors: [], check: () => undefined };

/**
 * The credential of a secret. Every invalid credential gets the same refusal. A suspended organization gets another
 * refusal.
 */
async function authenticate(
  c: AppContext,
  kind: CredentialKind,
  secret: string | undefined,
): Promise<FoundCredential> {
  const databases = databasesOf(c.env);
  const found = await trusted(kind, secret, databases);
  if (!found) throw unauthorized();
  const slug = ownSlug(c);
  if (slug !== undefined && slug !== found.organization.slug) throw unauthorized();
  if (found.organization.suspendedDate !== null) throw new ProblemError(SUSPENDED);
  noteCredentialUse(c, new Database(found.organization.uuid, databases), found);
  return found;
}

const unauthorized = (): ProblemError =>
  new ProblemError(
    refusal(
      'unauthorized',
      'Send a valid API key or access token. The host of an organization accepts only keys and tokens of that organization.',
    ),
    {
      'WWW-Authenticate': 'ApiKey realm="integration"',
    },
  );
