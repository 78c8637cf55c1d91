import { ownSlug } from '../../core/http/hosts.ts';
import { type AppContext, callerAddress } from '../../core/http/types.ts';
import { type Submission, writeAs } from '../../core/http/write.ts';
import { databasesOf } from '../../core/lib/databases.ts';
import { sha256Hex } from '../../core/lib/hash.ts';
import { newUuid, taggedToken } from '../../core/lib/id.ts';
import { ProblemError } from '../../core/lib/problem.ts';
import { emailKey } from '../user/email-rules.ts';
import { hashPassword, inLine, needsRehash, verifyPassword } from '../user/password.ts';
import type { Permission } from '../user/rules.ts';
import { type AttemptKeys, attemptSucceeded, beginAttempt } from './attempts.ts';
import { beginSession, type NewSession } from './commands.ts';
import { slugMeant } from './meant-organization.ts';
import { addressOf, USER_AGENT_MAXIMUM } from './rules.ts';
import { type Account, findAccount } from './store.ts';

/** The values that a user entered. */
export interface Credentials {
  /** Slug or name of the organization. */
  organization: string;
  email: string;
  password: string;
}

/** Make a new session for the request's browser, and the token for its cookie. */
export function newSession(c: AppContext, organization: string): { token: string; begun: NewSession } {
  const token = taggedToken(organization);
  return {
    token,
    begun: {
      uuid: newUuid(),
      tokenHash: sha256Hex(token),
      userAgent: (c.req.header('User-Agent') ?? '').slice(0, USER_AGENT_MAXIMUM),
      ipAddress: callerAddress(c),
    },
  };
}

/** The keys of the counts: the request's IP address with an account, and the IP address alone. */
export function attemptKeys(c: AppContext, account: string): AttemptKeys {
  const address = addressOf(callerAddress(c));
  return { account: sha256Hex(`${address} ${account}`), address: sha256Hex(address) };
}

/**
 * Sign in. Returns the token of a new session; `failed` for any reason, always after the same work; or `limited`. It is
 * `limited` if the IP address has tried too often, even with a correct password. @throws 503 if too many passwords wait
 * to be checked; this does not count as an attempt
 */
export function signIn(
  c: AppContext,
  submission: Submission,
  { organization, email, password }: Credentials,
  maySignIn: (permissions: readonly Permission[]) => boolean,
): Promise<{ token: string } | 'failed' | 'limited'> {
  return inLine(async (permit) => {
    const databases = databasesOf(c.env);
    const slug = await slugMeant(databases, organization);
    const keys = attemptKeys(c, JSON.stringify([slug, emailKey(email.trim())]));
    if (!(await beginAttempt(databases, keys, Date.now()))) return 'limited';
    const ownHost = ownSlug(c);
    const found = await findAccount(databases, slug, email.trim());
    const account =
      found && maySignIn(found.permissions) && (ownHost === undefined || ownHost === slug)
        ? found
        : undefined;
    const stored = account?.passwordHash ?? null;
    if (!(await verifyPassword(password, stored, permit)) || account === undefined || stored === null) {
      return 'failed';
    }
    const passwordHash = needsRehash(stored) ? await hashPassword(password, permit) : null;
    const token = await begin(c, submission, account, passwordHash);
    if (token === undefined) return 'failed';
    await attemptSucceeded(databases, keys);
    return { token };
  });
}

/** Start a session of an account with a verified password; undefined if the account has changed since. */
async function begin(
  c: AppContext,
  submission: Submission,
  account: Account,
  passwordHash: string | null,
): Promise<string | undefined> {
  const { organization, uuid, displayName, sessionEpoch } = account;
  const { token, begun } = newSession(c, organization);
  try {
    await writeAs(c, submission, organization, { actorType: 'USER', uuid, displayName }, beginSession, {
      userUuid: uuid,
      sessionEpoch,
      passwordHash,
      begun,
    });
    return token;
  } catch (error) {
    if (error instanceof ProblemError && error.refusal.code === 'signInFailed') return undefined;
    throw error;
  }
}
