import type { AuthorizationServer } from 'oauth4webapi';
import { settingsOf } from '../../core/env.ts';
import { type AppContext, origin } from '../../core/http/types.ts';
import { submissionOf, writeAs } from '../../core/http/write.ts';
import { Database } from '../../core/lib/database.ts';
import { databasesOf } from '../../core/lib/databases.ts';
import { parseJson } from '../../core/lib/json.ts';
import { ProblemError, type refusal } from '../../core/lib/problem.ts';
import { open } from '../../core/lib/seal.ts';
import type { Words } from '../../messages/words.ts';
import { withinAddressQuota } from '../session/request.ts';
import { newSession } from '../session/sign-in.ts';
import type { Permission } from '../user/rules.ts';
import { beginIdentitySession } from './commands.ts';
import { beginFlow, finishFlow, type Relying } from './flow.ts';
import { metadataOf } from './metadata.ts';
import { onceByPending, type PendingSignIn, setPending } from './pending.ts';
import { callbackPath } from './rules.ts';
import {
  type ClaimedIdentity,
  claimedBy,
  clientSecretContext,
  identityQuery,
  type Provider,
  providerQuery,
} from './store.ts';

/** The refusals of a page, and their texts. */
export interface RefusalTexts {
  words: Words;
  refuse: (...refused: Parameters<typeof refusal>) => never;
}

async function relyingOf(
  c: AppContext,
  { uuid, issuer, clientId, clientSecret }: Provider,
  server: AuthorizationServer,
  callback: string,
): Promise<Relying> {
  const { sealingKeys } = settingsOf(c.env);
  return {
    issuer,
    server,
    clientId,
    clientSecret: await open(sealingKeys, clientSecretContext(uuid), clientSecret),
    redirectUri: `${origin(c)}${callback}`,
  };
}

const databaseOf = (c: AppContext, organization: string) => new Database(organization, databasesOf(c.env));

/** Log the error at a provider. The browser gets the same message for every error. */
function noted(error: unknown): void {
  const { name, code } = error as { name?: string; code?: string };
  console.warn(JSON.stringify({ companySignIn: code ?? name ?? 'failed' }));
}

/**
 * Count a request for which this service must also send a request to the provider. @throws 429 if an IP address sends
 * too many
 */
async function spend(c: AppContext, { words: { t }, refuse }: RefusalTexts): Promise<void> {
  if (!(await withinAddressQuota(c))) refuse('rateLimited', t('company.tooMany'));
}

/** The start of a sign-in. */
export interface Beginning {
  organization: string;
  next: string;
}

/**
 * The URL at which the organization's provider signs the browser in. @throws 429 if an IP address sends too many
 * requests, 503 if the provider does not respond
 */
export async function beginAtProvider(
  c: AppContext,
  { organization, next }: Beginning,
  texts: RefusalTexts,
): Promise<string> {
  const { refuse } = texts;
  const { t } = texts.words;
  await spend(c, texts);
  const database = databaseOf(c, organization);
  const provider = await database.first(providerQuery(database));
  if (!provider) return refuse('signInFailed', t('company.none'));
  const settings = settingsOf(c.env);
  const callback = callbackPath(organization, provider.issuer);
  const begin = async () => {
    const server = await metadataOf(provider.issuer, settings);
    return beginFlow(await relyingOf(c, provider, server, callback), settings);
  };
  const { url, pending } = await begin().catch((error) => {
    noted(error);
    return refuse('temporarilyUnavailable', t('company.silent'));
  });
  await setPending(c, { organization, next, callback, ...pending });
  return url;
}

/**
 * Sign in a browser that returns from a provider. Returns the token of a new session, and the next page. @throws 401 if
 * the provider did not authenticate the user, 403 for a user who may not sign in, 503 if the provider does not respond
 */
export const finishAtProvider = (
  c: AppContext,
  maySignIn: (permissions: readonly Permission[]) => boolean,
  texts: RefusalTexts,
): Promise<{ token: string; next: string }> =>
  onceByPending(c, async (pending) => {
    if (!pending) return texts.refuse('signInFailed', texts.words.t('company.over'));
    const { organization, next } = pending;
    const claimed = await claimedAt(c, pending, texts);
    return { token: await begin(c, organization, claimed, maySignIn, texts), next };
  });

/** The provider's claims about a user. */
interface Returned {
  providerUuid: string;
  claimed: ClaimedIdentity;
}

async function claimedAt(c: AppContext, pending: PendingSignIn, texts: RefusalTexts): Promise<Returned> {
  const fail = () => texts.refuse('signInFailed', texts.words.t('company.failed'));
  const { organization, callback } = pending;
  const database = databaseOf(c, organization);
  const provider = await database.first(providerQuery(database));
  if (!provider) return fail();
  // If the browser returns at another path, another provider sent it there. So the authorization code is not sent to
  // this provider (RFC 9700 section 4.4).
  if (c.req.path !== callback || callback !== callbackPath(organization, provider.issuer)) return fail();
  await spend(c, texts);
  const settings = settingsOf(c.env);
  const server = await metadataOf(provider.issuer, settings).catch((error) => {
    noted(error);
    return texts.refuse('temporarilyUnavailable', texts.words.t('company.silent'));
  });
  const finish = async () => {
    const relying = await relyingOf(c, provider, server, callback);
    return finishFlow(relying, pending, new URL(c.req.url).searchParams, settings);
  };
  const claimed = await finish().catch((error) => {
    noted(error);
    return fail();
  });
  return { providerUuid: provider.uuid, claimed };
}

async function begin(
  c: AppContext,
  organization: string,
  { claimed, ...returned }: Returned,
  maySignIn: (permissions: readonly Permission[]) => boolean,
  { words: { t }, refuse }: RefusalTexts,
): Promise<string> {
  const database = databaseOf(c, organization);
  const found = claimedBy(await database.all(identityQuery(database, claimed)), claimed);
  if (!found) {
    return refuse('permissionRequired', t('company.unknown'));
  }
  if (!maySignIn(parseJson(found.permissions))) {
    refuse('permissionRequired', t('company.forbidden'));
  }
  const { token, begun } = newSession(c, organization);
  const { uuid: userUuid, displayName, sessionEpoch } = found;
  try {
    const actor = { actorType: 'USER' as const, uuid: userUuid, displayName };
    const input = { userUuid, sessionEpoch, claimed, ...returned, begun };
    await writeAs(c, submissionOf(c, null), organization, actor, beginIdentitySession, input);
  } catch (error) {
    if (error instanceof ProblemError && error.refusal.code === 'signInFailed')
      refuse('signInFailed', t('company.failed'));
    throw error;
  }
  return token;
}
