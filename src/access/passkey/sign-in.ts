import { ownSlug } from '../../core/http/hosts.ts';
import type { AppContext } from '../../core/http/types.ts';
import { type Submission, writeAs } from '../../core/http/write.ts';
import { databasesOf } from '../../core/lib/databases.ts';
import { ProblemError } from '../../core/lib/problem.ts';
import { attemptSucceeded, beginAttempt } from '../session/attempts.ts';
import { attemptKeys, newSession } from '../session/sign-in.ts';
import type { Permission } from '../user/rules.ts';
import { hostOf, noted, verifySigned } from './ceremony.ts';
import { type OpenChallenge, onceByChallenge } from './challenge.ts';
import { beginPasskeySession } from './commands.ts';
import { passkeyOwnerOf } from './rules.ts';
import type { Signed } from './schema.ts';
import { findKeyAccount } from './store.ts';

/**
 * Sign in by a passkey. Returns the token of a new session, `failed` for any reason, or `limited` if the IP address has
 * tried too often, with passkeys or passwords.
 */
export const signInByPasskey = (
  c: AppContext,
  submission: Submission,
  signed: Signed,
  maySignIn: (permissions: readonly Permission[]) => boolean,
): Promise<SignedIn> =>
  onceByChallenge(c, 'sign in', (given) => judge(c, submission, signed, given, maySignIn));

type SignedIn = { token: string } | 'failed' | 'limited';

async function judge(
  c: AppContext,
  submission: Submission,
  signed: Signed,
  given: OpenChallenge | undefined,
  maySignIn: (permissions: readonly Permission[]) => boolean,
): Promise<SignedIn> {
  const databases = databasesOf(c.env);
  const keys = attemptKeys(c, `passkey ${signed.id}`);
  if (!(await beginAttempt(databases, keys, Date.now()))) return 'limited';
  const owner = passkeyOwnerOf(signed.response.userHandle);
  const found =
    given && owner && (await findKeyAccount(databases, owner, { credentialId: signed.id, host: hostOf(c) }));
  const ownHost = ownSlug(c);
  if (!found || !maySignIn(found.permissions) || (ownHost !== undefined && ownHost !== found.slug))
    return 'failed';
  const { organization, uuid: userUuid, displayName, sessionEpoch, publicKey } = found;
  const counter = await verifySigned(c, signed, { challenge: given.challenge, publicKey });
  if (counter === undefined) return 'failed';
  const { token, begun } = newSession(c, organization);
  try {
    await writeAs(
      c,
      submission,
      organization,
      { actorType: 'USER', uuid: userUuid, displayName },
      beginPasskeySession,
      {
        userUuid,
        credentialId: signed.id,
        sessionEpoch,
        counter,
        answered: given.answered,
        begun,
      },
    );
  } catch (error) {
    if (!(error instanceof ProblemError) || error.refusal.code !== 'signInFailed') throw error;
    noted(new Error(error.refusal.detail));
    return 'failed';
  }
  // The challenge is used by now, so the browser could not retry after a 503.
  await attemptSucceeded(databases, keys).catch(noted);
  return { token };
}
