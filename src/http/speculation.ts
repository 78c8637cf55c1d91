import { ProblemError, refusal } from '../lib/problem.ts';
import type { AppContext } from './types.ts';

/**
 * Headers by which a client says that it only fetches ahead: `Sec-Purpose` of the Fetch standard, and what browsers
 * sent before it.
 */
const PURPOSE_HEADERS = ['Sec-Purpose', 'Purpose', 'X-Purpose', 'X-Moz'];

/**
 * Refuse a request that nobody asked for yet: a GET that changes something may not be sent on the chance that it
 * will be needed.
 * @throws 403 `prefetchRefused`.
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
