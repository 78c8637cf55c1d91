import { sql } from 'drizzle-orm';
import type { Database } from '../lib/database.ts';
import type { BulkItem } from './bulk-rules.ts';

/**
 * Items of a bulk upsert, from an index up to before another, with the shipments that they mean (external id first, then
 * uuid) and the fields of those that they name.
 */
export async function readBulkItems(
  database: Database,
  operationUuid: string,
  start: number,
  end: number,
): Promise<BulkItem[]> {
  const { organization } = database;
  const rows = await database.all<{
    index: number;
    input: string;
    uuid: string | null;
    externalIdentifier: string;
    current: string;
  }>(sql`SELECT i.item_index AS "index", i.input, s.uuid, s.external_identifier AS "externalIdentifier",
      (SELECT json_group_array(json_object('fieldKey', field_key, 'fieldValue', field_value)) FROM custom_field
        WHERE custom_field.organization_uuid = ${organization} AND owner_uuid = s.uuid
          AND field_key IN (SELECT json_extract(value, '$.fieldKey') FROM json_each(i.input))) AS current
    FROM operation_item i LEFT JOIN shipment s ON s.uuid = coalesce(
        (SELECT n.uuid FROM shipment n WHERE n.organization_uuid = ${organization}
          AND n.external_identifier = i.identifier AND n.deleted_date IS NULL),
        (SELECT u.uuid FROM shipment u WHERE u.uuid = i.identifier AND u.organization_uuid = ${organization}
          AND u.deleted_date IS NULL))
      AND +s.organization_uuid = ${organization}
    WHERE i.organization_uuid = ${organization} AND i.operation_uuid = ${operationUuid}
      AND i.item_index >= ${start} AND i.item_index < ${end} ORDER BY i.item_index`);
  return rows.map(({ index, input, uuid, externalIdentifier, current }) => ({
    index,
    fields: JSON.parse(input) as BulkItem['fields'],
    shipment: uuid === null ? null : { uuid, externalIdentifier },
    current: JSON.parse(current) as BulkItem['current'],
  }));
}
