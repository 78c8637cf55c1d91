import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** An API key or access token. Dates in epoch milliseconds. */
export const credential = sqliteTable('credential', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  kind: text('kind', { enum: ['API_KEY', 'ACCESS_TOKEN'] }).notNull(),
  name: text('name').notNull(),
  /** The first characters of the current secret, by which people tell credentials apart. */
  prefix: text('prefix').notNull(),
  /** JSON array; empty for API keys. */
  scopes: text('scopes').notNull(),
  expiresDate: integer('expires_date'),
  revokedDate: integer('revoked_date'),
  lastUsedDate: integer('last_used_date'),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
});

/** A secret of a credential, as SHA-256 (hex) only. */
export const credentialSecret = sqliteTable('credential_secret', {
  hash: text('hash').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  credentialUuid: text('credential_uuid').notNull(),
  /** When a secret that was rotated out ends; null for the current one. */
  validUntilDate: integer('valid_until_date'),
  createDate: integer('create_date').notNull(),
});
