import { settingsOf } from '../env.ts';
import { type AppContext, callerAddress, origin } from '../http/types.ts';
import { writeAs } from '../http/write.ts';
import { Database } from '../lib/database.ts';
import { databasesOf } from '../lib/databases.ts';
import { parseJson } from '../lib/json.ts';
import { ProblemError, type refusal } from '../lib/problem.ts';
import { open } from '../lib/seal.ts';
import type { Words } from '../messages/words.ts';
import { newSession } from '../session/sign-in.ts';
import type { Permission } from '../user/rules.ts';
import { beginIdentitySession } from './commands.ts';
import { beginFlow, finishFlow, type Relying } from './flow.ts';
import { givePending, takePending } from './pending.ts';
import {
  type Claimed,
  claimedBy,
  clientSecretPlace,
  identityQuery,
  type Provider,
  providerQuery,
} from './store.ts';

/** The redirect URI of this service, which has to be registered with the provider. */
export const CALLBACK_PATH = '/app/login/oidc/callback';

/** The refusals of a page, and their words. */
export interface Told {
  words: Words;
  refuse: (...refused: Parameters<typeof refusal>) => never;
}

async function relyingOf(c: AppContext, provider: Provider): Promise<Relying> {
  const { uuid, issuer, clientId, clientSecret } = provider;
  const { sealingKeys } = settingsOf(c.env);
  return {
    issuer,
    clientId,
    clientSecret: await open(sealingKeys, clientSecretPlace(uuid), clientSecret),
    redirectUri: `${origin(c)}${CALLBACK_PATH}`,
  };
}

const databaseOf = (c: AppContext, organization: string) => new Database(organization, databasesOf(c.env));

/** Log what went wrong at a provider; the browser gets the same message for every reason. */
function noted(error: unknown): void {
  const { name, code } = error as { name?: string; code?: string };
  console.warn(JSON.stringify({ companySignIn: code ?? name ?? 'failed' }));
}

/**
 * The URL at which the organization's provider signs the browser in. @throws 429 where an address asks too often, 503
 * where the provider does not respond
 */
export async function beginAtProvider(
  c: AppContext,
  organization: string,
  next: string,
  { words: { t }, refuse }: Told,
): Promise<string> {
  const key = callerAddress(c);
  // Each costs the provider a request. If the quota cannot be checked, nobody is kept out.
  const spent =
    key === null ? undefined : await c.env.PUBLIC_BY_ADDRESS.limit({ key }).catch(() => undefined);
  if (spent?.success === false) refuse('rateLimited', t('company.tooMany'));
  const database = databaseOf(c, organization);
  const provider = await database.first(providerQuery(database));
  if (!provider) return refuse('signInFailed', t('company.none'));
  const begun = await relyingOf(c, provider)
    .then((relying) => beginFlow(relying, settingsOf(c.env)))
    .catch((error) => {
      noted(error);
      return refuse('temporarilyUnavailable', t('company.silent'));
    });
  await givePending(c, { organization, next, ...begun.pending });
  return begun.url;
}

/**
 * Sign in a browser that returns from a provider. Returns the token of a new session, and where to go on. @throws 401
 * where the provider did not authenticate anybody, 403 for a user who may not sign in
 */
export async function finishAtProvider(
  c: AppContext,
  maySignIn: (permissions: readonly Permission[]) => boolean,
  told: Told,
): Promise<{ token: string; next: string }> {
  const { refuse } = told;
  const { t } = told.words;
  const pending = await takePending(c);
  if (!pending) return refuse('signInFailed', t('company.over'));
  const database = databaseOf(c, pending.organization);
  const provider = await database.first(providerQuery(database));
  if (!provider) return refuse('signInFailed', t('company.failed'));
  const answered = new URL(c.req.url).searchParams;
  const claimed = await relyingOf(c, provider)
    .then((relying) => finishFlow(relying, pending, answered, settingsOf(c.env)))
    .catch((error) => {
      noted(error);
      return refuse('signInFailed', t('company.failed'));
    });
  return {
    token: await begin(c, pending.organization, provider.uuid, claimed, maySignIn, told),
    next: pending.next,
  };
}

async function begin(
  c: AppContext,
  organization: string,
  providerUuid: string,
  claimed: Claimed,
  maySignIn: (permissions: readonly Permission[]) => boolean,
  { words: { t }, refuse }: Told,
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
    const input = { userUuid, sessionEpoch, providerUuid, claimed, begun };
    await writeAs(c, organization, actor, beginIdentitySession, input);
  } catch (error) {
    if (error instanceof ProblemError && error.refusal.code === 'signInFailed')
      refuse('signInFailed', t('company.failed'));
    throw error;
  }
  return token;
}
