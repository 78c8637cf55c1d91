import { primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** A key and value on a manifest, shipment or track, in the order in which they were added (rowid). */
export const customField = sqliteTable(
  'custom_field',
  {
    organizationUuid: text('organization_uuid').notNull(),
    ownerUuid: text('owner_uuid').notNull(),
    fieldKey: text('field_key').notNull(),
    fieldValue: text('field_value').notNull(),
    /** Null where `lower()` gives the same. */
    foldedValue: text('folded_value'),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.ownerUuid, table.fieldKey] })],
);
