import { type SQL, sql } from 'drizzle-orm';

/**
 * JSON of the names that the proof of a load shows: of the organization and of the gate. For a shipment, it also has the
 * key of the custom field with each role. The row of the load is `manifest` or `shipment`.
 */
export const proofNames = (table: 'manifest' | 'shipment'): SQL => {
  const load = sql.raw(table);
  const organization = sql`FROM organization WHERE organization.uuid = ${load}.organization_uuid`;
  const fields = sql`json((SELECT json_group_object(value ->> 'role', value ->> 'fieldKey')
    FROM organization CROSS JOIN json_each(organization.shipment_custom_fields)
    WHERE organization.uuid = ${load}.organization_uuid AND value ->> 'role' IS NOT NULL))`;
  return sql`json_object('organizationName', (SELECT name ${organization}),
    'gateExternalId', (SELECT external_identifier FROM gate WHERE gate.uuid = ${load}.gate_uuid),
    'gateName', (SELECT name FROM gate WHERE gate.uuid = ${load}.gate_uuid)
    ${table === 'shipment' ? sql`, 'fields', ${fields}` : sql``})`;
};
