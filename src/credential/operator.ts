import { timingSafeEqual } from 'node:crypto';
import { settingsOf } from '../env.ts';
import type { Access } from '../http/declaration.ts';
import { sha256Hex } from '../lib/hash.ts';
import { NO_ORGANIZATION } from '../lib/id.ts';
import { ProblemError, refusal } from '../lib/problem.ts';
import type { Actor } from '../writer/chain.ts';

/** The log of what operators do to no organization in particular. */
export const OPERATOR_LOG = NO_ORGANIZATION;

/** Operators share one key, so they have one name. */
export const OPERATOR: Actor = { actorType: 'OPERATOR', uuid: null, displayName: 'Operator' };

/** The operator API: the secret `OPERATOR_KEY` in `X-OPERATOR-KEY`. */
export const operatorAccess: Access = {
  security: [{ operatorKey: [] }],
  errors: ['unauthorized', 'temporarilyUnavailable'],
  check(c) {
    const sent = Buffer.from(sha256Hex(c.req.header('X-OPERATOR-KEY') ?? ''));
    const key = Buffer.from(sha256Hex(settingsOf(c.env).OPERATOR_KEY));
    if (!timingSafeEqual(sent, key)) {
      throw new ProblemError(refusal('unauthorized', 'Send a valid credential for this host.'), {
        'WWW-Authenticate': 'ApiKey realm="operator"',
      });
    }
  },
};
