import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

const KINDS = ['API_KEY', 'ACCESS_TOKEN', 'OPERATOR'] as const;
export type CredentialKind = (typeof KINDS)[number];

/** Make a table of credentials and a table of their secrets. Dates are in epoch milliseconds. */
const tables = (name: string) => ({
  name,
  credential: sqliteTable(name, {
    uuid: text('uuid').primaryKey(),
    organizationUuid: text('organization_uuid').notNull(),
    kind: text('kind', { enum: KINDS }).notNull(),
    name: text('name').notNull(),
    /** The prefix of the current secret, which identifies the credential for people. */
    prefix: text('prefix').notNull(),
    /** JSON array; empty for API keys. */
    scopes: text('scopes').notNull(),
    expiresDate: integer('expires_date'),
    revokedDate: integer('revoked_date'),
    lastUsedDate: integer('last_used_date'),
    createDate: integer('create_date').notNull(),
    updateDate: integer('update_date').notNull(),
  }),
  /** Secrets, as SHA-256 (hex) only. */
  secret: sqliteTable(`${name}_secret`, {
    hash: text('hash').primaryKey(),
    organizationUuid: text('organization_uuid').notNull(),
    credentialUuid: text('credential_uuid').notNull(),
    /** When a rotated secret ends; null for the current secret. */
    validUntilDate: integer('valid_until_date'),
    createDate: integer('create_date').notNull(),
  }),
});

const ofOrganizations = tables('credential');
const ofService = tables('operator');

/** API keys and access tokens of organizations. */
export const { credential, secret: credentialSecret } = ofOrganizations;
/** Operators, in `DB`. Their credentials belong to no organization. */
export const { credential: operator, secret: operatorSecret } = ofService;

/** The tables of credentials by kind. */
export const tablesOf = (kind: CredentialKind) => (kind === 'OPERATOR' ? ofService : ofOrganizations);
