import { z } from 'zod';
import { holds, needScope, type Operator, operatorBy } from '../../../access/credential/operator.ts';
import { attemptSucceeded, beginAttempt } from '../../../access/session/attempts.ts';
import { endSession, wasEnded } from '../../../access/session/ended.ts';
import { cookieNamesOf, writeCookie } from '../../../access/session/request.ts';
import { readSealedCookie, setSealedCookie } from '../../../access/session/sealed-cookie.ts';
import { attemptKeys } from '../../../access/session/sign-in.ts';
import { ownSlug } from '../../../core/http/hosts.ts';
import type { AppContext } from '../../../core/http/types.ts';
import { refuse } from '../../../core/http/write.ts';
import { databasesOf } from '../../../core/lib/databases.ts';
import { sha256Hex } from '../../../core/lib/hash.ts';
import { randomToken } from '../../../core/lib/id.ts';
import { isUnavailable } from '../../../core/lib/store.ts';
import { HOUR_MS } from '../../../core/lib/time.ts';
import { type OperatorRight, scopeOf } from '../parts/rights.ts';
import { OPERATOR_HOME } from './operator-menu.tsx';

/**
 * The session of an operator: a sealed cookie with an id and the hash of the secret. It ends
 * when the secret is no longer valid, when the operator signs out, or after an hour.
 */
const SESSION = { name: 'operator', context: 'operator-session', strict: true } as const;
const LIFE_MS = HOUR_MS;
const keptSchema = z.object({ hash: z.string(), id: z.string() });

/** Whether a request is for a page of operators. */
export const isOfOperators = ({ req }: AppContext): boolean =>
  req.path === OPERATOR_HOME || req.path.startsWith(`${OPERATOR_HOME}/`);

/** @throws 404 for a page of operators on the host of an organization */
export function refuseOwnHost(c: AppContext): void {
  if (isOfOperators(c) && ownSlug(c) !== undefined)
    refuse('notFound', 'This page does not exist. Check its address.');
}

/**
 * Sign in with a secret. Returns `limited` if this IP address has tried too often, even if the secret
 * is right.
 */
export async function signInOperator(
  c: AppContext,
  secret: string,
): Promise<'signedIn' | 'failed' | 'limited'> {
  const databases = databasesOf(c.env);
  const keys = attemptKeys(c, 'operator');
  if (!(await beginAttempt(databases, keys, Date.now()))) return 'limited';
  const hash = sha256Hex(secret);
  if (!(await operatorBy(c, hash))) return 'failed';
  await attemptSucceeded(databases, keys);
  await setSealedCookie(c, SESSION, { hash, id: randomToken() }, LIFE_MS);
  return 'signedIn';
}

/** The operator who is signed in, as currently stored. */
export async function signedInOperator(c: AppContext): Promise<Operator | undefined> {
  const kept = await readSealedCookie(c, SESSION, keptSchema);
  if (!kept) return undefined;
  const { hash, id } = kept.value;
  const isEnded = await wasEnded(databasesOf(c.env), id).catch((error) => {
    // The health page must open even if the store does not answer.
    if (isUnavailable(error) && c.req.path === OPERATOR_HOME) return false;
    throw error;
  });
  return isEnded ? undefined : operatorBy(c, hash);
}

/** End the session of this browser, for every copy of its cookie. */
export async function signOutOperator(c: AppContext): Promise<void> {
  const kept = await readSealedCookie(c, SESSION, keptSchema);
  if (kept) await endSession(databasesOf(c.env), kept.value.id, kept.expiresDate);
  writeCookie(c, cookieNamesOf(c).operator, '', 0, 'Strict');
}

/**
 * Admit an operator.
 * @throws 403 if a scope of the page is missing
 */
export function admitOperator(c: AppContext, operator: Operator, right: OperatorRight): void {
  c.set('signedIn', operator);
  c.set('operator', operator.actor);
  needScope(operator, scopeOf(right));
}

/** Whether an operator with a right is signed in. */
export function operatorMay(c: AppContext, right: OperatorRight): boolean {
  const operator = c.get('signedIn');
  return operator !== undefined && holds(operator, scopeOf(right));
}
