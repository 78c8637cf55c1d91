import { getTableColumns } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { LOCATIONS } from '../lib/databases.ts';

/** How workers identify themselves at the tablet of a gate. */
export const WORKER_IDENTIFICATIONS = ['NONE', 'BADGE', 'PIN'] as const;

/** The sizes of pallet labels: sheets of A4 or Letter with four labels, or one label of A6 or 4 x 6 inches. */
export const LABEL_SIZES = ['A4', 'LETTER', 'A6', 'INCH_4X6'] as const;

/** An organization (tenant) with its settings. Dates are in epoch milliseconds. */
export const organization = sqliteTable('organization', {
  uuid: text('uuid').primaryKey(),
  name: text('name').notNull(),
  slug: text('slug').notNull(),
  dispatchStrategy: text('dispatch_strategy', { enum: ['MANIFEST', 'SHIPMENT'] }).notNull(),
  clientFeatureEnabled: integer('client_feature_enabled').$type<0 | 1>().notNull(),
  markerAllocationMaximum: integer('marker_allocation_maximum').notNull(),
  markerCodeStart: integer('marker_code_start').notNull(),
  requestsPerMinute: integer('requests_per_minute').notNull(),
  /** A device is shown as OFFLINE after this long without a heartbeat. */
  deviceOfflineAfterSeconds: integer('device_offline_after_seconds').notNull().default(300),
  /** After how many days closed shipments and their records are archived; null for never. */
  retentionDays: integer('retention_days'),
  /** Whether the camera simulator may be used at its gates. */
  sandbox: integer('sandbox').$type<0 | 1>().notNull().default(0),
  /** The time zone that pages show times in: a name of the IANA time zone database. */
  timeZone: text('time_zone').notNull().default('UTC'),
  /** How tablets of gates identify workers, if at all. */
  gateWorkerIdentification: text('gate_worker_identification', { enum: WORKER_IDENTIFICATIONS })
    .notNull()
    .default('NONE'),
  /** The size of pallet labels; null in older rows, which means A4. */
  labelSize: text('label_size', { enum: LABEL_SIZES }),
  /** The daily quiet hours as `HH:MM` in the time zone; null for none. */
  quietFrom: text('quiet_from'),
  quietTo: text('quiet_to'),
  /** JSON array of `{fieldKey, fieldType, role}`; `role` is missing in older rows. */
  shipmentCustomFields: text('shipment_custom_fields').notNull(),
  /** Where the organization's data is. */
  residence: text('residence', { enum: LOCATIONS }).notNull().default('HERE'),
  /** The name of the database that has its data; null for `DB`. */
  databaseName: text('database_name'),
  /** The claim of the process that may import its rows here while it is ARRIVING. */
  arrivalClaim: text('arrival_claim'),
  /** Since when two databases may disagree about it; null if they agree. */
  unsettledDate: integer('unsettled_date'),
  /** Since when the operator has suspended it; null if active. */
  suspendedDate: integer('suspended_date'),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
});

const { residence, databaseName, unsettledDate, arrivalClaim, ...SETTINGS } = getTableColumns(organization);

/** The columns that are equal in every database that has a row of the organization. */
export const settingsColumns: readonly string[] = Object.values(SETTINGS).map(({ name }) => name);
