import { type SQL, sql } from 'drizzle-orm';
import { customType } from 'drizzle-orm/sqlite-core';
import { isUuid } from './id.ts';

/** A column that stores uuids or hashes compactly: lower-case ones as bytes, any other text unchanged. */
export const compact = customType<{ data: Uint8Array | string }>({ dataType: () => 'any' });

/** A uuid in the form that a compact column stores. */
export const compactUuid = (uuid: string): SQL => (isUuid(uuid) ? sql`unhex(${uuid}, '-')` : sql`${uuid}`);
