import { type SQL, sql } from 'drizzle-orm';
import { customType } from 'drizzle-orm/sqlite-core';

/** A column that stores uuids or hashes compactly: lower-case ones as bytes, any other text unchanged. */
export const compact = customType<{ data: Uint8Array | string }>({ dataType: () => 'any' });

/** Whether a compact column stores this text as bytes, because it is a lower-case uuid. */
export const isCompact = (uuid: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(uuid);

/** A uuid in the form that a compact column stores. */
export const compactUuid = (uuid: string): SQL => (isCompact(uuid) ? sql`unhex(${uuid}, '-')` : sql`${uuid}`);
