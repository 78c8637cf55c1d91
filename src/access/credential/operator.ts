import { timingSafeEqual } from 'node:crypto';
import { settingsOf } from '../../core/env.ts';
import type { Access } from '../../core/http/declaration.ts';
import type { AppContext } from '../../core/http/types.ts';
import { Database } from '../../core/lib/database.ts';
import { type Databases, databasesOf } from '../../core/lib/databases.ts';
import { sha256Hex } from '../../core/lib/hash.ts';
import { NO_ORGANIZATION } from '../../core/lib/id.ts';
import { ProblemError, refusal } from '../../core/lib/problem.ts';
import type { Actor } from '../../core/writer/chain.ts';
import type { OperatorScope } from './schema.ts';
import { type CredentialRow, findOperator, noteCredentialUse } from './store.ts';
import { isValid, trusting } from './trusted.ts';

/** The scope of the operator's own log, for actions without a particular organization. */
export const OPERATOR_LOG = NO_ORGANIZATION;

/** The actor for the bootstrap key. */
const BOOTSTRAP: Actor = { actorType: 'OPERATOR', uuid: null, displayName: 'Operator' };

const trusted = trusting((databases: Databases, secret) => findOperator(databases, sha256Hex(secret)));

/**
 * Access to an operation of the operator API. `X-OPERATOR-KEY` has the bootstrap key, or the key of an operator with
 * the scope.
 */
export const operatorAccess = (scope: OperatorScope): Access => ({
  security: [{ operatorKey: [] }],
  errors: ['unauthorized', 'scopeRequired', 'temporarilyUnavailable'],
  async check(c) {
    const operator = await authenticate(c);
    needScope(operator, scope);
    c.set('operator', operator.actor);
  },
});

/** Access for the bootstrap key only, because an operator cannot create another operator. */
export const bootstrapAccess: Access = {
  ...operatorAccess('READ'),
  async check(c) {
    const { actor, scopes } = await authenticate(c);
    if (scopes) throw scopeRequired('Only the bootstrap key, OPERATOR_KEY, can manage operators.');
    c.set('operator', actor);
  },
};

/** The caller of the operator API. The access check has set it. */
export function operatorOf(c: AppContext): Actor {
  const actor = c.get('operator');
  if (!actor) throw new Error('this route is not part of the operator API');
  return actor;
}

/** An operator and its scopes. The bootstrap key has all scopes. */
export interface Operator {
  actor: Actor;
  scopes?: readonly string[];
}

/** Whether an operator has a scope. */
export const holds = ({ scopes }: Operator, scope: OperatorScope): boolean =>
  scopes === undefined || scopes.includes(scope);

/**
 * Find an operator by the hash of its secret. It is read from the store each time, so that a revocation takes effect at
 * once.
 */
export async function operatorBy(c: AppContext, hash: string): Promise<Operator | undefined> {
  if (isBootstrap(c, hash)) return { actor: BOOTSTRAP };
  const found = await findOperator(databasesOf(c.env), hash);
  return found && isValid(found, Date.now()) ? using(c, found) : undefined;
}

/** The operator of the request's key. */
async function authenticate(c: AppContext): Promise<Operator> {
  const secret = c.req.header('X-OPERATOR-KEY') ?? '';
  if (isBootstrap(c, sha256Hex(secret))) return { actor: BOOTSTRAP };
  const found = await trusted('OPERATOR', secret, databasesOf(c.env));
  if (!found) {
    throw new ProblemError(refusal('unauthorized', 'Send a valid operator key in X-OPERATOR-KEY.'), {
      'WWW-Authenticate': 'ApiKey realm="operator"',
    });
  }
  return using(c, found);
}

/** Whether a secret with this hash is the bootstrap key. */
const isBootstrap = (c: AppContext, hash: string): boolean => {
  const key = Buffer.from(sha256Hex(settingsOf(c.env).OPERATOR_KEY));
  const sent = Buffer.from(hash);
  return sent.length === key.length && timingSafeEqual(sent, key);
};

/** The operator of a credential. Records its use. */
function using(c: AppContext, found: CredentialRow): Operator {
  noteCredentialUse(c, new Database(OPERATOR_LOG, databasesOf(c.env)), found);
  const { uuid, name, scopes } = found;
  return { actor: { actorType: 'OPERATOR', uuid, displayName: name }, scopes };
}

/** @throws 403 for an operator that lacks the scope */
export function needScope(operator: Operator, scope: OperatorScope): void {
  if (!holds(operator, scope)) throw lacking(scope);
}

/** The refusal for an operator without a scope. */
export const lacking = (scope: OperatorScope): ProblemError =>
  scopeRequired(`The operator lacks the scope ${scope}.`);

const scopeRequired = (detail: string): ProblemError => new ProblemError(refusal('scopeRequired', detail));
