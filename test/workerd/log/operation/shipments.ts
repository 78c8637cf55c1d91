import { newTenant, type Tenant } from '../../client.ts';
import { db } from '../../core/writer/requests.ts';

/** A tenant with these shipment fields. Fields that begin with `n` are numbers. */
export const newShipper = (...keys: string[]): Promise<Tenant> =>
  newTenant({
    shipmentCustomFields: keys.map((fieldKey) => ({
      fieldKey,
      fieldType: fieldKey.startsWith('n') ? 'NUMBER' : 'TEXT',
    })),
  });

/** Insert shipments `S0`, `S1`, … directly into the database. @returns their uuids. */
export async function seedShipments({ uuid }: Tenant, count: number): Promise<string[]> {
  const uuids = Array.from({ length: count }, () => crypto.randomUUID());
  await db
    .prepare(`INSERT INTO shipment (uuid, organization_uuid, external_identifier, status, folded_identifier,
        folded_notes, create_date, update_date)
      SELECT value, ?1, 'S' || key, 'TO_DO', 's' || key, '', 1, 1 FROM json_each(?2)`)
    .bind(uuid, JSON.stringify(uuids))
    .run();
  return uuids;
}

/** The fields of each shipment by its name, in display order. */
export async function fieldsOf({ uuid }: Tenant): Promise<Record<string, [string, string][]>> {
  const { results } = await db
    .prepare(`SELECT external_identifier AS name, field_key AS key, field_value AS value FROM shipment
      JOIN custom_field ON custom_field.organization_uuid = shipment.organization_uuid AND owner_uuid = shipment.uuid
      WHERE shipment.organization_uuid = ?1 ORDER BY length(shipment.external_identifier), shipment.external_identifier, custom_field.rowid`)
    .bind(uuid)
    .all<{ name: string; key: string; value: string }>();
  const byName = Map.groupBy(results, ({ name }) => name);
  return Object.fromEntries(
    [...byName].map(([name, fields]) => [name, fields.map(({ key, value }) => [key, value])]),
  );
}

/** The audit records about shipments: actor, count and changed fields. */
export async function auditOf({ uuid }: Tenant): Promise<[string, unknown][]> {
  const { results } = await db
    .prepare(`SELECT entity_external_id AS name, changes FROM audit_log
      WHERE organization_uuid = ?1 AND action = 'SHIPMENT_UPDATED' ORDER BY sequence_number`)
    .bind(uuid)
    .all<{ name: string; changes: string }>();
  return results.map(({ name, changes }) => [name, JSON.parse(changes)]);
}
