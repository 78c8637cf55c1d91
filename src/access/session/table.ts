import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** A user's session in the operations pages. Dates are in epoch milliseconds. */
export const session = sqliteTable('session', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  userUuid: text('user_uuid').notNull(),
  /** SHA-256 (hex) of the token in the cookie. */
  tokenHash: text('token_hash').notNull(),
  /** The user's epoch at the start of the session. The session ends when the user's epoch changes. */
  sessionEpoch: integer('session_epoch').notNull(),
  userAgent: text('user_agent').notNull(),
  ipAddress: text('ip_address'),
  lastSeenDate: integer('last_seen_date').notNull(),
  expiresDate: integer('expires_date').notNull(),
  createDate: integer('create_date').notNull(),
});

/**
 * Failed sign-ins, with the nil UUID, because the entered values may match no organization. Dates are in epoch
 * milliseconds.
 */
export const signInAttempt = sqliteTable(
  'sign_in_attempt',
  {
    organizationUuid: text('organization_uuid').notNull(),
    /** SHA-256 (hex) of an IP address, or of an IP address and an account. */
    attemptKey: text('attempt_key').notNull(),
    failedCount: integer('failed_count').notNull(),
    /** When the count starts again. */
    expiresDate: integer('expires_date').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.attemptKey] })],
);

/**
 * Signed-out sessions of operators, with the nil UUID. Such a session exists only in its cookie, so its end is stored
 * until it would have expired.
 */
export const endedSession = sqliteTable(
  'ended_session',
  {
    organizationUuid: text('organization_uuid').notNull(),
    /** SHA-256 (hex) of the id in the cookie. */
    sessionHash: text('session_hash').notNull(),
    /** Epoch milliseconds. */
    expiresDate: integer('expires_date').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.sessionHash] })],
);
