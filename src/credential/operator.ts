import { timingSafeEqual } from 'node:crypto';
import { settingsOf } from '../env.ts';
import type { Access } from '../http/declaration.ts';
import type { AppContext } from '../http/types.ts';
import { Database } from '../lib/database.ts';
import { databasesOf } from '../lib/databases.ts';
import { sha256Hex } from '../lib/hash.ts';
import { NO_ORGANIZATION } from '../lib/id.ts';
import { ProblemError, refusal } from '../lib/problem.ts';
import type { Actor } from '../writer/chain.ts';
import type { OperatorScope } from './schema.ts';
import { findOperator, noteUse } from './store.ts';
import { trusting } from './trusted.ts';

/** The log of what operators do to no organization in particular. */
export const OPERATOR_LOG = NO_ORGANIZATION;

/** Who has the bootstrap key has no other name. */
const BOOTSTRAP: Actor = { actorType: 'OPERATOR', uuid: null, displayName: 'Operator' };

const trusted = trusting(findOperator);

/** An operation of the operator API: the bootstrap key, or an operator with the scope, in `X-OPERATOR-KEY`. */
export const operatorAccess = (scope: OperatorScope): Access => ({
  security: [{ operatorKey: [] }],
  errors: ['unauthorized', 'scopeRequired', 'temporarilyUnavailable'],
  async check(c) {
    const { actor, scopes } = await authenticate(c);
    if (scopes && !scopes.includes(scope)) throw scopeRequired(`The operator lacks the scope ${scope}.`);
    c.set('operator', actor);
  },
});

/** What the bootstrap key alone may do: an operator cannot make itself another one. */
export const bootstrapAccess: Access = {
  ...operatorAccess('READ'),
  async check(c) {
    const { actor, scopes } = await authenticate(c);
    if (scopes) throw scopeRequired('Operators are managed by the bootstrap key, OPERATOR_KEY, alone.');
    c.set('operator', actor);
  },
};

/** Who calls the operator API; the access check has set it. */
export function operatorOf(c: AppContext): Actor {
  const actor = c.get('operator');
  if (!actor) throw new Error('this route is not part of the operator API');
  return actor;
}

/** Who sent a key, and what it may do; nothing is kept from the bootstrap key. */
async function authenticate(c: AppContext): Promise<{ actor: Actor; scopes?: readonly string[] }> {
  const secret = c.req.header('X-OPERATOR-KEY') ?? '';
  const [sent, key] = [secret, settingsOf(c.env).OPERATOR_KEY].map((text) => Buffer.from(sha256Hex(text)));
  if (timingSafeEqual(sent!, key!)) return { actor: BOOTSTRAP };
  const databases = databasesOf(c.env);
  const found = await trusted('OPERATOR', secret, databases);
  if (!found) {
    throw new ProblemError(refusal('unauthorized', 'Send a valid credential for this host.'), {
      'WWW-Authenticate': 'ApiKey realm="operator"',
    });
  }
  noteUse(c, new Database(OPERATOR_LOG, databases), found);
  return {
    actor: { actorType: 'OPERATOR', uuid: found.uuid, displayName: found.name },
    scopes: found.scopes,
  };
}

const scopeRequired = (detail: string): ProblemError => new ProblemError(refusal('scopeRequired', detail));
