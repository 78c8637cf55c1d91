import { entityTag, tagListed } from '../lib/hash.ts';
import { type Refusal, refusal } from '../lib/problem.ts';

/**
 * The refusal if `If-Match` does not list the current tag (RFC 9110 section 13.1.1), with or without `W/`: the resource
 * has changed since the caller read it.
 */
export function staleMatch(ifMatch: string | null, view: string, thing: string): Refusal | undefined {
  return ifMatch === null || tagListed(ifMatch, entityTag(view))
    ? undefined
    : refusal('preconditionFailed', `The ${thing} has changed since it was read.`);
}
