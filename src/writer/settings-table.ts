import { getTableColumns } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { RESIDENCES } from '../lib/databases.ts';

/** How people say who they are at a tablet of a gate. */
export const WORKER_IDENTIFICATIONS = ['NONE', 'BADGE', 'PIN'] as const;

/** An organization (tenant) with its settings. Dates in epoch milliseconds. */
export const organization = sqliteTable('organization', {
  uuid: text('uuid').primaryKey(),
  name: text('name').notNull(),
  slug: text('slug').notNull(),
  dispatchStrategy: text('dispatch_strategy', { enum: ['MANIFEST', 'SHIPMENT'] }).notNull(),
  clientFeatureEnabled: integer('client_feature_enabled').$type<0 | 1>().notNull(),
  markerAllocationMaximum: integer('marker_allocation_maximum').notNull(),
  markerCodeStart: integer('marker_code_start').notNull(),
  requestsPerMinute: integer('requests_per_minute').notNull(),
  /** A device that was not heard of for longer is shown as OFFLINE. */
  deviceOfflineAfterSeconds: integer('device_offline_after_seconds').notNull().default(300),
  /** After how many days what is closed goes to the archive; null for never. */
  retentionDays: integer('retention_days'),
  /** Whether cameras can be played at its gates. */
  sandbox: integer('sandbox').$type<0 | 1>().notNull().default(0),
  /** The zone that times are shown in: a name of the IANA time zone database. */
  timeZone: text('time_zone').notNull().default('UTC'),
  /** Whether tablets of gates ask who works there, and how. */
  gateWorkerIdentification: text('gate_worker_identification', { enum: WORKER_IDENTIFICATIONS })
    .notNull()
    .default('NONE'),
  /** JSON array of `{fieldKey, fieldType, role}`; `role` is missing in older ones. */
  shipmentCustomFields: text('shipment_custom_fields').notNull(),
  /** Whether it lives in the database that is asked. */
  residence: text('residence', { enum: RESIDENCES }).notNull().default('HERE'),
  /** The database that it lives in; null for `DB`. */
  databaseName: text('database_name'),
  /** Who may bring rows of it here while it is ARRIVING. */
  arrivalClaim: text('arrival_claim'),
  /** Since when two databases may not say the same of it; null where they do. */
  unsettledDate: integer('unsettled_date'),
  /** Since when the operator has it suspended; null where it works. */
  suspendedDate: integer('suspended_date'),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
});

const { residence, databaseName, unsettledDate, arrivalClaim, ...SETTINGS } = getTableColumns(organization);

/** The columns that say the same of an organization in whichever database a row of it is. */
export const settingsColumns: readonly string[] = Object.values(SETTINGS).map(({ name }) => name);
