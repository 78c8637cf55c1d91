import { type SQL, sql } from 'drizzle-orm';
import { customType } from 'drizzle-orm/sqlite-core';

/** A column that stores uuids or hashes compactly: lower-case ones as their bytes, any other text as it is. */
export const compact = customType<{ data: Uint8Array | string }>({ dataType: () => 'any' });

/** Whether such a column stores this text as bytes: it is a uuid in lower case. */
export const isCompact = (uuid: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(uuid);

/** A uuid in the form in which such a column stores it. */
export const compactUuid = (uuid: string): SQL => (isCompact(uuid) ? sql`unhex(${uuid}, '-')` : sql`${uuid}`);
