import { ProblemError, refusal } from '../lib/problem.ts';
import type { AppContext } from './types.ts';

/** Headers of speculative requests: `Sec-Purpose` of the Fetch standard, and its predecessors in browsers. */
const PURPOSE_HEADERS = ['Sec-Purpose', 'Purpose', 'X-Purpose', 'X-Moz'];

/**
 * Refuse a speculative request: a GET that changes data must not run before the user wants it. @throws 403
 * `prefetchRefused`
 */
export function refuseSpeculation(c: AppContext): void {
  for (const name of PURPOSE_HEADERS) {
    if (/\b(prefetch|prerender|preview)\b/i.test(c.req.header(name) ?? '')) {
      throw new ProblemError(
        refusal('prefetchRefused', `This GET changes something: send it without ${name}.`),
      );
    }
  }
}
