import { settingsOf } from '../env.ts';
import type { Access } from '../http/declaration.ts';
import { hostSlug } from '../http/hosts.ts';
import { spendRequest } from '../http/rate-limit.ts';
import { type AppContext, hostname, type Principal } from '../http/types.ts';
import { Database } from '../lib/database.ts';
import { databasesOf } from '../lib/databases.ts';
import { ProblemError, refusal } from '../lib/problem.ts';
import { SECOND_MS } from '../lib/time.ts';
import { SUSPENDED } from '../writer/settings.ts';
import type { Scope } from './schema.ts';
import { type CredentialKind, isSecretForm } from './secret.ts';
import { type FoundCredential, findCredential, LAST_USED_STEP_MS, noteUse } from './store.ts';

/** How long an isolate trusts what it read; a revocation is known everywhere after at most this. */
const TRUSTED_MS = 5 * SECOND_MS;
const TRUSTED_MAXIMUM = 2_000;
/** By the secret itself, so that neither its checksum nor its hash is computed again while it is trusted. */
const trusted = new Map<string, { found: FoundCredential; readDate: number }>();

/** Forget what this isolate knows of credentials and settings, after it has changed some. */
export function forgetCredentials(): void {
  trusted.clear();
}

/** The integration API: a valid API key in `X-AUTH-KEY`, within the organization's quota. */
export const apiKeyAccess: Access = {
  security: [{ apiKey: [] }],
  errors: ['unauthorized', 'organizationSuspended', 'rateLimited', 'temporarilyUnavailable'],
  async check(c) {
    await admit(c, await authenticate(c, 'API_KEY', c.req.header('X-AUTH-KEY')));
  },
};

/**
 * The calibration and device APIs: a valid access token with the scope in `X-Auth-Token`. An `X-AUTH-KEY` that is
 * sent beside it has to be valid and of the same organization. Within the organization's quota.
 */
export const accessTokenAccess = (scope: Scope): Access => ({
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

/** An endpoint that anyone may call. */
export const publicAccess: Access = { security: [], errors: [], check: () => undefined };

/** The credential behind a secret; one refusal for every reason there is. */
async function authenticate(
  c: AppContext,
  kind: CredentialKind,
  secret: string | undefined,
): Promise<FoundCredential> {
  const settings = settingsOf(c.env);
  const now = Date.now();
  const found = secret === undefined ? undefined : await lookUp(c, kind, secret, now);
  if (!found || found.kind !== kind || !isValid(found, now)) throw unauthorized();
  const slug = hostSlug(hostname(c), settings.BASE_DOMAIN);
  if (slug !== undefined && slug !== found.organization.slug) throw unauthorized();
  if (found.organization.suspendedDate !== null) throw new ProblemError(SUSPENDED);
  if (now - (found.lastUsedDate ?? 0) >= LAST_USED_STEP_MS) {
    found.lastUsedDate = now;
    const database = new Database(found.organization.uuid, databasesOf(c.env));
    c.executionCtx.waitUntil(
      noteUse(database, found.uuid, now).catch((error) => console.warn(String(error))),
    );
  }
  return found;
}

async function lookUp(
  c: AppContext,
  kind: CredentialKind,
  secret: string,
  now: number,
): Promise<FoundCredential | undefined> {
  const known = trusted.get(secret);
  if (known && now - known.readDate < TRUSTED_MS) return known.found;
  trusted.delete(secret);
  if (!isSecretForm(secret, kind)) return undefined;
  const found = await findCredential(databasesOf(c.env), secret);
  if (!found) return undefined;
  if (trusted.size >= TRUSTED_MAXIMUM) trusted.delete(trusted.keys().next().value!);
  trusted.set(secret, { found, readDate: now });
  return found;
}

const isValid = (found: FoundCredential, now: number): boolean =>
  found.revokedDate === null &&
  (found.expiresDate === null || found.expiresDate > now) &&
  (found.validUntilDate === null || found.validUntilDate > now);

const unauthorized = (): ProblemError =>
  new ProblemError(refusal('unauthorized', 'Send a valid credential for this host.'), {
    'WWW-Authenticate': 'ApiKey realm="integration"',
  });
