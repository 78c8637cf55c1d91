import { type SQL, sql } from 'drizzle-orm';
import { type Json, parseJson } from '../../../core/lib/json.ts';
import type { Scope } from '../../../core/lib/scope.ts';
import { itemsQuery } from '../../../log/operation/store.ts';
import type { BulkItem } from './bulk-rules.ts';

/** The maximum number of items that one statement reads. */
const ITEMS_A_READ = 500;

/** A row of `bulkItemsQueries`. The uuid is null if the shipment does not exist. */
interface BulkRow {
  index: number;
  identifier: string;
  input: Json<BulkItem['fields']>;
  uuid: string | null;
  externalIdentifier: string;
  current: Json<BulkItem['current']>;
}

/**
 * Read a range of items of a bulk upsert. Each has its shipment (by external id, then uuid) and the
 * current values of the fields that it names.
 */
export function bulkItemsQueries(
  scope: Scope,
  operationUuid: string,
  start: number,
  end: number,
): SQL<BulkRow>[] {
  const firsts = Array.from(
    { length: Math.ceil((end - start) / ITEMS_A_READ) },
    (_, index) => start + index * ITEMS_A_READ,
  );
  return firsts.map((first) => readQuery(scope, operationUuid, first, Math.min(ITEMS_A_READ, end - first)));
}

const readQuery = (
  scope: Scope,
  operationUuid: string,
  start: number,
  count: number,
) => sql<BulkRow>`SELECT i."index", i.identifier, i.input, s.uuid, s.external_identifier AS "externalIdentifier",
    (SELECT json_group_array(json_object('fieldKey', field_key, 'fieldValue', field_value)) FROM custom_field
      WHERE custom_field.organization_uuid = ${scope.organization} AND owner_uuid = s.uuid
        AND field_key IN (SELECT json_extract(value, '$.fieldKey') FROM json_each(i.input))) AS current
  FROM (${itemsQuery(scope, operationUuid, start, count)}) i LEFT JOIN shipment s ON s.uuid = coalesce(
      (SELECT n.uuid FROM shipment n WHERE n.organization_uuid = ${scope.organization}
        AND n.external_identifier = i.identifier AND n.deleted_date IS NULL),
      (SELECT u.uuid FROM shipment u WHERE u.uuid = lower(i.identifier) AND u.organization_uuid = ${scope.organization}
        AND u.deleted_date IS NULL))
    AND +s.organization_uuid = ${scope.organization}
  ORDER BY i."index"`;

export const bulkItemOf = ({
  index,
  identifier,
  input,
  uuid,
  externalIdentifier,
  current,
}: BulkRow): BulkItem => ({
  index,
  identifier,
  fields: parseJson(input),
  shipment: uuid === null ? null : { uuid, externalIdentifier },
  current: parseJson(current),
});
