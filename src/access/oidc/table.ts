import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The identity provider of an organization. Dates are in epoch milliseconds. */
export const identityProvider = sqliteTable('identity_provider', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  issuer: text('issuer').notNull(),
  clientId: text('client_id').notNull(),
  /** Sealed. */
  clientSecret: text('client_secret').notNull(),
  /** Whether passwords and passkeys may sign in: 0 if only the provider may. */
  passwordSignIn: integer('password_sign_in').$type<0 | 1>().notNull(),
  /** When a user first signed in with these settings. */
  provenDate: integer('proven_date'),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
});
