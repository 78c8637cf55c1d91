import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { CODE_KINDS } from './rules.ts';

/** A device that belongs to a gate. Dates are epoch milliseconds. */
export const gateTablet = sqliteTable('gate_tablet', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  gateUuid: text('gate_uuid').notNull(),
  name: text('name').notNull(),
  /** SHA-256 (hex) of the token of its link. It is kept in case the link is opened again. */
  linkHash: text('link_hash').notNull(),
  linkExpiresDate: integer('link_expires_date').notNull(),
  /** The user who made the link. */
  pairedByUuid: text('paired_by_uuid').notNull(),
  /** SHA-256 (hex) of the token in its cookie; null until the link is used. */
  tokenHash: text('token_hash'),
  pairedDate: integer('paired_date'),
  lastSeenDate: integer('last_seen_date'),
  revokedDate: integer('revoked_date'),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
});

/** A worker at such devices. Dates are epoch milliseconds. */
export const gateWorker = sqliteTable('gate_worker', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  name: text('name').notNull(),
  /** The folded name, which is unique. */
  foldedName: text('folded_name').notNull(),
  /** The hash of a badge or PIN from `codeHashes`. */
  codeHash: text('code_hash').notNull(),
  /** The key of the badge from `storedCode`. Null for a PIN. */
  offlineKey: text('offline_key'),
  codeKind: text('code_kind', { enum: CODE_KINDS }).notNull(),
  createDate: integer('create_date').notNull(),
  /** When the worker got this badge or PIN. Turns that began earlier are over. */
  updateDate: integer('update_date').notNull(),
});

/** A turn: the time that a worker uses a device. Dates are epoch milliseconds. */
export const gateTurn = sqliteTable('gate_turn', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  tabletUuid: text('tablet_uuid').notNull(),
  workerUuid: text('worker_uuid').notNull(),
  /** The worker's name at that time. */
  workerName: text('worker_name').notNull(),
  /** The turn expires if it is not used for a while. */
  lastUsedDate: integer('last_used_date').notNull(),
  endDate: integer('end_date'),
  createDate: integer('create_date').notNull(),
});
