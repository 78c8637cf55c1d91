import { expect, it } from 'vitest';
import {
  failureOf,
  fromPlatform,
  isUnavailable,
  outage,
  reaching,
  type StoreFailure,
} from '../../../../src/core/lib/store.ts';

/** Messages of Cloudflare and SQLite, as they were seen in documents, issues and logs. */
const MESSAGES: Record<StoreFailure, readonly string[]> = {
  collision: ['D1_ERROR: UNIQUE constraint failed: manifest.uuid: SQLITE_CONSTRAINT'],
  passing: [
    'Network connection lost.',
    'Replica disconnected from primary.',
    "Can't read from request stream because client disconnected.",
    'D1 DB reset because its code was updated.',
    'Internal error while starting up D1 DB storage caused object to be reset.',
    'Internal error in D1 DB storage caused object to be reset; reference = 8t4dqqpoq1ctvjr8kca8fl4c',
    'Cannot resolve D1 DB due to transient issue on remote node.',
    'D1 DB storage operation exceeded timeout which caused object to be reset.',
    'D1_ERROR: internal error; reference = 0u3odos5iotccpol68ppc0eg',
    'Durable Object reset because its code was updated.',
    'Durable Object storage operation exceeded timeout which caused object to be reset.',
    'get: We encountered an internal error. Please try again. (10001)',
    'Connection closed: this Durable Object instance is no longer active. Reconnect or retry the request.',
    // An unknown text of the platform.
    'A text that Cloudflare will write next year.',
  ],
  lasting: [
    'Too many API requests by single worker invocation.',
    'Too many API requests by single Worker invocation. To configure this limit, refer to https://developers.cloudflare.com/workers/wrangler/configuration/#limits',
    'D1_ERROR: Too many API requests by single worker invocation.',
    'Too many subrequests.',
    'Too many subrequests by single Worker invocation. To configure this limit, refer to https://developers.cloudflare.com/workers/wrangler/configuration/#limits',
    'Worker exceeded CPU time limit.',
    'Worker exceeded memory limit.',
    'Worker has exceeded memory limit.',
    'Worker exceeded resource limits',
    'Alarm exceeded its allowed execution time',
    'Durable Object exceeded its CPU time limit and was reset.',
    "Durable Object's isolate exceeded its memory limit and was reset.",
    "Durable Object's isolate exceeded its memory limit due to overflowing the storage cache.",
    'Durable Object is overloaded. Requests queued for too long.',
    'Durable Object is overloaded. Too many requests queued.',
    'Durable Object is overloaded. Too many requests for the same object within a 10 second window.',
    'Your account is generating too much load on Durable Objects. Please back off and try again later.',
    'D1_ERROR: D1 DB exceeded its CPU time limit and was reset.',
    'D1_EXEC_ERROR: Error in line 1: SELECT 1: D1 DB exceeded its CPU time limit and was reset.',
    "D1 DB's isolate exceeded its memory limit and was reset.",
    'D1 DB is overloaded. Requests queued for too long.',
    'D1 DB is overloaded. Too many requests queued.',
    'Exceeded maximum DB size.',
    "Your account has exceeded D1's maximum account storage limit, please contact Cloudflare to raise your limit",
    "Your account has exceeded D1's free tier daily row write limit.",
    'Memory limit exceeded before EOF.',
    'Memory limit would be exceeded before EOF.',
    'Queue sendBatch failed: Queue is overloaded. Please back off.',
    'Queue send failed: Too Many Requests',
    'put: Reduce your concurrent request rate for the same object. (10058)',
    'D1_ERROR: database or disk is full: SQLITE_FULL',
    'Your account is doing too many concurrent storage operations. Please back off and try again later.',
  ],
  defect: [
    'D1_ERROR: no such table: manifest: SQLITE_ERROR',
    'D1_ERROR: string or blob too big: SQLITE_TOOBIG',
    'D1_ERROR: too many SQL variables at offset 3: SQLITE_ERROR',
    "D1_TYPE_ERROR: Type 'undefined' not supported for value 'undefined'",
    'Subrequest depth limit exceeded.',
  ],
};

const cases = Object.entries(MESSAGES).flatMap(([kind, texts]) => texts.map((text) => [text, kind] as const));

it.each(cases)('The failure %j of the platform is classified as %s', (text, kind) => {
  const failed = fromPlatform(new Error(text));
  expect(failureOf(failed)).toBe(kind);
  expect(failureOf(new Error('query failed', { cause: failed }))).toBe(kind);
  expect(isUnavailable(failed)).toBe(kind === 'passing' || kind === 'lasting');
});

it('an error of our own code is a defect, also with the text of an outage', () => {
  for (const [text] of cases) expect(failureOf(new Error(text))).toBe('defect');
  expect(isUnavailable('Network connection lost.')).toBe(false);
});

it.each([TypeError, RangeError, ReferenceError, SyntaxError])(
  'a %o is a defect, also if a call to the platform threw it',
  async (Kind) => {
    for (const text of ['Maximum call stack size exceeded', 'Network connection lost.']) {
      const error = await reaching(() => Promise.reject(new Kind(text))).catch((failed) => failed);
      expect([error instanceof Kind, failureOf(error)]).toEqual([true, 'defect']);
    }
  },
);

it('an error that states an outage counts as one', () => {
  expect(failureOf(outage('The database DB_9 is not bound.'))).toBe('passing');
});
