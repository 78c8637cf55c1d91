import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Where the users of an organization sign in. Dates in epoch milliseconds. */
export const identityProvider = sqliteTable('identity_provider', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  issuer: text('issuer').notNull(),
  clientId: text('client_id').notNull(),
  /** Sealed. */
  clientSecret: text('client_secret').notNull(),
  /** 0 where only the provider signs in. */
  passwordSignIn: integer('password_sign_in').$type<0 | 1>().notNull(),
  /** When somebody first signed in by the provider as it is set. */
  provenDate: integer('proven_date'),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
});
