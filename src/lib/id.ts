import { v7 } from 'uuid';

const PUBLIC_TOKEN_BYTES = 24;

/** A new UUID version 7 (RFC 9562 section 5.7), lower case: ordered by creation time to the millisecond. */
export function newUuid(): string {
  return v7();
}

/** When a UUID of version 7 was made, in epoch milliseconds. */
export function uuidTime(uuid: string): number {
  return Number.parseInt(uuid.replace('-', '').slice(0, 12), 16);
}

/** A name for a page that nobody can guess: 192 random bits in base64url (RFC 4648 section 5). */
export function publicToken(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(PUBLIC_TOKEN_BYTES))).toString('base64url');
}

/** The nil UUID (RFC 9562 section 5.9): what belongs to no organization. */
export const NO_ORGANIZATION = '00000000-0000-0000-0000-000000000000';
