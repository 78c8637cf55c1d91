import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** What an authority may allow, in the order in which it is shown. */
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

/** How a new user comes to a password: through a link, or with one that has to be changed at once. */
export const PASSWORD_POLICY_MODES = ['INVITE_LINK', 'TEMP_PASSWORD'] as const;

/** A role: what its users may do. Dates in epoch milliseconds. */
export const authority = sqliteTable('authority', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  authorityName: text('authority_name').notNull(),
  /** 1 for the ones that every organization has from the start. */
  internal: integer('internal').notNull(),
  /** JSON array. */
  permissions: text('permissions').notNull(),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
});

/** A person who may sign in. Dates in epoch milliseconds. */
export const user = sqliteTable('user', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  firstName: text('first_name').notNull(),
  lastName: text('last_name').notNull(),
  email: text('email').notNull(),
  phoneNumber: text('phone_number'),
  authorityUuid: text('authority_uuid').notNull(),
  /** As `hashPassword` makes it; null while the user has no password. */
  passwordHash: text('password_hash'),
  /** 1 if the password has to be changed at the next sign-in. */
  passwordChangeRequired: integer('password_change_required').notNull(),
  /** SHA-256 (hex) of the token of the one link that may set a password. */
  inviteHash: text('invite_hash'),
  inviteExpiresDate: integer('invite_expires_date'),
  /** A session is of the epoch it was begun in; raising it ends all sessions. */
  sessionEpoch: integer('session_epoch').notNull(),
  /** Folded texts that `q` is looked for in; the e-mail's is what makes it unique. */
  foldedFirstName: text('folded_first_name').notNull(),
  foldedLastName: text('folded_last_name').notNull(),
  foldedEmail: text('folded_email').notNull(),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
  deletedDate: integer('deleted_date'),
  /** Of a user who was erased: how far the log was looked through for the person; null where nothing is left to look for. */
  erasingPosition: integer('erasing_position'),
});

/** Who a user is to the organization's OpenID provider. */
export const identity = sqliteTable('identity', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  userUuid: text('user_uuid').notNull(),
  issuer: text('issuer').notNull(),
  /** `sub` of the provider. */
  subject: text('subject').notNull(),
  createDate: integer('create_date').notNull(),
});

/** What a user signs in with besides a password: the public part of a passkey (WebAuthn). Dates in epoch milliseconds. */
export const passkey = sqliteTable('passkey', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  userUuid: text('user_uuid').notNull(),
  /** As authenticators name it, in base64url. */
  credentialId: text('credential_id').notNull(),
  /** COSE, in base64url. */
  publicKey: text('public_key').notNull(),
  /** Uses that the authenticator has counted; 0 of one that does not count. */
  counter: integer('counter').notNull(),
  /** Where it was made, and counts. */
  host: text('host').notNull(),
  /** What its user calls it. */
  name: text('name').notNull(),
  lastUsedDate: integer('last_used_date'),
  createDate: integer('create_date').notNull(),
});
