import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Answered challenges, stored until they expire. */
export const usedChallenge = sqliteTable(
  'used_challenge',
  {
    organizationUuid: text('organization_uuid').notNull(),
    /** SHA-256 (hex). */
    challengeHash: text('challenge_hash').notNull(),
    /** Epoch milliseconds. */
    expiresDate: integer('expires_date').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.challengeHash] })],
);
