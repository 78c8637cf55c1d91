import { primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** A key and value on a manifest, shipment or track. The rowid is the order of creation. */
export const customField = sqliteTable(
  'custom_field',
  {
    organizationUuid: text('organization_uuid').notNull(),
    ownerUuid: text('owner_uuid').notNull(),
    fieldKey: text('field_key').notNull(),
    fieldValue: text('field_value').notNull(),
    /** Null if `lower()` gives the same text. */
    foldedValue: text('folded_value'),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.ownerUuid, table.fieldKey] })],
);
