import { type SQL, sql } from 'drizzle-orm';
import { customType } from 'drizzle-orm/sqlite-core';

/** A column of uuids or hashes in few bytes: one in lower case is kept as its bytes, any other text as it is. */
export const kept = customType<{ data: Uint8Array | string }>({ dataType: () => 'any' });

/** A uuid as such a column has it. */
export const keptUuid = (uuid: string): SQL =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(uuid) ? sql`unhex(${uuid}, '-')` : sql`${uuid}`;
