/** The memory of an object or text, besides its characters and members, and of a member. Bytes. */
const HEADER_BYTES = 24;
const MEMBER_BYTES = 8;

/**
 * About how much memory a value takes that came over RPC, in bytes. Characters count as one byte, as most are. The names of members do not
 * count, because equal names share their text.
 */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return HEADER_BYTES + value.length;
  if (typeof value !== 'object' || value === null) return MEMBER_BYTES;
  const members = Array.isArray(value) ? value : Object.values(value);
  return members.reduce<number>((total, member) => total + MEMBER_BYTES + sizeOf(member), HEADER_BYTES);
}
