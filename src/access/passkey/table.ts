import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Answered challenges, kept for as long as they could be answered again. */
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
