import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const SIGNER_ROLES = ['DRIVER', 'LOADER', 'CONSIGNEE'] as const;
export type SignerRole = (typeof SIGNER_ROLES)[number];

/** A signature on a load. It never changes. Dates are epoch milliseconds. */
export const signature = sqliteTable('signature', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  /** The shipment or manifest. */
  loadUuid: text('load_uuid').notNull(),
  /** From 1 for each load, in the order of the signatures. */
  number: integer('number').notNull(),
  role: text('role', { enum: SIGNER_ROLES }).notNull(),
  signerName: text('signer_name').notNull(),
  /** JSON of `Strokes`. */
  strokes: text('strokes').notNull(),
  signDate: integer('sign_date').notNull(),
  /** 1 if the load was completed before. Then a proof without this signature exists. */
  afterClose: integer('after_close').$type<0 | 1>().notNull(),
  /** Display name of the caller. Empty for a user. */
  author: text('author').notNull(),
  authorUuid: text('author_uuid'),
  /** JSON of `SignedFor`. */
  signedFor: text('signed_for').notNull().default('{}'),
  createDate: integer('create_date').notNull(),
});
