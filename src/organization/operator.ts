import { timingSafeEqual } from 'node:crypto';
import type { Actor } from '../audit/chain.ts';
import { settingsOf } from '../env.ts';
import type { Access } from '../http/endpoint.ts';
import { sha256Hex } from '../lib/hash.ts';
import { ProblemError, refusal } from '../lib/problem.ts';

/** The log of what operators do to no organization in particular: the nil UUID (RFC 9562 section 5.9). */
export const OPERATOR_LOG = '00000000-0000-0000-0000-000000000000';

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
