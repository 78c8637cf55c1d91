import { v7 } from 'uuid';

/** A new UUID version 7 (RFC 9562 section 5.7), lower case: ordered by creation time to the millisecond. */
export function newUuid(): string {
  return v7();
}
