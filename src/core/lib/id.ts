import { v7 } from 'uuid';
import { sha256Hex } from './hash.ts';

const TOKEN_BYTES = 24;
const TAGGED_TOKEN_BYTES = 18;

/** A new UUID version 7 (RFC 9562 section 5.7), lower case: ordered by creation time to the millisecond. */
export function newUuid(): string {
  return v7();
}

/** How many characters of a UUID come before the last four bytes, by which the log finds a thing (`entityKey`). */
export const UUID_START_LENGTH = 28;

/**
 * A new UUID version 7 that ends like another one. One entry of the log then finds records about both. 42 bits of it are
 * random.
 */
export const newUuidLike = (other: string | undefined): string =>
  newUuid().slice(0, UUID_START_LENGTH) + (other ?? newUuid()).slice(UUID_START_LENGTH);

/** The UUID version 7 of an instant (epoch milliseconds) and 16 bytes that are as good as random. */
export const datedUuid = (msecs: number, random: Uint8Array): string => v7({ msecs, random });

/** A UUID version 8 (RFC 9562 section 5.8) computed from a text: the first bits of its SHA-256. */
export function hashedUuid(text: string): string {
  const hex = sha256Hex(text);
  const variant = ((Number.parseInt(hex[16]!, 16) & 3) | 8).toString(16);
  return uuidOfHex(`${hex.slice(0, 12)}8${hex.slice(13, 16)}${variant}${hex.slice(17, 32)}`);
}

/** The number of hex digits of a UUID. */
export const UUID_HEX_LENGTH = 32;
/** The hex digits of a UUID, without hyphens. */
export const uuidHex = (uuid: string): string => uuid.replaceAll('-', '');
/** The UUID with these hex digits. */
export const uuidOfHex = (hex: string): string =>
  hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a text is a UUID of any version in lower case. */
export const isUuid = (text: string): boolean => UUID.test(text);

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Whether a text is a UUID version 7 in the form that `newUuid` returns. */
export const isUuid7 = (text: string): boolean => UUID_7.test(text);

/** The time at which a UUID version 7 was generated, in epoch milliseconds. */
export function uuidTime(uuid: string): number {
  return Number.parseInt(uuid.replace('-', '').slice(0, 12), 16);
}

/** The beginning of the UUIDs version 7 that are generated at a time (epoch milliseconds): `018f4ddc-35ee`. */
export function uuidStart(time: number): string {
  const hex = time.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

/** The length of the routing tag in a token or secret. */
export const ROUTING_TAG_LENGTH = 8;

/**
 * The routing tag of an organization: the random end of its uuid. Each secret of the organization begins with it, so
 * that the secret leads to the right database. Two organizations may have the same tag.
 */
export const routingTag = (organization: string): string => organization.slice(-ROUTING_TAG_LENGTH);

/**
 * A token of an organization: its routing tag, and 144 random bits in base64url (RFC 4648 section 5); 32 characters.
 */
export const taggedToken = (organization: string): string =>
  routingTag(organization) + random64(TAGGED_TOKEN_BYTES);

/** The routing tag of a token. Older tokens have no tag and begin with random characters. */
export const tagOf = (token: string): string => token.slice(0, ROUTING_TAG_LENGTH);

/** A token that belongs to no organization: 192 random bits in base64url. */
export const randomToken = (): string => random64(TOKEN_BYTES);

const random64 = (bytes: number): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('base64url');

/** The nil UUID (RFC 9562 section 5.9): the organization of rows that belong to none. */
export const NO_ORGANIZATION = '00000000-0000-0000-0000-000000000000';
