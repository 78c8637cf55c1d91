import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * The figures of a completed shipment. A trigger writes them. They stay when the shipment is archived. Dates are epoch
 * milliseconds, times are whole minutes.
 */
export const shipmentFigures = sqliteTable(
  'shipment_figures',
  {
    organizationUuid: text('organization_uuid').notNull(),
    closeDate: integer('close_date').notNull(),
    shipmentUuid: text('shipment_uuid').notNull(),
    carrier: text('carrier'),
    gateUuid: text('gate_uuid'),
    /** The planned departure. */
    plannedDate: integer('planned_date'),
    loadingMinutes: integer('loading_minutes').notNull(),
    dwellMinutes: integer('dwell_minutes').notNull(),
    gateMinutes: integer('gate_minutes').notNull(),
    palletsLoaded: integer('pallets_loaded').notNull(),
    /** Pallets that are NOT_LOADED or UNLOADED. */
    palletsMissing: integer('pallets_missing').notNull(),
    palletsWrong: integer('pallets_wrong').notNull(),
    shortReason: text('short_reason'),
    /** Invalid loading records that were removed: their pallets were taken off. */
    palletsCaught: integer('pallets_caught').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.closeDate, table.shipmentUuid] })],
);
