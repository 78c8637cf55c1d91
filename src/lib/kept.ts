import { type SQL, sql } from 'drizzle-orm';
import { customType } from 'drizzle-orm/sqlite-core';

/** A column of uuids or hashes in few bytes: one in lower case is kept as its bytes, any other text as it is. */
export const kept = customType<{ data: Uint8Array | string }>({ dataType: () => 'any' });

/** Whether such a column has a uuid as its bytes: not one that is no uuid, or not written as usual. */
export const isKeptShort = (uuid: string): boolean =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(uuid);

/** A uuid as such a column has it. */
export const keptUuid = (uuid: string): SQL => (isKeptShort(uuid) ? sql`unhex(${uuid}, '-')` : sql`${uuid}`);
