import { entityTag, tagListed } from '../lib/hash.ts';
import { type Refusal, refusal } from '../lib/problem.ts';

/** Refuse what `If-Match` does not allow (RFC 9110 section 13.1.1): what is there is not what the caller has read. */
export function staleMatch(ifMatch: string | null, view: string, thing: string): Refusal | undefined {
  return ifMatch === null || tagListed(ifMatch, entityTag(view))
    ? undefined
    : refusal('preconditionFailed', `The ${thing} has changed since it was read.`);
}
