import { v7 } from 'uuid';

const TOKEN_BYTES = 24;
const TAGGED_TOKEN_BYTES = 18;

/** A new UUID version 7 (RFC 9562 section 5.7), lower case: ordered by creation time to the millisecond. */
export function newUuid(): string {
  return v7();
}

/** When a UUID of version 7 was made, in epoch milliseconds. */
export function uuidTime(uuid: string): number {
  return Number.parseInt(uuid.replace('-', '').slice(0, 12), 16);
}

/** Characters that a secret begins with which say whose it is. */
export const ROUTING_TAG_LENGTH = 8;

/**
 * What secrets of an organization begin with, for the database that it lives in to be found: the end of its uuid, which is
 * random. Others may have the same.
 */
export const routingTag = (organization: string): string => organization.slice(-ROUTING_TAG_LENGTH);

/**
 * A token of an organization that nobody can guess: its routing tag, and 144 random bits in base64url (RFC 4648 section
 * 5); 32 characters.
 */
export const taggedToken = (organization: string): string =>
  routingTag(organization) + random64(TAGGED_TOKEN_BYTES);

/** What a tagged token begins with; in those that were made before there were tags, anything. */
export const tagOf = (token: string): string => token.slice(0, ROUTING_TAG_LENGTH);

/** A token of nobody: 192 random bits in base64url. */
export const randomToken = (): string => random64(TOKEN_BYTES);

const random64 = (bytes: number): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('base64url');

/** The nil UUID (RFC 9562 section 5.9): what belongs to no organization. */
export const NO_ORGANIZATION = '00000000-0000-0000-0000-000000000000';
