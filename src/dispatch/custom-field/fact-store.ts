import { type SQL, sql } from 'drizzle-orm';
import type { FieldRole } from '../../core/writer/settings.ts';

/**
 * SQL: the value of the custom field with a role, for the shipment `p`; NULL without one. For a date, `column` is
 * `field_date`. After completion, the fields keep the roles that they had then. So a role that is given later changes no
 * proof.
 */
export const factOf = (role: FieldRole, column: 'field_value' | 'field_date' = 'field_value'): SQL =>
  sql`(SELECT ${sql.raw(column)} FROM custom_field
    WHERE custom_field.organization_uuid = p.organization_uuid AND custom_field.owner_uuid = p.uuid
      AND custom_field.field_key = iif(p.proof_names IS NOT NULL, p.proof_names ->> ${`$.fields.${role}`},
        (SELECT value ->> 'fieldKey' FROM organization CROSS JOIN json_each(organization.shipment_custom_fields)
          WHERE organization.uuid = p.organization_uuid AND value ->> 'role' = ${role})))`;
