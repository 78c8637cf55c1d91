import { entityTag, tagListed } from '../lib/hash.ts';
import { type Refusal, refusal } from '../lib/problem.ts';

/**
 * The refusal of a change if the resource has changed since the caller read it: `If-Match` does not list the current tag
 * (RFC 9110 section 13.1.1), with or without `W/`. `resource` is the name of the resource, such as `Gate "G7"`.
 */
export function staleMatch(ifMatch: string | null, view: string, resource: string): Refusal | undefined {
  return ifMatch === null || tagListed(ifMatch, entityTag(view))
    ? undefined
    : refusal('preconditionFailed', `${resource} has changed since you read it. Read it again.`);
}
