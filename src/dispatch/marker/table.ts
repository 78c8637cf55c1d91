import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** A block of marker codes that was allocated at once. Both ends belong to it. */
export const markerAllocation = sqliteTable(
  'marker_allocation',
  {
    organizationUuid: text('organization_uuid').notNull(),
    firstMarkerCode: integer('first_marker_code').notNull(),
    lastMarkerCode: integer('last_marker_code').notNull(),
    /** The uuid of the allocation in the audit log. */
    uuid: text('uuid').notNull(),
    /** Epoch milliseconds. */
    allocatedDate: integer('allocated_date').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.firstMarkerCode] })],
);
