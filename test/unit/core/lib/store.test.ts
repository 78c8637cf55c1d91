import { expect, it } from 'vitest';
import { failureOf, isUnavailable, type StoreFailure } from '../../../../src/core/lib/store.ts';

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
  ],
  defect: [
    'D1_ERROR: no such table: manifest: SQLITE_ERROR',
    'D1_ERROR: string or blob too big: SQLITE_TOOBIG',
    'D1_ERROR: too many SQL variables at offset 3: SQLITE_ERROR',
    "D1_TYPE_ERROR: Type 'undefined' not supported for value 'undefined'",
    "Cannot read properties of undefined (reading 'uuid')",
    'Subrequest depth limit exceeded.',
  ],
};

const cases = Object.entries(MESSAGES).flatMap(([kind, texts]) => texts.map((text) => [text, kind] as const));

it.each(cases)('The failure %j is classified as %s', (text, kind) => {
  expect(failureOf(new Error(text))).toBe(kind);
  expect(failureOf(new Error('query failed', { cause: new Error(text) }))).toBe(kind);
  expect(isUnavailable(new Error(text))).toBe(kind === 'passing' || kind === 'lasting');
});
