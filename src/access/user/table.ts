import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The permissions, in the order of display. */
export const PERMISSIONS = [
  'BACKOFFICE_LOGIN',
  'LOCAL_MANAGER_LOGIN',
  'APP_LOGIN',
  'FORKLIFT_APP_LOGIN',
  'OPERATIONAL_APP_LOGIN',
  'ROLE_MANAGEMENT',
  'LOCAL_MANAGER_REMOTE_ACCESS',
  'USER_MANAGEMENT_READ',
  'USER_MANAGEMENT_WRITE',
  'AGENT_MANAGEMENT_READ',
] as const;

/** How a new user gets a password: by a link, or as an initial password that must be changed at once. */
export const PASSWORD_POLICY_MODES = ['INVITE_LINK', 'TEMP_PASSWORD'] as const;

/** A role: the permissions of its users. Dates are in epoch milliseconds. */
export const authority = sqliteTable('authority', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  authorityName: text('authority_name').notNull(),
  /** 1 for the built-in authorities of every organization. */
  internal: integer('internal').notNull(),
  /** JSON array. */
  permissions: text('permissions').notNull(),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
});

/** A person who may sign in. Dates are in epoch milliseconds. */
export const user = sqliteTable('user', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  firstName: text('first_name').notNull(),
  lastName: text('last_name').notNull(),
  email: text('email').notNull(),
  phoneNumber: text('phone_number'),
  authorityUuid: text('authority_uuid').notNull(),
  /** The hash made by `hashPassword`; null while the user has no password. */
  passwordHash: text('password_hash'),
  /** 1 if the password must be changed at the next sign-in. */
  passwordChangeRequired: integer('password_change_required').notNull(),
  /** SHA-256 (hex) of the token of the only link that can set a password. */
  inviteHash: text('invite_hash'),
  inviteExpiresDate: integer('invite_expires_date'),
  /** A session belongs to the epoch in which it began. Raising the epoch ends all sessions. */
  sessionEpoch: integer('session_epoch').notNull(),
  /** Folded texts for the search with `q`. The folded e-mail address is unique. */
  foldedFirstName: text('folded_first_name').notNull(),
  foldedLastName: text('folded_last_name').notNull(),
  foldedEmail: text('folded_email').notNull(),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
  deletedDate: integer('deleted_date'),
  /** 1 while requests of an erased user may still write personal data; null otherwise. */
  erasing: integer('erasing'),
});

/** The identity of a user at the organization's OpenID provider. */
export const identity = sqliteTable('identity', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  userUuid: text('user_uuid').notNull(),
  issuer: text('issuer').notNull(),
  /** The provider's `sub` claim. */
  subject: text('subject').notNull(),
  createDate: integer('create_date').notNull(),
});

/** The public part of a user's passkey (WebAuthn). Dates are in epoch milliseconds. */
export const passkey = sqliteTable('passkey', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  userUuid: text('user_uuid').notNull(),
  /** The credential id in base64url. */
  credentialId: text('credential_id').notNull(),
  /** The COSE public key in base64url. */
  publicKey: text('public_key').notNull(),
  /** The authenticator's signature counter; 0 if it does not count. */
  counter: integer('counter').notNull(),
  /** The relying party id that it is bound to. */
  host: text('host').notNull(),
  /** The user's name for it. */
  name: text('name').notNull(),
  lastUsedDate: integer('last_used_date'),
  createDate: integer('create_date').notNull(),
});
